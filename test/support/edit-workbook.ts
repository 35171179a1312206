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

type Rows = readonly (readonly ExcelJS.CellValue[])[];

/** A workbook of these sheets, each given as rows, with so many columns frozen. */
export async function bookOf(sheets: Readonly<Record<string, Rows>>, frozen = 0): Promise<string> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = book.addWorksheet(name);
    if (frozen > 0) sheet.views = [{ state: 'frozen', xSplit: frozen }];
    for (const row of rows) sheet.addRow([...row]);
  }
  return save(book);
}

/** A workbook of one sheet. */
export const workbookOf = (rows: Rows, sheetName = 'Nómina', frozen = 0): Promise<string> =>
  bookOf({ [sheetName]: rows }, frozen);

async function save(book: ExcelJS.Workbook): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'libro.xlsx');
  await book.xlsx.writeFile(path);
  return path;
}
