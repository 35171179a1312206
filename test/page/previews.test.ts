import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import { previewsOf } from '../../src/page/server/tables.js';
import { freshFolder } from '../cli/run-cli.js';

test('a blank row that the file leaves out is shown, a long gap is not', async () => {
  const file = join(freshFolder(), 'libro.xlsx');
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Sept');
  for (const row of [1, 3, 100]) sheet.getCell(row, 1).value = 'x';
  await book.xlsx.writeFile(file);
  const { tables } = await previewsOf([file]);
  expect(tables[0]!.rows).toEqual([
    { number: 1, texts: ['x'] },
    { number: 2, texts: [] },
    { number: 3, texts: ['x'] },
    { number: 100, texts: ['x'] },
  ]);
});
