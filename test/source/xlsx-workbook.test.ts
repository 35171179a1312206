import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInput } from '../../src/source/open.js';
import { zipOf } from '../support/zip-writer.js';
import { type Folder, issueOf, makeFolder, readAll, rowsOf } from './input-files.js';
import { sheetOf, sheetXml, workbookEntries, workbookOf } from './workbook-parts.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const shape = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ number, hidden, texts }) => [number, hidden, [...texts]]);

test('rows keep their numbers, gaps and hidden marks; blank rows are left out', async () => {
  const rows = `
    <row r="2"><c r="A2"><v>1</v></c><c r="D2"><v>4</v></c></row>
    <row r="3"><c r="A3" s="0"/><c r="B3" t="inlineStr"><is><t>  </t></is></c></row>
    <row r="4" hidden="1"><c r="AB4"><v>28</v></c></row>
    <row r="5" hidden="false"><c><v>1</v></c><c/><c><v>3</v></c></row>
    <row><c r="C6"><v>3</v></c><c><v>4</v></c></row>
    <row r="9" spans="1:1"><c r="B9"><v>2</v></c><c r="A9"><v>1</v></c></row>
    <row r="10"/>`;
  const path = await folder.file('rows.xlsx', sheetOf(rows));
  const [read] = (await readAll(path)).rows;
  const blanks = (count: number) => new Array(count).fill(undefined);
  expect(shape(read!)).toEqual([
    [2, false, ['1', undefined, undefined, '4']],
    [4, true, [...blanks(27), '28']],
    [5, false, ['1', undefined, '3']],
    [6, false, [undefined, undefined, '3', '4']],
    [9, false, ['1', '2']],
  ]);
  expect(read!.every(({ texts, kinds }) => kinds?.length === texts.length)).toBe(true);
});

test('sheets come in workbook order, hidden ones too; chart sheets are left out', async () => {
  const path = await folder.file(
    'sheets.xlsx',
    workbookOf({
      sheets: [
        { name: 'Nómina & más', rows: '<row><c><v>1</v></c></row>', target: '/xl/worksheets/z.xml' },
        { name: 'Gráfico', type: 'chartsheet', target: 'chartsheets/sheet1.xml', xml: '<chartsheet/>' },
        {
          name: 'Listas',
          state: 'hidden',
          rows: '<row><c><v>3</v></c></row>',
          target: '../xl/worksheets/a.xml',
        },
        { name: 'Claves', state: 'veryHidden', rows: '' },
      ],
    }),
  );
  const { input, rows } = await readAll(path);
  expect(input.tables.map(({ sheet, hidden }) => [sheet, hidden])).toEqual([
    ['Nómina & más', false],
    ['Listas', true],
    ['Claves', true],
  ]);
  expect(rows.map((sheet) => sheet.map(({ texts }) => texts))).toEqual([[['1']], [['3']], []]);
});

const PARTS = {
  sheets: [{ name: 'Hoja1', rows: '<row><c t="s"><v>0</v></c><c s="1"><v>46327</v></c></row>' }],
  strings: ['<t>uno</t>'],
  formats: [0, 14],
};
const EXPECTED = [['uno', '2026-11-01']];

const prefixed = (xml: string): string => xml.replaceAll(/<(\/?)(\w)/g, '<$1x:$2');

test.each([
  ['as Excel writes it', workbookEntries(PARTS)],
  ['parts in the opposite order', workbookEntries(PARTS).toReversed()],
  ['stored without compression', workbookEntries(PARTS).map((entry) => ({ ...entry, stored: true }))],
  [
    'elements with a prefix',
    workbookEntries(PARTS).map((entry) => ({ ...entry, data: prefixed(String(entry.data)) })),
  ],
  [
    'strict OOXML',
    workbookEntries({ ...PARTS, relationships: 'http://purl.oclc.org/ooxml/officeDocument/relationships' }),
  ],
  [
    'another prefix for the relation',
    workbookEntries(PARTS).map((entry) => ({
      ...entry,
      data: String(entry.data).replaceAll('r:id', 'd3p1:id'),
    })),
  ],
  [
    'part names in other case',
    workbookEntries(PARTS).map((entry) => ({ ...entry, name: entry.name.replace('xl/', 'XL/') })),
  ],
  [
    'backslashes in part names',
    workbookEntries(PARTS).map((entry) => ({ ...entry, name: entry.name.replaceAll('/', '\\') })),
  ],
  ['no package relationships', workbookEntries(PARTS).filter(({ name }) => name !== '_rels/.rels')],
  ['UTF-8 with a mark', workbookEntries(PARTS).map((entry) => ({ ...entry, data: `\ufeff${entry.data}` }))],
  [
    'UTF-16',
    workbookEntries(PARTS).map((entry) => ({
      ...entry,
      data: Buffer.from(`\ufeff${String(entry.data).replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    })),
  ],
  ['a hostile name beside the parts', [{ name: '../../evil.txt', data: 'x' }, ...workbookEntries(PARTS)]],
])('reads a workbook: %s', async (name, entries) => {
  const path = await folder.file(`${name}.xlsx`, zipOf(entries));
  expect((await readAll(path)).rows[0]!.map(({ texts }) => texts)).toEqual(EXPECTED);
});

const MANY = 5_000;
const many = (column: string): string =>
  Array.from(
    { length: MANY },
    (_, i) => `<row r="${i + 1}"><c r="${column}${i + 1}" t="s"><v>${i}</v></c></row>`,
  ).join('');
const manySheets = () =>
  workbookOf({
    sheets: [
      { name: 'Uno', rows: many('A') },
      { name: 'Dos', rows: many('B') },
    ],
    strings: Array.from({ length: MANY }, (_, i) => `<t>${'ñ'.repeat(i % 500)}${i}</t>`),
  });

test('sheets are read in any order, again and at once, with all their strings', async () => {
  const path = await folder.file('passes.xlsx', manySheets());
  const input = await openInput(path);
  const [one, two] = input.tables;
  const second = await rowsOf(two!);
  const [first, again] = await Promise.all([rowsOf(one!), rowsOf(one!)]);
  await input.close();
  expect(first.map(({ texts }) => texts[0])).toEqual(
    Array.from({ length: MANY }, (_, i) => `${'ñ'.repeat(i % 500)}${i}`),
  );
  expect(again).toEqual(first);
  expect(second.map(({ texts }) => texts[1])).toEqual(first.map(({ texts }) => texts[0]));
});

const openDescriptors = (path: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false; // closed meanwhile
    }
  }).length;

test.runIf(existsSync('/proc/self/fd'))(
  'leaving early and closing leave no file open, nor does a broken one',
  async () => {
    const path = await folder.file('early.xlsx', manySheets());
    const input = await openInput(path);
    for (let pass = 0; pass < 3; pass++) for await (const _ of input.tables[0]!.batches()) break;
    const abandoned = input.tables[1]!.batches()[Symbol.asyncIterator]();
    await abandoned.next();
    await input.close();
    expect(openDescriptors(path)).toBe(0);
    await input.close();

    const broken = await folder.file(
      'broken.xlsx',
      workbookOf({ sheets: [{ name: 'x', xml: '<worksheet>' }] }),
    );
    expect((await issueOf(broken))?.code).toBe('file/xml-broken');
    expect(openDescriptors(broken)).toBe(0);
  },
);

test('a payroll that LibreOffice wrote: numbers, dates, codes with leading zeros and computed totals keep their kind', async () => {
  const { input, rows } = await readAll('samples/payroll/nomina-octubre-2026.xlsx');
  expect(input).toMatchObject({ kind: 'xlsx', file: 'nomina-octubre-2026.xlsx' });
  expect(input.tables.map(({ sheet }) => sheet)).toEqual(['Nomina']);
  const [header, worker] = rows[0]!;
  const cell = (label: string) => {
    const column = header!.texts.indexOf(label);
    return [worker!.texts[column], worker!.kinds?.[column]];
  };
  expect(rows[0]!.map(({ number }) => number)).toEqual(Array.from({ length: 26 }, (_, i) => i + 1));
  expect(
    [
      'Número documento',
      'Código municipio',
      'Municipio',
      'Sueldo mensual',
      'Fecha ingreso',
      'Otros nombres',
    ].map(cell),
  ).toEqual([
    ['9000100000', 'number'],
    ['08001', 'text'],
    ['Barranquilla', 'text'],
    ['1750905', 'number'],
    ['2025-04-20', 'date'],
    [undefined, undefined],
  ]);
});

test('the sheet part may end where memory would: rows with one far cell stay small', async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `<row><c r="XFD${i + 1}"><v>1</v></c></row>`).join('');
  const path = await folder.file(
    'far.xlsx',
    zipOf(workbookEntries({ sheets: [{ name: 'x', xml: sheetXml(rows) }] })),
  );
  const before = process.memoryUsage().heapUsed;
  const [read] = (await readAll(path)).rows;
  expect(read).toHaveLength(2000);
  expect(read!.at(-1)!.texts[16_383]).toBe('1');
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 2 ** 20);
});
