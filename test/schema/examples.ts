import { valueAt } from '../../src/toolkit/core/json.js';

/** The worked examples of the interface, completed where its page abbreviates (service.md 13.1 to 13.3). */

const CUNE =
  '334ca732c1a204af8676a272dcce9fabae2974c148070817849e094392c1bd79565603e1236edb27705492f4417627f8';

export const PAYROLL = {
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
  worker: {
    type_worker_id: 1,
    sub_type_worker_id: 1,
    payroll_type_document_identification_id: 3,
    municipality_id: 149,
    type_contract_id: 2,
    high_risk_pension: false,
    integral_salarary: false,
    identification_number: 1020304050,
    surname: 'Pérez',
    second_surname: 'Gómez',
    first_name: 'Ana',
    middle_name: 'María',
    address: 'Calle 10 # 20-30',
    salary: '2200000.00',
  },
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
};

const NOTE_HEAD = {
  type_document_id: 10,
  prefix: 'NA',
  payroll_period_id: 5,
  predecessor: { predecessor_number: 1001, predecessor_cune: CUNE, predecessor_issue_date: '2026-03-31' },
  period: { ...PAYROLL.period, issue_date: '2026-04-06' },
};

export const REPLACE = {
  ...NOTE_HEAD,
  type_note: 1,
  consecutive: 1,
  worker: PAYROLL.worker,
  payment: PAYROLL.payment,
  payment_dates: PAYROLL.payment_dates,
  accrued: { ...PAYROLL.accrued, bonuses: [{ non_salary_bonus: '150000.00' }], accrued_total: '2649095.00' },
  deductions: PAYROLL.deductions,
};

export const DELETE = { ...NOTE_HEAD, type_note: 2, consecutive: 2, notes: 'Enviada por error' };

/** A copy with another value at a pointer; `undefined` takes the member away. */
export function withValue(document: object, pointer: string, value: unknown): object {
  const copy = structuredClone(document);
  const cut = pointer.lastIndexOf('/');
  const parent = valueAt(copy, pointer.slice(0, cut)) as Record<string, unknown>;
  if (value === undefined) delete parent[pointer.slice(cut + 1)];
  else parent[pointer.slice(cut + 1)] = value;
  return copy;
}
