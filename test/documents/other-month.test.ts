import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { workbookOf } from '../support/edit-workbook.js';
import { PARAMS, placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const rows: ExcelJS.CellValue[][] = [];
const book = new ExcelJS.Workbook();
await book.xlsx.readFile(SAMPLE);
book.worksheets[0]!.eachRow(({ values }) => rows.push((values as ExcelJS.CellValue[]).slice(1)));
const header = rows.findIndex((row) => row.includes('Comisiones'));

test.each<[string, string, readonly string[], readonly string[]]>([
  ['its own month', 'Nómina octubre', ['NÓMINA DEL MES DE OCTUBRE DE 2026'], []],
  ['a title of another', 'Nómina', ['ACME S.A.S.', 'Nómina septiembre 2026'], ['Nómina!A2']],
  ['of another year', 'Nómina', ['NÓMINA OCTUBRE DE 2025'], ['Nómina!A1']],
  ['without its year', 'Nómina', ['Nómina del mes de septiembre'], ['Nómina!A1']],
  ['two months, of which one is its own', 'Nómina', ['DEL 28 DE SEPTIEMBRE AL 27 DE OCTUBRE DE 2026'], []],
  [
    'the day on which it was printed',
    'Nómina',
    ['Impreso: 5 de noviembre de 2026', 'Fecha de pago: 2 nov 2026'],
    [],
  ],
  ['a name', 'Nómina', ['Elaboró: Julio Agosto Pérez', 'Droguería Abril'], []],
  ['a day that is a name', 'Nómina', ['CLÍNICA 20 DE JULIO - NÓMINA', 'Nómina Sociedad Siete de Agosto'], []],
  ['the month of a form', 'Nómina', ['FORMATO DE NÓMINA Versión 3 - Vigencia enero 2024'], []],
  ['figures of another', 'Nómina', ['Periodo: 2026-09'], ['Nómina!A1']],
  ['its own days in figures', 'Nómina', ['Periodo: 01/10/2026 - 31/10/2026'], []],
  ['a sheet of another', 'SEP-26', [], ['SEP-26']],
  ['a sheet of another, without its year', 'Sept.', ['Octubre 2026'], ['Sept.']],
  ['a sheet of its own', 'Oct 2026', [], []],
])('%s', async (_, sheet, titles, expected) => {
  const file = await workbookOf([...titles.map((title) => [title]), ...rows.slice(header)], sheet);
  const { issues } = await prepareFiles({ files: [file], params: { ...PARAMS, month: '2026-10' } });
  const found = issues.filter(({ code }) => code === 'header/other-month');
  expect(placed(found).map(([place]) => place)).toEqual(expected);
});

test('records below one of another month that do not say theirs are held back', async () => {
  const lines = (month: string, document: number) => [
    [month, document, 'SUELDO BASICO', 30, 3_000_000],
    [null, document, 'SALUD', null, 120_000],
    [null, document, 'PENSION', null, 120_000],
  ];
  const file = await workbookOf([
    ['Mes', 'Cédula', 'Concepto', 'Cantidad', 'Valor'],
    ...lines('Octubre', 101),
    ...lines('Noviembre', 102),
    ...lines('Octubre', 103),
  ]);
  const { issues, skipped } = await prepareFiles({ files: [file], mapping: 'mappings/payroll/long.yaml' });
  const found = issues.filter(({ code }) => code === 'row/below-left-out');
  expect(placed(found).map(([place]) => place)).toEqual(['Nómina!6', 'Nómina!7']);
  expect(skipped).toEqual(['Nómina!5']);
});

test.each<[string, ExcelJS.CellValue, string]>([
  ['a word', 'Noviembre', 'Noviembre'],
  ['a date', new Date('2026-11-01'), '2026-11'],
])('what a record of another month says is in its note: %s', async (_, month, said) => {
  const line = (own: ExcelJS.CellValue, document: number): ExcelJS.CellValue[] => [
    own,
    document,
    'SUELDO BASICO',
    30,
    3_000_000,
  ];
  const file = await workbookOf([
    ['Mes', 'Cédula', 'Concepto', 'Cantidad', 'Valor'],
    line(month instanceof Date ? new Date('2026-10-01') : 'Octubre', 101),
    line(month, 102),
  ]);
  const { notes } = await prepareFiles({ files: [file], mapping: 'mappings/payroll/long.yaml' });
  expect(notes).toEqual([`Registro de otro mes que la nómina: ${said}`]);
});

test.each<[string, number, readonly string[]]>([
  ['agrees', 2_000_000, []],
  ['differs', 2_000_001, ['Nómina!D5']],
])('a subtotal states what stands below the subtotal before it, and %s', async (_, second, expected) => {
  const file = await workbookOf([
    ['Cédula', 'Concepto', 'Cantidad', 'Valor'],
    [101, 'SUELDO BASICO', 30, 3_000_000],
    [null, 'SUBTOTAL', null, 3_000_000],
    [102, 'SUELDO BASICO', 30, 2_000_000],
    [null, 'SUBTOTAL', null, second],
  ]);
  const { issues } = await prepareFiles({ files: [file], mapping: 'mappings/payroll/long.yaml' });
  expect(
    placed(issues.filter(({ code }) => code === 'control/total-differs')).map(([place]) => place),
  ).toEqual(expected);
});

const label = rows[header]!;
const people = rows.slice(header + 1).filter((row) => /^\d/.test(String(row[1] ?? '')));

test.each<[string, string, readonly [ExcelJS.CellValue, ExcelJS.CellValue], 'out' | 'repeated']>([
  ['a year and a month', 'Periodo', ['2026-10', '2026-11'], 'out'],
  ['the names of months', 'Período', ['Octubre', 'Noviembre'], 'out'],
  ['numbers of months', 'Periodo', [10, 11], 'out'],
  ['both in one number', 'Periodo nómina', [202610, 202611], 'out'],
  ['dates', 'Periodo', [new Date('2026-10-01'), new Date('2026-11-01')], 'out'],
  ['dates of its first day', 'Fecha inicio periodo', [new Date('2026-10-01'), new Date('2026-11-01')], 'out'],
  ['a title that says it', 'Mes', ['Octubre 2026', 'Noviembre 2026'], 'out'],
  ['what may be the fortnight', 'Periodo', [1, 2], 'repeated'],
  ['something else', 'Periodo', ['Mensual', 'Quincenal'], 'repeated'],
])('records of two months by a column with %s', async (_, title, [own, other], becomes) => {
  const file = await workbookOf([
    [...label, title],
    ...people.map((row) => [...row, own]),
    ...people.map((row) => [...row, other]),
  ]);
  const { records, issues } = await prepareFiles({ files: [file], params: { ...PARAMS, month: '2026-10' } });
  const repeated = issues.filter(({ code }) => code === 'payroll/worker-month').length;
  const count = people.length;
  expect([repeated, records.skipped]).toEqual(becomes === 'out' ? [0, count] : [count, 0]);
});
