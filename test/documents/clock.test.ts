import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import type { GivenFormats } from '../../src/toolkit/documents/decide.js';
import { findIn } from '../inspect/known.js';
import { workbookOf } from '../support/edit-workbook.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

/** Diaries of a consulting room: hours with and without a. m. and p. m., in column B or with the date in column A. */

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

type Cell = string | Date;
/** An hour as Excel keeps it. */
const hour = (text: string): Date => new Date(`1899-12-30T${text}:00Z`);

async function fileOf(hours: readonly Cell[], isOwnColumn: boolean): Promise<string> {
  const rows = [
    isOwnColumn ? ['Fecha Consulta', 'Hora', ...LABELS] : ['Fecha Consulta', ...LABELS],
    ...hours.map((one, at): Cell[] => [
      ...(isOwnColumn ? ['21/10/2026', one] : [`21/10/2026 ${String(one)}`]),
      ...consultation(10 + at),
    ]),
  ];
  if (rows.flat().some((cell) => cell instanceof Date)) return workbookOf(rows, 'Consultas');
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-clock-')), 'consultas.csv');
  writeFileSync(file, rows.map((row) => row.join(';')).join('\n'));
  return file;
}

const DOUBT = 'cell/hour-ambiguous';

test.each<[what: string, hours: readonly Cell[], formats: GivenFormats, read: string[], doubtful: number[]]>([
  ['no hour past noon', ['8:05', '1:10', '2:30', '11:00'], {}, ['08:05', '11:00'], [3, 4]],
  ['one past noon', ['8:05', '1:10', '14:30'], {}, ['08:05', '01:10', '14:30'], []],
  ['midnight', ['0:20', '1:10'], {}, ['00:20', '01:10'], []],
  ['halves of the day on all', ['8:05 a. m.', '1:10 p. m.'], {}, ['08:05', '13:10'], []],
  ['halves of the day on some', ['8:05 a. m.', '1:10'], {}, ['08:05'], [3]],
  ['as flat files must', ['08:05', '01:10'], {}, ['08:05', '01:10'], []],
  ['with seconds', ['8:05:00', '1:10:00'], {}, ['08:05', '01:10'], []],
  ['said to be of 24', ['8:05', '1:10'], { time: '24h' }, ['08:05', '01:10'], []],
  [
    'said to be of the afternoon',
    ['8:05', '1:10', '12:15'],
    { time: 'afternoon' },
    ['08:05', '13:10', '12:15'],
    [],
  ],
])('%s: %j', async (_, hours, formats, read, doubtful) => {
  for (const isOwnColumn of [true, false]) {
    // Midnight beside a date is no hour.
    if (!isOwnColumn && hours.includes('0:20')) continue;
    const files = [await fileOf(hours, isOwnColumn)];
    const { drafts, issues } = await prepareFiles({
      mapping: 'mappings/rips/consultas.yaml',
      params: PARAMS,
      files,
      formats,
    });
    const found = issues.filter(({ code }) => code === DOUBT);
    const column = isOwnColumn ? 'B' : 'A';
    expect(placed(found)).toEqual(doubtful.map((row) => [`consultas.csv!${column}${row}`, DOUBT]));
    const starts = drafts.map(({ body }) =>
      String(valueAt(body, '/fechaInicioAtencion') ?? JSON.stringify(body)),
    );
    expect(starts.map((start) => /T(\d\d:\d\d)/.exec(start)?.[1])).toEqual(read);
  }
});

test('an hour of Excel is as doubtful as its text', async () => {
  const files = [await fileOf([hour('08:05'), hour('01:10')], true)];
  const { issues } = await prepareFiles({ mapping: 'mappings/rips/consultas.yaml', params: PARAMS, files });
  expect(placed(issues.filter(({ code }) => code === DOUBT))).toEqual([['Consultas!B3', DOUBT]]);
});

test('inspecting asks once which half of the day it is', async () => {
  const files = [await fileOf(['8:05', '1:10', '2:30'], true)];
  const { open } = await findIn(files, 'rips');
  expect(open.flatMap(({ id }) => (id.endsWith('time') ? [id] : []))).toEqual(['time']);
});
