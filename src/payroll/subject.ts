import { type Decimal, fromScientific, subtract, toMoney } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import { valueAt } from '../values/pointer.js';

const textAt = (body: JsonObject, pointer: string): string => String(valueAt(body, pointer) ?? '');

/** The worker's document without dots, blanks or hyphens (payroll.md 1.1). */
export const workerOf = (body: JsonObject): string =>
  textAt(body, '/worker/identification_number')
    .replace(/[.\s-]/g, '')
    .toUpperCase();

/** `YYYY-MM`, the month of `settlement_start_date`. */
export const monthOf = (body: JsonObject): string =>
  textAt(body, '/period/settlement_start_date').slice(0, 7);

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

const money = (amount: Decimal): Decimal => toMoney(amount) ?? amount;
const moneyAt = (body: JsonObject, pointer: string): Decimal =>
  money(fromScientific(textAt(body, pointer)) ?? '0');

/** The amounts that people know a payroll by, with two decimals. */
export function payrollTotals(body: JsonObject): PayrollTotals {
  const accrued = moneyAt(body, '/accrued/accrued_total');
  const deductions = moneyAt(body, '/deductions/deductions_total');
  return { accrued, deductions, net: money(subtract(accrued, deductions)) };
}
