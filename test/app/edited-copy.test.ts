import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convert } from '../../src/app/convert.js';
import { writeEditedCopy } from '../../src/app/edited-copy.js';
import { columnLetter } from '../../src/toolkit/core/text.js';
import type { Edit } from '../../src/toolkit/tables/edits.js';
import { loaded, partsOf } from '../report/annotate-reading.js';
import { BOOKS, bookOf, CHART_BOOK } from '../report/annotate-workbooks.js';
import { openInputs } from '../support/opened-files.js';
import { SAMPLE } from '../support/prepare-file.js';

const FILE = 'nomina-octubre-2026.xlsx';
const SHEET = 'Nomina';
const folder = (): string => mkdtempSync(join(tmpdir(), 'cargue-mended-'));

type Cells = Readonly<Record<string, string>>;

const editsOf = (cells: Cells, file = FILE, sheet: string | null = SHEET): Edit[] =>
  Object.entries(cells).map(([cell, text]) => ({
    file,
    ...(sheet !== null && { sheet }),
    row: Number(cell.replace(/\D/g, '')),
    column: cell.replace(/\d/g, ''),
    text,
  }));

/** What `convert` writes. */
async function converted(file: string, edits?: readonly Edit[]): Promise<string> {
  const output = join(folder(), 'documentos.jsonl');
  await convert(
    {
      language: 'es',
      now: () => new Date('2026-11-03T12:00:00Z'),
      tell: () => undefined,
      taken: async () => undefined,
      workspace: folder(),
      onInterrupt: () => () => undefined,
    },
    [file],
    { params: 'samples/payroll/params.json', output, ...(edits && { edits }) },
  );
  return readFileSync(output, 'utf8');
}

async function copyOf(file: string, edits: readonly Edit[]): Promise<string> {
  const copy = join(folder(), file.replace(/^.*[\\/]/, ''));
  await writeEditedCopy(file, edits, copy);
  return copy;
}

/** Filled cells of all sheets with their kinds. */
async function cellsOf(file: string, edits: readonly Edit[] = []) {
  const inputs = await openInputs([file], edits);
  try {
    const found: Record<string, string> = {};
    for (const { tables } of inputs)
      for (const { sheet, batches } of tables)
        for await (const rows of batches())
          for (const { number, texts, kinds } of rows)
            for (const [column, text] of texts.entries())
              if (text !== undefined)
                found[`${sheet}!${columnLetter(column)}${number}`] = `${kinds?.[column] ?? 'text'} ${text}`;
    return found;
  } finally {
    for (const input of inputs) await input.close();
  }
}

const saved = (name: string, content: Buffer | string): string => {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return path;
};

const leftOut: Edit = { file: FILE, sheet: SHEET, row: 9, leftOut: true };

test('a mended copy gives, byte for byte, the documents of the file and what was mended in it', async () => {
  const edits = [
    ...editsOf({
      V2: '1750906',
      C3: 'Ñuñez <& "Cía"> 𝒳',
      P4: '2019-02-28',
      F2: 'Nuevo',
      BZ2: 'aparte',
      C5: '',
    }),
    ...editsOf({ AR6: '2000000' }),
    leftOut,
  ];
  const overlaid = await converted(SAMPLE, edits);
  expect(await converted(await copyOf(SAMPLE, edits))).toBe(overlaid);
  expect(overlaid).not.toBe(await converted(SAMPLE));
});

const BOOK_SHEET = 'Nómina & más';
const CHANGES: Cells = {
  A4: '0080',
  B4: 'Ñandú & Cía <1>',
  C4: '2026-10-31',
  D4: '1500000',
  D5: '12',
  A7: '',
  B7: '5',
  F4: 'más allá',
  A8: '',
};

describe('whatever program wrote the workbook', () => {
  test.each(BOOKS)('%s: the copy has the cells as mended', async (_, parts) => {
    const file = saved('libro.xlsx', bookOf(parts));
    const edits = editsOf(CHANGES, 'libro.xlsx', BOOK_SHEET);
    const copy = await copyOf(file, edits);
    expect(await cellsOf(copy)).toEqual(await cellsOf(file, edits));
  });

  test('a row that is left out is emptied', async () => {
    const file = saved('libro.xlsx', bookOf({ sheet: BOOKS[0]![1].sheet }));
    const copy = await copyOf(file, [{ file: 'libro.xlsx', sheet: BOOK_SHEET, row: 4, leftOut: true }]);
    const left = Object.entries(await cellsOf(file)).filter(([at]) => !/[A-Z]4$/.test(at));
    expect(await cellsOf(copy)).toEqual(Object.fromEntries(left));
  });
});

test('what is not mended stays: charts, widths, styles, other sheets', async () => {
  const file = saved('libro.xlsx', bookOf(CHART_BOOK));
  const copy = await copyOf(file, editsOf({ D4: '1500000', B7: 'x' }, 'libro.xlsx', BOOK_SHEET));
  const [before, after] = [await partsOf(file), await partsOf(copy)];
  expect([...after.keys()]).toEqual([...before.keys()]);
  const changed = [...before].filter(([name, { bytes }]) => !after.get(name)!.bytes.equals(bytes));
  expect(changed.map(([name]) => name)).toEqual(['xl/worksheets/sheet1.xml']);
  const text = after.get('xl/worksheets/sheet1.xml')!.text;
  expect(text).toContain('<c r="D4" s="2"><v>1500000</v></c>');
  const [old, now] = [await loaded(file), await loaded(copy)];
  const look = (book: typeof old) => book.worksheets[0]!.getCell('D4').style;
  expect(look(now)).toEqual(look(old));
  expect(now.worksheets[0]!.columns.map(({ width }) => width)).toEqual(
    old.worksheets[0]!.columns.map(({ width }) => width),
  );
});

test('formulas that shared the one that is gone keep their values, and no list of formulas is wrong', async () => {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml';
  const rows =
    '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*2</f><v>4</v></c></row>' +
    '<row r="2"><c r="A2"><v>3</v></c><c r="B2"><f t="shared" si="0"/><v>6</v></c><c r="C2"><f t="shared" ref="C2:C3" si="1">A2</f><v>3</v></c></row>' +
    '<row r="3"><c r="A3"><v>4</v></c><c r="B3"><f t="shared" si="0"/><v>8</v></c><c r="C3"><f t="shared" si="1"/><v>4</v></c></row>';
  const file = saved(
    'libro.xlsx',
    bookOf({
      sheet: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
      types: `<Override PartName="/xl/calcChain.xml" ContentType="${type}"/>`,
      workbookRelations:
        '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain" Target="calcChain.xml"/>',
      more: [{ name: 'xl/calcChain.xml', data: '<calcChain><c r="B1" i="1"/></calcChain>' }],
    }),
  );
  const copy = await copyOf(file, editsOf({ B1: '5' }, 'libro.xlsx', BOOK_SHEET));
  const parts = await partsOf(copy);
  const text = parts.get('xl/worksheets/sheet1.xml')!.text;
  expect(text).toContain('<c r="B1"><v>5</v></c>');
  expect(text).toContain('<c r="B2"><v>6</v></c>');
  expect(text).toContain('<f t="shared" si="1"/>');
  expect(text).not.toContain('si="0"');
  expect([...parts.keys()].filter((name) => /calcChain/i.test(name))).toEqual([]);
  for (const name of ['[Content_Types].xml', 'xl/_rels/workbook.xml.rels'])
    expect(parts.get(name)!.text).not.toContain('calcChain');
  expect((await loaded(copy)).worksheets[0]!.getCell('B3').value).toBe(8);
});

describe('a table in text', () => {
  const at = (cells: Cells): Edit[] => editsOf(cells, 'datos.csv', null);
  const mended = async (content: Buffer | string, cells: Cells): Promise<string> =>
    readFileSync(await copyOf(saved('datos.csv', content), at(cells)), 'latin1');
  test.each<[string, string, Cells, string]>([
    ['one cell', 'a;b\n1;2\n3;4\n', { B2: 'x' }, 'a;b\n1;x\n3;4\n'],
    ['line breaks of Windows, no last one', 'a;b\r\n1;2\r\n3;4', { A3: 'x' }, 'a;b\r\n1;2\r\nx;4'],
    ['line breaks of old machines', 'a;b\r1;2\r3;4\r', { A2: 'x', B3: 'y' }, 'a;b\rx;2\r3;y\r'],
    ['a separator line', 'sep=,\na,b\n1,2\n', { A2: 'x,y' }, 'sep=,\na,b\n"x,y",2\n'],
    ['a record over two lines', 'a;b\n"1\n;";2\n3;4\n', { B2: 'x', A3: '"' }, 'a;b\n"1\n;";x\n"""";4\n'],
    ['the cell over two lines', 'a;b\n"1\n2";2\n3;4\n', { A2: 'x' }, 'a;b\nx;2\n3;4\n'],
    ['blank records between', 'a;b\n\n;;\n1;2\n', { B4: 'x' }, 'a;b\n\n;;\n1;x\n'],
    ['beyond the end, and emptied', 'a;b\n1;2\n', { D2: 'x', A2: ' ' }, 'a;b\n;2;;x\n'],
    ['Windows-1252', 'a;b\n\xd1u;2\n', { B2: 'Ñá€' }, 'a;b\n\xd1u;\xd1\xe1\x80\n'],
    [
      'UTF-8 with its mark',
      '\xef\xbb\xbfa;b\n\xc3\xb1;2\n',
      { B2: 'é' },
      '\xef\xbb\xbfa;b\n\xc3\xb1;\xc3\xa9\n',
    ],
    ['what Windows-1252 lacks', 'a;b\n\xd1;2\n', { B2: 'ł' }, '\xef\xbb\xbfa;b\n\xc3\x91;\xc5\x82\n'],
  ])('%s', async (_, content, cells, wanted) => {
    expect(await mended(Buffer.from(content, 'latin1'), cells)).toBe(wanted);
  });

  test('UTF-16', async () => {
    const content = Buffer.from('\uFEFFa;b\r\nñ;2\r\n', 'utf16le');
    const file = saved('datos.csv', content);
    expect(readFileSync(await copyOf(file, at({ B2: 'ł' })), 'utf16le')).toBe('\uFEFFa;b\r\nñ;ł\r\n');
  });

  test('a row left out is blank', async () => {
    const file = saved('datos.csv', 'a;b\n1;2\n3;4\n');
    const copy = await copyOf(file, [{ file: 'datos.csv', row: 2, leftOut: true }]);
    expect(readFileSync(copy, 'utf8')).toBe('a;b\n;\n3;4\n');
  });
});
