import { expect, test } from 'vitest';
import { defaultAnswer } from '../../src/toolkit/inspect/question.js';
import { column, type Grid, gridsOf, mapColumn, page, pick, type Value, workbook } from './grid.js';
import { answered, findIn } from './known.js';

/** A text of each person that two sheets have. */

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

test.each<[string, (value: Value, row: number) => Value]>([
  ['none differs', (value) => value],
  ['a single one differs: it is a mistake of its record', (value, row) => (row === 3 ? 'Otra parte' : value)],
])('nothing is asked where %s', async (_, change) => {
  expect(await homesIn(await bookOf(change))).toEqual([]);
});
