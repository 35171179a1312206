import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { annotateCopy } from '../../src/report/annotate/annotate-copy.js';
import { writeKeptRows } from '../../src/report/failed-workbook.js';
import { columnLetter } from '../../src/toolkit/core/text.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { loaded, partsOf } from './annotate-reading.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-quote-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Texts, and whether they would become a formula when somebody edits their cell. */
const TEXTS: readonly (readonly [text: string, isFormulaLike: boolean])[] = [
  ['=1+1', true],
  ['=HYPERLINK("https://example.org";"clic")', true],
  ['+57 300', true],
  ['-5', true],
  ['@SUM(A1)', true],
  ['\t=1', true],
  ['\r=1', true],
  ['Peña', false],
  ['0123', false],
  ['a=b', false],
];
const texts = TEXTS.map(([text]) => text);

/** Addresses of the cells whose style has the quote prefix. */
async function quotedCells(file: string): Promise<readonly string[]> {
  const parts = await partsOf(file);
  const list = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(parts.get('xl/styles.xml')!.text)![1]!;
  const styles = [...list.matchAll(/<xf\b[^>]*>/g)].map(([xf]) => xf.includes('quotePrefix="1"'));
  const sheet = parts.get('xl/worksheets/sheet1.xml')!.text;
  return [...sheet.matchAll(/<c r="([A-Z]+\d+)" s="(\d+)"/g)].flatMap(([, at, style]) =>
    styles[Number(style)] ? [at!] : [],
  );
}

const expected = (rows: readonly number[]): readonly string[] =>
  rows.flatMap((row) =>
    TEXTS.flatMap(([, isFormulaLike], column) => (isFormulaLike ? [`${columnLetter(column)}${row}`] : [])),
  );

test('rows to fix: header, cells and reasons', async () => {
  const file = join(folder, 'por-corregir.xlsx');
  const row = (number: number) => ({ number, hidden: false, texts, kinds: undefined });
  await writeKeptRows(file, [
    {
      name: 'Hoja',
      async *rows() {
        yield row(1);
        yield row(2);
      },
      reasonOf: () => '=razón',
      reasons: texts.length,
      widths: [],
      header: 1,
    },
  ]);
  const reason = columnLetter(texts.length);
  const cells = [1, 2].flatMap((number) => [...expected([number]), `${reason}${number}`]);
  expect(await quotedCells(file)).toEqual(cells);
  await loaded(file); // another program reads it too
});

test('annotated copy of a CSV, marked cells too', async () => {
  const input = join(folder, 'usuarios.csv');
  const line = TEXTS.map(([text]) => `"${text.replaceAll('"', '""')}"`).join(';');
  writeFileSync(input, `${line}\n${line}\n`);
  const output = join(folder, 'copia.xlsx');
  const file = await openInput(input);
  try {
    await annotateCopy({
      input,
      output,
      rows: file.tables[0]!.batches(),
      marks: [{ row: 2, column: 'A', level: 'error', text: 'mal' }],
      states: [],
      headerRows: [{ row: 1 }],
      language: 'es',
    });
  } finally {
    await file.close();
  }
  expect(await quotedCells(output)).toEqual(expected([1, 2]));
});
