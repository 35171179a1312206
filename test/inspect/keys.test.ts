import { expect, test } from 'vitest';
import { keyedFor } from '../../src/toolkit/inspect/keys.js';
import { NO_ANSWERS } from '../../src/toolkit/inspect/question.js';
import { survey } from '../../src/toolkit/inspect/survey.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { proposeFor, withInputs } from '../support/opened-files.js';
import { type Grid, page, type Value, workbook } from './grid.js';

const LONG = await loadMapping('mappings/payroll/long.yaml');

const sheet = (name: string, labels: readonly string[], ...rows: readonly (readonly Value[])[]): Grid => ({
  name,
  labels,
  rows,
});

const DOCUMENTS = ['52100200', '79300400', '80500600'] as const;
const PAY = sheet(
  'Nómina',
  ['Ficha', 'Sueldo', 'Devengado', 'Neto'],
  ['F-01', 1_500_000, 1_749_095, 1_600_000],
  ['F-02', 2_400_000, 2_649_095, 2_200_000],
  ['F-03', 3_100_000, 3_349_095, 2_900_000],
);
const PEOPLE = sheet(
  'Personal',
  ['Cédula', 'Nombre', 'Ficha'],
  ...DOCUMENTS.map((document, at) => [document, ['Ana Gil', 'Luis Mora', 'Eva Ruiz'][at]!, `F-0${at + 1}`]),
);
const BOTH = sheet(
  'Lista',
  ['Ficha', 'Documento', 'Concepto', 'Valor'],
  ...DOCUMENTS.map((document, at) => [`F-0${at + 1}`, document, 'Sueldo', 1_500_000 + at]),
);

/** Returns the label of the key that each sheet shares, with the name of the sheet where it tells people apart. */
async function keysOf(...grids: readonly Grid[]): Promise<Record<string, string>> {
  const found = await withInputs([await workbook(grids.map((grid) => page(grid)))], (opened) =>
    survey(opened, [{ name: 'payroll/long', mapping: LONG }]),
  );
  const sheets = keyedFor(LONG, found.sheets);
  const nameOf = (header: unknown): string =>
    sheets.find((item) => item.header?.labels === (header as Partial<typeof item.header>)?.labels)?.sheet
      .name ?? '';
  return Object.fromEntries(
    sheets.flatMap(({ sheet: { name }, header }) =>
      header?.shared === undefined
        ? []
        : [[name, `${header.labels[header.shared.column]} of ${nameOf(header.shared.home ?? header)}`]],
    ),
  );
}

/** People with what each is paid as well. */
const PAID = sheet(
  'Personal',
  [...PEOPLE.labels, 'Sueldo'],
  ...PEOPLE.rows.map((row, at) => [...row, PAY.rows[at]![1]!]),
);

test.each([
  ['pay precedes people', PAY, PEOPLE],
  ['people precede pay', PEOPLE, PAY],
  ['both have the salary', PAID, PAY],
])('amounts are no documents of people: %s', async (_, ...grids) => {
  expect(await keysOf(...grids)).toEqual({ Nómina: 'Ficha of Personal', Personal: 'Ficha of Personal' });
});

test('sheets that both hold the documents share no code', async () => {
  expect(await keysOf(BOTH, PEOPLE)).toEqual({});
});

const TEACHERS = sheet(
  'Docentes',
  ['No. documento', 'Nombre', 'Días', 'Neto'],
  ['52100200', 'Ana Gil', 30, 1_600_000],
  ['79300400', 'Luis Mora', 30, 2_200_000],
  ['80500600', 'Eva Ruiz', 30, 2_900_000],
);
const STAFF = (days: string): Grid =>
  sheet(
    'Administrativos',
    ['Cédula', 'Nombre', days],
    ['41700800', 'Iván Paz', 26],
    ['19200100', 'Rosa Sol', 30],
  );

test.each(['Días', 'Días lab.'])('%s that people have alike are no key of theirs', async (days) => {
  expect(await keysOf(TEACHERS, STAFF(days))).toEqual({});
});

test('people with accounts and salaries keep the key of a pay of which few columns are filled', async () => {
  const people = sheet(
    'Personal',
    ['Cédula', 'Nombre', 'Ficha', 'Salario base', 'Cuenta'],
    ...PEOPLE.rows.map((row, at) => [...row, [4_367_000, 7_176_000, 3_342_000][at]!, `130159393${at}`]),
  );
  const pay = sheet(
    'Nómina',
    ['Ficha', 'Devengado', 'Auxilio', 'Comisiones', 'Salud', 'Pensión'],
    ['F-01', 4_367_000, null, 919_000, 74_680, 74_680],
    ['F-02', 7_176_000, null, null, 87_040, 87_041],
    ['F-03', 3_342_000, 249_095, null, 33_680, 33_681],
  );
  expect(await keysOf(people, pay)).toEqual({ Personal: 'Ficha of Personal', Nómina: 'Ficha of Personal' });
});

test('hours of one person and days of another sheet do not hide the number of all', async () => {
  const pay = sheet(
    PAY.name,
    [...PAY.labels, 'Horas extra'],
    ...PAY.rows.map((row, at) => [...row, ...(at === 1 ? [3] : [])]),
  );
  const absences = sheet(
    'Incapacidades',
    ['Ficha', 'Duración', 'Valor'],
    ['F-02', 4, 182_231],
    ['F-02', 3, 205_000],
  );
  expect(await keysOf(pay, absences, PEOPLE)).toEqual({
    Nómina: 'Ficha of Personal',
    Incapacidades: 'Ficha of Personal',
    Personal: 'Ficha of Personal',
  });
});

test('a sheet of absences joined by another number may leave its amounts to the sheet of workers', async () => {
  const workers = sheet(
    'Empleados',
    ['Cédula', 'Nombre', 'Ficha', 'Carné', 'Incapacidad EG valor'],
    ...DOCUMENTS.map((document, at) => [document, 'Ana Gil', `F-0${at + 1}`, `K-${at + 7}`, at * 100_000]),
  );
  const absences = sheet(
    'Incapacidades',
    ['Ficha', 'Carné', 'Fecha inicio', 'Fecha fin', 'Valor'],
    ['F-02', 'K-8', '2026-10-05', '2026-10-06', null],
    ['F-03', 'K-9', '2026-10-12', '2026-10-13', 200_000],
  );
  const name = 'payroll/multi-sheet';
  const ready = [{ name, mapping: await loadMapping(`mappings/${name}.yaml`) }];
  const given = new Map([
    ['layout', name],
    ['join.disabilities', 'Ficha'],
  ]);
  const { trial, tree } = await proposeFor([await workbook([workers, absences].map((grid) => page(grid)))], {
    ready,
    answers: { ...NO_ANSWERS, given },
    language: 'es',
    name: 'prueba',
  });
  expect(tree).toMatchObject({ tables: { disabilities: { join: { on: 'ficha' } } } });
  expect(trial).toMatchObject({ records: { read: 5 }, documents: { planned: 3 } });
});
