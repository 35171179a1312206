import {
  nationalFields,
  nationalSchema,
  RIPS_GROUPS,
  type RipsGroup,
  type RipsProfile,
  userFields,
} from '../../src/families/rips/national.js';
import type { SchemaName } from '../../src/generated/schema-types.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';

/** A sound national transaction with a service of every group: a mother of 30, her newborn, and what she was given. */

const SITE = { codPrestador: '110010000001', consecutivo: 1 };
const DOCTOR = { tipoDocumentoIdentificacion: 'CC', numDocumentoIdentificacion: '9900000011' };
const UNPAID = { conceptoRecaudo: '05', valorPagoModerador: 0 };
const AMBULATORY = { modalidadGrupoServicioTecSal: '01', grupoServicios: '01', codServicio: 328 };
const STAY = { causaMotivoAtencion: '38', condicionDestinoUsuarioEgreso: '01' };

const SERVICES: Readonly<Record<RipsGroup, JsonObject>> = {
  consultas: {
    ...SITE,
    ...DOCTOR,
    ...UNPAID,
    ...AMBULATORY,
    fechaInicioAtencion: '2026-10-01 08:00',
    codConsulta: '890201',
    finalidadTecnologiaSalud: '15',
    causaMotivoAtencion: '38',
    codDiagnosticoPrincipal: 'I10X',
    tipoDiagnosticoPrincipal: '01',
    vrServicio: 60000,
  },
  procedimientos: {
    ...SITE,
    ...DOCTOR,
    ...UNPAID,
    ...AMBULATORY,
    fechaInicioAtencion: '2026-10-01 09:00',
    codProcedimiento: '735301',
    viaIngresoServicioSalud: '01',
    finalidadTecnologiaSalud: '16',
    codDiagnosticoPrincipal: 'O800',
    vrServicio: 0,
  },
  urgencias: {
    ...SITE,
    ...STAY,
    fechaInicioAtencion: '2026-10-01 10:00',
    codDiagnosticoPrincipal: 'O800',
    codDiagnosticoPrincipalE: 'O800',
    fechaEgreso: '2026-10-01 14:00',
  },
  hospitalizacion: {
    ...SITE,
    ...STAY,
    viaIngresoServicioSalud: '03',
    fechaInicioAtencion: '2026-10-01 14:00',
    codDiagnosticoPrincipal: 'O800',
    codDiagnosticoPrincipalE: 'O800',
    fechaEgreso: '2026-10-03 10:00',
  },
  recienNacidos: {
    ...SITE,
    tipoDocumentoIdentificacion: 'CN',
    numDocumentoIdentificacion: '1600000001',
    fechaNacimiento: '2026-10-01 20:00',
    edadGestacional: 39,
    numConsultasCPrenatal: 8,
    codSexoBiologico: '02',
    peso: 3100,
    codDiagnosticoPrincipal: 'Z380',
    condicionDestinoUsuarioEgreso: '01',
    fechaEgreso: '2026-10-03 10:00',
  },
  medicamentos: {
    ...SITE,
    ...DOCTOR,
    ...UNPAID,
    fechaDispensAdmon: '2026-10-02 08:00',
    codDiagnosticoPrincipal: 'O800',
    tipoMedicamento: '01',
    codTecnologiaSalud: '19935303-1',
    concentracionMedicamento: 0,
    unidadMedida: 0,
    unidadMinDispensa: 1,
    cantidadMedicamento: 4,
    diasTratamiento: 2,
    vrUnitMedicamento: 500,
    vrServicio: 2000,
    vrDispensacion: 0,
  },
  otrosServicios: {
    ...SITE,
    ...UNPAID,
    fechaSuministroTecnologia: '2026-10-02 09:00',
    tipoOS: '02',
    codTecnologiaSalud: '601T01',
    cantidadOS: 1,
    vrUnitOS: 90000,
    vrServicio: 90000,
    vrDispensacion: 0,
  },
};

const MOTHER: JsonObject = {
  tipoDocumentoIdentificacion: 'CC',
  numDocumentoIdentificacion: '9800000001',
  tipoUsuario: '01',
  fechaNacimiento: '1996-05-20',
  codSexo: 'F',
  codPaisResidencia: '170',
  codMunicipioResidencia: '05001',
  codZonaTerritorialResidencia: '02',
  incapacidad: 'NO',
  consecutivo: 1,
  codPaisOrigen: '170',
};

/** Every key of the profile, null where nothing is said. */
const complete = (names: readonly string[], values: JsonObject): JsonObject =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]));

export const PROFILES: readonly RipsProfile[] = ['948-v003', '2275'];

export const transactionSchema = (profile: RipsProfile): SchemaName => nationalSchema(profile, 'transaccion');

/** A service of a group as the profile has it. */
export const service = (profile: RipsProfile, group: RipsGroup): JsonObject =>
  complete(
    nationalFields(profile, group).map(({ name }) => name),
    SERVICES[group],
  );

export const transaction = (profile: RipsProfile): JsonObject => ({
  numDocumentoIdObligado: '900555321',
  numFactura: null,
  tipoNota: 'RS',
  numNota: 'RS-1',
  usuarios: [
    {
      ...complete(userFields(profile), MOTHER),
      servicios: Object.fromEntries(RIPS_GROUPS.map((group) => [group, [service(profile, group)]])),
    },
  ],
});
