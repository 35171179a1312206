import { expect, test } from 'vitest';
import { loadReadyMappings } from '../../src/app/job.js';
import { detectUnsupportedLayout } from '../../src/toolkit/inspect/other-form.js';
import { readSheets } from '../../src/toolkit/inspect/sheets.js';
import { bookOf } from '../support/edit-workbook.js';
import { withInputs } from '../support/opened-files.js';
import { placed, SAMPLE } from '../support/prepare-file.js';
import { gridsOf, type Value } from './grid.js';

const PEOPLE: readonly (readonly [number, string, number])[] = [
  [79000001, 'RIOS VEGA LUIS', 3_000_000],
  [52000002, 'NUÑEZ PEÑA ANA', 2_000_000],
  [80000003, 'PEREZ LEON EVA', 2_500_000],
];
const TITLES = ['Concepto', 'Cantidad', 'Devengado', 'Deducido'];
const concepts = (salary: number): Value[][] => [
  ['SUELDO BASICO', 30, salary, null],
  ['SALUD', null, null, salary * 0.04],
  ['PENSION', null, null, salary * 0.04],
  ['TOTAL', null, salary, salary * 0.08],
];
const slip = (above: Value[][], salary: number): Value[][] => [...above, TITLES, ...concepts(salary)];
const apart = PEOPLE.map(([document, name, salary]) =>
  slip([['COMPROBANTE'], ['Nombre:', name, 'Cédula:', document], ['Sueldo:', salary]], salary),
);
const together = PEOPLE.map(([document, name, salary]) => slip([[`Cédula: ${document} ${name}`]], salary));
const list = PEOPLE.map(([document, , salary]) => [
  ['Periodo: octubre 2026'],
  ['Cédula', ...TITLES],
  ...concepts(salary).map((cells) => [document, ...cells]),
]);
const [wide] = await gridsOf(SAMPLE);
const rows: (readonly Value[])[] = [wide!.labels as Value[], ...wide!.rows];
const turned = wide!.labels.map((_, at) => rows.map((row) => row[at] ?? null));
const summary = ['Salud', 'Pensión', 'Libranza', 'Retención en la fuente', 'Total deducciones'];
const legend = [
  ['Código', 'Nombre', 'Clase'],
  ...['Salario', 'Auxilio de transporte', 'Comisiones', 'Salud', 'Pensión'].map((name, at) => [
    `C10${at}`,
    name,
    'Devengo',
  ]),
];

test.each<[string, Readonly<Record<string, readonly (readonly Value[])[]>>, [string, string][]]>([
  ['payslips below each other', { Hoja1: apart.flat() }, [['Hoja1!A12', 'inspect/slips']]],
  ['payslips with all in a cell', { Hoja1: together.flat() }, [['Hoja1!A8', 'inspect/slips']]],
  ['a sheet for each worker', { A: apart[0]!, B: apart[1]!, C: apart[2]! }, [['B!A4', 'inspect/slips']]],
  ['workers as columns', { Hoja1: [['NÓMINA'], ...turned] }, [['Hoja1!A2', 'inspect/transposed']]],
  ['a row for each worker', { Hoja1: rows }, []],
  ['a list with its header on each page', { Hoja1: list.flat() }, []],
  ['a legend of concepts', { Hoja1: legend }, []],
  ['a summary', { Hoja1: summary.map((title) => [title, 100_000]) }, []],
])('%s', async (_, sheets, expected) => {
  const ready = await loadReadyMappings();
  const found = await withInputs([await bookOf(sheets as never)], async (inputs) =>
    detectUnsupportedLayout(await readSheets(inputs), ready),
  );
  expect(placed(found === undefined ? [] : [found])).toEqual(expected);
});
