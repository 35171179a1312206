import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { readVerdict } from '../../src/send/verdict.js';
import type { JsonObject, JsonValue } from '../../src/values/json.js';
import { ACCEPTED_RESULT, CUNE, rejectedResult, statusAnswer, syncAnswer, zipAnswer } from './support.js';

const NIL = { _attributes: { nil: 'true' } };
const json = (body: JsonValue, status = 200): Answer => ({ kind: 'json', status, body });
const text = (status: number, text: string): Answer => ({ kind: 'text', status, text });
const failure = (reason: Extract<Answer, { kind: 'failure' }>['reason'], sent: boolean): Answer => ({
  kind: 'failure',
  reason,
  sent,
});
const receipt = (result: JsonObject): JsonObject => ({
  ResponseDian: { Envelope: { Body: { SendTestSetAsyncResponse: { SendTestSetAsyncResult: result } } } },
  cune: CUNE,
});
const with90 = rejectedResult('Regla: 90, Rechazo: Documento procesado anteriormente.');

/** Issue codes with their rule or field. */
function said(verdict: ReturnType<typeof readVerdict>): string[] {
  const issues = 'issues' in verdict ? verdict.issues : 'issue' in verdict ? [verdict.issue] : [];
  return issues.map(({ code, params }) =>
    [code, params['rule'] ?? params['field']].filter((part) => part !== undefined).join(' '),
  );
}

const SENDS: readonly [name: string, answer: Answer, kind: string, issues: readonly string[]][] = [
  ['accepted', json(syncAnswer(ACCEPTED_RESULT)), 'accepted', []],
  [
    'accepted with a scalar notification',
    json(syncAnswer({ ...ACCEPTED_RESULT, ErrorMessage: { string: 'Regla: NIE026, Notificación: fecha' } })),
    'accepted',
    ['remote/notification NIE026'],
  ],
  [
    'accepted with two notifications',
    json(
      syncAnswer({
        ...ACCEPTED_RESULT,
        ErrorMessage: { string: ['Regla: NIE026, Notificación: a', 'Regla: NIE047, Notificación: b'] },
      }),
    ),
    'accepted',
    ['remote/notification NIE026', 'remote/notification NIE047'],
  ],
  ['IsValid decides, not the status', json(syncAnswer(ACCEPTED_RESULT), 500), 'accepted', []],
  [
    'rejected, an array of reasons',
    json(syncAnswer(rejectedResult('Regla: NIE187, Rechazo: a', 'Regla: NIE189, Rechazo: b'))),
    'rejected',
    ['remote/rejected NIE187', 'remote/rejected NIE189'],
  ],
  [
    'rejected, one reason',
    json(syncAnswer(rejectedResult('Regla: NIE199, Rechazo: a'))),
    'rejected',
    ['remote/rejected NIE199'],
  ],
  [
    'a notification beside a rejection',
    json(syncAnswer(rejectedResult('Regla: NIE026, Notificación: a', 'Regla: NIE189, Rechazo: b'))),
    'rejected',
    ['remote/notification NIE026', 'remote/rejected NIE189'],
  ],
  [
    'a reason in the form of the annex',
    json(syncAnswer(rejectedResult('NIE024, (R), CUNE'))),
    'rejected',
    ['remote/rejected NIE024'],
  ],
  [
    'a reason without rule shows the code',
    json(syncAnswer(rejectedResult('Error interno'))),
    'rejected',
    ['remote/rejected 99'],
  ],
  [
    'no reason at all',
    json(syncAnswer({ ...rejectedResult(''), ErrorMessage: NIL })),
    'rejected',
    ['remote/rejected 99'],
  ],
  [
    'status 66 to a send',
    json(syncAnswer({ ...rejectedResult('x'), StatusCode: '66' })),
    'rejected',
    ['remote/rejected 66'],
  ],
  ['rule 90', json(syncAnswer(with90)), 'received-before', []],
  [
    'rule 90 among others',
    json(syncAnswer(rejectedResult('Regla: NIE199, Rechazo: a', 'Regla: 90, Rechazo: b'))),
    'received-before',
    [],
  ],
  ['status code 90', json(syncAnswer({ ...rejectedResult('x'), StatusCode: '90' })), 'received-before', []],
  [
    'already sent, says the service',
    json({
      success: false,
      message: 'Documento ya enviado',
      employee: '1',
      cune: CUNE,
      total_payroll: '1.00',
    }),
    'received-before',
    [],
  ],
  [
    'nil IsValid is no "true"',
    json(syncAnswer({ ...ACCEPTED_RESULT, IsValid: NIL, StatusCode: NIL })),
    'unknown',
    ['remote/no-verdict'],
  ],
  [
    'empty StatusCode to a send',
    json(syncAnswer({ ...rejectedResult('x'), StatusCode: {} })),
    'unknown',
    ['remote/no-verdict'],
  ],
  [
    'a status code that nobody knows',
    json(syncAnswer({ ...rejectedResult('x'), StatusCode: '77' })),
    'unknown',
    ['remote/no-verdict'],
  ],
  [
    'about the test set',
    json(syncAnswer({ ...rejectedResult('x'), StatusCode: '2' })),
    'unknown',
    ['remote/test-set'],
  ],
  ['received by the test set', json(receipt({ ErrorMessageList: NIL, ZipKey: 'k' })), 'pending', []],
  [
    'refused by the test set',
    json(
      receipt({
        ErrorMessageList: { XmlParamsResponseTrackId: { Success: 'false', ProcessedMessage: 'no' } },
        ZipKey: NIL,
      }),
    ),
    'refused-for-all',
    ['send/test-set-refused'],
  ],
  [
    'SOAP fault',
    json({
      ResponseDian: { Envelope: { Body: { Fault: { Reason: { Text: { _value: 'nope' } } } } } },
      cune: CUNE,
    }),
    'unknown',
    ['remote/no-verdict'],
  ],
  [
    'a cune alone is no proof',
    json({ message: 'Nómina generada', cune: CUNE }),
    'unknown',
    ['send/unreadable-answer'],
  ],
  [
    'success alone is no proof',
    json({ success: true, message: 'ok' }),
    'unknown',
    ['send/unreadable-answer'],
  ],
  ['a bare sentence', text(200, 'Undefined index: ResponseDian'), 'unknown', ['send/unreadable-answer']],
  ['a bare JSON string', json('Undefined index'), 'unknown', ['send/unreadable-answer']],
  ['a page of a proxy', text(502, '<h1>502</h1>'), 'unknown', ['send/unreadable-answer']],
  ['a crash', json({ message: 'Server Error' }, 500), 'unknown', ['send/unreadable-answer']],
  [
    'a crash of the 2026 line',
    json({ success: false, message: 'x', error: "Trying to get property 'id' of non-object" }, 500),
    'unknown',
    ['send/unreadable-answer'],
  ],
  [
    'validation',
    json({ message: 'x', errors: { 'worker.address': ['required'] } }, 422),
    'refused',
    ['remote/refused worker.address'],
  ],
  [
    'validation of the 2026 line',
    json({ success: false, message: 'x', error: 'The worker.address field is required.' }, 500),
    'refused',
    ['remote/refused'],
  ],
  [
    'validation in Spanish',
    json({ success: false, message: 'x', error: 'El campo worker.address es obligatorio.' }, 500),
    'refused',
    ['remote/refused'],
  ],
  [
    'an outage that reads like a sentence',
    json({ success: false, message: 'x', error: 'The DIAN service is not available.' }, 500),
    'unknown',
    ['send/unreadable-answer'],
  ],
  [
    'a bad date of the 2026 line',
    json({ success: false, message: 'x', error: 'Failed to parse time string' }, 400),
    'refused',
    ['remote/refused'],
  ],
  ['401', json({ message: 'Unauthenticated.' }, 401), 'refused-for-all', ['send/unauthenticated']],
  [
    '401 of the 2026 line',
    json({ success: false, message: 'x', error: 'Unauthenticated.' }, 500),
    'refused-for-all',
    ['send/unauthenticated'],
  ],
  ['401 as a page', text(401, '<h1>no</h1>'), 'refused-for-all', ['send/unauthenticated']],
  ['a login page', text(302, ''), 'refused-for-all', ['send/wrong-address']],
  ['404', json({ message: 'not found' }, 404), 'refused-for-all', ['send/wrong-address']],
  [
    'DIAN is down',
    json({ success: false, message: 'La DIAN no se encuentra disponible' }),
    'refused-for-all',
    ['send/not-in-service'],
  ],
  [
    'certificate expired',
    json({ success: false, message: 'x', certificate_days_left: 0 }),
    'refused-for-all',
    ['send/certificate-expired'],
  ],
  [
    'throttled',
    { ...json({ message: 'Too Many Attempts.' }, 429), retryAfter: '7' } as Answer,
    'throttled',
    [],
  ],
  ['throttled without JSON', text(429, ''), 'throttled', []],
  ['refused connection', failure('refused', false), 'refused-for-all', ['send/unreachable']],
  ['time-out', failure('timeout', true), 'unknown', ['send/no-answer']],
  ['hung up by us', failure('aborted', true), 'unknown', ['send/interrupted']],
  ['hung up before it left', failure('aborted', false), 'not-sent', []],
];

describe('answers to a send', () => {
  test.each(SENDS)('%s', (_, answer, kind, issues) => {
    const verdict = readVerdict(answer, 'send');
    expect([verdict.kind, said(verdict)]).toEqual([kind, issues]);
  });

  test('codes and keys are handed over', () => {
    expect(readVerdict(json(syncAnswer(ACCEPTED_RESULT)), 'send')).toMatchObject({ documentCode: CUNE });
    expect(readVerdict(json(syncAnswer({ ...with90, XmlFileName: 'NI7' })), 'send')).toMatchObject({
      documentCode: CUNE,
      shown: { number: 'NI7' },
    });
    expect(readVerdict(json(receipt({ ZipKey: 'k' })), 'send')).toMatchObject({
      zipKey: 'k',
      documentCode: CUNE,
    });
  });

  test('a refused field is found by its pointer', () => {
    const verdict = readVerdict(
      json({ message: 'x', errors: { 'payment_dates.0.payment_date': ['bad'] } }, 422),
      'send',
    );
    expect(verdict).toMatchObject({ issues: [{ place: { pointer: '/payment_dates/0/payment_date' } }] });
  });
});

const PENDING = {
  IsValid: 'false',
  StatusCode: {},
  StatusDescription: 'Batch en proceso de validación.',
  ErrorMessage: NIL,
};
const QUERIES: readonly [name: string, answer: Answer, kind: string][] = [
  ['accepted, by zip', json(zipAnswer(ACCEPTED_RESULT)), 'accepted'],
  ['accepted, by code', json(statusAnswer(ACCEPTED_RESULT)), 'accepted'],
  [
    'a batch of one in an array',
    json({
      ResponseDian: {
        Envelope: {
          Body: { GetStatusZipResponse: { GetStatusZipResult: { DianResponse: [ACCEPTED_RESULT] } } },
        },
      },
    }),
    'accepted',
  ],
  ['in process', json(zipAnswer(PENDING)), 'waiting'],
  ['98', json(zipAnswer({ ...PENDING, StatusCode: '98' })), 'waiting'],
  ['rejected', json(zipAnswer(rejectedResult('Regla: NIE199, Rechazo: a'))), 'rejected'],
  ['66', json(zipAnswer({ ...PENDING, StatusCode: '66' })), 'not-found'],
  ['2', json(zipAnswer({ ...PENDING, StatusCode: '2' })), 'unknown'],
  ['rule 90', json(zipAnswer(with90)), 'received-before'],
];

test.each(QUERIES)('answers to a query: %s', (_, answer, kind) => {
  expect(readVerdict(answer, 'query').kind).toBe(kind);
});
