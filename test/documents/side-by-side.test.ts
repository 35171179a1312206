import { describe, expect, test } from 'vitest';
import { formatPlace } from '../../src/toolkit/core/issue.js';
import { workbookOf } from '../support/edit-workbook.js';
import { PARAMS, placed, prepareFiles } from '../support/prepare-file.js';

type Cell = string | number;

const PERSON = {
  'Tipo documento': 'CC',
  'Número documento': 101,
  'Primer apellido': 'Ruiz',
  'Segundo apellido': 'Paz',
  'Primer nombre': 'Ana',
  Dirección: 'Calle 1 # 2-3',
  'Código municipio': '05001',
  'Tipo trabajador': '01',
  'Subtipo trabajador': '00',
  'Tipo contrato': '2',
  'Sueldo mensual': 4_200_000,
  'Fecha ingreso': '2020-01-15',
  'Medio de pago': '10',
} as const;

const HALF = {
  'Días trabajados': 15,
  'Salario devengado': 2_100_000,
  'HED horas': '',
  'HED valor': '',
  'Bonificación no salarial': '',
  Libranza: '',
  Salud: 84_000,
  Pensión: 84_000,
  'Fecha pago': '',
} as const;

type Half = { readonly [title in keyof typeof HALF]?: Cell };
type Month = Readonly<Record<string, Cell>>;

interface Worker {
  readonly halves: readonly Half[];
  readonly person?: { readonly [title in keyof typeof PERSON]?: Cell };
  /** Columns of the whole month, behind the halves. */
  readonly month?: Month;
}

const cellsOf = ({ halves, person, month = {} }: Worker): Cell[] => [
  ...Object.values({ ...PERSON, ...person }),
  ...halves.flatMap((half) => Object.values({ ...HALF, ...half })),
  ...Object.values(month),
];

const titles = Object.keys(HALF);

/** The header as it stands in files of the kind: groups over the halves, or a word in each label. */
const HEADERS = {
  groups: (names: readonly string[], month: readonly string[]): Cell[][] => [
    [
      ...Object.keys(PERSON).map(() => ''),
      ...names.flatMap((name) => titles.map((_, at) => (at === 0 ? name : ''))),
      ...month.map((_, at) => (at === 0 ? 'MES' : '')),
    ],
    [...Object.keys(PERSON), ...names.flatMap(() => titles), ...month],
  ],
  suffixes: (names: readonly string[], month: readonly string[]): Cell[][] => [
    [...Object.keys(PERSON), ...names.flatMap((name) => titles.map((title) => `${title} ${name}`)), ...month],
  ],
} as const;

interface Book {
  readonly workers: readonly Worker[];
  readonly header?: keyof typeof HEADERS;
  readonly names?: readonly string[];
  /** As the mapping names the parts. */
  readonly parts?: readonly (string | readonly string[])[];
  readonly below?: readonly (readonly Cell[])[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, unknown>>;
}

async function prepared({
  workers,
  header = 'groups',
  names = ['Primera quincena', 'Segunda quincena'],
  parts = names,
  below = [],
  labels = {},
  params = PARAMS,
}: Book) {
  const month = Object.keys(workers[0]!.month ?? {});
  const rows = [...HEADERS[header](names, month), ...workers.map(cellsOf), ...below];
  const mappingText = `
extends: payroll/wide
cargue: 1
name: lado-a-lado
tables:
  workers: ${JSON.stringify({ side_by_side: parts, labels })}
`;
  return prepareFiles({
    files: [await workbookOf(rows as (string | number)[][])],
    mappingText,
    params,
  });
}

const errorsIn = ({ issues }: Awaited<ReturnType<typeof prepared>>): [string, string][] =>
  placed(issues.filter(({ level }) => level === 'error'));

const LOANS: Worker = {
  halves: [
    { 'HED horas': 2, 'HED valor': 50_000, Libranza: 30_000 },
    { 'HED horas': 3, 'HED valor': 75_000, Libranza: 40_000, 'Bonificación no salarial': 10_000 },
  ],
};

const BOTH = {
  accrued: {
    worked_days: 30,
    salary: '4200000.00',
    HEDs: [
      { quantity: '2', payment: '50000.00' },
      { quantity: '3', payment: '75000.00' },
    ],
    bonuses: [{ non_salary_bonus: '10000.00' }],
    accrued_total: '4335000.00',
  },
  deductions: {
    eps_deduction: '168000.00',
    orders: [{ deduction: '30000.00' }, { deduction: '40000.00' }],
  },
};

describe('two fortnights side by side', () => {
  test.each([
    ['under groups', { header: 'groups' }],
    [
      'under groups that say more',
      { names: ['1a QUINCENA (1-15)', '2a QUINCENA (16-30)'], parts: ['1a quincena*', '2a quincena*'] },
    ],
    ['by a word in each label', { header: 'suffixes', names: ['Q1', 'Q2'] }],
    [
      'by several words',
      {
        header: 'suffixes',
        names: ['(1Q)', '(2Q)'],
        parts: [
          ['Q1', '1Q'],
          ['Q2', '2Q'],
        ],
      },
    ],
  ] as const)('%s: money and days add up, items stay apart in order', async (_, book) => {
    const found = await prepared({ workers: [LOANS], ...book });
    expect(errorsIn(found)).toEqual([]);
    expect(found.drafts.map(({ body }) => body)).toMatchObject([BOTH]);
    expect(found.records).toEqual({ read: 1, used: 1, skipped: 0, heldBack: 0 });
    expect(found.documents).toEqual({ planned: 1, made: 1, heldBack: 0 });
    expect(found.drafts[0]!.records).toHaveLength(1);
    expect(found.columns.filter(({ role }) => role === 'unread')).toEqual([]);
  });

  test('the trace of an item is the cell of its half, that of a sum the largest first', async () => {
    const { drafts } = await prepared({
      workers: [
        { halves: [{ 'Salario devengado': 2_000_000 }, { 'Salario devengado': 2_200_000, Libranza: 9 }] },
      ],
    });
    const cells = (pointer: string): string[] => drafts[0]!.trace.get(pointer)!.map(formatPlace);
    expect(cells('/accrued/salary')).toEqual(['Nómina!X3', 'Nómina!O3']);
    expect(cells('/deductions/orders/0/deduction')).toEqual(['Nómina!AB3']);
    expect(cells('/worker/surname')).toEqual(['Nómina!C3']);
  });

  test('three parts', async () => {
    const found = await prepared({
      workers: [{ halves: [10, 10, 9].map((days) => ({ 'Días trabajados': days, Libranza: days * 1000 })) }],
      names: ['Decena 1', 'Decena 2', 'Decena 3'],
    });
    expect(errorsIn(found)).toEqual([]);
    expect(found.drafts[0]!.body).toMatchObject({
      accrued: { worked_days: 29, salary: '6300000.00' },
      deductions: {
        orders: [{ deduction: '10000.00' }, { deduction: '10000.00' }, { deduction: '9000.00' }],
      },
    });
  });

  const nothing = Object.fromEntries(titles.map((title) => [title, 0])) as Half;
  const blank = Object.fromEntries(titles.map((title) => [title, ''])) as Half;
  test.each([
    ['the first blank', [blank, { Libranza: 5_000 }]],
    ['the second of zeros', [{ Libranza: 5_000 }, { ...nothing, 'Fecha pago': '' }]],
  ] as const)('%s is no half at all', async (_, halves) => {
    const found = await prepared({ workers: [{ halves }] });
    expect(errorsIn(found)).toEqual([]);
    expect(found.drafts[0]!.body).toMatchObject({
      worker: { surname: 'Ruiz', salary: '4200000.00' },
      accrued: { worked_days: 15, salary: '2100000.00' },
      deductions: { orders: [{ deduction: '5000.00' }] },
    });
  });

  test('a month without any pay stays a document', async () => {
    const unpaid = { ...nothing, 'Fecha pago': '' };
    const { drafts, records } = await prepared({ workers: [{ halves: [unpaid, unpaid] }] });
    expect(records.used).toBe(1);
    expect(drafts[0]!.body).toMatchObject({ accrued: { worked_days: 0, salary: '0.00' } });
  });

  test('what stands outside the halves counts once', async () => {
    const month = { 'Total devengado': 4_200_000, Comisiones: 100_000, 'Entidad libranza': 'Banco Sur' };
    const found = await prepared({
      workers: [
        {
          halves: [{ Libranza: 30_000 }, { Libranza: 40_000 }],
          month: { ...month, 'Total devengado': 4_300_000 },
        },
      ],
      labels: { 'Total devengado': 'stated_accrued' },
    });
    expect(errorsIn(found)).toEqual([]);
    expect(found.drafts[0]!.body).toMatchObject({
      accrued: { commissions: [{ commission: '100000.00' }], accrued_total: '4300000.00' },
      deductions: {
        orders: [
          { description: 'Banco Sur', deduction: '30000.00' },
          { description: 'Banco Sur', deduction: '40000.00' },
        ],
      },
    });
  });

  test('a title that comes twice in a half is added up, by its letter', async () => {
    const title = 'Bonificación no salarial';
    const found = await prepared({
      workers: [{ halves: [{ [title]: 5_000 }, { [title]: 6_000 }], month: { [`${title} Q1`]: 700 } }],
      header: 'suffixes',
      names: ['Q1', 'Q2'],
      labels: { [title]: 'non_salary_bonus', [`[AF] ${title} Q1`]: 'non_salary_bonus' },
    });
    expect(errorsIn(found)).toEqual([]);
    expect(found.drafts[0]!.body).toMatchObject({
      accrued: { bonuses: [{ non_salary_bonus: '5700.00' }, { non_salary_bonus: '6000.00' }] },
    });
  });

  test('a novelty of the month is not repeated for each half', async () => {
    const found = await prepared({
      workers: [
        {
          halves: [{}, {}],
          month: {
            'Inicio vacaciones': '2026-10-05',
            'Fin vacaciones': '2026-10-09',
            'Días vacaciones': 5,
            'Valor vacaciones': 700_000,
          },
        },
      ],
    });
    expect(errorsIn(found)).toEqual([]);
    expect(found.drafts[0]!.body).toMatchObject({
      accrued: {
        common_vacation: [
          { start_date: '2026-10-05', end_date: '2026-10-09', quantity: '5', payment: '700000.00' },
        ],
      },
    });
  });

  test('each half has its date of payment, or one column has it for both', async () => {
    const { payment_date: _, ...params } = PARAMS;
    const dates = [{ 'Fecha pago': '2026-10-15' }, { 'Fecha pago': '2026-10-30' }];
    const own = await prepared({ workers: [{ halves: dates }], params });
    expect(own.drafts[0]!.body).toMatchObject({
      payment_dates: [{ payment_date: '2026-10-15' }, { payment_date: '2026-10-30' }],
    });
  });

  test.each([
    ['the file has no dates', {}, ['2026-10-15', '2026-10-30']],
    ['unless the file has one', { 'Fecha pago': '2026-10-29' }, ['2026-10-29']],
  ] as const)('several dates are given as a parameter: %s', async (_, half, dates) => {
    const { payment_date: _date, ...params } = PARAMS;
    const payment_dates = '2026-10-15, 2026-10-30';
    const found = await prepared({ workers: [{ halves: [half, {}] }], params: { ...params, payment_dates } });
    expect(errorsIn(found)).toEqual([]);
    expect(found.drafts[0]!.body).toMatchObject({
      payment_dates: dates.map((payment_date) => ({ payment_date })),
    });
  });

  test('the kind of document of all workers is given as a parameter', async () => {
    const found = await prepared({
      workers: [{ halves: [{}, {}], person: { 'Tipo documento': '' } }],
      params: { ...PARAMS, document_type_id: 3 },
    });
    expect(errorsIn(found)).toEqual([]);
    expect(found.drafts[0]!.body).toMatchObject({
      worker: { payroll_type_document_identification_id: 3 },
    });
  });

  test('a fault in the second half is blamed on its cell', async () => {
    const found = await prepared({
      workers: [{ halves: [{}, { 'Salario devengado': '2.1OO.000', Libranza: -5_000 }] }],
    });
    expect(errorsIn(found)).toEqual([
      ['Nómina!X3', 'cell/not-a-number'],
      ['Nómina!AB3', 'document/format-money'],
    ]);
  });

  test('a negative amount in one half is not hidden by the other', async () => {
    const found = await prepared({ workers: [{ halves: [{}, { Salud: -1_000 }] }] });
    expect(errorsIn(found)).toEqual([['Nómina!AC3', 'cell/negative-part']]);
  });

  test('halves that contradict each other name both cells', async () => {
    const found = await prepared({
      workers: [{ halves: [{ 'Fecha pago': '2026-10-15' }, { 'Fecha pago': '2026-10-30' }] }],
      labels: { 'Fecha pago': 'retirement_date' },
    });
    const [error] = found.issues.filter(({ level }) => level === 'error');
    expect(placed([error!])).toEqual([['Nómina!AE3', 'group/conflict']]);
    expect(error!.related?.map(formatPlace)).toEqual(['Nómina!V3']);
  });

  test('the worker of a later row is refused as ever', async () => {
    const found = await prepared({ workers: [LOANS, LOANS] });
    expect(errorsIn(found)).toEqual([['Nómina!B4', 'payroll/worker-month']]);
    expect(found.drafts).toHaveLength(1);
  });

  test('a row of totals is compared with each half and each column of the month', async () => {
    const month = { 'Total devengado': 4_200_000 };
    const workers = [1, 2].map((n) => ({
      halves: [{}, {}],
      month,
      person: { 'Número documento': 100 + n },
    }));
    const total = (second: number): Cell[] => {
      const cells = cellsOf({
        person: Object.fromEntries(Object.keys(PERSON).map((title) => [title, ''])),
        halves: [{ 'Salario devengado': 4_200_000 }, { 'Salario devengado': second }].map((half) => ({
          ...blank,
          ...half,
        })),
        month: { 'Total devengado': 8_400_000 },
      });
      return ['TOTAL', ...cells.slice(1)];
    };
    const labels = { 'Total devengado': 'stated_accrued' };
    const right = await prepared({ workers, labels, below: [total(4_200_000)] });
    expect(placed(right.issues)).toEqual([]);
    expect(right.records).toEqual({ read: 3, used: 2, skipped: 1, heldBack: 0 });
    const wrong = await prepared({ workers, labels, below: [total(4_300_000)] });
    expect(placed(wrong.issues)).toEqual([['Nómina!X5', 'control/total-differs']]);
  });
});
