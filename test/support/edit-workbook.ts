import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { SAMPLE } from './prepare-file.js';

/** A copy of the sample payroll with some cells changed (null empties one), in a folder of its own. */
export async function editedSample(cells: Readonly<Record<string, ExcelJS.CellValue>>): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(SAMPLE);
  const sheet = book.worksheets[0]!;
  for (const [address, value] of Object.entries(cells)) sheet.getCell(address).value = value;
  return save(book);
}

/** A workbook of one sheet, given as rows. */
export async function workbookOf(
  rows: readonly (readonly ExcelJS.CellValue[])[],
  sheetName = 'Nómina',
): Promise<string> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet(sheetName);
  for (const row of rows) sheet.addRow([...row]);
  return save(book);
}

async function save(book: ExcelJS.Workbook): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'libro.xlsx');
  await book.xlsx.writeFile(path);
  return path;
}
