import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-total-cells-'));

async function written(name: string, change: (sheet: ExcelJS.Worksheet) => void): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(SAMPLE);
  change(book.worksheets[0]!);
  const path = join(folder, `${name}.xlsx`);
  await book.xlsx.writeFile(path);
  return path;
}

test.each([
  ['AR2', 2_304_715.08, 'payroll/accrued-total'],
  ['BA2', 423_411, 'payroll/deductions-total'],
  ['BB2', 1_881_305.08, 'payroll/net'],
])('a total of a row that does not add up is blamed at %s', async (cell, value, code) => {
  const files = [
    await written(cell, (sheet) => {
      sheet.getCell(cell).value = value;
    }),
  ];
  const { issues } = await prepareFiles({ files });
  expect(placed(issues)).toEqual([[`Nomina!${cell}`, code]]);
});

test('a total merged over two workers is blamed at its cell, and holds back the one above', async () => {
  const files = [
    await written('merged', (sheet) => {
      sheet.getCell('AR2').value = 9_003_795.08;
      sheet.getCell('AR3').value = null;
      sheet.mergeCells('AR2:AR3');
    }),
  ];
  const { drafts, issues } = await prepareFiles({ files });
  expect(placed(issues)).toEqual([['Nomina!AR2', 'payroll/accrued-total']]);
  expect(drafts.length).toBe(24);
});

test('a row of totals that is merged with the one below is blamed at its own cell', async () => {
  const files = [
    await written('footer', (sheet) => {
      sheet.getCell('C28').value = 'TOTAL';
      sheet.getCell('V28').value = 999;
      sheet.mergeCells('C28:C29');
      sheet.mergeCells('V28:V29');
    }),
  ];
  const { issues } = await prepareFiles({ files });
  expect(placed(issues)).toEqual([['Nomina!V28', 'control/total-differs']]);
});
