import { describe, expect, test } from 'vitest';
import type { RipsGroup } from '../../../src/families/rips/national.js';
import {
  patientRow,
  type ReportedService,
  type ReportedTotal,
  serviceRow,
  sheetsOf,
  totalRow,
} from '../../../src/families/rips/report.js';
import type { CellValue, ReportContext } from '../../../src/report/rows.js';
import { CUV, patient, ripsReport, service, total } from './report-sample.js';

const es: ReportContext = { language: 'es', linkTo: () => undefined };
const en: ReportContext = { ...es, language: 'en' };

test('a patient', () => {
  expect(patientRow(patient({ state: 'rejected' }), es)).toEqual([
    'CC 9800020000',
    'Iván Núñez',
    2,
    5,
    98000,
    38000,
    { text: 'Rechazado', tone: 'bad' },
  ]);
});

describe('a service', () => {
  test('columns in order', () => {
    expect(serviceRow(service(), es)).toEqual([
      'consultas.csv',
      '12',
      'CC 9800020000',
      'Consultas',
      '890206',
      '2026-10-01 07:20',
      38000,
      'RS-2026-10-0001',
      { text: 'Aceptado', tone: 'good' },
      CUV,
    ]);
  });

  const { place, code, date, value, number, cuv, ...bare } = service({ state: 'unsent' });
  test.each<[string, ReportedService, column: number, CellValue]>([
    [
      'a record of a sheet',
      service({ place: { file: 'b.xlsx', sheet: 'Consultas', row: 5 } }),
      1,
      'Consultas!5',
    ],
    ['no record', bare, 1, undefined],
    ['no code', bare, 4, undefined],
    ['no value', bare, 6, undefined],
    ['a value of nothing', service({ value: '0' }), 6, 0],
    ['cents of nothing', service({ value: '38000.00' }), 6, 38000],
    ['cents', service({ value: '38000.50' }), 6, '38000.5'],
    ['the largest value', service({ value: '999999999999999' }), 6, 999_999_999_999_999],
    ['no note', bare, 7, undefined],
    ['not sent', bare, 8, { text: 'Sin enviar', tone: 'idle' }],
    ['no CUV', bare, 9, undefined],
  ])('%s', (_, given, column, cell) => {
    expect(serviceRow(given, es)[column]).toEqual(cell);
  });

  test('its record is linked, at the first cell', () => {
    const linkTo: ReportContext['linkTo'] = ({ file, column, row }) => `${file}#${column}${row}`;
    expect(serviceRow(service(), { ...es, linkTo })[1]).toEqual({ text: '12', link: 'consultas.csv#A12' });
  });

  test.each<[RipsGroup, string, string]>([
    ['consultas', 'Consultas', 'Consultations'],
    ['procedimientos', 'Procedimientos', 'Procedures'],
    ['urgencias', 'Urgencias', 'Emergencies'],
    ['hospitalizacion', 'Hospitalización', 'Hospitalization'],
    ['recienNacidos', 'Recién nacidos', 'Newborns'],
    ['medicamentos', 'Medicamentos', 'Medicines'],
    ['otrosServicios', 'Otros servicios', 'Other services'],
  ])('%s', (group, inSpanish, inEnglish) => {
    expect([serviceRow(service({ group }), es)[3], serviceRow(service({ group }), en)[3]]).toEqual([
      inSpanish,
      inEnglish,
    ]);
  });
});

describe('totals', () => {
  const { group, ...all } = total();
  test.each<[string, ReportedTotal, readonly CellValue[]]>([
    ['of a group', total(), ['Consultas', 2, 1, 3, 114000, 2, 76000]],
    ['of all', all, [{ text: 'Total', tone: 'idle' }, 2, 1, 3, 114000, 2, 76000]],
    [
      'more than a number holds stays exact',
      total({ value: '9007199254740993' }),
      ['Consultas', 2, 1, 3, '9007199254740993', 2, 76000],
    ],
  ])('%s', (_, given, cells) => {
    expect(totalRow(given, es)).toEqual(cells);
  });
});

test.each([
  [
    es,
    [
      ['Documento', 'Nombre', 'Paquetes', 'Servicios', 'Valor ($)', 'Valor con CUV ($)', 'Estado'],
      [
        'Archivo',
        'Registro',
        'Paciente',
        'Grupo',
        'Código',
        'Fecha y hora',
        'Valor ($)',
        'Nota',
        'Estado',
        'CUV',
      ],
      ['Grupo', 'Paquetes', 'Pacientes', 'Servicios', 'Valor ($)', 'Servicios con CUV', 'Valor con CUV ($)'],
    ],
  ],
])('headings stand over as many cells', async (saying, headings) => {
  const sheets = sheetsOf(ripsReport(), saying);
  expect(sheets.map(({ columns }) => columns.map(({ heading }) => heading))).toEqual(headings);
  for (const { columns, rows } of sheets)
    for await (const row of rows) expect(row).toHaveLength(columns.length);
});
