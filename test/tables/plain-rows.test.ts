import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { READ_LIMITS } from '../../src/toolkit/core/limits.js';
import type { Row } from '../../src/toolkit/tables/table.js';
import { readSheet } from '../../src/toolkit/tables/xlsx/sheet.js';
import type { ZipArchive, ZipPart } from '../../src/toolkit/tables/xlsx/zip.js';

const STRINGS = ['uno', '', 'dos y medio, con más de trece letras'];
const CONTEXT = {
  strings: (index: number) => STRINGS[index],
  formats: ['number', 'date', 'duration'] as const,
  base1904: false,
};

async function rowsOf(xml: string, cuts: readonly number[]): Promise<readonly Row[] | string> {
  const bytes = Buffer.from(xml);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  const part = {
    name: 'sheet',
    packedBytes: bytes.length,
    async *chunks() {
      for (const [at, from] of places.entries()) yield bytes.subarray(from, places[at + 1] ?? bytes.length);
    },
  } as ZipPart;
  const rows: Row[] = [];
  try {
    const zip = { file: 'f.xlsx', limits: READ_LIMITS } as ZipArchive;
    for await (const batch of readSheet(zip, part, CONTEXT)) rows.push(...batch);
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return `${rows.length} ${error.issues.map(({ code }) => code)}`;
  }
  return rows;
}

const sheet = (data: string, tag: string): string =>
  `<?xml version="1.0"?><worksheet xmlns="urn:main" xmlns:x="urn:x"><!-- <sheetData> --><cols/><${tag}>${data}</sheetData><mergeCells/></worksheet>`;

/** A space in the start tag of their parent, and no row is taken for plain: the parser reads them all. */
const byParser = (data: string, cuts: readonly number[]) => rowsOf(sheet(data, 'sheetData '), cuts);
const both = async (data: string, cuts: readonly number[]): Promise<void> => {
  expect(await rowsOf(sheet(data, 'sheetData'), cuts), data).toEqual(await byParser(data, cuts));
};

/** What programs write; now and then what else a file may hold, or what it may not. */
const mostly = (usual: readonly string[], other: readonly string[], wrong: readonly string[]) =>
  fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...usual) },
    { weight: 5, arbitrary: fc.constantFrom(...other) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
const joined = (parts: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(parts, { maxLength }).map((list) => list.join(''));

const number = mostly(
  ['0', '7', '12.50', '-3', '46000', '46000.5'],
  ['007', '1E3', '123456789012345678', ' 5 '],
  ['1,2'],
);
const text = mostly(
  ['', 'áé ñ', '😀', 'a&amp;b', '&lt;', 'x > y', '_x000D_'],
  ['&#65;', 'a]b', 'a\r\nb', '<!-- 8 -->9', '<![CDATA[<c>4</row>]]>', '<?pi?>6'],
  ['&nada;', '&', ']]>', '\u0001', '\uFFFE'],
);
const value = fc.oneof(number, text);
const style = mostly(
  ['', '', ' s="1"', ' s="2"', ' s="0"'],
  [" s='1'", ' s="01"', ' s = "1"', '\n s="1"', ' s="&#49;"', ' cm="1"', ' x:s="1"'],
  [' s="1" s="1"', ' s="', ' s'],
);
const reference = mostly(
  ['', '', ' r="A1"', ' r="C1"', ' r="AB12"'],
  [' r="b3"', ' r="A"'],
  [' r=""', ' r="5"', ' r="XFE1"'],
);
const type = mostly(
  ['', '', ' t="n"', ' t="str"', ' t="b"', ' t="e"', ' t="inlineStr"'],
  [' t="d"', ' xmlns="urn:x"'],
  [' t', ' t=n'],
);
const content = fc.oneof(
  { weight: 6, arbitrary: value.map((inner) => `<v>${inner}</v>`) },
  fc.tuple(text, value).map(([formula, inner]) => `<f>${formula}</f><v>${inner}</v>`),
  value.map((inner) => `<f t="shared" si="0"/><v>${inner}</v>`),
  value.map((inner) => `<is><t xml:space="preserve">${inner}</t></is>`),
  value.map((inner) => `\n <v>${inner}</v>\r\n`),
  mostly(
    ['', '<v/>', '<v></v>', '<f>A1</f>', '<f/>'],
    ['<x:v>3</x:v>', 'texto', '<is><r><t>a</t></r><rPh><t>no</t></rPh></is>'],
    ['<c><v>1</v></c>', '<v>1', '</v>', '<row><c><v>2</v></c></row>'],
  ),
);
const shared = mostly(['0', '1', '2', '02'], [' 1'], ['99', 'x']).map(
  (index) => ['s', `<v>${index}</v>`] as const,
);
const cell = fc.oneof(
  {
    weight: 30,
    arbitrary: fc
      .tuple(
        reference,
        style,
        fc.oneof(
          fc.tuple(type, content),
          shared.map(([of, inner]) => [` t="${of}"`, inner] as const),
        ),
      )
      .map(([r, s, [t, inner]]) => `<c${r}${s}${t}>${inner}</c>`),
  },
  mostly(
    ['<c/>', '<c r="D1" s="1"/>', ' '],
    ['<!-- </row> -->', '<![CDATA[</row>]]>', '<x:c r="A1"><x:v>1</x:v></x:c>', '<cc r="A1"/>', '<extLst/>'],
    ['<c'],
  ),
);
const rowAttributes = mostly(
  ['', ' r="5"', ' hidden="1"', ' spans="1:4" ht="15.75"', ' x14ac:dyDescent="0.25"', ' hidden="true"'],
  [" r='3'", ' xmlns:y="urn:y"', ' xmlns="urn:x"', ' r = "4"', ' a1="2"', ' r="3&#48;"'],
  [' r="0"', ' r="x"', ' r="2" r="2"', ' r="1048577"', ' a="<"', ' 1a=""'],
);
const row = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(rowAttributes, joined(cell, 4)).map(([own, cells]) => `<row${own}>${cells}</row>`),
  },
  mostly(
    ['\n', '<row/>', '<row r="7"/>'],
    [
      '<!-- <row r="9"><c r="A9"><v>9</v></c></row> -->',
      '<rows/>',
      'texto',
      '<sheetData><row/></sheetData>',
      '<?pi </row> ?>',
    ],
    ['<row>', '</row>'],
  ),
);

describe('plain rows', () => {
  test('are read as the parser reads them, wherever the text is cut', async () => {
    const sheets = fc.tuple(
      fc.array(row, { maxLength: 6 }).map((rows) => rows.join('')),
      fc.array(fc.nat(5_000), { maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(sheets, ([data, cuts]) => both(data, cuts)),
      { numRuns: 3_000 },
    );
  });

  test('hold what they hold', async () => {
    const data =
      '<row r="3" hidden="1"><c r="B3" t="s"><v>2</v></c><c><v>12.50</v></c><c s="1"><v>46000</v></c></row>';
    expect(await rowsOf(sheet(data, 'sheetData'), [])).toEqual([
      {
        number: 3,
        hidden: true,
        texts: [undefined, STRINGS[2], '12.50', '2025-12-09'],
        kinds: [undefined, 'text', 'number', 'date'],
      },
    ]);
  });
});
