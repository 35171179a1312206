import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInput } from '../../src/toolkit/tables/open.js';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';
import { type Folder, issueOf, makeFolder, openDescriptors, readAll, rowsOf } from './input-files.js';
import { STRICT, sheetOf, sheetXml, workbookEntries, workbookOf } from './workbook-parts.js';

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
const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};
const EXPECTED = [['uno', '2026-11-01']];

const prefixed = (xml: string): string =>
  xml.replaceAll(/<(\/?)(\w)/g, '<$1x:$2').replace(' xmlns=', ' xmlns:x=');
const withText = (change: (text: string) => string | Buffer): ZipEntry[] =>
  workbookEntries(PARTS).map((entry) => ({ ...entry, data: change(String(entry.data)) }));

test.each([
  ['as Excel writes it', workbookEntries(PARTS)],
  ['parts in the opposite order', workbookEntries(PARTS).toReversed()],
  ['stored without compression', workbookEntries(PARTS).map((entry) => ({ ...entry, stored: true }))],
  ['elements with a prefix', withText(prefixed)],
  ['elements without namespace', withText((text) => text.replace(/ xmlns="[^"]*"/, ''))],
  ['strict OOXML', workbookEntries({ ...PARTS, namespaces: STRICT })],
  [
    'strict OOXML with a prefix',
    workbookEntries({ ...PARTS, namespaces: STRICT }).map((entry) => ({
      ...entry,
      data: prefixed(String(entry.data)),
    })),
  ],
  [
    'another prefix for the relation',
    withText((text) => text.replace('xmlns:r=', 'xmlns:d3p1=').replaceAll('r:id', 'd3p1:id')),
  ],
  [
    'the prefix of the relation declared at the sheet',
    withText((text) => {
      const declaration = / xmlns:r="[^"]*"/.exec(text)?.[0] ?? '';
      return text.replace(declaration, '').replace(/<sheet /g, `<sheet${declaration} `);
    }),
  ],
  [
    'an id of another namespace before that of the relation',
    withText((text) => text.replace('<sheet ', '<sheet xmlns:other="urn:other" other:id="rId9" ')),
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
  ['UTF-8 with a mark', withText((text) => `\ufeff${text}`)],
  ['UTF-16 with a mark', withText((text) => utf16(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'le'))],
  ['UTF-16BE with a mark', withText((text) => utf16(`\ufeff${text.replace('UTF-8', 'utf-16')}`, 'be'))],
  ['UTF-16 without mark', withText((text) => utf16(text.replace('UTF-8', 'UTF-16LE'), 'le'))],
  ['UTF-16BE without mark', withText((text) => utf16(text.replace('UTF-8', 'UTF-16BE'), 'be'))],
  ['a hostile name beside the parts', [{ name: '../../evil.txt', data: 'x' }, ...workbookEntries(PARTS)]],
])('reads a workbook: %s', async (name, entries) => {
  const path = await folder.file(`${name}.xlsx`, zipOf(entries));
  expect((await readAll(path)).rows[0]!.map(({ texts }) => texts)).toEqual(EXPECTED);
});

const EXTENSION = 'http://schemas.microsoft.com/office/spreadsheetml/2010/11/main';

test.each([
  [`<extLst><ext xmlns:x15="${EXTENSION}"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>`],
  [`<extLst><ext><workbookPr xmlns="${EXTENSION}" chartTrackingRefBase="1"/></ext></extLst>`],
  [`<extLst xmlns:x="${EXTENSION}"><ext><x:sheet name="x" xmlns:r="urn:other" r:id="rId77"/></ext></extLst>`],
])('what an extension calls alike is not taken for the workbook: %s', async (extension) => {
  const parts = { ...PARTS, sheets: [{ name: 'Hoja1', rows: '<row><c s="1"><v>44865</v></c></row>' }] };
  const path = await folder.file('extension.xlsx', workbookOf({ ...parts, date1904: true, extension }));
  expect((await readAll(path)).rows[0]!.map(({ texts }) => texts)).toEqual([['2026-11-01']]);
});

/** An element of another namespace, in the three ways to write it, put before or inside of those that count. */
test.each([
  ['<x:row xmlns:x="urn:x" r="9"><x:c><x:v>9</x:v></x:c></x:row>'],
  ['<row xmlns="urn:x" r="9"><c><v>9</v></c></row>'],
  ['<y:ext xmlns:y="urn:y" xmlns="urn:x"><row r="9"><c><v>9</v></c></row></y:ext>'],
])('rows of another namespace are no rows: %s', async (foreign) => {
  const rows = `${foreign}<row r="1"><c><v>1</v></c></row>${foreign}<row r="2"><c><v>2</v></c></row>${foreign}`;
  const plain = await folder.file('foreign.xlsx', sheetOf(rows));
  const own = prefixed(sheetXml('<row r="1"><c><v>1</v></c></row>')).replace(
    '<x:row',
    `${foreign.replaceAll('x:', 'z:').replace('xmlns:x', 'xmlns:z')}<x:row`,
  );
  const withPrefix = await folder.file('own.xlsx', workbookOf({ sheets: [{ name: 'Hoja1', xml: own }] }));
  expect((await readAll(plain)).rows[0]!.map(({ number, texts }) => [number, ...texts])).toEqual([
    [1, '1'],
    [2, '2'],
  ]);
  expect((await readAll(withPrefix)).rows[0]!.map(({ texts }) => texts)).toEqual([['1']]);
});

test('styles and strings of another namespace are none', async () => {
  const path = await folder.file(
    'foreign-parts.xlsx',
    zipOf(
      workbookEntries({ ...PARTS, formats: [0, 14] }).map((entry) => ({
        ...entry,
        data: String(entry.data)
          .replace('<cellXfs>', '<cellXfs><x:xf xmlns:x="urn:x" numFmtId="22"/>')
          .replace('<si><t>uno</t>', '<y:si xmlns:y="urn:y"/><si><y:t xmlns:y="urn:y">dos</y:t><t>uno</t>'),
      })),
    ),
  );
  expect((await readAll(path)).rows[0]!.map(({ texts }) => texts)).toEqual(EXPECTED);
});

test('strings: blank ones first, last and behind a full block, and texts of whole blocks', async () => {
  const block = 'x'.repeat(2 ** 20);
  const strings = ['', ' ', block, '', 'ñ', block, 'y'.repeat(2 ** 20 - 2), 'z', '', block, ''];
  const rows = strings.map(
    (_, index) => `<row r="${index + 1}"><c><v>7</v></c><c t="s"><v>${index}</v></c></row>`,
  );
  const path = await folder.file(
    'blocks.xlsx',
    sheetOf(rows.join(''), { strings: strings.map((text) => `<t xml:space="preserve">${text}</t>`) }),
  );
  const [read] = (await readAll(path)).rows;
  const expected = strings.map((text) => (text.trim() === '' ? undefined : text));
  expect(read!.map(({ texts }) => texts[1])).toEqual(expected);
});

test('a sheet of macros without a part is passed over', async () => {
  const macros = '<sheets><sheet name="Module1" sheetId="99" state="veryHidden" r:id=""/>';
  const entries = workbookEntries(PARTS).map((entry) => ({
    ...entry,
    data: String(entry.data).replace('<sheets>', macros),
  }));
  const { input, rows } = await readAll(await folder.file('macros.xlsx', zipOf(entries)));
  expect(input.tables.map(({ sheet }) => sheet)).toEqual(['Hoja1']);
  expect(rows[0]!.map(({ texts }) => texts)).toEqual(EXPECTED);
});

test.each([
  ['', ''],
  ['x:', ':x'],
])(
  'what is merged in the first rows is found behind the rows, whatever texts say (prefix "%s")',
  async (prefix, name) => {
    const said = '<is><t>&lt;/sheetData> <![CDATA[sheetData>]]></t></is>'.replaceAll(
      /<(\/?)(is|t)>/g,
      `<$1${prefix}$2>`,
    );
    const rows = Array.from(
      { length: 3_000 },
      (_, i) => `<${prefix}row r="${i + 1}"><${prefix}c t="inlineStr">${said}</${prefix}c></${prefix}row>`,
    ).join('');
    const merged = ['B2:D2', 'E2:E3', 'A3:XFD3', 'A9:B9']
      .map((ref) => `<${prefix}mergeCell ref="${ref}"/>`)
      .join('');
    const xml =
      `<${prefix}worksheet xmlns${name}="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
      `<${prefix}sheetData>${rows}</${prefix}sheetData><${prefix}mergeCells>${merged}</${prefix}mergeCells></${prefix}worksheet>`;
    const input = await openInput(
      await folder.file(`merged${prefix.length}.xlsx`, workbookOf({ sheets: [{ name: 'x', xml }] })),
    );
    expect(await input.tables[0]!.merged?.(3)).toEqual(
      new Map([
        [
          2,
          new Map([
            [1, 3],
            [4, 4],
          ]),
        ],
        [3, new Map([[0, 16_383]])],
      ]),
    );
    expect(await input.tables[0]!.mergedDown?.()).toEqual([{ column: 4, first: 2, last: 3 }]);
    expect(await rowsOf(input.tables[0]!)).toHaveLength(3_000);
    await input.close();
  },
);

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

test.each([
  ['<pane xSplit="3" ySplit="1" topLeftCell="D2" state="frozen"/>', 3],
  ['<pane xSplit="3" state="frozenSplit"/>', 3],
  ['<pane ySplit="1" topLeftCell="A2" state="frozen"/>', 0],
  ['<pane xSplit="2340" ySplit="600"/>', 0],
  ['<pane xSplit="x" state="frozen"/>', 0],
  ['', 0],
])('the columns frozen by %s are %d', async (pane, frozen) => {
  const views = `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
  const xml = sheetXml('<row><c><v>1</v></c></row>').replace('<sheetData>', `${views}<sheetData>`);
  const path = await folder.file('frozen.xlsx', workbookOf({ sheets: [{ name: 'Nómina', xml }] }));
  const input = await openInput(path);
  expect(await input.tables[0]!.view?.()).toEqual({ frozen, hidden: [] });
  await input.close();
});

test.each<[cols: string, hidden: readonly (readonly [number, number])[]]>([
  [
    '<col min="3" max="4" width="9" hidden="1"/><col min="7" max="7" hidden="true"/>',
    [
      [2, 3],
      [6, 6],
    ],
  ],
  ['<col min="1" max="2" width="9"/><col min="3" max="3" hidden="0"/>', []],
])('the columns hidden by %s', async (cols, hidden) => {
  const xml = sheetXml('<row><c><v>1</v></c></row>').replace(
    '<sheetData>',
    `<cols>${cols}</cols><sheetData>`,
  );
  const path = await folder.file('hidden.xlsx', workbookOf({ sheets: [{ name: 'Nómina', xml }] }));
  const input = await openInput(path);
  expect(await input.tables[0]!.view?.()).toEqual({ frozen: 0, hidden });
  await input.close();
});
