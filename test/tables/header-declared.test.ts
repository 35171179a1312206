import { describe, expect, test } from 'vitest';
import { fieldCountIssue, findHeader, isRepeatedHeader, matchedColumns } from '../../src/tables/header.js';
import { columnsOf, drawn, find, issuesOf, rowOf, SHEET, wants } from './header-sheet.js';

const NONE: readonly string[] = [];

describe('declared labels', () => {
  const wanted = wants('document: Documento', 'salary: Sueldo', 'health: Salud', 'other: Otros+');
  const sheet = 'Documento|Básico|Sueldo|Salud||Otros|Más';
  test.each([
    [
      'win over titles',
      { básico: 'salary' },
      'document A, salary B, health D, other F',
      ['Sueldo', 'Más'],
      [],
    ],
    [
      'are compared squashed too',
      { 'BASI-CO': 'salary' },
      'document A, salary B, health D, other F',
      ['Sueldo', 'Más'],
      [],
    ],
    [
      'by column letter',
      { '[B]': 'salary', '[e]': 'other' },
      'document A, salary B, health D, other E+F',
      ['Sueldo', 'Más'],
      [],
    ],
    [
      'beyond the last label',
      { '[J]': 'other' },
      'document A, salary C, health D, other F+J',
      ['Básico', 'Más'],
      [],
    ],
    [
      'to be ignored',
      { Básico: 'ignore', '[G]': 'ignore', Otros: 'ignore' },
      'document A, salary C, health D',
      [],
      [],
    ],
    [
      'a letter over its text',
      { '[D]': 'other', Salud: 'health' },
      'document A, salary C, other D+F',
      ['Básico', 'Más'],
      [],
    ],
    [
      'two for one',
      { Básico: 'health', Sueldo: 'health' },
      'document A, health B, other F',
      ['Salud', 'Más'],
      ['header/duplicate Hoja!C1 Hoja!B1'],
    ],
    [
      'two for several',
      { Básico: 'other', Sueldo: 'other' },
      'document A, other B+C+F, health D',
      ['Más'],
      [],
    ],
  ])('%s', (_, labels, expected, unused, issues) => {
    const header = find(sheet, wanted, { labels: labels as Record<string, string> });
    expect(columnsOf(header)).toBe(expected);
    expect(header.unused.map(({ label }) => label)).toEqual(unused);
    expect(issuesOf(header)).toEqual(issues);
  });

  test('column letters alone do not make the title of a sheet its header', () => {
    const drawing = 'ACME S.A.\n\nA|B|C\n1|2|3';
    const header = find(drawing, wanted, {
      mustHave: ['document'],
      labels: { '[A]': 'document', '[B]': 'salary' },
    });
    expect(header.row.number).toBe(3);
  });
});

describe('repeated groups', () => {
  const repeated = [
    { id: 'overtime', columns: wants('date: Fecha{n}', 'hours: Horas {n}', 'value: HE {n} valor') },
  ];
  const shown = (labels: string, wanted = wants('document: Documento')) => {
    const header = find(labels, wanted, { repeated });
    const instances = header.repeats.get('overtime') ?? [];
    return [
      columnsOf(header),
      instances.map(
        ({ n, columns }) => `${n}: ${[...columns].map(([id, column]) => `${id}=${column}`).join(' ')}`,
      ),
      issuesOf(header),
    ];
  };
  test.each([
    [
      'in any order, with gaps',
      'Documento|fecha 3|HORAS 3|Fecha1|Horas_1|HE 1 Valor',
      'document A',
      ['1: date=3 hours=4 value=5', '3: date=1 hours=2'],
      [],
    ],
    [
      'two digits and leading zeros',
      'Fecha 02|Fecha 10|fecha1',
      '',
      ['1: date=2', '2: date=0', '10: date=1'],
      [],
    ],
    ['one twice', 'Fecha 1|Fecha 01', '', ['1: date=0'], ['header/duplicate Hoja!B1 Hoja!A1']],
    ['no number', 'Fecha|Horas extra 1', '', [], []],
  ])('%s', (_, labels, columns, instances, issues) => {
    expect(shown(labels)).toEqual([columns, instances, issues]);
  });

  describe('under groups of their own', () => {
    const halves = { id: 'half', under: ['Primera*', 'Segunda*'], columns: wants('days: Días', 'pay: Pago') };
    test.each([
      [
        'in turn, whatever stands between',
        '|Primera quincena|||Segunda quincena|\nDocumento|Días|x|Pago|Pago|Días',
        ['1: days=1 pay=3', '2: pay=4 days=5'],
        [],
      ],
      ['the second alone', '|SEGUNDA\nDocumento|Días', ['2: days=1'], []],
      ['not under another group', '|Tercera|Primera\nDocumento|Días|Días', ['1: days=2'], []],
      ['not without groups', 'Documento|Días', [], []],
      [
        'in one row, named in the label',
        'Documento|Primera quincena días|Segunda q. Pago|SEGUNDA DIAS|Tercera días',
        ['1: days=1', '2: pay=2 days=3'],
        [],
      ],
      [
        'one twice under a group',
        '|Primera|\nDocumento|Días|DIAS',
        ['1: days=1'],
        ['header/duplicate Hoja!C2 Hoja!B2'],
      ],
    ])('%s', (_, drawing, instances, issues) => {
      const header = find(drawing, wants('document: Documento'), { repeated: [halves] });
      const found = (header.repeats.get('half') ?? []).map(
        ({ n, columns }) => `${n}: ${[...columns].map(([id, column]) => `${id}=${column}`).join(' ')}`,
      );
      expect([found, issuesOf(header)]).toEqual([instances, issues]);
    });
  });

  test('a title of its own is closer than a number, a number closer than a wildcard', () => {
    expect(shown('Fecha 1|Fecha 2|Fecha x', wants('paid: Fecha 1', 'any: Fecha*'))).toEqual([
      'paid A, any C',
      ['2: date=1'],
      NONE,
    ]);
  });

  test('count as matched columns', () => {
    const header = find('Documento|Fecha 1|Horas 1', wants('document: Documento'), { repeated });
    expect(matchedColumns(header)).toBe(3);
  });
});

describe('tables without header', () => {
  const wanted = [
    { id: 'invoice', titles: ['Factura'], position: 1 },
    { id: 'value', titles: [], position: 3 },
  ];
  test('columns stand where the mapping says', () => {
    const header = findHeader(SHEET, drawn('F1|x|5'), wanted, {
      within: 1,
      mustHave: ['invoice'],
      none: {},
    })!;
    expect(columnsOf(header)).toBe('invoice A, value C');
    expect([header.row.number, header.firstDataRow]).toEqual([0, 1]);
    expect(header.labels).toEqual(['Factura', undefined, 'value']);
    expect(isRepeatedHeader(header, rowOf(1, ['Factura']))).toBe(false);
  });

  test.each([
    ['right', ['a', 'b', undefined], 7, [3], undefined],
    ['one of two', ['a', 'b', undefined], 7, [2, 3], undefined],
    ['too few', ['a', 'b'], 7, [3, 4], 'header/field-count nomina.xlsx 5'],
    ['too many', ['a', 'b', 'c', 'd'], 7, [3], 'header/field-count nomina.xlsx 5'],
    ['blank at the end of a row of a sheet', ['a'], undefined, [3], undefined],
    ['too many in a sheet', ['a', 'b', 'c', 'd'], undefined, [3], 'header/field-count nomina.xlsx 5'],
  ])('number of fields: %s', (_, texts, line, fields, expected) => {
    const row = { ...rowOf(5, texts), ...(line !== undefined && { line }) };
    const issue = fieldCountIssue(SHEET, row, fields);
    expect(issue && `${issue.code} ${issue.place.file} ${issue.place.row}`).toBe(expected);
    expect(issue?.place.column).toBeUndefined();
  });
});
