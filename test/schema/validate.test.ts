import { describe, expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { entryOf } from '../../src/toolkit/messages/wording.js';
import { validate } from '../../src/toolkit/schema/validate.js';
import { DELETE, PAYROLL, REPLACE, withValue } from './examples.js';

const found = (name: string, document: object): [string | undefined, string][] =>
  validate(name, 'strict', document).map((issue) => [issue.place.pointer, issue.code]);

test.each([
  ['payroll/payroll', PAYROLL],
  ['payroll/adjust-note', REPLACE],
  ['payroll/adjust-note', DELETE],
])('the worked example of %s is valid', (name, document) => {
  expect(found(name, document)).toEqual([]);
});

test('valid documents share one empty list', () => {
  expect(validate('payroll/payroll', 'strict', PAYROLL)).toBe(
    validate('payroll/adjust-note', 'strict', DELETE),
  );
});

const HEAD = ['/type_document_id', '/prefix', '/consecutive', '/payroll_period_id', '/period'];
const PERIOD = [
  '/period/admision_date',
  '/period/settlement_start_date',
  '/period/settlement_end_date',
  '/period/worked_time',
  '/period/issue_date',
];
const BODY = [
  '/worker',
  '/worker/type_worker_id',
  '/worker/sub_type_worker_id',
  '/worker/payroll_type_document_identification_id',
  '/worker/municipality_id',
  '/worker/type_contract_id',
  '/worker/identification_number',
  '/worker/surname',
  '/worker/first_name',
  '/worker/salary',
  '/worker/high_risk_pension',
  '/worker/integral_salarary',
  '/worker/address',
  '/payment',
  '/payment/payment_method_id',
  '/payment_dates',
  '/payment_dates/0/payment_date',
  '/accrued',
  '/accrued/worked_days',
  '/accrued/salary',
  '/accrued/accrued_total',
  '/accrued/HEDs/0/start_time',
  '/accrued/HEDs/0/end_time',
  '/accrued/HEDs/0/quantity',
  '/accrued/HEDs/0/percentage',
  '/accrued/HEDs/0/payment',
  '/deductions',
  '/deductions/eps_type_law_deductions_id',
  '/deductions/eps_deduction',
  '/deductions/pension_type_law_deductions_id',
  '/deductions/pension_deduction',
  '/deductions/deductions_total',
  '/deductions/orders/0/description',
  '/deductions/orders/0/deduction',
];
const BANK = ['/payment/bank_name', '/payment/account_type', '/payment/account_number'];
const NOTE = [
  '/type_note',
  '/predecessor',
  '/predecessor/predecessor_number',
  '/predecessor/predecessor_cune',
  '/predecessor/predecessor_issue_date',
];

describe('a missing member is told at its own pointer', () => {
  test.each([...HEAD, ...PERIOD, ...BODY])('payroll %s', (pointer) => {
    expect(found('payroll/payroll', withValue(PAYROLL, pointer, undefined))).toEqual([
      [pointer, 'document/required'],
    ]);
  });
  test.each([...HEAD, ...NOTE, ...PERIOD, ...BODY, ...BANK])('replacement %s', (pointer) => {
    expect(found('payroll/adjust-note', withValue(REPLACE, pointer, undefined))).toEqual([
      [pointer, 'document/required'],
    ]);
  });
  test.each([...HEAD, ...NOTE, ...PERIOD])('deletion %s', (pointer) => {
    expect(found('payroll/adjust-note', withValue(DELETE, pointer, undefined))).toEqual([
      [pointer, 'document/required'],
    ]);
  });
});

test.each([
  ...BANK,
  '/worker/second_surname',
  '/worker/middle_name',
  '/accrued/transportation_allowance',
  '/accrued/HEDs',
  '/accrued/bonuses/0/non_salary_bonus',
  '/deductions/orders',
])('a payroll does without %s', (pointer) => {
  expect(found('payroll/payroll', withValue(PAYROLL, pointer, undefined))).toEqual([]);
});

test.each([
  '',
  '/period',
  '/worker',
  '/payment',
  '/payment_dates/0',
  '/accrued',
  '/accrued/HEDs/0',
  '/accrued/bonuses/0',
  '/deductions',
  '/deductions/orders/0',
])('an unknown member of "%s" is not allowed', (parent) => {
  const pointer = `${parent}/admission_date`;
  expect(found('payroll/payroll', withValue(PAYROLL, pointer, '2024-02-01'))).toEqual([
    [pointer, 'document/not-allowed'],
  ]);
});

const FAULTS: readonly (readonly [pointer: string, value: unknown, code: string])[] = [
  ['/type_document_id', 10, 'document/choice'],
  ['/type_document_id', '9', 'document/choice'],
  ['/prefix', 'ni', 'document/format-prefix'],
  ['/prefix', 'NOMIN', 'document/format-prefix'],
  ['/prefix', 7, 'document/format-prefix'],
  ['/consecutive', 0, 'document/too-small'],
  ['/consecutive', '1001', 'document/type'],
  ['/consecutive', 1.5, 'document/type'],
  ['/period', [], 'document/type'],
  ['/period/worked_time', '780', 'document/format-two-decimals'],
  ['/period/worked_time', 780, 'document/format-two-decimals'],
  ['/period/issue_date', '2026-02-29', 'document/format-date'],
  ['/period/issue_date', '31/03/2026', 'document/format-date'],
  ['/period/issue_date', '2026-03-31T00:00:00', 'document/format-date'],
  ['/worker/identification_number', '1020304050', 'document/format-worker-document'],
  ['/worker/identification_number', 'AB-12', 'document/format-worker-document'],
  ['/worker/identification_number', 'A123456789012345', 'document/format-worker-document'],
  ['/worker/identification_number', 1020304050.5, 'document/format-worker-document'],
  ['/worker/identification_number', 0, 'document/too-small'],
  ['/worker/identification_number', 1_000_000_000_000_000, 'document/too-large'],
  ['/worker/surname', '', 'document/blank'],
  ['/worker/surname', 5, 'document/type'],
  ['/worker/surname', null, 'document/type'],
  ['/worker/high_risk_pension', 'false', 'document/type'],
  ['/worker/municipality_id', 0, 'document/too-small'],
  ['/worker/salary', '2200000,00', 'document/format-money'],
  ['/worker/salary', '2200000.0', 'document/format-money'],
  ['/worker/salary', '2200000', 'document/format-money'],
  ['/worker/salary', '-1.00', 'document/format-money'],
  ['/worker/salary', '2.200.000.00', 'document/format-money'],
  ['/worker/salary', '1234567890123456.00', 'document/format-money'],
  ['/worker/salary', 2200000, 'document/format-money'],
  ['/worker/email', 'ana', 'document/format-email'],
  ['/payment_dates', [], 'document/too-few'],
  ['/accrued/worked_days', 100, 'document/too-large'],
  ['/accrued/worked_days', -1, 'document/too-small'],
  ['/accrued/HEDs/0/start_time', '2026-03-12 15:00:00', 'document/format-local-date-time'],
  ['/accrued/HEDs/0/start_time', '2026-03-12T15:00:00-05:00', 'document/format-local-date-time'],
  ['/accrued/HEDs/0/quantity', '4.0', 'document/format-decimal'],
  ['/accrued/HEDs/0/quantity', 4, 'document/format-decimal'],
  ['/accrued/HEDs/0/percentage', 8, 'document/too-large'],
  ['/establishment_phone', '123', 'document/format-phone'],
  ['/novelty', { novelty: true, uuidnov: 'abc' }, 'document/format-cune'],
];

test.each(FAULTS)('%s = %j is told as a fault', (pointer, value, code) => {
  const [first, ...rest] = found('payroll/payroll', withValue(PAYROLL, pointer, value));
  expect(rest).toEqual([]);
  expect(first![1]).toBe(code);
  expect(first![0]!.startsWith(pointer)).toBe(true);
});

test.each(FAULTS)('%s = %j is worded with all that its words ask for', (pointer, value) => {
  const [issue] = validate('payroll/payroll', 'strict', withValue(PAYROLL, pointer, value));
  const { message, fix } = entryOf(issue!.code)!;
  const given: Record<string, unknown> = { ...issue!.params, value: issue!.value };
  for (const text of [message.es, message.en, fix.es, fix.en])
    for (const [, name] of text.matchAll(/\{(\w+)\}/g)) expect(given[name!], name).toBeDefined();
});

test.each(['XZ900118', '00770007', 1, 999_999_999_999_999])('%j is an identity document', (value) => {
  expect(found('payroll/payroll', withValue(PAYROLL, '/worker/identification_number', value))).toEqual([]);
});

test('a novelty needs the CUNE of the earlier document', () => {
  expect(found('payroll/payroll', { ...PAYROLL, novelty: { novelty: true } })).toEqual([
    ['/novelty/uuidnov', 'document/required'],
  ]);
  expect(found('payroll/payroll', { ...PAYROLL, novelty: { novelty: false } })).toEqual([]);
});

describe('an adjust note is judged by the kind it says it is', () => {
  const AMOUNTS = ['/worker', '/payment', '/payment_dates', '/accrued', '/deductions'];
  test('a deletion that names worker and amounts', () => {
    expect(found('payroll/adjust-note', { ...REPLACE, type_note: 2 })).toEqual(
      AMOUNTS.map((pointer) => [pointer, 'document/not-allowed']),
    );
  });
  test('a replacement without worker and amounts', () => {
    expect(found('payroll/adjust-note', { ...DELETE, type_note: 1 })).toEqual(
      AMOUNTS.map((pointer) => [pointer, 'document/required']),
    );
  });
  test('neither kind', () => {
    const issues = validate('payroll/adjust-note', 'strict', { ...DELETE, type_note: 3 });
    expect(issues.map((issue) => [issue.place.pointer, issue.code, paramOf(issue, 'allowed')])).toEqual([
      ['/type_note', 'document/choice', '1, 2'],
    ]);
  });
});

test('every fault of a document is told, each once', () => {
  const document = {
    ...PAYROLL,
    prefix: 'x',
    extra: 1,
    period: {},
    worker: { ...PAYROLL.worker, salary: '1' },
  };
  expect(found('payroll/payroll', document).sort()).toEqual(
    [
      ['/extra', 'document/not-allowed'],
      ['/prefix', 'document/format-prefix'],
      ...PERIOD.map((pointer) => [pointer, 'document/required']),
      ['/worker/salary', 'document/format-money'],
    ].sort(),
  );
});

test('an issue carries field, title and value, but never a secret or a whole object', () => {
  const smtp = { host: 'h', port: 25, username: 'u', password: '', encryption: 'tls' };
  const issues = validate('payroll/payroll', 'strict', {
    ...PAYROLL,
    prefix: 'x',
    period: 3,
    extra: {},
    smtp_parameters: smtp,
  });
  const byField = Object.fromEntries(issues.map((issue) => [paramOf(issue, 'field'), issue]));
  expect(byField['prefix']).toMatchObject({
    level: 'error',
    value: 'x',
    params: { field: 'prefix', title: 'Prefijo' },
  });
  expect(byField['extra']!.value).toBe('{…}');
  expect(byField['password']).toMatchObject({ code: 'document/blank' });
  expect(byField['password']!.value).toBeUndefined();
});

test('a software PIN that is malformed is told without being shown', () => {
  const [issue] = validate('payroll/software', 'strict', { idpayroll: 'a', pinpayroll: '123456' });
  expect(issue).toMatchObject({ code: 'document/format-pin', place: { pointer: '/pinpayroll' } });
  expect(JSON.stringify(issue)).not.toContain('123456');
});

test('an unknown schema is refused', () => {
  expect(() => validate('payroll/nothing', 'strict', {})).toThrow();
});
