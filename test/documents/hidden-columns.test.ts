import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

/** Columns of the sample, by letter, that nobody sees. */
async function hiding(letters: readonly string[], value?: ExcelJS.CellValue) {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(SAMPLE);
  const sheet = book.worksheets[0]!;
  for (const letter of letters) {
    const column = sheet.getColumn(letter);
    column.hidden = true;
    if (value !== undefined) column.eachCell((cell, row) => row > 1 && Object.assign(cell, { value }));
  }
  const path = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'libro.xlsx');
  await book.xlsx.writeFile(path);
  const { issues } = await prepareFiles({ files: [path] });
  return placed(issues.filter(({ code }) => code === 'header/hidden-column-read')).map(([at]) => at);
}

test.each<
  [what: string, letters: readonly string[], value: ExcelJS.CellValue | undefined, told: readonly string[]]
>([
  ['none', [], undefined, []],
  ['two that are read', ['C', 'V'], undefined, ['Nomina!C1', 'Nomina!V1']],
  ['amounts of zero', ['AE'], 0, []],
  ['without values', ['AE'], null, []],
])('hidden columns: %s', async (_, letters, value, told) => {
  expect(await hiding(letters, value)).toEqual(told);
});
