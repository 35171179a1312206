import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { readEventAsked, readEventSent } from '../../src/families/events/answer.js';
import { readReception } from '../../src/families/events/reception.js';
import type { Verdict } from '../../src/send/verdict.js';
import type { JsonObject, JsonValue } from '../../src/toolkit/core/json.js';

const CUDE = 'c'.repeat(96);
const CUFE = 'f'.repeat(96);
const EVENT = { cufe: CUFE, code: '032' } as const;
/** What has to be asked before it counts. */
const sent = (answer: Answer): Verdict =>
  readEventSent(answer, ({ issues }) => ({ kind: 'unclear', issue: issues[0]! }));
const json = (body: JsonValue, status = 200): Answer => ({ kind: 'json', status, body }) as Answer;

const dian = (result: JsonObject, more: JsonObject = {}): Answer =>
  json({
    success: true,
    message: 'Evento enviado',
    ResponseDian: {
      Envelope: { Body: { SendEventUpdateStatusResponse: { SendEventUpdateStatusResult: result } } },
    },
    cude: CUDE,
    ...more,
  });
const ACCEPTED = { IsValid: 'true', StatusCode: '00', StatusDescription: 'Procesado Correctamente.' };
const rejected = (...lines: readonly string[]): JsonObject => ({
  IsValid: 'false',
  StatusCode: '99',
  StatusDescription: 'Validación contiene errores en campos mandatorios.',
  ErrorMessage: { string: lines.length === 1 ? lines[0]! : [...lines] },
});

describe('what E1 and E2 say', () => {
  test.each<[string, Answer, string]>([
    ['accepted', dian(ACCEPTED), 'accepted'],
    ['rejected with success:true', dian(rejected('Regla: LGC09, Rechazo: no')), 'rejected'],
    ['registered already, at DIAN', dian(rejected('Regla: LGC01, Rechazo: ya')), 'received-before'],
    ['rule 90', dian(rejected('Regla: 90, Rechazo: procesado anteriormente')), 'received-before'],
    [
      'in the book, E2',
      json({
        success: false,
        message: 'Evento registrado previamente',
        cude: CUDE,
        date_issue: '2026-11-20',
      }),
      'received-before',
    ],
    [
      'in the book, E1',
      json({ success: false, message: 'Evento registrado previamente' }),
      'received-before',
    ],
    [
      'another acquirer',
      json({ success: false, message: 'El documento no corresponde al adquiriente 900123456' }),
      'unclear',
    ],
    ['no invoice', json({ success: false, message: 'El archivo no es un AttachedDocument XML' }), 'unclear'],
    [
      'the certificate',
      json({
        success: false,
        message: 'El certificado digital se encuentra vencido',
        certificate_days_left: 0,
      }),
      'refused-for-all',
    ],
    ['the plan', json({ success: false, message: 'El plan se encuentra inactivo' }), 'refused-for-all'],
    [
      'validation',
      json({ message: 'no', errors: { event_id: ['The event id field is required.'] } }, 422),
      'refused',
    ],
    ['a crash', json({ message: 'Server Error' }, 500), 'unknown'],
    ['nobody', json({ message: 'Unauthenticated.' }, 401), 'refused-for-all'],
    ['too many', json({ message: 'Too Many Attempts.' }, 429), 'unknown'],
    ['a page', json({ message: 'Forbidden' }, 403), 'unknown'],
    ['a bare string', { kind: 'text', status: 200, text: 'Undefined index' } as Answer, 'unknown'],
    ['a lost line', { kind: 'failure', reason: 'reset', sent: true } as Answer, 'unknown'],
  ])('%s', (_name, answer, kind) => expect(sent(answer).kind).toBe(kind));

  test('keeps CUDE and consecutive, whatever the key is called', () => {
    const answer = dian(ACCEPTED, {
      event_consecutive: 'X1',
      invoice_number: 'FE1',
      certificate_days_left: 3,
    });
    expect(sent(answer)).toMatchObject({
      claimed: CUDE,
      answer: { cude: CUDE, consecutive: 'X1', invoice_number: 'FE1' },
    });
    expect(JSON.stringify(sent(answer))).not.toContain('certificate');
  });
});

describe('what E3 says of an event that is asked about', () => {
  const list = (...codes: readonly string[]): Answer =>
    json({
      success: true,
      events: codes.map((code) => ({ dian_code: code, cude: CUDE, date: '2026-11-20', event_number: '1' })),
    });
  const status = (code: string): Answer =>
    json({
      success: false,
      ResponseDian: {
        Envelope: { Body: { GetStatusEventResponse: { GetStatusEventResult: { StatusCode: code } } } },
      },
    });
  test.each<[string, Answer, string]>([
    ['there', list('030', '032'), 'accepted'],
    ['others only', list('030'), 'absent'],
    ['none', status('67'), 'absent'],
    ['an empty list', list(), 'absent'],
    ['of another invoice', json({ success: true, events: [], cufecude: CUDE }), 'unknown'],
    ['of ours by name', json({ success: true, events: [], cufecude: CUFE.toUpperCase() }), 'absent'],
    ['another status', status('66'), 'unknown'],
    ['no word of DIAN', json({ success: false, message: 'DIAN no disponible' }), 'unknown'],
    ['a crash', json({ message: 'Server Error' }, 500), 'unknown'],
    ['too many', json({}, 429), 'throttled'],
    ['nobody', json({ message: 'Unauthenticated.' }, 401), 'refused-for-all'],
  ])('%s', (_name, answer, kind) => expect(readEventAsked(answer, EVENT).kind).toBe(kind));

  test('tells that it was found, with its code', () =>
    expect(readEventAsked(list('032'), EVENT)).toMatchObject({
      documentCode: CUDE,
      issues: [{ code: 'events/found-registered', level: 'warning', params: { date: '2026-11-20' } }],
    }));
});

describe('what E7 says', () => {
  test.each<[string, Answer, string]>([
    ['read', json({ success: true, data: { cufe: CUDE, number: 'FE1' } }), 'accepted'],
    ['no invoice', json({ success: false, message: 'El archivo no es un AttachedDocument XML' }), 'refused'],
    ['a crash', json({ message: 'Server Error' }, 500), 'unknown'],
    [
      'validation',
      json({ message: 'no', errors: { xml_document: ['The xml document field is required.'] } }, 422),
      'refused',
    ],
  ])('%s', (_name, answer, kind) => expect(readReception(answer).kind).toBe(kind));
});

test.each([
  [200, 'unclear'],
  [299, 'unclear'],
  [300, 'unknown'],
])('a refusal in words alone with status %i is %s', (status, kind) => {
  expect(sent(json({ success: false, message: 'No se pudo' }, status)).kind).toBe(kind);
});
