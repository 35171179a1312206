import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { workbookOf } from '../support/edit-workbook.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

/** The sample payroll with rows above its header, each naming some of its columns. */
async function under(...above: Readonly<Record<string, string>>[]): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(SAMPLE);
  const rows: ExcelJS.CellValue[][] = [];
  book.worksheets[0]!.eachRow(({ values }) => rows.push((values as ExcelJS.CellValue[]).slice(1)));
  const at = rows.findIndex((row) => row.includes('Comisiones'));
  const named = above.map((names) => rows[at]!.map((label) => names[String(label)] ?? null));
  return workbookOf([...named, ...rows.slice(at)]);
}

const EARNED = {
  'Tipo documento': 'EMPLEADO',
  Comisiones: 'DEVENGADOS',
  'Bonificación salarial': 'DEVENGADOS',
  Salud: 'DEDUCCIONES',
};

test.each<[string, Readonly<Record<string, string>>[], string, unknown[]]>([
  ['its own', [EARNED], '', []],
  ['one of something else', [{ ...EARNED, Comisiones: 'PROVISIONES' }], '', ['PROVISIONES']],
  [
    'one as long as the mapping says what it is',
    [{ ...EARNED, Comisiones: 'PROVISIONES' }],
    'PROVISIONES / Comisiones: commission',
    [],
  ],
  [
    'no pay of the month',
    [{ ...EARNED, 'Sueldo mensual': 'DATOS INFORMATIVOS', 'Fecha ingreso': 'OTROS' }],
    '',
    [],
  ],
  ['a total that is only compared', [{ ...EARNED, 'Neto a pagar': 'SALDO A PAGAR' }], '', []],
  ['one by which no mapping goes', [{ ...EARNED, Comisiones: 'SALDOS 2026' }], '', ['SALDOS 2026']],
])('amounts under a group: %s', async (_, above, label, expected) => {
  const file = await under(...above);
  const mappingText = `extends: payroll/wide\ncargue: 1\nname: nomina\n${label && `tables:\n  workers:\n    labels: { ${label} }\n`}`;
  const { issues } = await prepareFiles({ files: [file], mappingText });
  const found = issues.filter(({ code }) => code === 'header/under-other-group');
  expect(found.map(({ params }) => paramOf({ params }, 'group'))).toEqual(expected);
  expect(placed(found)).toEqual(
    expected.map(() => expect.arrayContaining([expect.stringMatching(/^Nómina!\w+2$/)])),
  );
});
