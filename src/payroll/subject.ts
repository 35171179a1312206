import { type Decimal, fromScientific, subtract } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import { valueAt } from '../values/pointer.js';

const textAt = (body: JsonObject, pointer: string): string => String(valueAt(body, pointer) ?? '');

/** The worker's document without dots, blanks or hyphens (payroll.md 1.1). */
export const workerOf = (body: JsonObject): string =>
  textAt(body, '/worker/identification_number').replace(/[.\s-]/g, '').toUpperCase();

/** `YYYY-MM`, the month of `settlement_start_date`. */
export const monthOf = (body: JsonObject): string => textAt(body, '/period/settlement_start_date').slice(0, 7);

/**
 * Who and when: `9000100000|2026-10`. DIAN takes one payroll per worker and month (payroll.md 2);
 * a declared novelty is another one, named by the CUNE it follows.
 */
export function payrollSubject(body: JsonObject): string {
  const novelty = valueAt(body, '/novelty/novelty') === true ? `|${textAt(body, '/novelty/uuidnov')}` : '';
  return `${workerOf(body)}|${monthOf(body)}${novelty}`;
}

export interface PayrollTotals {
  readonly accrued: Decimal;
  readonly deductions: Decimal;
  /** accrued − deductions */
  readonly net: Decimal;
}

/** The amounts that people know a payroll by. */
export function payrollTotals(body: JsonObject): PayrollTotals {
  const accrued = fromScientific(textAt(body, '/accrued/accrued_total')) ?? '0';
  const deductions = fromScientific(textAt(body, '/deductions/deductions_total')) ?? '0';
  return { accrued, deductions, net: subtract(accrued, deductions) };
}
