import type { JsonObject } from '../../src/core/json.js';

/** An invented worker's payroll of March 2026; its totals are right. Members given replace those of the base. */
export const payroll = (changes: JsonObject = {}): JsonObject => ({
  type_document_id: 9,
  prefix: 'NI',
  consecutive: 1001,
  payroll_period_id: 5,
  period: {
    admision_date: '2024-02-01',
    settlement_start_date: '2026-03-01',
    settlement_end_date: '2026-03-31',
    worked_time: '780.00',
    issue_date: '2026-03-31',
  },
  worker: worker('1020304050'),
  payment: {
    payment_method_id: 45,
    bank_name: 'Banco de Ejemplo',
    account_type: 'Ahorros',
    account_number: '0012345678',
  },
  payment_dates: [{ payment_date: '2026-03-31' }],
  accrued: {
    worked_days: 30,
    salary: '2200000.00',
    transportation_allowance: '249095.00',
    HEDs: [
      {
        start_time: '2026-03-12T15:00:00',
        end_time: '2026-03-12T19:00:00',
        quantity: '4',
        percentage: 1,
        payment: '50000.00',
      },
    ],
    bonuses: [{ non_salary_bonus: '100000.00' }],
    accrued_total: '2599095.00',
  },
  deductions: {
    eps_type_law_deductions_id: 1,
    eps_deduction: '90000.00',
    pension_type_law_deductions_id: 5,
    pension_deduction: '90000.00',
    orders: [{ description: 'Libranza Banco de Ejemplo', deduction: '150000.00' }],
    deductions_total: '330000.00',
  },
  ...changes,
});

export const worker = (identification: string): JsonObject => ({
  type_worker_id: 1,
  sub_type_worker_id: 1,
  payroll_type_document_identification_id: 3,
  municipality_id: 149,
  type_contract_id: 2,
  high_risk_pension: false,
  integral_salarary: false,
  identification_number: Number(identification),
  surname: 'Pérez',
  second_surname: 'Gómez',
  first_name: 'Ana',
  middle_name: 'María',
  address: 'Calle 10 # 20-30',
  salary: '2200000.00',
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
