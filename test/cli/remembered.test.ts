import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PipelineError } from '../../src/core/issue.js';
import { gridsOf, type Page, workbook } from '../propose/grid.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, PARAMS, SAMPLE, sampleCsv } from './sample.js';
import { check, inspect, mappingForget, mappingList, mappingShow } from './use-cases.js';

type Grid = string[][];

/** The sample with a label of the office's own, and a column that no document takes. */
function own(grid: Grid): void {
  grid[0]![columnOf(grid, 'Comisiones')] = 'PREMIO VENTAS';
  for (const [row, cells] of grid.entries()) cells.push(row === 0 ? 'TALLA BOTAS' : '38');
}

const ANSWERS = ['PREMIO VENTAS=commission', 'TALLA BOTAS=ignore'];

const codesOf = async (run: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await run;
    return [];
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return error.issues.map(({ code }) => code);
  }
};

const answered = async (workspace: string, company?: string): Promise<void> => {
  const write = join(freshFolder(), 'oficina.yaml');
  const { context } = fake({ workspace });
  await inspect(context, [await sampleCsv(own)], { write, answer: ANSWERS, ...(company && { company }) });
};

test('next month the same shape asks nothing, and needs no mapping', async () => {
  const workspace = freshFolder();
  await answered(workspace);
  const next = await sampleCsv((grid) => {
    own(grid);
    grid.splice(3, 2);
  });
  const { context, shown, events } = fake({ workspace });
  expect(await check(context, [next], { params: PARAMS })).toBe(0);
  expect(shown.said().join('\n')).toContain('oficina');
  await inspect(context, [next], { json: true });
  expect(events().filter(({ event }) => event === 'question')).toEqual([]);
});

test('it is the one that is read where the call says nothing else: what the run lacks is told then', async () => {
  const workspace = freshFolder();
  await answered(workspace);
  const { context } = fake({ workspace });
  const codes = new Set(await codesOf(check(context, [await sampleCsv(own)], {})));
  expect([...codes]).toEqual(['param/missing']);
});

test('a sheet of corrections is one, though it has all columns of a month that is remembered', async () => {
  const workspace = freshFolder();
  await answered(workspace);
  const { context, events } = fake({ workspace });
  await inspect(context, ['samples/payroll/ajustes/ajustes-octubre-2026.xlsx'], { json: true });
  expect(events().at(-1)).toMatchObject({ mapping: 'payroll/adjust', undecided: 0 });
});

test('a changed shape is asked about by what changed alone, and not read by itself', async () => {
  const workspace = freshFolder();
  await answered(workspace);
  const changed = await sampleCsv((grid) => {
    own(grid);
    for (const [row, cells] of grid.entries())
      cells.push(row === 0 ? 'PROVISION' : String(150_000 + row * 7));
  });
  const { context, events } = fake({ workspace });
  expect(await codesOf(check(context, [changed], { params: PARAMS }))).toEqual(['inspect/no-clear-mapping']);
  await inspect(context, [changed], { json: true });
  const asked = events().filter(({ event }) => event === 'question');
  expect(asked.map(({ path }) => (path as string[]).at(-1))).toEqual(['PROVISION']);
});

const asWorkbook = async (more: readonly Page[], change: (grid: Grid) => void = own): Promise<string> => {
  const [{ labels, rows } = { labels: [], rows: [] }] = await gridsOf(SAMPLE);
  const grid = [[...labels], ...rows.map((row) => labels.map((_, at) => row[at] ?? ''))] as Grid;
  change(grid);
  return workbook([
    { name: 'Nomina octubre', rows: grid.map((row) => row.map((cell) => (cell === '' ? null : cell))) },
    ...more,
  ]);
};
const BONUSES: Page = {
  name: 'Bonos',
  rows: [
    ['Cédula', 'Valor'],
    [52_345_678, 150_000],
    [52_345_679, 90_000],
  ],
};
const NOTES: Page = { name: 'Notas', rows: [['Revisar con contabilidad'], ['Pagada el 30']] };

test('a new sheet with amounts, or amounts under a blank label, are a changed shape; those that were there before are not', async () => {
  const workspace = freshFolder();
  const { context, events } = fake({ workspace });
  const write = join(freshFolder(), 'oficina.yaml');
  const summary: Page = {
    name: 'Resumen octubre',
    rows: [
      ['Sede', 'Total'],
      ['Norte', 45_000_000],
    ],
  };
  const first = await asWorkbook([summary]);
  const layout = ['layout=payroll/wide', ...ANSWERS];
  await inspect(context, [first], { json: true, answer: layout });
  expect(events().filter(({ event }) => event === 'question')).toMatchObject([
    { title: expect.stringContaining('«Resumen octubre»') as string, path: ['ignore_sheets'] },
  ]);
  await inspect(context, [first], { write, answer: [...layout, 'unread.Resumen octubre=no se usa'] });
  const next: Page = { ...summary, name: 'Resumen noviembre' };
  const unlabelled = await asWorkbook([], (grid) => {
    own(grid);
    for (const [row, cells] of grid.entries()) cells.push(row === 0 ? '' : String(150_000 + row));
  });
  const read = async (file: string) => codesOf(check(context, [file], { params: PARAMS }));
  expect(await read(await asWorkbook([next, NOTES]))).toEqual([]);
  expect(await read(await asWorkbook([next, BONUSES]))).toEqual(['inspect/no-clear-mapping']);
  expect(await read(unlabelled)).toEqual(['inspect/no-clear-mapping']);
});

test('what one company answered is no business of another', async () => {
  const workspace = freshFolder();
  await answered(workspace, 'Andina');
  const { context } = fake({ workspace });
  const file = await sampleCsv(own);
  expect(await check(context, [file], { params: PARAMS, company: 'Andina' })).toBe(0);
  expect(await codesOf(check(context, [file], { params: PARAMS, company: 'Otra' }))).toEqual([
    'inspect/no-clear-mapping',
  ]);
});

/** Those that are ready-made have a description in place of a day. */
const isRemembered = (line: string): boolean => /\t\d{4}-\d\d-\d\d$/.test(line);

test('what is open is not remembered', async () => {
  const workspace = freshFolder();
  const { context, shown } = fake({ workspace });
  const write = join(freshFolder(), 'a-medias.yaml');
  await inspect(context, [await sampleCsv(own)], { write, answer: ANSWERS.slice(0, 1) });
  await mappingList(context, [], {});
  expect(shown.out().filter(isRemembered)).toEqual([]);
});

test('remembered mappings are listed, shown and forgotten, and nobody else can read them', async () => {
  const workspace = freshFolder();
  await answered(workspace);
  const { context, shown } = fake({ workspace });
  await mappingList(context, [], {});
  await mappingShow(context, ['oficina'], {});
  expect(shown.out().join('\n')).toMatch(/^oficina\t\d{4}-\d\d-\d\d\n[\s\S]*PREMIO VENTAS: commission/);
  if (process.platform !== 'win32')
    expect(statSync(join(workspace, 'mappings', 'default', 'oficina.yaml')).mode & 0o77).toBe(0);
  await mappingForget(context, ['oficina'], {});
  expect(await codesOf(mappingShow(context, ['oficina'], {}))).toEqual(['mapping/not-remembered']);
  expect(await codesOf(check(context, [await sampleCsv(own)], { params: PARAMS }))).toEqual([
    'inspect/no-clear-mapping',
  ]);
});

test('a second layout by the same name is kept beside the first, and each is replaced by its own', async () => {
  const workspace = freshFolder();
  const other = 'samples/payroll/multihoja/Nomina_octubre_multihoja.xlsx';
  const names = async (): Promise<readonly string[]> => {
    const { context, shown } = fake({ workspace });
    await mappingList(context, [], {});
    return shown
      .out()
      .filter(isRemembered)
      .map((line) => line.split('\t')[0]!)
      .sort();
  };
  for (let month = 0; month < 2; month++) {
    await answered(workspace);
    const { context } = fake({ workspace });
    const write = join(freshFolder(), 'oficina.yaml');
    await inspect(context, [other], { write });
    expect(await names()).toEqual(['oficina', 'oficina-payroll-multi-sheet']);
  }
});
