import { expect, test } from 'vitest';
import { validate } from '../../src/toolkit/schema/validate.js';

/** Answers as service.md 13.4 to 13.11 shows them, or where it shows none, as 6 and 7 describe them. */

const NIL = { _attributes: { nil: 'true' } };
const body = (inner: object): object => ({ ResponseDian: { Envelope: { Body: inner } } });
const production = (result: object): object =>
  body({ SendNominaSyncResponse: { SendNominaSyncResult: result } });
const zip = (result: object): object =>
  body({ GetStatusZipResponse: { GetStatusZipResult: { DianResponse: result } } });

const event = (result: object): object =>
  body({ SendEventUpdateStatusResponse: { SendEventUpdateStatusResult: result } });
const done = (data: unknown): object => ({ success: true, data, message: 'x' });
const page = (row: object): object => done({ data: [row], total: 1, last_page: 1 });

const CUV =
  '175e7a7abac4bb96fd26996e3593e7ed910d99da117ce8c780a5867c817cccd81eb64c3331421baffb2aa2a5376aa560';
const PATIENT = { id: 41, document_number: '52000111', name: 'Luisa', last_name: 'Rojas' };
const RESULT = {
  Clase: 'NOTIFICACION',
  Codigo: 'RVC019',
  Descripcion: 'CUPS frente a diagnóstico',
  Observaciones: '',
  PathFuente: 'usuarios[0].servicios.consultas[0].codConsulta',
  Fuente: 'Rips',
};

const ANSWERS: readonly (readonly [string, string, unknown])[] = [
  [
    'received by the test set',
    'responses/document-sent',
    {
      message: 'Documento enviado al set de pruebas',
      ...body({
        SendTestSetAsyncResponse: { SendTestSetAsyncResult: { ErrorMessageList: NIL, ZipKey: '3f0a' } },
      }),
      payrollxml: 'PD94',
      cune: '334c',
      certificate_days_left: 210,
    },
  ],
  [
    'refused by the test set',
    'responses/document-sent',
    body({
      SendTestSetAsyncResponse: {
        SendTestSetAsyncResult: {
          ErrorMessageList: {
            XmlParamsResponseTrackId: { Success: 'false', ProcessedMessage: 'Set no encontrado' },
          },
          ZipKey: NIL,
        },
      },
    }),
  ],
  [
    'accepted',
    'responses/document-sent',
    production({ ErrorMessage: NIL, IsValid: 'true', StatusCode: '00' }),
  ],
  [
    'one rule',
    'responses/document-sent',
    production({ ErrorMessage: { string: 'Regla: 90' }, IsValid: 'false' }),
  ],
  [
    'two rules',
    'responses/document-sent',
    production({ ErrorMessage: { string: ['a', 'b'] }, StatusMessage: NIL }),
  ],
  [
    'already sent',
    'responses/document-sent',
    { success: false, message: 'Documento ya enviado', total_payroll: '2269095.00' },
  ],
  ['pending', 'responses/status', zip({ IsValid: 'false', StatusCode: {}, ErrorMessage: NIL })],
  [
    'a fault',
    'responses/status',
    body({ Fault: { Reason: { Text: { _attributes: { lang: 'es' }, _value: 'x' } } } }),
  ],
  ['the next number', 'responses/current-number', { number: 1002, success: true, prefix: 'NI' }],
  [
    'an accepted event',
    'responses/event-sent',
    {
      success: true,
      message: 'Evento enviado',
      certificate_days_left: 210,
      cude: 'ec6c117f',
      consecutive: '860012345FE2301030',
      transmitter_id: '860012345',
      invoice_number: 'FE2301',
      invoice_total: '1190000.00',
      ...event({ ErrorMessage: NIL, IsValid: 'true', StatusCode: '00' }),
    },
  ],
  [
    'a rejected event',
    'responses/event-sent',
    { success: true, ...event({ IsValid: 'false', StatusCode: '99', ErrorMessage: { string: 'LGC09' } }) },
  ],
  [
    'an event that is in the book',
    'responses/event-sent',
    { success: false, message: 'Evento registrado previamente', date_issue: '2026-03-11', seller_name: 'x' },
  ],
  [
    'the events of an invoice',
    'responses/invoice-events',
    {
      success: true,
      events: [{ event_number: '1', dian_code: '030', date: '2026-03-11', time: '10:00:00', cude: 'e' }],
      ...body({ GetStatusEventResponse: { GetStatusEventResult: { StatusCode: '00' } } }),
      cufecude: '1bc0',
    },
  ],
  ['no events', 'responses/invoice-events', { success: false, message: '67' }],
  [
    "events on DIAN's page",
    'responses/dian-page-events',
    { success: 'true', Evento_030: [{ Descripción: 'Acuse', Nit_Emisor: '900123456' }] },
  ],
  [
    'events of an own invoice',
    'responses/issued-invoice-events',
    { success: true, 'La factura tiene acuse de recibo': true, send_email_date_time: null },
  ],
  [
    'the document of a seller',
    'responses/seller-document',
    { success: true, data: { number: 2301, total: '1190000.00', acu_recibo: 0, type_document_id: '01' } },
  ],
  [
    'the stored access',
    'responses/rips-configured',
    { success: true, configuration: { id: 1, number_identification: '1020304050', password: 'x' } },
  ],
  ['a provider', 'responses/service-provider-answer', done({ id: 1, name: 'Clínica' })],
  ['providers', 'responses/service-provider-page', page({ id: 1, name: 'Clínica' })],
  ['a deletion', 'responses/removed', { success: true, message: 'x' }],
  ['a patient', 'responses/patient-answer', done(PATIENT)],
  ['no patient', 'responses/patient-answer', done(null)],
  ['patients', 'responses/patient-page', page(PATIENT)],
  [
    'tables for patients',
    'responses/patient-tables',
    done({ genders: [{ id: 3, name: 'Mujer' }], municipalities: [{ id: 149, name: 'x', code: '11001' }] }),
  ],
  ['an appointment', 'responses/appointment-answer', done({ id: 90, patient_id: 41, time: '08:30' })],
  [
    'appointments',
    'responses/appointment-list',
    done([{ id: 90, patient: 'Luisa Rojas', user: 'x', date: '2026-11-03', color: null }]),
  ],
  [
    'tables for services',
    'responses/service-tables',
    done({ service_codes: [{ code: '328', name: 'Medicina general', description: 'x' }] }),
  ],
  ['codes', 'responses/code-list', done([{ id: 1, code: '01', name: 'x' }])],
  ['a document', 'responses/rips-document-created', done({ id: 12, appointment_id: 90, note_type: 'RS' })],
  [
    'an accepted package',
    'responses/rips-generated',
    done({
      ResultState: true,
      ProcesoId: 812345,
      CodigoUnicoValidacion: CUV,
      ResultadosValidacion: [RESULT],
    }),
  ],
  [
    'a refused package inside a 200',
    'responses/rips-generated',
    done({ resultState: false, codigoUnicoValidacion: '-', resultadosValidacion: [RESULT] }),
  ],
  [
    'a refused package the usual way',
    'responses/rips-generated',
    { success: false, error: { success: false, message: 'Client error: … (truncated...)' }, message: 'x' },
  ],
  [
    'a crash of one version',
    'responses/refusal',
    { success: false, message: 'x', error: 'Unauthenticated.' },
  ],
  ['refused health fields', 'responses/refusal', { success: false, message: 'x', errors: { email: ['x'] } }],
  ['refused fields', 'responses/refusal', { message: 'x', errors: { 'worker.surname': ['required'] } }],
];

test.each(ANSWERS)('%s is a %s', (_, name, answer) => {
  expect(validate(name, 'tolerant', answer)).toEqual([]);
});

test.each([
  ['responses/document-sent', 'una frase'],
  ['responses/document-sent', production({ IsValid: true })],
  ['responses/current-number', { number: 'doce' }],
  ['responses/event-sent', event({ StatusCode: 0 })],
  ['responses/patient-answer', done([PATIENT])],
  ['responses/patient-page', done([PATIENT])],
  ['responses/appointment-list', page({ id: 1 })],
  ['responses/rips-generated', done({ ResultState: 'sí' })],
  ['responses/rips-generated', { error: 5 }],
])('%s is not just anything', (name, answer) => {
  expect(validate(name, 'tolerant', answer)).not.toEqual([]);
});
