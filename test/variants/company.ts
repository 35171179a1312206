import type { Chance } from '../chaos/chance.js';

/** A worker of an invented company, and what the month brought; money in pesos. */
export interface Worker {
  readonly kind: keyof typeof DOCUMENT_KINDS;
  readonly document: number;
  /** What the company's own program calls the worker. */
  readonly code: string;
  readonly surname: string;
  readonly second: string;
  readonly first: string;
  readonly middle: string | undefined;
  readonly admitted: string;
  readonly contract: keyof typeof CONTRACTS;
  readonly town: Town;
  readonly address: string;
  readonly method: keyof typeof METHODS;
  readonly bank: string | undefined;
  readonly account: string | undefined;
  readonly base: number;
  readonly days: number;
  readonly amounts: Readonly<Partial<Record<Amount, number>>>;
  readonly hours: Readonly<Partial<Record<Overtime, { readonly hours: number; readonly value: number }>>>;
  readonly loan: { readonly lender: string; readonly value: number } | undefined;
  readonly absence: Absence | undefined;
}

export interface Absence {
  readonly kind: 'vacation' | 'disability';
  readonly start: string;
  readonly end: string;
  readonly days: number;
  readonly value: number;
}

export interface Town {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly department: string;
}

export const EARNINGS = [
  'salary',
  'transport',
  'commission',
  'salaryBonus',
  'nonSalaryBonus',
  'aid',
] as const;
export const DEDUCTIONS = ['health', 'pension', 'solidarity', 'withholding', 'cooperative'] as const;
export const OVERTIME = ['dayHours', 'nightHours', 'nightSurcharge'] as const;

export type Amount = (typeof EARNINGS | typeof DEDUCTIONS)[number];
export type Overtime = (typeof OVERTIME)[number];

export const MONTH = '2026-10';
export const PAID = '2026-10-30';

/** As the service numbers them. */
export const DOCUMENT_KINDS = { 'Cédula de ciudadanía': 3, 'Cédula de extranjería': 5 } as const;
export const CONTRACTS = { 'Término fijo': 1, 'Término indefinido': 2, 'Obra o labor': 3 } as const;
export const METHODS = { 'Transferencia débito bancaria': 47, Efectivo: 10 } as const;

export const TOWNS: readonly Town[] = [
  { id: 1, code: '05001', name: 'Medellín', department: 'Antioquia' },
  { id: 47, code: '05266', name: 'Envigado', department: 'Antioquia' },
  { id: 293, code: '15759', name: 'Sogamoso', department: 'Boyacá' },
  { id: 1006, code: '76001', name: 'Cali', department: 'Valle del Cauca' },
  { id: 1032, code: '76520', name: 'Palmira', department: 'Valle del Cauca' },
];
const SURNAMES = [
  'Pérez',
  'Núñez',
  'Güiza',
  'Rojas',
  'Zapata',
  'Ortiz',
  'Mejía',
  'Salazar',
  'Cano',
  'Duarte',
];
const MEN = ['Óscar', 'Fabián', 'Nelson', 'Iván', 'Camilo'];
const WOMEN = ['Luisa', 'Ángela', 'Natalia', 'Marta', 'Irene'];
const BANKS = ['Banco Sabana', 'Banco Cordillera', 'Corporación Tayrona'];
const LENDERS = ['Banco Litoral', 'Fondo Los Andes'];

const MINIMUM = 1_750_905;
const WORKING_DAYS = 30;

const day = (of: number): string => `${MONTH}-${String(of).padStart(2, '0')}`;

function workerOf(chance: Chance, at: number): Worker {
  const { below, pick } = chance;
  const isOne = (in_: number): boolean => below(in_) === 0;
  const base = isOne(3) ? MINIMUM : (2000 + below(6000)) * 1000;
  const absent = isOne(4) ? 2 + below(6) : 0;
  const start = 2 + below(15);
  const days = WORKING_DAYS - absent;
  const salary = Math.round((base * days) / WORKING_DAYS);
  const bonus = isOne(4) ? 50_000 + below(300) * 1000 : undefined;
  const commission = isOne(4) ? 100_000 + below(900) * 1000 : undefined;
  const hour = base / 210;
  const hours: Worker['hours'] = Object.fromEntries(
    OVERTIME.filter(() => isOne(3)).map((one, rank) => {
      const count = 1 + below(12);
      return [one, { hours: count, value: Math.round(count * hour * (1.25 + rank / 2)) }];
    }),
  );
  const pay =
    salary +
    (commission ?? 0) +
    (bonus ?? 0) +
    Object.values(hours).reduce((sum, { value }) => sum + value, 0);
  const law = Math.round(pay * 0.04);
  const isPaidCash = isOne(5);
  const amounts = {
    salary,
    transport: base <= 2 * MINIMUM ? Math.round((249_095 * days) / WORKING_DAYS) : undefined,
    commission,
    salaryBonus: bonus,
    nonSalaryBonus: isOne(4) ? 40_000 + below(200) * 1000 : undefined,
    aid: isOne(5) ? 60_000 + below(90) * 1000 : undefined,
    health: law,
    pension: law,
    solidarity: base > 4 * MINIMUM ? Math.round(pay * 0.01) : undefined,
    withholding: base > 6_000_000 ? 100_000 + below(200) * 1000 : undefined,
    cooperative: isOne(4) ? 20_000 + below(80) * 1000 : undefined,
  };
  return {
    kind: isOne(8) ? 'Cédula de extranjería' : 'Cédula de ciudadanía',
    document: 9_000_100_000 + at * 37 + below(30),
    code: String(1_000 + at * 3 + below(3)),
    surname: pick(SURNAMES),
    second: pick(SURNAMES),
    first: pick(isOne(2) ? MEN : WOMEN),
    middle: isOne(2) ? pick(isOne(2) ? MEN : WOMEN) : undefined,
    admitted: `20${10 + below(15)}-0${1 + below(9)}-${10 + below(18)}`,
    contract: pick(Object.keys(CONTRACTS) as (keyof typeof CONTRACTS)[]),
    town: pick(TOWNS),
    address: `Calle ${1 + below(150)} # ${1 + below(90)}-${1 + below(90)}`,
    method: isPaidCash ? 'Efectivo' : 'Transferencia débito bancaria',
    bank: isPaidCash ? undefined : pick(BANKS),
    account: isPaidCash ? undefined : String(1_000_000_000 + below(900_000_000)),
    base,
    days,
    amounts: Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== undefined)),
    hours,
    loan: isOne(3) ? { lender: pick(LENDERS), value: 50_000 + below(300) * 1000 } : undefined,
    absence:
      absent === 0
        ? undefined
        : {
            kind: isOne(2) ? 'vacation' : 'disability',
            start: day(start),
            end: day(start + absent - 1),
            days: absent,
            value: Math.round((base * absent) / WORKING_DAYS),
          },
  };
}

const FEWEST = 8;

export const workersOf = (chance: Chance): readonly Worker[] =>
  Array.from({ length: FEWEST + chance.below(8) }, (_, at) => workerOf(chance, at));

export const PARAMS = {
  type_document_id: 9,
  prefix: 'NOM',
  first_consecutive: 1,
  month: MONTH,
  payroll_period_id: 5,
  settlement_start_date: `${MONTH}-01`,
  settlement_end_date: `${MONTH}-31`,
  issue_date: `${MONTH}-31`,
  payment_date: PAID,
  worked_time: 'days',
  type_worker_id: 1,
  sub_type_worker_id: 1,
  overtime_start_time: `${MONTH}-01T00:00:00`,
  overtime_end_time: `${MONTH}-31T23:59:59`,
  order_description: 'Libranza',
};

const money = (amount: number): string => `${amount}.00`;

const CLASSES: Readonly<Record<Overtime, readonly [name: string, percentage: number]>> = {
  dayHours: ['HEDs', 1],
  nightHours: ['HENs', 2],
  nightSurcharge: ['HRNs', 3],
};

/** The body of the document that is right for a worker, without its number; `loanName`: what the file says of the loan. */
export function documentOf(worker: Worker, loanName: string | undefined): unknown {
  const { amounts, hours, loan, absence, bank, account, middle } = worker;
  const sum = (of: readonly Amount[]): number => of.reduce((all, one) => all + (amounts[one] ?? 0), 0);
  const extra = Object.values(hours).reduce((all, { value }) => all + value, 0);
  const amount = (one: Amount, name: string): object =>
    amounts[one] === undefined ? {} : { [name]: money(amounts[one]) };
  const items = (one: Amount, list: string, name: string): object =>
    amounts[one] === undefined ? {} : { [list]: [{ [name]: money(amounts[one]) }] };
  return {
    type_document_id: 9,
    prefix: 'NOM',
    payroll_period_id: 5,
    period: {
      admision_date: worker.admitted,
      settlement_start_date: `${MONTH}-01`,
      settlement_end_date: `${MONTH}-31`,
      worked_time: money(worker.days),
      issue_date: `${MONTH}-31`,
    },
    worker: {
      type_worker_id: 1,
      sub_type_worker_id: 1,
      payroll_type_document_identification_id: DOCUMENT_KINDS[worker.kind],
      municipality_id: worker.town.id,
      type_contract_id: CONTRACTS[worker.contract],
      high_risk_pension: false,
      identification_number: worker.document,
      surname: worker.surname,
      second_surname: worker.second,
      first_name: worker.first,
      ...(middle !== undefined && { middle_name: middle }),
      address: worker.address,
      integral_salarary: false,
      salary: money(worker.base),
    },
    payment: {
      payment_method_id: METHODS[worker.method],
      ...(bank !== undefined && { bank_name: bank, account_type: 'Ahorros', account_number: account }),
    },
    payment_dates: [{ payment_date: PAID }],
    accrued: {
      worked_days: worker.days,
      ...amount('salary', 'salary'),
      ...amount('transport', 'transportation_allowance'),
      ...Object.fromEntries(
        OVERTIME.flatMap((one) => {
          const [name, percentage] = CLASSES[one];
          const found = hours[one];
          const times = { start_time: PARAMS.overtime_start_time, end_time: PARAMS.overtime_end_time };
          return found === undefined
            ? []
            : [
                [
                  name,
                  [{ ...times, quantity: String(found.hours), percentage, payment: money(found.value) }],
                ],
              ];
        }),
      ),
      ...(absence !== undefined && {
        [absence.kind === 'vacation' ? 'common_vacation' : 'work_disabilities']: [
          {
            start_date: absence.start,
            end_date: absence.end,
            quantity: String(absence.days),
            ...(absence.kind === 'disability' && { type: 1 }),
            payment: money(absence.value),
          },
        ],
      }),
      ...items('commission', 'commissions', 'commission'),
      ...((amounts.salaryBonus ?? amounts.nonSalaryBonus) !== undefined && {
        bonuses: [
          { ...amount('salaryBonus', 'salary_bonus'), ...amount('nonSalaryBonus', 'non_salary_bonus') },
        ],
      }),
      ...items('aid', 'aid', 'non_salary_assistance'),
      accrued_total: money(sum(EARNINGS) + extra + (absence?.value ?? 0)),
    },
    deductions: {
      eps_type_law_deductions_id: 1,
      ...amount('health', 'eps_deduction'),
      pension_type_law_deductions_id: 5,
      ...amount('pension', 'pension_deduction'),
      ...(amounts.solidarity !== undefined && {
        fondossp_type_law_deductions_id: 9,
        fondosp_deduction_SP: money(amounts.solidarity),
      }),
      ...amount('withholding', 'withholding_at_source'),
      ...(loan !== undefined && {
        orders: [{ description: loanName ?? loan.lender, deduction: money(loan.value) }],
      }),
      ...amount('cooperative', 'cooperative'),
      deductions_total: money(sum(DEDUCTIONS) + (loan?.value ?? 0)),
    },
  };
}

/** Stated earnings and deductions of a worker. */
export function totalsOf({ amounts, hours, loan, absence }: Worker): {
  readonly earned: number;
  readonly deducted: number;
} {
  const sum = (of: readonly Amount[]): number => of.reduce((all, one) => all + (amounts[one] ?? 0), 0);
  return {
    earned:
      sum(EARNINGS) + Object.values(hours).reduce((all, { value }) => all + value, 0) + (absence?.value ?? 0),
    deducted: sum(DEDUCTIONS) + (loan?.value ?? 0),
  };
}
