import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const ROWS = 25;
const folder = mkdtempSync(join(tmpdir(), 'cargue-roles-'));

let files = 0;

/** Writes the sample with some of its cells changed. */
async function written(cells: Readonly<Record<string, ExcelJS.CellValue>>): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(SAMPLE);
  for (const [address, value] of Object.entries(cells)) {
    const cell = book.worksheets[0]!.getCell(address);
    cell.value = value;
    if (value instanceof Date) cell.numFmt = 'dd/mm/yyyy';
  }
  files += 1;
  const path = join(folder, `${files}.xlsx`);
  await book.xlsx.writeFile(path);
  return path;
}

test.each<[cell: string, value: ExcelJS.CellValue, code: string, suggestion?: string]>([
  ['T2', '0', 'payroll/bank-data'],
  ['T2', 0, 'payroll/bank-data'],
  ['T2', '1926665174.0', 'document/role-account', '1926665174'],
  ['T2', '1.926.665.174', 'document/role-account', '1926665174'],
  ['T2', '#1926665174', 'document/role-account', '1926665174'],
  ['T2', new Date('2026-10-31'), 'document/role-account'],
  ['T2', '1,92667E+09', 'cell/scientific'],
  ['T2', 'ahorros', 'document/role-account'],
  ['G2', 'ana@ejemplo.co', 'document/role-address'],
  ['G2', '12345', 'document/role-address'],
  ['G2', '#', 'document/role-address'],
  ['G2', new Date('2026-10-31'), 'document/role-address'],
  ['G2', '31/10/2026', 'document/role-address'],
])('%s %j: %s', async (cell, value, code, suggestion) => {
  const { drafts, issues } = await prepareFiles({ files: [await written({ [cell]: value })] });
  expect(placed(issues)).toEqual([[`Nomina!${cell}`, code]]);
  expect(issues[0]!.suggestions?.[0]?.value).toBe(suggestion);
  expect(drafts.length).toBe(ROWS - 1);
});

test('a worker who is paid in cash has no account where the cell says zero', async () => {
  const { drafts, issues } = await prepareFiles({ files: [await written({ T4: 0 })] });
  expect([drafts.length, issues]).toEqual([ROWS, []]);
});

test.each<[string, Readonly<Record<string, ExcelJS.CellValue>>, readonly string[]]>([
  ['a number that lost its zero is shorter than the column', { T3: 470_993_030 }, ['Nomina!T3']],
  ['one longer than the others is not', { T3: '04709930301' }, []],
])('%s', async (_, cells, expected) => {
  const { drafts, issues } = await prepareFiles({ files: [await written(cells)] });
  expect(placed(issues)).toEqual(expected.map((place) => [place, 'cell/account-short']));
  expect(drafts.length).toBe(ROWS);
});

test('where banks have accounts of other lengths, each is compared with those of its bank', async () => {
  const cells: Record<string, ExcelJS.CellValue> = {};
  for (let row = 2; row <= ROWS + 1; row++) {
    cells[`Q${row}`] = 47;
    cells[`R${row}`] = row % 2 === 0 ? 'Banco Par' : 'Banco Impar';
    cells[`S${row}`] = 'Ahorros';
    cells[`T${row}`] = row % 2 === 0 ? `12345678${row + 10}` : `7654321${row + 10}`;
  }
  const { issues } = await prepareFiles({ files: [await written({ ...cells, T8: '123456789' })] });
  expect(placed(issues)).toEqual([['Nomina!T8', 'cell/account-short']]);
});

test('texts of national JSON with blanks around them are read without, and said once', async () => {
  const source = readFileSync('samples/rips/json/RS-2026-10.json', 'utf8');
  const path = join(folder, 'rips.json');
  writeFileSync(path, source.replaceAll(/"(codSexo)": "([^"]*)"/g, '"$1": "$2 "'));
  const { issues } = await prepareFiles({ mapping: 'mappings/rips/json.yaml', params: {}, files: [path] });
  expect(issues.filter(({ code }) => code === 'json/outer-blanks').length).toBe(1);
});

test.each(['NULL', 'undefined', 'nan'])('a parameter that says %s is refused', async (address) => {
  const { params } = await loadMapping('mappings/payroll/wide.yaml');
  const { issues } = resolveParams(params, { address });
  const wrong = issues.filter(({ code }) => code === 'param/wrong');
  expect(wrong.map((issue) => paramOf(issue, 'name'))).toEqual(['address']);
});
