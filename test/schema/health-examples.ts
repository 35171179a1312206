import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/toolkit/core/package-file.js';

/** The worked examples of the health module (service.md 13.10), and one item of each further kind (rips.md 2.4 to 2.9). */

export const CONFIGURATION = {
  type_document_identification_id: 3,
  number_identification: '1020304050',
  password: 'clave-de-ejemplo',
  url: 'https://sispro.clinica.example',
};

export const PROVIDER = {
  document_type_id: 3,
  name: 'Clínica de Ejemplo',
  email: 'clinica@example.com',
  code: '110010000001',
  document_number: '900123456',
};

export const PATIENT = {
  type_document_identification_id: 3,
  document_number: '52000111',
  name: 'Luisa',
  last_name: 'Rojas',
  email: 'luisa@example.com',
  birth_date: '1985-07-14',
  rips_user_type_id: 1,
  rips_gender_id: 3,
  municipality_id: 149,
  rips_zone_id: 2,
  country_code: '170',
};

export const APPOINTMENT = { patient_id: 41, user_id: 7, date: '2026-11-03', time: '08:30' };

export const CONSULTATION = {
  service_type_id: 1,
  fechaInicioAtencion: '2026-11-03T08:30:00',
  codConsulta: '890201',
  modalidadGrupoServicioTecSal: '01',
  grupoServicios: '01',
  codServicio: 328,
  finalidadTecnologiaSalud: '15',
  causaMotivoAtencion: '38',
  codDiagnosticoPrincipal: 'I10X',
  tipoDiagnosticoPrincipal: '02',
  vrServicio: 60000,
  conceptoRecaudo: 5,
  valorPagoModerador: 0,
  consecutivo: 1,
} as const;

const MONEY = { vrServicio: 60000, conceptoRecaudo: 5, valorPagoModerador: 0 };

/** Each with what is required of it and no more. */
export const SERVICES: Readonly<Record<string, object>> = {
  'rips/services/consultation': CONSULTATION,
  'rips/services/procedure': {
    service_type_id: 2,
    fechaInicioAtencion: '2026-11-03T09:00:00',
    codProcedimiento: '020110',
    viaIngresoServicioSalud: '02',
    modalidadGrupoServicioTecSal: '01',
    grupoServicios: '02',
    codServicio: 706,
    finalidadTecnologiaSalud: '15',
    codDiagnosticoPrincipal: 'I10X',
    ...MONEY,
    consecutivo: 1,
  },
  'rips/services/emergency': {
    service_type_id: 3,
    fechaInicioAtencion: '2026-11-03T22:10:00',
    causaMotivoAtencion: '38',
    codDiagnosticoPrincipal: 'A09X',
    codDiagnosticoPrincipalE: 'A09X',
    condicionDestinoUsuarioEgreso: '01',
    fechaEgreso: '2026-11-04T02:00:00',
    consecutivo: 1,
  },
  'rips/services/hospitalization': {
    service_type_id: 4,
    viaIngresoServicioSalud: '03',
    fechaInicioAtencion: '2026-11-04T02:00:00',
    causaMotivoAtencion: '38',
    codDiagnosticoPrincipal: 'A09X',
    codDiagnosticoPrincipalE: 'A09X',
    condicionDestinoUsuarioEgreso: '01',
    fechaEgreso: '2026-11-06T10:00:00',
    consecutivo: 1,
  },
  'rips/services/newborn': {
    service_type_id: 5,
    tipoDocumentoIdentificacion: 'CN',
    numDocumentoIdentificacion: '99001122334',
    fechaNacimiento: '2026-11-05T04:20:00',
    edadGestacional: 39,
    numConsultasCPrenatal: 7,
    codSexoBiologico: '02',
    peso: 3150,
    codDiagnosticoPrincipal: 'Z380',
    condicionDestinoUsuarioEgreso: '01',
    fechaEgreso: '2026-11-06T10:00:00',
    consecutivo: 1,
  },
  'rips/services/medication': {
    service_type_id: 6,
    fechaDispensAdmon: '2026-11-06T11:00:00',
    codDiagnosticoPrincipal: 'I10X',
    tipoMedicamento: '01',
    codTecnologiaSalud: '19942345-1',
    unidadMinDispensa: 47,
    cantidadMedicamento: 30,
    diasTratamiento: 30,
    vrUnitMedicamento: 500,
    vrServicio: 15000,
    conceptoRecaudo: 5,
    valorPagoModerador: 0,
    consecutivo: 1,
  },
  'rips/services/other-service': {
    service_type_id: 7,
    fechaSuministroTecnologia: '2026-11-06T11:30:00',
    tipoOS: '01',
    codTecnologiaSalud: 'GASA-10',
    cantidadOS: 2,
    vrUnitOS: 3000,
    vrServicio: 6000,
    conceptoRecaudo: 5,
    valorPagoModerador: 0,
    consecutivo: 1,
  },
};

export const RIPS_DOCUMENT = {
  appointment_id: 90,
  services: [CONSULTATION],
  note_type: 'RS',
  note_number: 'RS-2026-11-0001',
};

/** The same consultation in the national form, 948 version 3. */
export const NATIONAL_948 = JSON.parse(
  readFileSync(packageFile('test/schema/national-948.json'), 'utf8'),
) as object;
