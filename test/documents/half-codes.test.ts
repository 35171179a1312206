import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import { catalogue } from '../../src/toolkit/schema/catalogue.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const ROWS = 25;
const folder = mkdtempSync(join(tmpdir(), 'cargue-half-codes-'));

const idOf = (code: string): number =>
  Number(catalogue('municipalities')!.rows.find((row) => row['code'] === code)!['id']);

/** Writes the sample with department and municipality in two columns, in all rows or in the first alone. */
async function written(department: string, municipality: string, rows = ROWS): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(SAMPLE);
  const sheet = book.worksheets[0]!;
  sheet.getCell('H1').value = 'Municipio';
  sheet.getCell('I1').value = 'Departamento';
  for (let row = 2; row <= ROWS + 1; row++) {
    const isChanged = row < rows + 2;
    sheet.getCell(`H${row}`).value = isChanged ? municipality : '08001';
    sheet.getCell(`I${row}`).value = isChanged ? department : 'Atlántico';
  }
  const path = join(folder, `${department}-${municipality}-${rows}.xlsx`);
  await book.xlsx.writeFile(path);
  return path;
}

test.each([
  ['76', '001', '76001'],
  ['5', '1', '05001'],
  ['05', '266', '05266'],
  ['Antioquia', '266', '05266'],
])('department %s and municipality %s are %s, said once', async (department, municipality, code) => {
  const { drafts, issues } = await prepareFiles({ files: [await written(department, municipality)] });
  expect(placed(issues)).toEqual([['Nomina!H2', 'lookup/halves-joined']]);
  expect(drafts.map(({ body }) => valueAt(body, '/worker/municipality_id'))).toEqual(
    Array(ROWS).fill(idOf(code)),
  );
});

test.each([
  ['76', '999'],
  ['', '001'],
])('half a code without its other half is an error: %j %s', async (department, municipality) => {
  const { drafts, issues } = await prepareFiles({ files: [await written(department, municipality, 1)] });
  expect(placed(issues)).toEqual([['Nomina!H2', 'lookup/half-code']]);
  expect(drafts.length).toBe(ROWS - 1);
});
