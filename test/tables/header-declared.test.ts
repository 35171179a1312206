import { describe, expect, test } from 'vitest';
import { fieldCountIssue, findHeader, matchedColumns } from '../../src/toolkit/tables/header.js';
import { isRepeatedHeader } from '../../src/toolkit/tables/repeated-header.js';
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
      'by column letter and title',
      { '[B] BASI-CO *': 'salary', '[e]': 'other' },
      'document A, salary B, health D, other E+F',
      ['Sueldo', 'Más'],
      [],
    ],
    [
      'not by the letter alone where the title has moved',
      { '[B] Salud': 'salary', '[Z] Otros': 'health', Más: 'other' },
      'document A, salary C, health D, other F+G',
      ['Básico'],
      ['header/other-title Hoja!B1', 'header/other-title Hoja!Z1'],
    ],
    [
      'by a letter of another sheet, without the title here',
      { '[B] Comisión': 'salary', '[C] Prima': 'other' },
      'document A, salary C, health D, other F',
      ['Básico', 'Más'],
      [],
    ],
    [
      'one letter under the title of each sheet, or else alone',
      {
        '[B] Prima': 'other',
        '[B] Básico': 'salary',
        '[B]': 'ignore',
        '[C]': 'ignore',
        '[C] Salud': 'other',
      },
      'document A, salary B, health D, other F',
      ['Más'],
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

  test('by column letter, group and title', () => {
    const labels = { '[B] PAGOS / Otros': 'salary', '[C] Otros': 'health', '[D] PAGOS / Otros': 'ignore' };
    const header = find('|PAGOS||DEBE\nDocumento|Otros|Otros|Otros', wanted, { labels });
    expect(columnsOf(header)).toBe('document A, salary B, health C, other D');
    expect(issuesOf(header)).toEqual(['header/other-title Hoja!D2']);
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

describe('columns side by side', () => {
  const parts = [
    ['Primera q*', 'Q1'],
    ['Segunda q*', 'Q2'],
  ];
  const wanted = wants('document: Documento', 'days: Días', 'pay: Pago @ Devengos', 'rest: Saldo');
  const shown = (drawing: string, options = {}): readonly (string | string[])[] => {
    const header = find(drawing, wanted, { parts, ...options });
    const instances = header.parts.map((columns) =>
      [...columns].map(([id, at]) => `${id}=${at.join('+')}`).join(' '),
    );
    return [columnsOf(header), instances, issuesOf(header)];
  };

  test.each([
    [
      'under groups, in turn, whatever stands between',
      '|Primera quincena (1-15)|||Segunda quincena|\nDocumento|Días|x|Pago|Pago|Días',
      'document A, days B+F, pay D+E',
      ['days=1 pay=3', 'pay=4 days=5'],
      [],
    ],
    ['the second alone', '|SEGUNDA Q.\nDocumento|Días', 'document A, days B', ['', 'days=1'], []],
    [
      'not under another group',
      '|Tercera q.|Primera q.\nDocumento|Días|Días',
      'document A, days C',
      ['days=2', ''],
      ['header/duplicate Hoja!B2 Hoja!C2'],
    ],
    ['not without names', 'Documento|Días', 'document A, days B', ['', ''], []],
    [
      'named in the label, before, after or within it',
      'Documento|Primera quincena días|DIAS (Q2)|Pago_Q1|Pa-go 2|Saldo q.1|Pago Q2 *',
      'document A, days B+C, pay D+G, rest F',
      ['days=1 pay=3 rest=5', 'days=2 pay=6'],
      [],
    ],
    [
      'named beside a section of the header',
      '|Devengos Q1||Devengos Q2|\nDocumento|Días|Pago|Días|Pago',
      'document A, days B+D, pay C+E',
      ['days=1 pay=2', 'days=3 pay=4'],
      [],
    ],
    [
      'below what they are of',
      '|Días||Saldo|\nDocumento|Q1|Q2|Q1|Q2',
      'document A, days B+C, rest D+E',
      ['days=1 rest=3', 'days=2 rest=4'],
      [],
    ],
    [
      'one twice in a part',
      '|Primera q.|\nDocumento|Días|DIAS',
      'document A, days B',
      ['days=1', ''],
      ['header/duplicate Hoja!C2 Hoja!B2'],
    ],
    [
      'of the whole as well',
      'Documento|Saldo|Saldo Q1|Saldo Q2',
      'document A, rest C+D',
      ['rest=2', 'rest=3'],
      ['header/duplicate Hoja!B1 Hoja!C1'],
    ],
  ])('%s', (_, drawing, columns, instances, issues) => {
    expect(shown(drawing, { groups: 'above' })).toEqual([columns, instances, issues]);
  });

  test('a title behind a column letter is the whole title, in whatever part it stands', () => {
    const labels = { '[B] Pago': 'pay', '[C] Pago': 'ignore', '[D] Pago Q1': 'rest' };
    expect(shown('Documento|Pago|Pago Q1|Pago Q1|Pago Q2', { labels })).toEqual([
      'document A, pay C+E, rest D',
      ['pay=2 rest=3', 'pay=4'],
      ['header/duplicate Hoja!B1 Hoja!C1', 'header/other-title Hoja!C1'],
    ]);
  });

  test('labels are declared for all parts at once, or for one of them', () => {
    const labels = { Plata: 'pay', 'Jornadas Q2': 'days', 'Saldo Q1': 'ignore' };
    const drawing = 'Documento|Plata Q1|Plata Q2|Jornadas Q1|Jornadas Q2|Saldo Q1|Saldo Q2';
    expect(shown(drawing, { labels })).toEqual([
      'document A, pay B+C, days E, rest G',
      ['pay=1', 'pay=2 days=4 rest=6'],
      [],
    ]);
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
