import type { JsonObject } from '../../src/toolkit/core/json.js';
import { type CatalogueRow, catalogue } from '../../src/toolkit/schema/catalogue.js';

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SURNAMES = [
  'Núñez',
  'Peña',
  'de la Cruz',
  "D'Andréis",
  'Muñoz-Ríos',
  'Ángel',
  'Güiza',
  'Ñáñez',
  'López',
];
const NAMES = ['José', 'María del Mar', 'Zoë', 'Íngrid', 'Andrés', 'Luz Ádriana', 'Óscar', 'Sofía', 'Iñaki'];
const TEXTS = [
  'Banco Sabana',
  'Crédito educativo',
  '=1+1',
  'Calle 7 # 3-15 apto. 201',
  'Bono «día»',
  '-5',
  '001',
];
const ADDRESSES = ['Calle 7 # 3-15 apto. 201', 'Carrera 80 No. 12-34', 'Vereda «El Día»', '=1+1 Km 3'];
const BY_LETTERS = ['21', '22', '41', '42', '47', '48', '50'];
export const OVERTIME = ['HEDs', 'HENs', 'HRNs', 'HEDDFs', 'HRDDFs', 'HENDFs', 'HRNDFs'] as const;

const pad = (value: number): string => String(value).padStart(2, '0');
const day = (value: number): string => `2026-10-${pad(value)}`;

/** A payroll document of October 2026 without number. */
export interface Month {
  readonly document: JsonObject;
  /** What a person picks in a sheet for the codes of the document. */
  readonly words: Readonly<Record<string, string>>;
}

/** Random sound documents; amounts are counted here by themselves, in cents. */
export function payrollMonth(random: () => number, serial: number): Month {
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const chance = (share: number): boolean => random() < share;
  const oneOf = <T>(values: readonly T[]): T => values[whole(0, values.length - 1)]!;
  const totals = { accrued: 0, deductions: 0 };
  const money = (to: keyof typeof totals, from = 1, most = 40_000): string => {
    const cents = whole(from * 100, most * 100);
    totals[to] += cents;
    return `${Math.floor(cents / 100)}.${pad(cents % 100)}`;
  };
  const maybe = (share: number, entry: () => JsonObject): JsonObject => (chance(share) ? entry() : {});
  /** A list with items, or nothing. */
  const list = (key: string, item: () => JsonObject): JsonObject =>
    maybe(0.35, () => ({ [key]: Array.from({ length: whole(1, 3) }, item) }));
  /** One of two amounts, or both. */
  const split = (to: keyof typeof totals, first: string, second: string): JsonObject => {
    const which = whole(1, 3);
    return { ...(which !== 2 && { [first]: money(to) }), ...(which !== 1 && { [second]: money(to) }) };
  };
  const quantity = (): string => oneOf(['1', '2', '7.5', '0.25', '12', '3.75']);
  const span = (): JsonObject => {
    const start = whole(1, 28);
    return { start_date: day(start), end_date: day(whole(start, 31)), quantity: quantity() };
  };

  const words: Record<string, string> = {};
  const entry = (
    list: string,
    name: string,
    fits: (row: CatalogueRow) => boolean = () => true,
  ): CatalogueRow => {
    const row = oneOf(catalogue(list)!.rows.filter(fits));
    words[name] = row['name']!;
    return row;
  };
  const idOf = (row: CatalogueRow): number => Number(row['id']);

  const isPassport = chance(0.3);
  const digits = String(10_000_000 + serial * 7919 + whole(0, 7000));
  const documentType = entry('payroll_type_document_identifications', 'document_type', ({ code }) =>
    isPassport ? BY_LETTERS.includes(code!) : code === '13',
  );
  const isPadded = documentType['code'] === '41' && chance(0.3);
  const byLetters = isPadded ? `0${digits}` : `AB${digits}`;
  const identification = isPassport ? byLetters : digits;
  const municipality = entry('municipalities', 'municipality');
  words['department'] = municipality['department']!;
  const method = entry('payment_methods', 'payment_method');
  const hasBank = method['bank_data_required'] === 'SI' || chance(0.5);
  const admission = `${whole(2001, 2026)}-${pad(whole(1, 9))}-${pad(whole(1, 28))}`;
  const workedDays = whole(1, 30);

  const overtime = (percentage: number) => (): JsonObject => {
    const start = whole(1, 30);
    return {
      start_time: `${day(start)}T${pad(whole(0, 22))}:${pad(whole(0, 59))}:${pad(whole(0, 59))}`,
      end_time: `${day(start + 1)}T${pad(whole(0, 23))}:${pad(whole(0, 59))}:${pad(whole(0, 59))}`,
      quantity: quantity(),
      percentage,
      payment: money('accrued'),
    };
  };

  const leave = (): JsonObject => ({ ...span(), payment: money('accrued') });
  const accrued: JsonObject = {
    worked_days: workedDays,
    salary: money('accrued', 5_000_000, 9_000_000),
    ...maybe(0.5, () => ({ transportation_allowance: money('accrued') })),
    ...maybe(0.2, () => split('accrued', 'salary_viatics', 'non_salary_viatics')),
    ...maybe(0.2, () => ({ endowment: money('accrued') })),
    ...maybe(0.2, () => ({ sustenance_support: money('accrued') })),
    ...maybe(0.2, () => ({ telecommuting: money('accrued') })),
    ...Object.assign({}, ...OVERTIME.map((key, index) => list(key, overtime(index + 1)))),
    ...list('common_vacation', leave),
    ...list('paid_vacation', () => ({ quantity: quantity(), payment: money('accrued') })),
    ...list('work_disabilities', () => ({ ...span(), type: whole(1, 3), payment: money('accrued') })),
    ...list('maternity_leave', leave),
    ...list('paid_leave', leave),
    ...list('non_paid_leave', span),
    ...list('bonuses', () => split('accrued', 'salary_bonus', 'non_salary_bonus')),
    ...list('aid', () => split('accrued', 'salary_assistance', 'non_salary_assistance')),
    ...list('other_concepts', () => ({
      description_concept: oneOf(TEXTS),
      ...split('accrued', 'salary_concept', 'non_salary_concept'),
    })),
    ...list('commissions', () => ({ commission: money('accrued') })),
    ...list('service_bonus', () => ({
      quantity: quantity(),
      payment: money('accrued'),
      ...maybe(0.5, () => ({ paymentNS: money('accrued') })),
    })),
    ...list('severance', () => ({
      payment: money('accrued'),
      percentage: oneOf(['12.00', '6.50', '0.75']),
      interest_payment: money('accrued'),
    })),
  };
  const deductions: JsonObject = {
    eps_type_law_deductions_id: 1,
    eps_deduction: money('deductions'),
    pension_type_law_deductions_id: 5,
    pension_deduction: money('deductions'),
    ...maybe(0.3, () => ({ fondossp_type_law_deductions_id: 9, fondosp_deduction_SP: money('deductions') })),
    ...maybe(0.3, () => ({
      fondossp_sub_type_law_deductions_id: 9,
      fondosp_deduction_sub: money('deductions'),
    })),
    ...Object.assign(
      {},
      ...['voluntary_pension', 'withholding_at_source', 'afc', 'cooperative', 'tax_liens'].map((key) =>
        maybe(0.3, () => ({ [key]: money('deductions') })),
      ),
      ...['supplementary_plan', 'education', 'debt'].map((key) =>
        maybe(0.2, () => ({ [key]: money('deductions') })),
      ),
    ),
    ...list('labor_union', () => ({ percentage: oneOf(['1.00', '2.50']), deduction: money('deductions') })),
    ...list('sanctions', () => split('deductions', 'public_sanction', 'private_sanction')),
    ...list('orders', () => ({ description: oneOf(TEXTS), deduction: money('deductions') })),
    ...list('advances', () => ({ advance: money('deductions') })),
    ...list('other_deductions', () => ({ other_deduction: money('deductions') })),
  };
  const amount = (cents: number): string => `${Math.floor(cents / 100)}.${pad(cents % 100)}`;

  const worker = entry('type_workers', 'worker_type');
  const document: JsonObject = {
    type_document_id: 9,
    prefix: 'NOM',
    payroll_period_id: 5,
    period: {
      admision_date: admission,
      settlement_start_date: '2026-10-01',
      settlement_end_date: '2026-10-31',
      worked_time: `${workedDays}.00`,
      issue_date: '2026-10-31',
      ...maybe(0.2, () => ({ retirement_date: day(whole(1, 31)) })),
    },
    ...maybe(0.3, () => ({ worker_code: `0${serial}` })),
    worker: {
      type_worker_id: idOf(worker),
      sub_type_worker_id: idOf(entry('sub_type_workers', 'worker_subtype')),
      payroll_type_document_identification_id: idOf(documentType),
      municipality_id: idOf(municipality),
      // No employee has a contract of apprenticeship.
      type_contract_id: idOf(
        entry('type_contracts', 'contract', ({ code }) => worker['code'] !== '01' || code !== '4'),
      ),
      high_risk_pension: chance(0.2),
      integral_salarary: chance(0.2),
      identification_number: /^[1-9]\d*$/.test(identification) ? Number(identification) : identification,
      surname: oneOf(SURNAMES),
      ...maybe(0.7, () => ({ second_surname: oneOf(SURNAMES) })),
      first_name: oneOf(NAMES),
      ...maybe(0.5, () => ({ middle_name: oneOf(NAMES) })),
      ...maybe(0.5, () => ({ email: `persona${serial}@ejemplo.co` })),
      address: oneOf(ADDRESSES),
      salary: amount(whole(200_000_000, 900_000_000)),
    },
    payment: {
      payment_method_id: idOf(method),
      ...(hasBank && {
        bank_name: 'Banco Peñón',
        account_type: oneOf(['Ahorros', 'Corriente']),
        account_number: `00${whole(1, 9_999_999)}`,
      }),
    },
    payment_dates: [{ payment_date: day(whole(28, 31)) }],
    accrued: { ...accrued, accrued_total: amount(totals.accrued) },
    deductions: { ...deductions, deductions_total: amount(totals.deductions) },
  };
  return { document, words };
}
