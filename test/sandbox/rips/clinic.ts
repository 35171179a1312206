import { readFileSync } from 'node:fs';
import type { RipsGroup } from '../../../src/families/rips/national.js';
import type { SandboxOptions } from '../../../src/sandbox/options.js';
import type { Sandbox } from '../../../src/sandbox/server.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { PATIENT } from '../../schema/health-examples.js';
import { type Reply, request, sandbox } from '../client.js';

export { PATIENT };

type Box = Pick<Sandbox, 'url' | 'token'>;

/** Early on a morning in Bogotá, after all care of the fixtures. */
export const MORNING = new Date('2026-11-03T14:10:22Z');

export const CONFIGURATION: JsonObject = {
  type_document_identification_id: 3,
  number_identification: '1020304050',
  password: 's3cret',
  url: 'https://sispro.clinica.example',
};

/** Real-looking documents of invented people, with the national form that they must get. */
export interface Fixture {
  readonly case: string;
  readonly patient: JsonObject;
  readonly appointment: JsonObject;
  readonly document: JsonObject & { services: JsonObject[] };
  readonly national: { readonly usuario: JsonObject; readonly servicios: JsonObject };
}
export const FIXTURES: readonly Fixture[] = JSON.parse(
  readFileSync(new URL('documents.json', import.meta.url), 'utf8'),
);

export const configure = (box: Box, changes: JsonObject = {}): Promise<Reply> =>
  request(box, 'POST', '/api/rips/configuration', { ...CONFIGURATION, ...changes });

/** A sandbox whose company has access to the health system. */
export async function clinic(options: SandboxOptions = {}): Promise<Sandbox> {
  const box = await sandbox({ now: () => MORNING, ...options });
  await configure(box);
  return box;
}

/** A box as another of its companies sees it. */
export const as = (box: Sandbox, nit: string): Box => ({ url: box.url, token: box.tokens[nit]! });

export const PROVIDER: JsonObject = {
  document_type_id: 3,
  document_number: '80000222',
  name: 'Marta Ruiz',
  email: 'marta@example.com',
  code: '110010990101',
};

export const createPatient = (box: Box, changes: JsonObject = {}): Promise<Reply> =>
  request(box, 'POST', '/api/rips/patients', { ...PATIENT, ...changes });

export const createProvider = (box: Box, changes: JsonObject = {}): Promise<Reply> =>
  request(box, 'POST', '/api/rips/service-providers', { ...PROVIDER, ...changes });

export const createAppointment = (box: Box, changes: JsonObject): Promise<Reply> =>
  request(box, 'POST', '/api/rips/appointments', {
    user_id: 7,
    date: '2026-11-03',
    time: '08:30',
    ...changes,
  });

export const createDocument = (box: Box, body: JsonObject): Promise<Reply> =>
  request(box, 'POST', '/api/rips/documents', {
    note_type: 'RS',
    note_number: 'RS-2026-11-0001',
    services: [SERVICES.consultas],
    ...body,
  });

export const generate = (box: Box, id: unknown): Promise<Reply> =>
  request(box, 'POST', `/api/rips/documents/generate/${id}`);

/** Patient, appointment and document in one go; the id of the document. */
export async function prepared(
  box: Box,
  { patient = {}, appointment = {}, document = {} }: Partial<Record<string, JsonObject>> = {},
): Promise<unknown> {
  const patientId = (await createPatient(box, patient)).at('/data/id') as number;
  const visit = await createAppointment(box, { ...appointment, patient_id: patientId });
  const created = await createDocument(box, {
    ...document,
    appointment_id: visit.at('/data/id') as number,
  });
  return created.at('/data/id');
}

/** `accepted`, or the rules that refused, in order; read from either form of refusal. */
export function verdict(reply: Reply): string {
  if (/^[0-9a-f]{96}$/.test(String(reply.at('/data/CodigoUnicoValidacion')))) return 'accepted';
  return (reply.text.match(/RV[CG]\d+/g) ?? []).join(' ');
}

const PAID: JsonObject = { vrServicio: 60000, conceptoRecaudo: 5, valorPagoModerador: 0, consecutivo: 1 };

/** A sound service of every group. */
export const SERVICES: Readonly<Record<RipsGroup, JsonObject>> = {
  consultas: {
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
    ...PAID,
  },
  procedimientos: {
    service_type_id: 2,
    fechaInicioAtencion: '2026-11-03T08:40:00',
    codProcedimiento: '997310',
    viaIngresoServicioSalud: '01',
    modalidadGrupoServicioTecSal: '01',
    grupoServicios: '01',
    codServicio: 334,
    finalidadTecnologiaSalud: '16',
    codDiagnosticoPrincipal: 'K021',
    ...PAID,
  },
  urgencias: {
    service_type_id: 3,
    fechaInicioAtencion: '2026-11-01T13:20:00',
    causaMotivoAtencion: '26',
    codDiagnosticoPrincipal: 'S060',
    codDiagnosticoPrincipalE: 'S060',
    condicionDestinoUsuarioEgreso: '01',
    fechaEgreso: '2026-11-01T19:20:00',
    consecutivo: 1,
  },
  hospitalizacion: {
    service_type_id: 4,
    viaIngresoServicioSalud: '03',
    fechaInicioAtencion: '2026-11-01T18:40:00',
    causaMotivoAtencion: '38',
    codDiagnosticoPrincipal: 'J189',
    codDiagnosticoPrincipalE: 'J189',
    condicionDestinoUsuarioEgreso: '01',
    fechaEgreso: '2026-11-02T19:40:00',
    consecutivo: 1,
  },
  recienNacidos: {
    service_type_id: 5,
    tipoDocumentoIdentificacion: 'CN',
    numDocumentoIdentificacion: '9930018859',
    fechaNacimiento: '2026-11-01T20:00:00',
    edadGestacional: 39,
    numConsultasCPrenatal: 8,
    codSexoBiologico: '02',
    peso: 3200,
    codDiagnosticoPrincipal: 'Z380',
    condicionDestinoUsuarioEgreso: '01',
    fechaEgreso: '2026-11-02T19:40:00',
    consecutivo: 1,
  },
  medicamentos: {
    service_type_id: 6,
    fechaDispensAdmon: '2026-11-03T08:50:00',
    codDiagnosticoPrincipal: 'I10X',
    tipoMedicamento: '01',
    codTecnologiaSalud: '20054321-3',
    nomTecnologiaSalud: 'AMOXICILINA 500 MG CAP',
    concentracionMedicamento: 0,
    unidadMedida: 0,
    unidadMinDispensa: 68,
    cantidadMedicamento: 20,
    diasTratamiento: 5,
    vrUnitMedicamento: 320,
    ...PAID,
    vrServicio: 6400,
  },
  otrosServicios: {
    service_type_id: 7,
    fechaSuministroTecnologia: '2026-11-03T08:55:00',
    tipoOS: '02',
    codTecnologiaSalud: '601T01',
    cantidadOS: 1,
    vrUnitOS: 90000,
    ...PAID,
    vrServicio: 90000,
  },
};
