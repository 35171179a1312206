import type { JsonObject } from '../../src/toolkit/core/json.js';
import { PAYROLL } from '../schema/examples.js';

/** The worked example; members given replace those of the base. */
export const payroll = (changes: JsonObject = {}): JsonObject => ({ ...PAYROLL, ...changes });

export const worker = (identification: string): JsonObject => ({
  ...PAYROLL.worker,
  identification_number: Number(identification),
});

/** A payroll of another worker under another number. */
export const payrollOf = (
  identification: string,
  consecutive: number,
  changes: JsonObject = {},
): JsonObject => payroll({ worker: worker(identification), consecutive, ...changes });

const note = (cune: string, consecutive: number): JsonObject => ({
  type_document_id: 10,
  prefix: 'NA',
  consecutive,
  predecessor: { predecessor_number: 1001, predecessor_cune: cune, predecessor_issue_date: '2026-03-31' },
});

const AFTERWARDS = { ...(payroll()['period'] as JsonObject), issue_date: '2026-04-06' };

/** The bonus should have been 150,000. */
export const replacement = (cune: string, consecutive = 1, changes: JsonObject = {}): JsonObject => ({
  ...payroll(),
  ...note(cune, consecutive),
  type_note: 1,
  period: AFTERWARDS,
  accrued: {
    ...(payroll()['accrued'] as JsonObject),
    bonuses: [{ non_salary_bonus: '150000.00' }],
    accrued_total: '2649095.00',
  },
  ...changes,
});

export const deletion = (cune: string, consecutive = 2, changes: JsonObject = {}): JsonObject => ({
  ...note(cune, consecutive),
  type_note: 2,
  payroll_period_id: 5,
  period: AFTERWARDS,
  notes: 'Enviada por error',
  ...changes,
});
