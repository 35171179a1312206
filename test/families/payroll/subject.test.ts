import { expect, test } from 'vitest';
import { payrollSubject, payrollTotals } from '../../../src/families/payroll/subject.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';

const body = (identification: string | number, start: string, more: JsonObject = {}): JsonObject => ({
  worker: { identification_number: identification },
  period: { settlement_start_date: start },
  ...more,
});

test.each<[string, JsonObject, string]>([
  ['number', body(9000100001, '2026-10-01'), '9000100001|2026-10'],
  ['text', body('9000100001', '2026-10-01'), '9000100001|2026-10'],
  ['any day of the month', body(9000100001, '2026-10-16'), '9000100001|2026-10'],
  ['dots, blanks, hyphens', body('9.000-100 001', '2026-10-01'), '9000100001|2026-10'],
  ['a passport', body('ax12', '2026-10-01'), 'AX12|2026-10'],
  ['no novelty', body(1, '2026-10-01', { novelty: { novelty: false } }), '1|2026-10'],
  ['a novelty', body(1, '2026-10-01', { novelty: { novelty: true, uuidnov: 'c' } }), '1|2026-10|c'],
])('who and when: %s', (_, document, subject) => expect(payrollSubject(document)).toBe(subject));

test.each([
  ['2599095.00', '330000.00', '2269095.00'],
  ['0.30', '0.10', '0.20'],
  [1500000, 60000.5, '1439999.50'],
])('%s less %s is %s', (accrued, deductions, net) => {
  const totals = payrollTotals({
    accrued: { accrued_total: accrued },
    deductions: { deductions_total: deductions },
  });
  expect(totals.net).toBe(net);
});
