import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import { findIn } from '../inspect/known.js';
import { workbookOf } from '../support/edit-workbook.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

/** Lists of consultations whose date and time stand in one column, `Fecha Consulta`, with or without a column `Hora`. */

const PARAMS = JSON.parse(readFileSync('samples/rips/consultas/params.json', 'utf8')) as Record<
  string,
  unknown
>;
const LABELS =
  'Tipo Doc;Documento;Primer Nombre;Primer Apellido;Fecha Nac;Sexo;Régimen;Cód. Municipio;Zona;Correo;CUPS;Dx;Tipo Dx;Finalidad;Causa;Valor;Cuota;Concepto;Incapacidad;Doc. Profesional'.split(
    ';',
  );
const consultation = (number: number): string[] =>
  `CC;98000051${number};Ana;Moreno;26/9/1946;F;Subsidiado;11001;R;p${number}@correo.example;890206;E66.9;03;16;38;38000;0;05;NO;9900000011`.split(
    ';',
  );

type Cell = string | Date | null;
/** A date, and the hour of a column of its own. */
type When = Cell | readonly [date: Cell, hour: Cell];

/** The file, with dates in column A and hours, if there are any, in column B. */
async function fileOf(whens: readonly When[]): Promise<string> {
  const hasHours = whens.some(Array.isArray);
  const rows = [
    ['Fecha Consulta', ...(hasHours ? ['Hora'] : []), ...LABELS],
    ...whens.map((when, at) => [...[when].flat(), ...consultation(10 + at)] as Cell[]),
  ];
  if (rows.flat().some((cell) => cell instanceof Date)) return workbookOf(rows, 'Consultas');
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-when-')), 'consultas.csv');
  writeFileSync(file, rows.map((row) => row.join(';')).join('\n'));
  return file;
}

/** As Excel keeps it. */
const cell = (text: string): Date => new Date(`${text}Z`);

const NO_TIME = 'check/failed';

test.each<
  [what: string, whens: When[], given: object, starts: string[], issues: [place: string, code: string][]]
>([
  [
    'day first',
    ['21/10/2026 07:31', '2/10/2026 7:05'],
    {},
    ['2026-10-21T07:31:00', '2026-10-02T07:05:00'],
    [],
  ],
  [
    'ISO',
    ['2026-10-21T07:31', '2026-10-22T17:32:00-05:00'],
    {},
    ['2026-10-21T07:31:00', '2026-10-22T17:32:00'],
    [],
  ],
  [
    'hour of twelve',
    ['21/10/2026 7:31 a. m.', '22/10/2026 12:32 PM'],
    {},
    ['2026-10-21T07:31:00', '2026-10-22T12:32:00'],
    [],
  ],
  ['seconds', ['21/10/2026 07:31:25'], {}, ['2026-10-21T07:31:25'], []],
  ['cells of Excel', [cell('2026-10-21T07:31')], {}, ['2026-10-21T07:31:00'], []],
  [
    'a date alone among them',
    ['21/10/2026 07:31', '22/10/2026'],
    {},
    ['2026-10-21T07:31:00'],
    [['A3', NO_TIME]],
  ],
  [
    'the same in Excel',
    [cell('2026-10-21T07:31'), cell('2026-10-22T00:00')],
    {},
    ['2026-10-21T07:31:00'],
    [['A3', NO_TIME]],
  ],
  [
    'midnight alone',
    ['21/10/2026 00:00', '22/10/2026 0:00:00'],
    {},
    [],
    [
      ['A2', NO_TIME],
      ['A3', NO_TIME],
    ],
  ],
  [
    'a time that a person gives for those without',
    ['21/10/2026 07:31', '22/10/2026'],
    { horaAtencion: '08:00' },
    ['2026-10-21T07:31:00', '2026-10-22T08:00:00'],
    [],
  ],
  [
    'no time of day',
    ['21/10/2026 25:31', '22/10/2026 07:31'],
    {},
    ['2026-10-22T07:31:00'],
    [['A2', 'cell/not-a-date']],
  ],
  [
    'no day',
    ['31/02/2026 07:31', '22/10/2026 07:31'],
    {},
    ['2026-10-22T07:31:00'],
    [['A2', 'cell/date-impossible']],
  ],
  [
    'dates beside hours',
    [
      ['21/10/2026', '07:31'],
      ['22/10/2026', '00:00'],
    ],
    {},
    ['2026-10-21T07:31:00', '2026-10-22T00:00:00'],
    [],
  ],
  [
    'dates at midnight beside hours',
    [
      ['21/10/2026 00:00', '07:31'],
      ['22/10/2026 0:00:00', '7:32'],
    ],
    {},
    ['2026-10-21T07:31:00', '2026-10-22T07:32:00'],
    [],
  ],
  ['the same in Excel, beside hours', [[cell('2026-10-21T00:00'), '07:31']], {}, ['2026-10-21T07:31:00'], []],
  ['the same hour twice', [['21/10/2026 07:31:10', '07:31']], {}, ['2026-10-21T07:31:00'], []],
  [
    'another hour beside it',
    [
      ['21/10/2026 07:31', '08:00'],
      ['22/10/2026', '08:00'],
    ],
    {},
    ['2026-10-22T08:00:00'],
    [['A2', 'check/failed']],
  ],
  [
    'no date',
    [
      ['', '07:31'],
      ['22/10/2026', '08:00'],
    ],
    {},
    ['2026-10-22T08:00:00'],
    [['A2', 'row/key-blank']],
  ],
  [
    'a blank hour',
    [
      ['21/10/2026', null],
      ['22/10/2026', '08:00'],
    ],
    {},
    ['2026-10-22T08:00:00'],
    [['B2', NO_TIME]],
  ],
])('reads %s', async (_, whens, given, starts, expected) => {
  const { drafts, issues } = await prepareFiles({
    files: [await fileOf(whens)],
    mapping: 'mappings/rips/consultas.yaml',
    params: { ...PARAMS, ...given },
  });
  const errors = placed(issues.filter(({ level }) => level === 'error'));
  expect(errors.map(([place, code]) => [place.split('!')[1], code])).toEqual(expected);
  const bodies = drafts.map(({ body }) => body as { appointment: object; document: { services: object[] } });
  expect(bodies.map(({ document }) => document.services[0])).toMatchObject(
    starts.map((fechaInicioAtencion) => ({ fechaInicioAtencion })),
  );
  expect(bodies.map(({ appointment }) => appointment)).toMatchObject(
    starts.map((start) => ({ date: start.slice(0, 10), time: start.slice(11, 16) })),
  );
});

test.each<[what: string, whens: When[]]>([
  ['texts', ['21/10/2026 07:31', '22/10/2026 07:32', '23/10/2026 07:33']],
  ['cells of Excel', ['2026-10-21T07:31', '2026-10-22T07:32', '2026-10-23T07:33'].map(cell)],
])('a column of dates with their time is recognised without a question: %s', async (_, whens) => {
  const { fit, labels, open } = await findIn([await fileOf(whens)], 'rips');
  expect(fit?.name).toBe('rips/consultas');
  expect(labels.find(({ label }) => label === 'Fecha Consulta')?.means).toBe('fechaAtencion');
  expect(open.filter(({ id }) => !id.startsWith('param.'))).toEqual([]);
});

test.each<[label: string, codes: string[]]>([
  ['Fecha Consulta', []],
  ['Ingreso', ['header/missing']],
])('a header that must have a computed column has what makes it: %s', async (label, codes) => {
  const file = await fileOf(['21/10/2026 07:31']);
  writeFileSync(file, readFileSync(file, 'utf8').replace('Fecha Consulta', label));
  const { issues } = await prepareFiles({
    files: [file],
    mappingText:
      'extends: rips/consultas\ncargue: 1\nname: test\ntables: { consultas: { header: { must_have: [numDocumentoUsuario, fecha, hora] } } }\n',
    params: PARAMS,
  });
  const errors = issues.filter(({ level }) => level === 'error');
  expect([...new Set(errors.map(({ code }) => code))]).toEqual(codes);
});

/** One medicine, with its moment under some titles. */
async function dispensed(
  moment: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) {
  const record = {
    'Tipo Doc': 'CC',
    Documento: '9800005110',
    'Primer Nombre': 'Ana',
    'Primer Apellido': 'Moreno',
    'Fecha Nac': '26/9/1946',
    Sexo: 'F',
    'Tipo Usuario': '04',
    'Cód. Municipio': '11001',
    Zona: '01',
    Correo: 'ana@correo.example',
    CUM: '20054321-3',
    Cantidad: '20',
    'Días tratamiento': '10',
    'Valor unitario': '320',
    Valor: '6400',
    'Valor pago moderador': '0',
    Dx: 'I10X',
    'Tipo de medicamento': '01',
    'Unidad mínima de dispensación': '68',
    'Doc. profesional': '9900000011',
    ...moment,
  };
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-dispensed-')), 'medicamentos.csv');
  writeFileSync(file, [Object.keys(record), Object.values(record)].map((row) => row.join(';')).join('\n'));
  const { users, numDocumentoIdObligado } = PARAMS;
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/lista-de-un-tipo.yaml',
    params: {
      ...more,
      users,
      numDocumentoIdObligado,
      tipo_servicio: 'medicamentos',
      cod_prestador: '110010990101',
    },
  });
  const errors = issues.filter(({ level }) => level === 'error');
  return [
    valueAt(drafts[0]?.body ?? {}, '/document/services/0/fechaDispensAdmon'),
    ...errors.map(({ code, place }) => [code, place.label]),
  ];
}

test.each<[moment: Readonly<Record<string, string>>, expected: readonly unknown[]]>([
  [{ 'Fecha dispensación': '21/10/2026', Hora: '09:10' }, ['2026-10-21T09:10:00']],
  [{ 'Fecha dispensación': '21/10/2026 15:00', Hora: '' }, ['2026-10-21T15:00:00']],
  [{ 'Fecha dispensación': '21/10/2026 15:00', Hora: '15:00' }, ['2026-10-21T15:00:00']],
  [
    { 'Fecha dispensación': '21/10/2026 15:00', Hora: '09:10' },
    [undefined, ['cell/other-time', 'Fecha dispensación']],
  ],
  // Beside another date Hora may be the time of that one.
  [{ Fecha: '20/10/2026', 'Fecha dispensación': '21/10/2026 15:00', Hora: '09:10' }, ['2026-10-21T15:00:00']],
  [
    { Fecha: '20/10/2026', 'Fecha dispensación': '21/10/2026', Hora: '09:10' },
    [undefined, ['cell/without-time', 'Fecha dispensación']],
  ],
  [
    { 'Fecha ingreso': '18/10/2026 07:00', 'Fecha dispensación': '21/10/2026 09:10', Hora: '09:10' },
    ['2026-10-21T09:10:00'],
  ],
  [
    { 'Fecha dispensación': '21/10/2026', 'Hora de dispensación': '15:00', 'Hora cita': '14:40' },
    ['2026-10-21T15:00:00'],
  ],
  [
    {
      Fecha: '20/10/2026',
      'Fecha dispensación': '21/10/2026',
      Hora: '09:10',
      'Hora de dispensación': '15:00',
    },
    ['2026-10-21T15:00:00'],
  ],
  [
    { 'Fecha dispensación': '21/10/2026 15:00', 'Hora de dispensación': '09:10' },
    [undefined, ['cell/other-time', 'Fecha dispensación']],
  ],
  [
    { 'Fecha dispensación': '21/10/2026', Hora: '' },
    [undefined, ['cell/without-time', 'Fecha dispensación']],
  ],
])(
  'the time of a date stands under Hora where the date has no column of its own for it: %j',
  async (moment, expected) => {
    expect(await dispensed(moment)).toEqual(expected);
  },
);

test('a parameter gives the time of dates that have none', async () => {
  const given = { horaAtencion: '07:00' };
  const of = (moment: Readonly<Record<string, string>>) => dispensed(moment, given);
  expect(await of({ 'Fecha dispensación': '21/10/2026' })).toEqual(['2026-10-21T07:00:00']);
  expect(await of({ Fecha: '21/10/2026' })).toEqual(['2026-10-21T07:00:00']);
  expect(await of({ 'Fecha dispensación': '21/10/2026 15:00' })).toEqual(['2026-10-21T15:00:00']);
  expect(await of({ 'Fecha dispensación': '21/10/2026', Hora: '15:00' })).toEqual(['2026-10-21T15:00:00']);
});
