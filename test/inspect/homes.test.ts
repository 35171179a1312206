import { expect, test } from 'vitest';
import { defaultAnswer } from '../../src/toolkit/inspect/question.js';
import { column, type Grid, gridsOf, insert, mapColumn, page, pick, type Value, workbook } from './grid.js';
import { answered, findIn } from './known.js';

/** A text or an amount of each person that two sheets have. */

const [wide] = (await gridsOf('samples/payroll/nomina-octubre-2026.xlsx')) as [Grid];
const WHERE = 'Dirección de trabajo';
const SPLIT = column(wide, 'Medio de pago');
const shortly = (value: Value): Value => String(value).split(' ').slice(0, 2).join(' ');

/** People in one sheet, amounts and the address once more in another. */
const bookOf = (change: (value: Value, row: number) => Value): Promise<string> => {
  const people = pick(wide, wide.labels.slice(0, SPLIT));
  const paid = pick(wide, ['Número documento', WHERE, ...wide.labels.slice(SPLIT)]);
  return workbook([
    page({ ...people, name: 'Datos' }),
    page({ ...mapColumn(paid, WHERE, change), name: 'Pagos' }),
  ]);
};
const homesIn = async (file: string) =>
  (await findIn([file], 'payroll')).open.filter(({ id }) => id.startsWith('home.'));

test('it is asked which sheet is taken where most records differ, the fuller one first', async () => {
  const file = await bookOf(shortly);
  const [home, ...others] = await homesIn(file);
  expect(others).toEqual([]);
  expect(home!.answers.map(({ value }) => value)).toEqual(['Datos', 'Pagos']);
  expect(defaultAnswer(home!)).toBe('Datos');
  const { mapping, open } = await answered([file], 'payroll', (id) =>
    id === home!.id ? 'Datos' : undefined,
  );
  expect(open.filter((id) => id.startsWith('home.'))).toEqual([]);
  expect(mapping).toContain('ignore');
});

test('three sheets with one text are one question with three answers', async () => {
  const people = pick(wide, wide.labels.slice(0, SPLIT));
  const paid = pick(wide, ['Número documento', WHERE, ...wide.labels.slice(SPLIT)]);
  const [first, last] = [paid.labels.slice(0, 6), paid.labels.slice(6)];
  const file = await workbook([
    page({ ...mapColumn(pick(paid, first), WHERE, shortly), name: 'Cuentas' }),
    page({
      ...mapColumn(pick(paid, ['Número documento', WHERE, ...last]), WHERE, () => 'Sede'),
      name: 'Pagos',
    }),
    page({ ...people, name: 'Datos' }),
  ]);
  const [home, ...others] = await homesIn(file);
  expect(others).toEqual([]);
  expect(home!.answers.map(({ value }) => value)).toEqual(['Datos', 'Pagos', 'Cuentas']);
});

test('the order of a full name is asked of the sheet that it is taken from', async () => {
  const nameOf = (row: number, labels: readonly string[]): string =>
    labels.map((label) => wide.rows[row]![column(wide, label)] ?? '').join(' ');
  const rest = wide.labels.filter((label) => !/apellido|nombre/i.test(label));
  const people = pick(wide, ['Número documento', ...rest.slice(2, 12)]);
  const paid = pick(wide, ['Número documento', ...rest.slice(12)]);
  const file = await workbook([
    page({
      ...insert(people, 1, 'Empleado', (row) =>
        nameOf(row, ['Primer apellido', 'Segundo apellido', 'Primer nombre']),
      ),
      name: 'Datos',
    }),
    page({
      ...insert(paid, 1, 'Empleado', (row) => nameOf(row, ['Primer nombre', 'Primer apellido'])),
      name: 'Pagos',
    }),
  ]);
  const { open } = await findIn([file], 'payroll');
  expect(open.filter(({ id }) => id.startsWith('home.')).length).toBe(1);
  expect(open.map(({ id }) => id)).not.toContain('name_order');
});

test.each<[string, (value: Value, row: number) => Value]>([
  ['none differs', (value) => value],
  ['a single one differs: it is a mistake of its record', (value, row) => (row === 3 ? 'Otra parte' : value)],
])('nothing is asked where %s', async (_, change) => {
  expect(await homesIn(await bookOf(change))).toEqual([]);
});

const PAY = ['Días trabajados', 'Salario devengado', 'Salud', 'Pensión'];

/** People in one sheet, and two sheets of payments with some columns in common. */
const paidTwice = (
  names: readonly [string, string],
  change = (grid: Grid, _half: number) => grid,
): Promise<string> => {
  const people = pick(wide, wide.labels.slice(0, SPLIT));
  const key = column(people, 'Número documento');
  const rest = wide.labels.slice(SPLIT).filter((label) => !PAY.includes(label));
  const [first, second] = [
    pick(wide, ['Número documento', ...PAY]),
    pick(wide, ['Número documento', ...PAY, ...rest]),
  ];
  return workbook([
    page({ ...people, name: 'Personas' }),
    page({ ...change(first, 0), name: names[0] }),
    page({ ...change(second, 1), name: names[1] }),
    page({
      name: 'Vacaciones',
      labels: ['Número documento', 'Desde', 'Hasta', 'Días'],
      rows: people.rows.slice(0, 1).map((row) => [row[key]!, '2026-10-20', '2026-10-22', 3]),
    }),
  ]);
};

test('it is asked whether amounts that two fortnights have alike are added up', async () => {
  const file = await paidTwice(['1Q octubre', '2Q octubre']);
  const { open } = await findIn([file], 'payroll');
  const asked = open.find(({ id }) => id === 'one_per');
  expect(asked?.answers.map(({ value }) => value)).toEqual(['records', 'ignore']);
  const added = await answered([file], 'payroll', (id) => (id === 'one_per' ? 'records' : undefined));
  expect(added.open).not.toContain('one_per');
  expect(added.mapping).toMatch(/spread: records/);
  expect(added.mapping).toMatch(/sheet:\n\s+- .*\n\s+- .*\n\s+- /);
});

test('a column of zeros in one fortnight is what the other is answered to be', async () => {
  const file = await paidTwice(['1Q octubre', '2Q octubre'], (grid, half) =>
    insert(grid, 1, 'FALTANTE CAJA', (row) => half * (15_000 + 7 * row)),
  );
  const { mapping } = await answered([file], 'payroll', (id) => {
    if (id === 'one_per') return 'records';
    return id === 'workers.2Q octubre.B' ? 'other_deduction' : 'ignore';
  });
  expect(mapping).toContain('FALTANTE CAJA: other_deduction');
});
