import { describe, expect, test } from 'vitest';
import { column, csv, type Grid, gridsOf, type Value } from '../inspect/grid.js';
import { prepareFiles, SAMPLE } from '../support/prepare-file.js';

const sample = (await gridsOf(SAMPLE))[0]!;
const grid: Grid = { ...sample, rows: sample.rows.slice(0, 4) };

/** Labels of columns that change places. */
const [A, B] = [column(grid, 'Salario devengado'), column(grid, 'Total devengado')];

const NUMBER = column(grid, 'Número documento');

const swapped = (cells: readonly Value[]): Value[] =>
  cells.map((value, at) => (at === A ? cells[B]! : at === B ? cells[A]! : value));

const placed = (cells: Readonly<Record<string, Value>>): Value[] => {
  const row = grid.labels.map((): Value => null);
  for (const [label, value] of Object.entries(cells)) row[column(grid, label)] = value;
  return row;
};

const LABELS: readonly Value[] = grid.labels;
const [ONE, TWO, THREE, FOUR] = grid.rows as [Value[], Value[], Value[], Value[]];
const OTHER_TABLE = placed({
  'Número documento': 'Nombre',
  'Salario devengado': 'Diagnóstico',
  Salud: 'Inicio',
  Pensión: 'Fin',
});

/** Codes at each row, and how many records went into documents. */
async function found(...rows: readonly (readonly Value[])[]): Promise<[used: number, ...issues: string[]]> {
  const { records, issues } = await prepareFiles({ files: [csv({ ...grid, rows })] });
  const told = issues
    .filter(({ level }) => level === 'error')
    .map(({ code, place }) => `${place.row} ${code}`);
  expect(records.used + records.skipped + records.heldBack).toBe(records.read);
  return [records.used, ...told];
}

describe('rows below titles of other columns are not read', () => {
  test.each<[string, readonly (readonly Value[])[], readonly unknown[]]>([
    [
      'the same columns in another order',
      [ONE, TWO, swapped(LABELS), swapped(THREE), swapped(FOUR)],
      [2, '4 row/other-header', '5 row/below-other-header', '6 row/below-other-header'],
    ],
    [
      'right below the header',
      [swapped(LABELS), swapped(THREE)],
      [0, '2 row/other-header', '3 row/below-other-header'],
    ],
    [
      'a table of something else',
      [ONE, OTHER_TABLE, TWO],
      [1, '3 row/other-header', '4 row/below-other-header'],
    ],
    [
      'until the header comes again',
      [ONE, swapped(LABELS), swapped(TWO), LABELS, THREE],
      [2, '3 row/other-header', '4 row/below-other-header'],
    ],
  ])('%s', async (_, rows, expected) => {
    expect(await found(...rows)).toEqual(expected);
  });

  test('nor are they where records of one document are put together', async () => {
    const list = (await gridsOf('samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx'))[0]!;
    const [first, second, third] = list.rows as [Value[], Value[], Value[]];
    const turned = [list.labels, second, third].map((row) => [...row].reverse());
    const { issues } = await prepareFiles({
      files: [csv({ ...list, rows: [first, ...turned] })],
      mapping: 'mappings/payroll/long.yaml',
    });
    const told = issues.flatMap(({ code, place }) => ((place.row ?? 0) > 2 ? [`${place.row} ${code}`] : []));
    const below = ['4 row/below-other-header', '5 row/below-other-header'];
    expect(told).toEqual(['3 row/other-header', ...below, '4 join/owner-unknown']);
  });

  test.each<[string, readonly (readonly Value[])[], number]>([
    [
      'units below a repeated header',
      [ONE, LABELS, placed({ Salud: '$', 'Días trabajados': 'días', Pensión: 'cop' }), TWO],
      2,
    ],
    [
      'who signs',
      [ONE, TWO, placed({ 'Salario devengado': 'Elaboró', Salud: 'Revisó', Pensión: 'Aprobó' })],
      2,
    ],
    [
      'words for an amount, all the same',
      [ONE, placed({ Salud: 'pendiente', Pensión: 'pendiente' }), TWO],
      2,
    ],
  ])('but below %s they are', async (_, rows, used) => {
    const [records, ...issues] = await found(...rows);
    expect(records).toBe(used);
    expect(issues.join()).not.toContain('other-header');
  });
});

describe('rows above the header', () => {
  const blank = grid.labels.map((): Value => null);
  const upper = (...cells: readonly Value[]): Value[] => blank.map((_, at) => cells[at] ?? null);
  const shorter = LABELS.map((label) => (label === 'Salud' ? null : label));
  /** A sheet whose first row is the first of them; the labels stand where they stand among them. */
  const sheet = (...[first, ...rows]: readonly (readonly Value[])[]): Grid => ({
    ...grid,
    labels: (first ?? []).map((text) => String(text ?? '')),
    rows,
  });
  const numbered = grid.labels.map((_, at) => at + 1);
  const summed = ONE.map((value, at) => (at === NUMBER ? 4 : typeof value === 'number' ? 5_000_000 : null));

  test.each<[string, readonly (readonly Value[])[], readonly unknown[]]>([
    ['a record', [ONE, LABELS, TWO, THREE], [2, '1 row/above-header']],
    [
      'two records below a title',
      [upper('NOMINA'), ONE, TWO, LABELS, THREE],
      [1, '2 row/above-header', '3 row/above-header'],
    ],
    [
      'a record of few amounts',
      [placed({ 'Número documento': '1020304050', 'Salario devengado': 1, Salud: 2 }), LABELS, ONE],
      [1, '1 row/above-header'],
    ],
    [
      'a record below a few labels of its own',
      [upper('ADMIN'), upper('Número documento', 'Salud'), upper('1020304050', 40_000), LABELS, ONE],
      [1, '3 row/above-header'],
    ],
    [
      'who signs, below labels',
      [upper('Número documento', 'Primer nombre'), upper('1020304050', 'Ana'), LABELS, ONE],
      [1],
    ],
    ['a title', [upper('ACME S.A.S.', 'NIT', '900123456-7'), upper('NOMINA 2026-10'), LABELS, ONE], [1]],
    ['a line about the company', [upper('NIT', '900123456', 'Periodo', '2026-10-31'), LABELS, ONE], [1]],
    ['numbers of columns', [numbered, LABELS, ONE, TWO], [2]],
    ['how many, and their sums', [summed, LABELS, ONE, TWO], [2]],
    [
      'a header with records that lacks a column',
      [shorter, ONE, LABELS, TWO],
      [0, '2 payroll/deductions-total', '4 payroll/deductions-total', '1 header/amounts-new'],
    ],
    ['the same header', [LABELS, ONE, upper('ACME', '', 'Página 2'), LABELS, TWO], [2]],
  ])('%s', async (_, rows, expected) => {
    const { records, issues } = await prepareFiles({ files: [csv(sheet(...rows))] });
    const told = issues
      .filter(({ level }) => level === 'error')
      .map(({ code, place }) => `${place.row} ${code}`);
    expect([records.used, ...told]).toEqual(expected);
  });
});
