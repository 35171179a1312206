import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tableFolder } from '../../src/app/context.js';
import { lawUsed } from '../../src/app/law-state.js';
import type { Options } from '../../src/cli/options.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { shippedCatalogue, withLoadedTables } from '../../src/toolkit/schema/catalogue.js';
import { lawTables } from '../../src/toolkit/schema/law-tables.js';
import { type FakeOptions, fake } from '../cli/fake-context.js';
import { freshFolder } from '../cli/run-cli.js';
import { columnOf, sampleCsv, WIDE } from '../cli/sample.js';
import {
  catalogueImport,
  catalogueShow,
  check,
  journalKey,
  lawExport,
  lawImport,
  lawRemove,
  lawShow,
  type ShownUseCase,
} from '../cli/use-cases.js';

const FIGURES = 'year,minimum_wage,transport_allowance,norm,status\n2027,1900000,270000,Decreto de prueba,\n';
const YEARLY = 'payroll_yearly_figures';

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** Runs a use case in a workspace; a stop gives its codes. */
async function ran(
  useCase: ShownUseCase,
  args: readonly string[],
  options: Options = {},
  { ws = 'ws', ...more }: FakeOptions & { readonly ws?: string } = {},
) {
  const call = fake({ workspace: join(folder, ws), ...more });
  const stopped: string[] = await useCase(call.context, args, { json: true, ...options }).then(
    () => [],
    (error: { readonly issues: readonly { readonly code: string }[] }) =>
      error.issues.map(({ code }) => code),
  );
  const events = call.events();
  const codes = events.filter(({ event }) => event === 'issue').map(({ code }) => code);
  return { events, codes, stopped, asked: call.asked };
}

async function yearsIn(ws: string): Promise<Record<string, string>> {
  const { events } = await ran(catalogueShow, [YEARLY], {}, { ws });
  const rows = events.filter(({ event }) => event === 'entry');
  return Object.fromEntries(rows.map(({ year, minimum_wage: wage }) => [year, wage]));
}

/** Tables that are not as they are shipped, by what they are made of. */
async function takenIn(ws: string): Promise<Record<string, readonly string[]>> {
  const { events } = await ran(lawShow, [], {}, { ws });
  expect(events.map(({ name }) => name)).toEqual(Object.keys(lawTables()).sort());
  const tables = events as unknown as readonly { name: string; origins: readonly Record<string, string>[] }[];
  return Object.fromEntries(
    tables
      .filter(({ origins }) => origins.length > 0)
      .map(({ name, origins }) => [name, origins.map(({ kind, source }) => `${kind} ${source}`)]),
  );
}

const digestOf = (ws: string): string => withLoadedTables(tableFolder(join(folder, ws)), lawUsed).sha256;

async function key(name: string): Promise<string> {
  const file = join(folder, name);
  await ran(journalKey, [file]);
  return file;
}

/** A pack of a workspace with the figures of 2027. */
async function packed(options: Options = {}): Promise<string> {
  await ran(lawImport, [fileOf('cifras.csv', FIGURES)], {}, { ws: 'author' });
  const file = join(folder, 'ley-2027.json');
  const { stopped } = await ran(
    lawExport,
    [file],
    { as: 'Contadores', force: true, ...options },
    { ws: 'author' },
  );
  expect(stopped).toEqual([]);
  return file;
}

test('a pack makes the law of one workspace that of another', async () => {
  const pem = await key('k.pem');
  const file = await packed({ key: pem });
  expect(await takenIn('other')).toEqual({});
  const taken = await ran(lawImport, [file], { key: `${pem}.pub` }, { ws: 'other' });
  expect(taken).toMatchObject({ stopped: [], codes: [], asked: [] });
  expect(taken.events).toMatchObject([
    { event: 'catalogue', name: YEARLY, kind: 'pack', author: 'Contadores' },
  ]);
  expect((await yearsIn('other'))['2027']).toBe('1900000');
  expect(digestOf('other')).toBe(digestOf('author'));
  expect(digestOf('other')).not.toBe(digestOf('ws'));
  const again = await ran(lawImport, [file], {}, { ws: 'other' });
  expect(again.codes).toEqual([]);
  expect(again.events.every(({ isNew }) => isNew === false)).toBe(true);
});

describe('who made a pack', () => {
  test.each<[string, Options, Options, string[], string[]]>([
    ['nobody signed', {}, {}, ['catalogue/pack-unsigned'], ['run/needs-yes']],
    ['nobody signed, with a yes', {}, { yes: true }, ['catalogue/pack-unsigned'], []],
    ['unknown', { key: 'k.pem' }, {}, ['catalogue/pack-unknown-key'], ['run/needs-yes']],
    ['unknown, with a yes', { key: 'k.pem' }, { yes: true }, ['catalogue/pack-unknown-key'], []],
    ['named', { key: 'k.pem' }, { key: 'k.pem.pub' }, [], []],
    [
      'another was named',
      { key: 'k.pem' },
      { key: 'other.pem.pub', yes: true },
      [],
      ['catalogue/pack-signature'],
    ],
    ['one was named, nobody signed', {}, { key: 'k.pem.pub', yes: true }, [], ['catalogue/pack-signature']],
  ])('%s', async (_, signed, given, codes, stopped) => {
    await key('k.pem');
    await key('other.pem');
    const inFolder = ({ key: name, ...more }: Options): Options => ({
      ...more,
      ...(name !== undefined && { key: join(folder, name) }),
    });
    const file = await packed(inFolder(signed));
    expect(await ran(lawImport, [file], inFolder(given))).toMatchObject({ codes, stopped });
    const isTaken = stopped.length === 0;
    expect(await takenIn('ws')).toEqual(isTaken ? { [YEARLY]: ['pack ley-2027.json'] } : {});
  });

  test('a key that was taken once is known from then on', async () => {
    const pem = await key('k.pem');
    await ran(lawImport, [await packed({ key: pem })], { yes: true });
    await ran(lawImport, [fileOf('uvt.csv', 'year,uvt\n2027,54000\n')], {}, { ws: 'author' });
    const next = await ran(lawImport, [await packed({ key: pem })]);
    expect(next).toMatchObject({ codes: [], stopped: [] });
    expect(Object.keys(await takenIn('ws'))).toEqual([YEARLY, 'uvt']);
  });

  test('a person is asked, and says no', async () => {
    const { codes, asked } = await ran(lawImport, [await packed()], {}, { answers: [false] });
    expect([codes, asked.length]).toEqual([['catalogue/pack-unsigned'], 1]);
    expect(await takenIn('ws')).toEqual({});
  });
});

type Pack = { tables: Record<string, Record<string, string>[]> } & JsonObject;

test.each<[string, (pack: Pack) => unknown, string]>([
  [
    'a figure changed',
    (pack) => Object.assign(pack.tables[YEARLY]!.at(-1)!, { minimum_wage: '1' }),
    'catalogue/pack-signature',
  ],
  ['its author changed', (pack) => Object.assign(pack, { author: 'x' }), 'catalogue/pack-signature'],
  ['another signature', (pack) => Object.assign(pack, { signature: {} }), 'catalogue/pack-signature'],
  ['another form', (pack) => Object.assign(pack, { cargue_law: 2 }), 'catalogue/not-a-pack'],
])('a signed pack with %s is refused, whatever is said', async (_, change, code) => {
  const file = await packed({ key: await key('k.pem') });
  const pack = JSON.parse(readFileSync(file, 'utf8')) as Pack;
  change(pack);
  writeFileSync(file, JSON.stringify(pack));
  expect((await ran(lawImport, [file], { yes: true })).stopped).toEqual([code]);
  expect(await takenIn('ws')).toEqual({});
});

const unsigned = (tables: unknown): string => JSON.stringify({ cargue_law: 1, author: 'x', tables });
test.each<[string, string, string]>([
  ['no JSON', '{', 'catalogue/not-a-pack'],
  ['no tables', unsigned({}), 'catalogue/not-a-pack'],
  ['a table that is none', unsigned({ cups: [] }), 'catalogue/not-a-pack'],
  ['a name that every object has', unsigned({ constructor: [] }), 'catalogue/not-a-pack'],
  ['rows that are none', unsigned({ uvt: ['x'] }), 'catalogue/not-a-pack'],
  [
    'a column that is none',
    unsigned({ uvt: [{ year: '2027', uvt: '54000', x: '' }] }),
    'catalogue/not-a-pack',
  ],
  ['a number for a text', unsigned({ uvt: [{ year: '2027', uvt: 54_000 }] }), 'catalogue/not-a-pack'],
  ['a key twice', '{"cargue_law":1,"cargue_law":1,"tables":{}}', 'catalogue/not-a-pack'],
  ['marks of thousands', unsigned({ uvt: [{ year: '2027', uvt: '54.000' }] }), 'catalogue/bad-figure'],
  [
    'a day that is none',
    unsigned({ weekly_hours: [{ valid_from: '2027-02-30', hours_per_week: '40', hours_per_month: '200' }] }),
    'catalogue/bad-figure',
  ],
  [
    'an end before its beginning',
    unsigned({
      night_hours: [
        { valid_from: '2027-02-01', valid_to: '2027-01-01', night_start: '18:00', night_end: '06:00' },
      ],
    }),
    'catalogue/bad-figure',
  ],
  [
    'no time',
    unsigned({ night_hours: [{ valid_from: '2027-02-01', night_start: 'seis', night_end: '06:00' }] }),
    'catalogue/bad-figure',
  ],
  [
    'a row twice',
    unsigned({
      uvt: [
        { year: '2027', uvt: '54000' },
        { year: '2027', uvt: '54001' },
      ],
    }),
    'catalogue/figure-twice',
  ],
])('a pack with %s is refused', async (_, text, code) => {
  expect((await ran(lawImport, [fileOf('p.json', text)], { yes: true })).stopped).toEqual([code]);
  expect(await takenIn('ws')).toEqual({});
});

test.each<[string, string, string[]]>([
  ['a wage below the year before', `2027,1750904,249095`, ['catalogue/figure-lower']],
  ['a wage as the year before', `2027,1750905,249095`, []],
  ['a third above', `2027,2334540,332126`, []],
  ['more than a third above', `2027,2334541,332127`, ['catalogue/figure-higher', 'catalogue/figure-higher']],
  ['a year that is there', `2026,1750905,249096`, ['catalogue/figure-replaced']],
  ['a year after none', `2031,1,1`, []],
  [
    'two years, each beside the one before',
    `2027,1900000,270000\n2028,1800000,280000`,
    ['catalogue/figure-lower'],
  ],
])('%s', async (_, lines, codes) => {
  const file = fileOf('cifras.csv', `year,minimum_wage,transport_allowance\n${lines}\n`);
  const shipped = shippedCatalogue(YEARLY)!.rows.find(({ year }) => year === '2026')!;
  const refused = await ran(catalogueImport, [file], { as: YEARLY });
  expect(refused.codes).toEqual(codes);
  expect(refused.stopped).toEqual(codes.length > 0 ? ['run/needs-yes'] : []);
  if (codes.length === 0) return;
  expect((await yearsIn('ws'))['2026']).toBe(shipped['minimum_wage']);
  expect((await ran(catalogueImport, [file], { as: YEARLY, yes: true })).stopped).toEqual([]);
  expect(await takenIn('ws')).toEqual({ [YEARLY]: ['file cifras.csv'] });
});

test('rows of every law table are taken from a file with its columns, and its rows alone', async () => {
  for (const name of Object.keys(lawTables())) {
    const { columns, rows } = shippedCatalogue(name)!;
    const row = rows.at(-1)!;
    const isYearly = lawTables()[name]!.key.includes('year');
    const changed: Record<string, string> = isYearly
      ? { ...row, year: '2027' }
      : { ...row, valid_from: '2027-03-01', valid_to: '' };
    const text = [columns, columns.map((column) => changed[column] ?? '')]
      .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
      .join('\n');
    const taken = await ran(lawImport, [fileOf(`${name}.csv`, text)], { yes: true });
    expect([taken.stopped, taken.events.map((event) => event.name).at(-1)], name).toEqual([[], name]);
    const shown = await ran(catalogueShow, [name]);
    expect(
      shown.events.filter(({ event }) => event === 'entry'),
      name,
    ).toHaveLength(rows.length + 1);
  }
});

test.each<[string, string[], string[]]>([
  ['a pack by its file', ['ley-2027.json'], ['file propias.csv']],
  ['a table by its file', ['propias.csv'], ['pack ley-2027.json']],
  ['all', [], []],
])('removal of %s leaves the rest', async (_, args, left) => {
  await ran(lawImport, [await packed()], { yes: true });
  await ran(lawImport, [fileOf('propias.csv', FIGURES.replace('1900000', '1910000'))], { yes: true });
  expect((await yearsIn('ws'))['2027']).toBe('1910000');
  expect((await ran(lawRemove, args)).stopped).toEqual(['run/needs-yes']);
  const { events } = await ran(lawRemove, args, { yes: true });
  expect(events.filter(({ event }) => event === 'law-table').map(({ name }) => name)).toEqual([YEARLY]);
  expect((await takenIn('ws'))[YEARLY] ?? []).toEqual(left);
  expect((await yearsIn('ws'))['2027']).toBe(
    { 1: left[0]?.startsWith('file') ? '1910000' : '1900000' }[left.length],
  );
});

test('a file whose columns are of one table alone needs no name', async () => {
  const { events } = await ran(lawImport, [fileOf('2027.csv', 'Year;UVT;Norm\n2027;54000;Resolución\n')]);
  expect(events).toMatchObject([{ event: 'catalogue', name: 'uvt', isNew: true }]);
});

test('a file whose columns are of several tables is refused until its name says which', async () => {
  const text = 'code,name,takes_events,valid_from,valid_to\n3,Otra,NO,2027-01-01,\n';
  expect((await ran(lawImport, [fileOf('x.csv', text)])).stopped).toEqual(['catalogue/no-law-table']);
  expect((await ran(lawImport, [fileOf('payment_forms 2027.csv', text)])).stopped).toEqual([]);
  expect(await takenIn('ws')).toEqual({ payment_forms: ['file payment_forms 2027.csv'] });
});

test('nothing of that name was taken', async () => {
  expect((await ran(lawRemove, ['x'], { yes: true })).stopped).toEqual(['run/unknown-name']);
});

/** Cells of the sample that the law of January finds wrong, beside its wages and allowances of 2026. */
const CHANGES = [
  [2, 'Fondo de solidaridad', '62220'],
  [2, 'Salud', '1'],
] as const;

/** What is said of figures: that one is missing, or what they find. */
const OF_FIGURES = [
  'payroll/figure-missing',
  'payroll/health-pension',
  'payroll/integral',
  'payroll/minimum-wage',
  'payroll/solidarity',
  'payroll/transport',
];

test('check of January finds the five again once a pack gives the figures', async () => {
  const file = await sampleCsv((grid) => {
    for (const [row, label, text] of CHANGES) grid[row]![columnOf(grid, label)] = text;
  });
  const checked = async () => {
    const { codes } = await ran(check, [file], { ...WIDE, month: '2027-01' });
    return [...new Set(codes)].filter((code) => OF_FIGURES.includes(String(code))).sort();
  };
  expect(await checked()).toEqual(['payroll/figure-missing', 'payroll/health-pension']);
  await ran(lawImport, [await packed()], { yes: true });
  expect(await checked()).toEqual(OF_FIGURES.slice(1));
});

test('a key of another kind signs nothing', async () => {
  const { privateKey } = generateKeyPairSync('x25519');
  const file = join(folder, 'x.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  expect((await ran(lawExport, [join(folder, 'p.json')], { key: file })).stopped).toEqual([
    'journal/key-file',
  ]);
});
