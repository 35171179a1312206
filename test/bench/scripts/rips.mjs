// What a programmer at a clinic would write to turn the list of consultations into checked RIPS documents, without this toolkit:
// one library for the CSV, ajv with the schema of the toolkit, and the rest by hand. The rows of an attention stand together.
// It has no rules, no trace of cells and no accounting.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'csv-parse/sync';
import { records } from './rows.mjs';

const [library, file, { schema, params, catalogues, folder, print }] = [
  ...process.argv.slice(2, 4),
  JSON.parse(process.argv[4]),
];
const param = JSON.parse(readFileSync(params, 'utf8'));
const users = new Map(param.users.map((user) => [user.user_id, user]));
const ajv = addFormats(new Ajv({ allErrors: true, strict: false }));
const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));

/** Codes of a list by their number. */
const list = (name, column = 'code') => {
  const rows = parse(readFileSync(`${catalogues}/${name}.csv`), { columns: true });
  return new Map(rows.map((row) => [Number(row.id), row[column]]));
};
const DOCUMENTS = list('type_document_identifications', 'code_rips');
const USER_TYPES = list('rips_user_types');
const GENDERS = list('rips_genders');
const ZONES = list('rips_zones');
const MUNICIPALITIES = list('municipalities');

/** Stands for numbers that the service gives when a document is sent. */
const LATER = 1;

const text = (value) => (value === undefined || value === '' ? undefined : value.trim());
const number = (value) => (text(value) === undefined ? undefined : Number(value));
const twoDigits = (value) => String(value).padStart(2, '0');

function serviceOf(row, index) {
  return {
    service_type_id: number(row.service_type_id),
    fechaInicioAtencion: text(row.fechaInicioAtencion),
    codConsulta: text(row.codConsulta),
    modalidadGrupoServicioTecSal: text(row.modalidadGrupoServicioTecSal),
    grupoServicios: text(row.grupoServicios),
    codServicio: number(row.codServicio),
    finalidadTecnologiaSalud: text(row.finalidadTecnologiaSalud),
    causaMotivoAtencion: text(row.causaMotivoAtencion),
    codDiagnosticoPrincipal: text(row.codDiagnosticoPrincipal),
    tipoDiagnosticoPrincipal: text(row.tipoDiagnosticoPrincipal),
    vrServicio: number(row.vrServicio),
    conceptoRecaudo: number(row.conceptoRecaudo),
    valorPagoModerador: number(row.valorPagoModerador),
    consecutivo: index + 1,
  };
}

function nationalOf(row, services, user) {
  return {
    usuario: {
      tipoDocumentoIdentificacion: DOCUMENTS.get(number(row.type_document_identification_id)),
      numDocumentoIdentificacion: row.document_number,
      tipoUsuario: USER_TYPES.get(number(row.rips_user_type_id)),
      fechaNacimiento: row.birth_date,
      codSexo: GENDERS.get(number(row.rips_gender_id)),
      codPaisResidencia: param.defaults.codPaisResidencia,
      codMunicipioResidencia: MUNICIPALITIES.get(number(row.municipality_id)),
      codZonaTerritorialResidencia: ZONES.get(number(row.rips_zone_id)),
      incapacidad: param.defaults.incapacidad,
      consecutivo: 1,
      codPaisOrigen: param.defaults.codPaisOrigen,
      registroSIRAS: null,
    },
    servicios: {
      consultas: services.map((service) => ({
        codPrestador: user.codPrestador,
        fechaInicioAtencion: service.fechaInicioAtencion.replace('T', ' ').slice(0, 16),
        numAutorizacion: null,
        codConsulta: service.codConsulta,
        modalidadGrupoServicioTecSal: service.modalidadGrupoServicioTecSal,
        grupoServicios: service.grupoServicios,
        codServicio: service.codServicio,
        finalidadTecnologiaSalud: service.finalidadTecnologiaSalud,
        causaMotivoAtencion: service.causaMotivoAtencion,
        codDiagnosticoPrincipal: service.codDiagnosticoPrincipal,
        codDiagnosticoRelacionado1: null,
        codDiagnosticoRelacionado2: null,
        codDiagnosticoRelacionado3: null,
        tipoDiagnosticoPrincipal: service.tipoDiagnosticoPrincipal,
        tipoDocumentoIdentificacion: user.tipoDocumentoIdentificacion,
        numDocumentoIdentificacion: user.numDocumentoIdentificacion,
        vrServicio: service.vrServicio,
        conceptoRecaudo: twoDigits(service.conceptoRecaudo),
        valorPagoModerador: service.valorPagoModerador,
        numFEVPagoModerador: null,
        consecutivo: service.consecutivo,
        codigoVIDA: null,
        codDiagnosticoPrincipalCIE11: null,
        nomCodDiagnosticoPrincipalCIE11: null,
        codDiagnosticoRelacionado1CIE11: null,
        nomCodDiagnosticoRelacionado1CIE11: null,
        codDiagnosticoRelacionado2CIE11: null,
        nomCodDiagnosticoRelacionado2CIE11: null,
        codDiagnosticoRelacionado3CIE11: null,
        nomCodDiagnosticoRelacionado3CIE11: null,
      })),
    },
  };
}

function attentionOf(rows, index) {
  const [row] = rows;
  const services = rows.map(serviceOf);
  const note = String(param.first_note_number + index).padStart(param.note_number_width, '0');
  return {
    patient: {
      type_document_identification_id: number(row.type_document_identification_id),
      document_number: text(row.document_number),
      name: text(row.name),
      last_name: text(row.last_name),
      email: text(row.email),
      birth_date: text(row.birth_date),
      rips_user_type_id: number(row.rips_user_type_id),
      rips_gender_id: number(row.rips_gender_id),
      municipality_id: number(row.municipality_id),
      rips_zone_id: number(row.rips_zone_id),
      country_code: text(row.country_code),
    },
    appointment: { patient_id: LATER, user_id: number(row.user_id), date: row.date, time: row.time },
    document: {
      appointment_id: LATER,
      note_type: param.note_type,
      services,
      note_number: `${param.note_number_prefix}${note}`,
    },
    national: nationalOf(row, services, users.get(number(row.user_id))),
  };
}

let documents = 0;
let index = 0;
const faults = [];

function finish(rows) {
  const attention = attentionOf(rows, index++);
  if (validate(attention)) {
    documents += 1;
    if (print) {
      attention.appointment.patient_id = attention.document.appointment_id = null;
      console.log(JSON.stringify(attention));
    }
  } else faults.push({ attention: index, errors: validate.errors });
}

let last;
const rows = [];
for await (const row of records(library, file, folder)) {
  const key = [row.document_number, row.user_id, row.date, row.time].join('|');
  if (key !== last && rows.length > 0) finish(rows.splice(0));
  last = key;
  rows.push(row);
}
if (rows.length > 0) finish(rows);
if (!print) console.log(JSON.stringify({ documents, wrong: faults.length }));
