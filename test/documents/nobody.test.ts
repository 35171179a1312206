import { describe, expect, test } from 'vitest';
import { formatPlace } from '../../src/toolkit/core/issue.js';
import { column, csv, type Grid, gridsOf, type Value } from '../inspect/grid.js';
import { prepareFiles, SAMPLE } from '../support/prepare-file.js';

const sample = (await gridsOf(SAMPLE))[0]!;
const grid: Grid = { ...sample, rows: sample.rows.slice(0, 4) };

const row = (cells: Readonly<Record<string, Value>>): Value[] => {
  const values = grid.labels.map((): Value => null);
  for (const [label, value] of Object.entries(cells)) values[column(grid, label)] = value;
  return values;
};

const sumOf = (label: string, rows: readonly (readonly Value[])[]): number =>
  rows.reduce((sum, cells) => sum + Number(cells[column(grid, label)] ?? 0), 0);

/** What becomes of a row after so many records: skipped, or at which cell it is said to be of nobody. */
async function fateOf(after: number, cells: Readonly<Record<string, Value>>): Promise<string> {
  const { rows } = grid;
  const file = csv({ ...grid, rows: [...rows.slice(0, after), row(cells), ...rows.slice(after)] });
  const { records, issues } = await prepareFiles({ files: [file] });
  const { code, place } = issues.find((one) => one.place.row === after + 2 && one.level === 'error') ?? {};
  if (records.skipped === 1 && code === undefined) return 'skipped';
  return `${code} ${formatPlace(place!).replace(/^.*!/, '')}`;
}

describe('a row without a worker', () => {
  const salary = sumOf('Salario devengado', grid.rows);
  test.each<[string, number, Readonly<Record<string, Value>>, string]>([
    ['that says it is a total', 4, { 'Tipo documento': 'TOTAL', 'Salario devengado': 1 }, 'skipped'],
    ['that states what those above come to', 4, { 'Salario devengado': salary }, 'skipped'],
    [
      'that states what those above come to, one amount of several wrong',
      4,
      {
        'Salario devengado': salary,
        Salud: sumOf('Salud', grid.rows),
        Pensión: sumOf('Pensión', grid.rows) + 1,
      },
      'skipped',
    ],
    [
      'that states one amount as it is, and another',
      4,
      { 'Salario devengado': salary, Pensión: 1 },
      'row/key-blank B6',
    ],
    ['that states nothing', 4, { 'Dirección de trabajo': 'Elaboró' }, 'skipped'],
    ['with an amount of its own', 2, { Comisiones: 40_000 }, 'row/key-blank B4'],
    ['with days alone', 2, { 'Días trabajados': 10 }, 'row/key-blank B4'],
    [
      'that repeats the one record above it',
      1,
      { 'Salario devengado': grid.rows[0]![21] ?? null },
      'row/key-blank B3',
    ],
  ])('%s', async (_, after, cells, expected) => {
    expect(await fateOf(after, cells)).toBe(expected);
  });
});

describe('a row without a document may be a part of the worker above it', () => {
  const [worker, other] = grid.rows as [Value[], Value[]];
  const without = (cells: readonly Value[], ...labels: readonly string[]): Value[] => {
    const at = labels.map((label) => column(grid, label));
    return cells.map((value, index) => (at.includes(index) ? null : value));
  };
  const named = ['Primer apellido', 'Segundo apellido', 'Primer nombre', 'Otros nombres'];
  const part = row({ 'Salario devengado': 40_000, Comisiones: 7_000 });
  const HELD = ['row/key-blank-below B2', 'row/key-blank B3'];
  test.each<[string, readonly Value[][], readonly string[]]>([
    ['amounts alone', [worker, part, other], HELD],
    ['the last one of the file', [other, worker, part], ['row/key-blank-below B3', 'row/key-blank B4']],
    ['all but document and name', [worker, without(worker, 'Número documento', ...named), other], HELD],
    ['all but the document', [worker, without(worker, 'Número documento'), other], HELD],
    ['amounts beside a word', [worker, row({ 'Primer nombre': 'Extras', Comisiones: 7_000 }), other], HELD],
    ['two such rows', [worker, part, part, other], [...HELD, 'row/key-blank B4']],
    ['below the titles once more', [worker, [...grid.labels], part, other], [HELD[0]!, 'row/key-blank B4']],
    ['another person', [worker, without(other, 'Número documento')], ['row/key-blank B3']],
    ['a row above all others', [part, worker, other], ['row/key-blank B2']],
    ['a total', [worker, row({ 'Tipo documento': 'TOTAL', 'Salario devengado': 1 }), other], []],
  ])('%s', async (_, rows, expected) => {
    const { issues, drafts, records } = await prepareFiles({ files: [csv({ ...grid, rows })] });
    const told = issues.flatMap(({ code, level, place }) =>
      level === 'error' && code.startsWith('row/')
        ? [`${code} ${formatPlace(place).replace(/^.*!/, '')}`]
        : [],
    );
    expect(told).toEqual(expected);
    expect(records).toMatchObject({ read: rows.length, heldBack: told.length });
    expect([drafts.length, records.used + records.skipped]).toEqual([
      records.used,
      rows.length - told.length,
    ]);
  });
});
