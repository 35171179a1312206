import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { gridsOf, type Page, workbook } from '../inspect/grid.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, PARAMS, SAMPLE, sampleCsv } from './sample.js';
import { check, inspect, mappingAdd, mappingForget, mappingList, mappingShow } from './use-cases.js';

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

describe('titles that repeat', () => {
  const month = (...labels: readonly string[]): Promise<string> =>
    sampleCsv((grid) => {
      for (const [row, cells] of grid.entries())
        cells.push(...labels.map((label, at) => (row === 0 ? label : String(150_000 + row * 7 + at))));
    });
  const october = (): Promise<string> => month('VALE', 'PREMIO', 'VALE', 'PREMIO');
  const workspace = freshFolder();
  const write = join(freshFolder(), 'oficina.yaml');
  const asked = async (file: string): Promise<readonly { id: string; key: string }[]> => {
    const { context, events } = fake({ workspace });
    await inspect(context, [file], { json: true });
    return events()
      .filter(({ event }) => event === 'question')
      .map(({ id, path }) => ({ id: id as string, key: (path as string[]).at(-1)! }));
  };
  beforeAll(async () => {
    const file = await october();
    const answer = (await asked(file)).map(({ id }) => `${id}=ignore`);
    await inspect(fake({ workspace }).context, [file], { write, answer });
  });
  const told = async (file: string, mapping?: string): Promise<readonly unknown[]> => {
    const { context, events } = fake({ workspace });
    const options = { params: PARAMS, json: true, ...(mapping !== undefined && { mapping }) };
    const stopped = await codesOf(check(context, [file], options));
    const issues = events().filter(({ event, level }) => event === 'issue' && level === 'error');
    return [...stopped, ...issues.map(({ code }) => code)];
  };

  test.each([
    ['as they were', ['VALE', 'PREMIO', 'VALE', 'PREMIO'], [], []],
    [
      'in another order',
      ['PREMIO', 'VALE', 'PREMIO', 'VALE'],
      ['inspect/no-clear-mapping'],
      Array.from({ length: 4 }, () => 'header/other-title'),
    ],
    [
      'one of them under the letter of the other',
      ['LONCHERA', 'PREMIO', 'VALE', 'PREMIO'],
      ['inspect/no-clear-mapping'],
      ['header/other-title'],
    ],
  ])('%s', async (_, labels, alone, named) => {
    const next = await month(...labels);
    expect(await told(next)).toEqual(alone);
    expect(await told(next, write)).toEqual(named);
  });

  test('what moved is asked about once more', async () => {
    const keys = (await asked(await month('VALE', 'PREMIO', 'PREMIO', 'VALE'))).map(({ key }) =>
      key.replace(/^\[[A-Z]+\] /, ''),
    );
    expect(keys).toEqual(['PREMIO', 'VALE']);
  });

  test('letters without titles, of an earlier version or by hand, are read where they are named alone', async () => {
    const folder = join(workspace, 'mappings', 'default');
    const [name = ''] = readdirSync(folder);
    const plain = readFileSync(write, 'utf8').replace(/"(\[[A-Z]+\]) [A-Z]+"/g, '"$1"');
    writeFileSync(join(folder, name), plain);
    writeFileSync(write, plain);
    expect(await told(await october())).toEqual(['inspect/no-clear-mapping']);
    expect(await told(await october(), write)).toEqual([]);
  });
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

describe('a shape by which files are known', () => {
  const named = (column: string, label: string) => (grid: Grid) => {
    own(grid);
    grid[0]![columnOf(grid, column)] = label;
  };
  const learn = async (workspace: string, name: string, change: (grid: Grid) => void, more: string[] = []) =>
    inspect(fake({ workspace }).context, [await sampleCsv(change)], {
      write: join(freshFolder(), `${name}.yaml`),
      answer: [...ANSWERS, ...more],
    });
  const list = async (workspace: string): Promise<readonly string[]> => {
    const { context, shown } = fake({ workspace });
    await mappingList(context, [], {});
    return shown
      .out()
      .filter(isRemembered)
      .map((line) => line.split('\t')[0]!)
      .sort();
  };
  const plain = (grid: Grid): void => own(grid);
  const renamed = named('Salud', 'APORTE EPS');

  test('two shapes of one name are both kept, in whatever order; each month replaces its own', async () => {
    const workspace = freshFolder();
    for (let month = 0; month < 2; month++) {
      await learn(workspace, 'nomina', plain);
      await learn(workspace, 'nomina', renamed, ['APORTE EPS=health']);
      expect(await list(workspace)).toEqual(['nomina', 'nomina-2']);
    }
    for (const change of [plain, renamed])
      expect(await check(fake({ workspace }).context, [await sampleCsv(change)], { params: PARAMS })).toBe(0);
  });

  test('a shape has the name that was given last', async () => {
    const workspace = freshFolder();
    await learn(workspace, 'octubre', plain);
    await learn(workspace, 'noviembre', plain);
    expect(await list(workspace)).toEqual(['noviembre']);
  });

  test('what settled this shape goes before what settled a similar one later', async () => {
    const workspace = freshFolder();
    const narrow = (grid: Grid): void => {
      grid[0]![columnOf(grid, 'Comisiones')] = 'PREMIO VENTAS';
    };
    const answer = (value: string) => async (change: (grid: Grid) => void) => {
      const write = join(freshFolder(), 'nomina.yaml');
      const answers = change === narrow ? [] : ANSWERS.slice(1);
      await inspect(fake({ workspace }).context, [await sampleCsv(change)], {
        write,
        answer: [`PREMIO VENTAS=${value}`, ...answers],
      });
    };
    await answer('commission')(own);
    await answer('salary_bonus')(narrow);
    const { context, events } = fake({ workspace });
    await inspect(context, [await sampleCsv(own)], { json: true });
    expect(events().filter(({ event }) => event === 'question')).toEqual([]);
    expect(events().find(({ key }) => key === 'PREMIO VENTAS')).toMatchObject({ means: 'commission' });
  });

  test('a ready-made mapping that fits plainly goes before one that was settled for another shape', async () => {
    const workspace = freshFolder();
    await answered(workspace);
    const { context, shown } = fake({ workspace });
    expect(await check(context, [SAMPLE], { params: PARAMS })).toBe(0);
    expect(shown.said().join('\n')).not.toContain('oficina');
  });
});

describe('mapping add', () => {
  const OWN = `cargue: 1
name: oficina
extends: payroll/wide
tables: { workers: { labels: { PREMIO VENTAS: commission, TALLA BOTAS: ignore } } }
`;
  const FAILS = `tests:
  - name: an amount
    tables: { workers: [{ base_salary: "1.000" }] }
    issues: [[workers.base_salary/1, cell/not-a-number]]
`;
  const withOwn = (text: string, name = 'oficina.yaml'): string => {
    const file = join(freshFolder(), name);
    writeFileSync(file, text);
    return file;
  };

  test('the mapping reads the files that it fits, for its company alone', async () => {
    const workspace = freshFolder();
    const { context, shown } = fake({ workspace });
    expect(await mappingAdd(context, [withOwn(OWN)], { company: '900123456' })).toBe(0);
    expect(await check(context, [await sampleCsv(own)], { params: PARAMS, company: '900123456' })).toBe(0);
    expect(shown.said().join('\n')).toContain('oficina');
    await mappingList(context, [], {});
    expect(shown.out().join('\n')).not.toContain('oficina\t');
  });

  test('a name that is taken is refused, and replaced by --force', async () => {
    const workspace = freshFolder();
    const { context, shown } = fake({ workspace });
    await mappingAdd(context, [withOwn(OWN)], {});
    const other = withOwn(`# otra\n${OWN}`);
    expect(await codesOf(mappingAdd(context, [other], {}))).toEqual(['mapping/name-taken']);
    expect(await mappingAdd(context, [other], { force: true })).toBe(0);
    await mappingShow(context, ['oficina'], {});
    expect(shown.out().join('\n')).toContain('# otra');
  });

  test.each([
    ['a test that fails', OWN + FAILS, ['mapping/tests-fail']],
    ['a mapping that is none', 'cargue: 1\nname: oficina\n', Array(4).fill('mapping/missing-key')],
    ['a file that it needs beside it', OWN.replace('payroll/wide', 'base.yaml'), ['mapping/unknown-base']],
  ])('%s: nothing is stored', async (_, text, codes) => {
    const { context } = fake({ workspace: freshFolder() });
    const file = withOwn(text);
    copyFileSync(packageFile('mappings', 'payroll', 'wide.yaml'), join(dirname(file), 'base.yaml'));
    expect(await codesOf(mappingAdd(context, [file], {}))).toEqual(codes);
    expect(await codesOf(mappingShow(context, ['oficina'], {}))).toEqual(['mapping/not-remembered']);
  });
});
