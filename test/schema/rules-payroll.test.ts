import { describe, expect, test } from 'vitest';
import type { SchemaName } from '../../src/generated/schema-types.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { ruleCodes } from '../../src/toolkit/schema/rule-data.js';
import { checkRules } from '../../src/toolkit/schema/rules.js';
import { CASES } from './payroll-cases.js';
import { asDeletion, asReplacement, type Edits, edited, GOLDEN, saidOf } from './payroll-document.js';

/** Minimum wage of 1,750,905 for 30 days, transport 249,095.00, 6 HEDs at 62,532.33 and 2 HENs, paid by transfer. */
const SOUND = GOLDEN[0]!;

test.each(CASES)('$code: $what', ({ code, edits, fires = [], options = {} }) => {
  expect(saidOf(code, checkRules('payroll/payroll', edited(SOUND, edits), options))).toEqual(fires);
});

test('every rule that looks at one document has a case that fires and one that stays silent', () => {
  const totals = ['payroll/accrued-total', 'payroll/deductions-total', 'payroll/net'];
  const cased = (fires: boolean) =>
    new Set(CASES.filter((one) => (one.fires !== undefined) === fires).map(({ code }) => code));
  expect(cased(true)).toEqual(cased(false));
  expect(ruleCodes()).toEqual(expect.arrayContaining([...cased(true), ...totals]));
});

describe('sound documents are left in peace', () => {
  test.each([
    ['payrolls', 'payroll/payroll', GOLDEN],
    ['replacements', 'payroll/adjust-note-replace', GOLDEN.map(asReplacement)],
    ['deletions', 'payroll/adjust-note-delete', GOLDEN.map(asDeletion)],
  ] as const)('%s', (_, schema, documents) => {
    expect(documents.flatMap((document) => checkRules(schema, document, { today: '2026-10-31' }))).toEqual(
      [],
    );
  });
});

test('notes are checked by the same rules', () => {
  const edits: Edits = { '/period/admision_date': '2026-11-01', '/notes': 'Uno\ndos' };
  const said = (schema: SchemaName, note: JsonObject) =>
    checkRules(schema, edited(note, edits, schema)).map(({ code }) => code);
  const expected = ['payroll/dates-order', 'payroll/text'];
  expect(said('payroll/adjust-note-replace', asReplacement(SOUND))).toEqual(expected);
  expect(said('payroll/adjust-note-delete', asDeletion(SOUND))).toEqual(expected);
});

test('the wording has what it names', () => {
  const document = edited(SOUND, { '/accrued/worked_days': 28 });
  const [issue] = checkRules('payroll/payroll', document).filter(({ code }) => code === 'payroll/transport');
  expect(issue).toMatchObject({
    value: '249095.00',
    params: { days: '28', expected: '232488.67', limit: '3501810', rule: 'NIE071' },
  });
});

test('a malformed or missing value silences a rule instead of stopping it', () => {
  for (const pointer of ['/period/settlement_end_date', '/worker/salary', '/accrued/HEDs/0/start_time'])
    for (const value of ['', '31/02/2026', 'x', undefined])
      expect(() => checkRules('payroll/payroll', edited(SOUND, { [pointer]: value }))).not.toThrow();
});
