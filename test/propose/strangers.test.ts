import { expect, test } from 'vitest';
import { page, type Value, workbook } from './grid.js';
import { findIn } from './known.js';

/** Lists as clinics and offices write them: what a column surely is, and what its question shows. */

const PATIENTS = {
  name: 'Pacientes',
  labels: [
    'No. Historia',
    'Tipo de identificación',
    'Identificación',
    'Apellidos y nombres',
    'Fecha de nacimiento',
    'Sexo',
  ],
  rows: [
    ['H-100', 'CC', 1018456123, 'PEÑA MUÑOZ Ángela María', '1988-03-12', 'Mujer'],
    ['H-101', 'TI', 1034567812, 'ROZO PARRA Juan José', '2012-07-02', 'Hombre'],
    ['H-102', 'CC', 3456789, 'GÓMEZ IBÁÑEZ Rubén', '1951-11-25', 'Hombre'],
  ] as Value[][],
};
const PROCEDURES = {
  name: 'Procedimientos',
  labels: [
    'No. Historia',
    'Fecha y hora',
    'Procedimiento (CUPS)',
    'Diente',
    'DIAG1',
    'Valor',
    'Odontólogo (CC)',
  ],
  rows: [
    ['H-100', '2026-10-05T08:40', '232101', 26, 'K02.1', 27500, 52111222],
    ['H-101', '2026-10-05T09:30', '232102', 36, 'K02.1', 31000, 52111222],
    ['H-102', '2026-10-06T09:30', '237301', 11, 'K04.0', 180000, 52111222],
  ] as Value[][],
};

test('a dentist’s book: the full name, the first diagnosis, who attended, and a tooth that no document has', async () => {
  const file = await workbook([page(PATIENTS), page(PROCEDURES)]);
  const { labels } = await findIn([file], 'rips', new Map([['layout', 'rips/libro-por-nodo']]));
  const means = Object.fromEntries(
    labels.map(({ sheet, label, means, state }) => [`${sheet.name} ${label}`, means ?? state]),
  );
  expect(means).toMatchObject({
    'Pacientes Apellidos y nombres': 'nombreCompleto',
    'Procedimientos DIAG1': 'codDiagnosticoPrincipal',
    'Procedimientos Diente': 'ignored',
    'Procedimientos Odontólogo (CC)': 'numDocumentoIdentificacion',
  });
});

const LISTED = {
  name: 'Oct',
  labels: ['CUFE', 'Mercancía recibida', 'Decisión'],
  rows: [1, 2, 3].map((n): Value[] => [String(n).repeat(96), n === 2 ? 'No' : 'Sí', 'Acuse']),
};

test('yes and no of a column that may be anything are shown', async () => {
  const { open } = await findIn(
    [await workbook([page(LISTED)])],
    'events',
    new Map([['layout', 'events/list']]),
  );
  const asked = open.find(({ aliases }) => aliases?.includes('Mercancía recibida'));
  expect(asked?.samples.map(({ text }) => text)).toEqual(['Sí', 'No']);
});

test('a table without a name is offered by the columns that make it', async () => {
  const people = { ...PATIENTS, name: 'Hoja1' };
  const other = {
    name: 'Hoja2',
    labels: ['Valor', 'Saldo'],
    rows: [
      [12000, 3000],
      [50000, 4000],
    ] as Value[][],
  };
  const { open } = await findIn(
    [await workbook([page(people), page(other)])],
    'rips',
    new Map([['layout', 'rips/lista']]),
  );
  const titles = open
    .filter(({ id }) => /^(unread|sheet)\./.test(id))
    .flatMap(({ answers }) => answers.map(({ value, title }) => [value, title]));
  expect(titles.length).toBeGreaterThan(0);
  expect(titles).toContainEqual(['lista', 'filas con Número de documento, Tipo servicio']);
  expect(titles.filter(([value, title]) => value === title)).toEqual([]);
});
