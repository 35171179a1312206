import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { ENDS_DOUBT, readVerdict } from '../../src/send/verdict.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject, JsonValue } from '../../src/toolkit/core/json.js';
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

/** Issue codes with their rule or field, and the case where a code has several. */
function said(verdict: ReturnType<typeof readVerdict>): string[] {
  const issues = 'issues' in verdict ? verdict.issues : 'issue' in verdict ? [verdict.issue] : [];
  return issues.map(({ code, params }) =>
    [code, paramOf({ params }, 'rule') ?? paramOf({ params }, 'field'), paramOf({ params }, 'case')]
      .filter((part) => part !== undefined)
      .join(' '),
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
    ['remote/notification NIE026 beside-rejection', 'remote/rejected NIE189'],
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
  ...['99', '89', '92', '66', '2', '77'].map((StatusCode): (typeof SENDS)[number] => [
    `valid with status ${StatusCode}`,
    json(syncAnswer({ ...ACCEPTED_RESULT, StatusCode })),
    'unknown',
    ['remote/contradictory'],
  ]),
  [
    'valid with a rule that rejects',
    json(syncAnswer({ ...ACCEPTED_RESULT, ErrorMessage: { string: 'Regla: NIE187, Rechazo: a' } })),
    'unknown',
    ['remote/contradictory'],
  ],
  [
    'valid with a rule that rejects beside a notification',
    json(
      syncAnswer({
        ...ACCEPTED_RESULT,
        ErrorMessage: { string: ['Regla: NIE026, Notificación: a', 'NIE187, (R), b'] },
      }),
    ),
    'unknown',
    ['remote/contradictory'],
  ],
  ['valid with rule 90', json(syncAnswer({ ...with90, IsValid: 'true' })), 'received-before', []],
  [
    'valid, and still in process',
    json(
      syncAnswer({
        IsValid: 'true',
        StatusCode: {},
        StatusDescription: 'Batch en proceso de validación.',
        ErrorMessage: NIL,
      }),
    ),
    'unknown',
    ['remote/no-verdict'],
  ],
  [
    'a key that stands twice',
    { ...json(syncAnswer(ACCEPTED_RESULT)), duplicateKeys: ['/ResponseDian/Envelope/IsValid'] } as Answer,
    'unknown',
    ['send/unreadable-answer'],
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
    'a number that will not do',
    json({ message: 'x', errors: { consecutive: ['The consecutive must be between 1 and 8.'] } }, 422),
    'refused',
    ['remote/number-refused'],
  ],
  [
    'a number that will not do, of the 2026 line',
    json({ success: false, message: 'x', error: 'The consecutive must be between 1 and 8.' }, 500),
    'refused',
    ['remote/number-refused'],
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
    'the plan',
    json({ success: false, message: 'El plan se encuentra inactivo' }),
    'refused-for-all',
    ['send/not-in-service'],
  ],
  [
    'a certificate whose doubt is after it left',
    failure('untrusted-certificate', true),
    'unknown',
    ['send/no-answer'],
  ],
  ['refused connection', failure('refused', false), 'refused-for-all', ['send/unreachable']],
  ['time-out', failure('timeout', true), 'unknown', ['send/no-answer']],
  ['hung up by us', failure('aborted', true), 'unknown', ['send/interrupted']],
  ['hung up before it left', failure('aborted', false), 'not-sent', []],
];

describe('answers to a send', () => {
  test.each(SENDS)('%s', (_, answer, kind, issues) => {
    const verdict = readVerdict(answer, 'sendPayroll');
    expect([verdict.kind, said(verdict)]).toEqual([kind, issues]);
  });

  test('codes and keys are handed over', () => {
    expect(readVerdict(json(syncAnswer(ACCEPTED_RESULT)), 'sendPayroll')).toMatchObject({
      documentCode: CUNE,
    });
    expect(readVerdict(json(syncAnswer({ ...with90, XmlFileName: 'NI7' })), 'sendPayroll')).toMatchObject({
      documentCode: CUNE,
      shown: { numbers: ['NI7'] },
    });
    expect(readVerdict(json(receipt({ ZipKey: 'k' })), 'sendPayroll')).toMatchObject({
      zipKey: 'k',
      documentCode: CUNE,
    });
  });

  test('a code that only the service names is a claim', () => {
    const { XmlDocumentKey: _, ...keyless } = ACCEPTED_RESULT;
    const verdict = readVerdict(json(syncAnswer(keyless)), 'sendPayroll');
    expect(verdict).toMatchObject({ kind: 'accepted', claimed: CUNE });
    expect(verdict).not.toHaveProperty('documentCode');
  });

  test('a refused field is found by its pointer', () => {
    const verdict = readVerdict(
      json({ message: 'x', errors: { 'payment_dates.0.payment_date': ['bad'] } }, 422),
      'sendPayroll',
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
  ['in process, and valid', json(zipAnswer({ ...PENDING, IsValid: 'true' })), 'waiting'],
  ['98, and valid', json(zipAnswer({ ...PENDING, StatusCode: '98', IsValid: 'true' })), 'waiting'],
  ['valid with status 99', json(zipAnswer({ ...ACCEPTED_RESULT, StatusCode: '99' })), 'unknown'],
  [
    'valid with a rule that rejects',
    json(zipAnswer({ ...ACCEPTED_RESULT, ErrorMessage: { string: 'Regla: NIE187, Rechazo: a' } })),
    'unknown',
  ],
  ['rule 90, and valid', json(zipAnswer({ ...with90, IsValid: 'true' })), 'received-before'],
  [
    'a key that stands twice',
    { ...json(zipAnswer(ACCEPTED_RESULT)), duplicateKeys: ['/ResponseDian'] } as Answer,
    'unknown',
  ],
  ['98', json(zipAnswer({ ...PENDING, StatusCode: '98' })), 'waiting'],
  ['rejected', json(zipAnswer(rejectedResult('Regla: NIE199, Rechazo: a'))), 'rejected'],
  ['66', json(zipAnswer({ ...PENDING, StatusCode: '66' })), 'not-found'],
  ['2', json(zipAnswer({ ...PENDING, StatusCode: '2' })), 'unknown'],
  ['rule 90', json(zipAnswer(with90)), 'received-before'],
];

test.each(QUERIES)('answers to a query: %s', (_, answer, kind) => {
  expect(readVerdict(answer, 'query').kind).toBe(kind);
});

/** What something in between may write after the service took the document. */
const FOREIGN: readonly [name: string, answer: Answer][] = [
  ['401', json({ error: 'invalid_token' }, 401)],
  ['401 as a page', text(401, '<h1>no</h1>')],
  ['403', json({ message: 'Forbidden' }, 403)],
  ['404', json({ message: 'not found' }, 404)],
  ['a login page', text(302, '')],
  ['429', { ...json({ message: 'Too Many Attempts.' }, 429), retryAfter: '7' } as Answer],
  ['429 as a page', text(429, '')],
  ['400', json({ success: false, message: 'Bad Request' }, 400)],
  ['422 without fields', json({ message: 'Unprocessable' }, 422)],
  ['422 whose errors are no fields', json({ message: 'x', errors: { '/data/0 title': ['bad'] } }, 422)],
  ['errors with another status', json({ message: 'x', errors: { 'worker.address': ['required'] } }, 403)],
  ['success:false', json({ success: false, message: 'Solicitud bloqueada' })],
  ['success:false without a word', json({ success: false })],
  ['a verdict in a throttle', json(syncAnswer(ACCEPTED_RESULT), 429)],
];
const HARMLESS = ['refused-for-all', 'throttled', 'refused', 'unknown'];

describe.each(Object.keys(ENDS_DOUBT) as (keyof typeof ENDS_DOUBT)[])('%s', (operation) => {
  test.each(FOREIGN)('%s is never a refusal', (_, answer) =>
    expect(readVerdict(answer, operation).kind).toBe('unknown'),
  );

  /** The service's own refusals, and the operations that none of them can follow acceptance of. */
  const validation = json({ message: 'x', errors: { 'worker.address': ['required'] } }, 422);
  const token = json({ message: 'Unauthenticated.' }, 401);
  const kinds = {
    generateRips: ['unknown', 'unknown'],
    createRipsDocument: ['refused', 'unknown'],
    createAppointment: ['refused', 'unknown'],
    createPatient: ['refused', 'unknown'],
  } as Readonly<Record<string, readonly string[]>>;
  test('the service itself may end the doubt', () =>
    expect([validation, token].map((answer) => readVerdict(answer, operation).kind)).toEqual(
      kinds[operation] ?? ['refused', 'refused-for-all'],
    ));
});

test.each(FOREIGN)('to a question, %s changes nothing for ever', (_, answer) =>
  expect(HARMLESS).toContain(readVerdict(answer, 'query').kind),
);

test.each([
  ['401', 'send/unauthenticated'],
  ['403', 'send/unauthenticated'],
  ['404', 'send/wrong-address'],
  ['a login page', 'send/wrong-address'],
  ['429', 'throttled'],
  ['success:false', 'send/not-in-service'],
])('the run is told the cause of %s', (name, cause) => {
  const verdict = readVerdict(FOREIGN.find(([one]) => one === name)![1], 'sendPayroll');
  const told = verdict.kind === 'unknown' ? verdict.cause : undefined;
  expect(told?.kind === 'throttled' ? told.kind : told?.issue.code).toBe(cause);
});

test('a refusal of the test set keeps its words, also where the element comes in an array', () => {
  const entry = { Success: 'false', ProcessedMessage: 'no existe el set' };
  const refused = (list: JsonValue) =>
    readVerdict(
      json(receipt({ ErrorMessageList: { XmlParamsResponseTrackId: list }, ZipKey: NIL })),
      'sendPayroll',
    );
  for (const list of [entry, [entry]]) {
    const verdict = refused(list);
    expect(verdict.kind === 'refused-for-all' && paramOf(verdict.issue, 'text')).toBe('no existe el set');
  }
});
