import { describe, expect, test } from 'vitest';
import { findHeader } from '../../src/toolkit/tables/header.js';
import { withMerged } from '../../src/toolkit/tables/header-rows.js';
import { columnsOf, drawn, find, issuesOf, SHEET, wants } from './header-sheet.js';

const WANTED = wants(
  'document: Documento, Nº identif.',
  'salary: Básico',
  'other_pay: Otros @ DEVENGADOS',
  'total_pay: Total @ DEVENGADOS',
  'health: Salud*',
  'other_deduction: Otros @ DEDUCCIONES',
  'total_deductions: Total @ DEDUCCIONES',
);
const GROUPED =
  'document B, salary C, other_pay D, total_pay E, health F, other_deduction G, total_deductions H';

const TITLES = 'ACME S.A.\nNIT 900|||Impreso: hoy\n\n';
const GROUPS = 'DATOS DEL EMPLEADO||DEVENGADOS|||DEDUCCIONES||\n';
const LABELS = 'No.|Nº IDENTIF.|BÁSICO|OTROS|TOTAL|SALUD 4%|OTROS|TOTAL\n1|900|5|1|6|2|3|5';

describe('a row of groups above the header', () => {
  test.each([
    ['declared', TITLES + GROUPS + LABELS, { groups: 'above' }, 5, 4],
    ['found, since columns want groups', TITLES + GROUPS + LABELS, {}, 5, 4],
    ['with a blank row between', `${TITLES}${GROUPS}\n${LABELS}`, {}, 6, 4],
    ['over a declared row', TITLES + GROUPS + LABELS, { row: 5 }, 5, 4],
    ['in the first row', GROUPS + LABELS, {}, 2, 1],
    [
      'with its text in every cell',
      `A|A|Devengados|Devengados|Devengados|Deducciones|Deducciones|Deducciones\n${LABELS}`,
      {},
      2,
      1,
    ],
  ] as const)('%s', (_, drawing, options, header, groups) => {
    const found = find(drawing, WANTED, { mustHave: ['document'], ...options });
    expect(columnsOf(found)).toBe(GROUPED);
    expect(found.issues).toEqual([]);
    expect([found.row.number, found.groupRow?.number, found.firstDataRow]).toEqual([
      header,
      groups,
      header + 1,
    ]);
    expect(found.groupLabels[6]?.toUpperCase()).toBe('DEDUCCIONES');
  });

  test('labels merged over both rows are labels of their own, and no groups', () => {
    const found = find(
      'No.|Documento|DEVENGADOS|||SALUD|DEDUCCIONES\n||Básico|Otros|Total||Otros|Total\n1|9|5|1|6|2|3|5',
      WANTED,
      {
        groups: 'above',
      },
    );
    expect(columnsOf(found)).toBe(GROUPED);
    expect(found.row.number).toBe(2);
    expect(found.labels[1]).toBe('Documento');
    expect(found.groupLabels).toEqual([
      undefined,
      undefined,
      'DEVENGADOS',
      'DEVENGADOS',
      'DEVENGADOS',
      undefined,
      'DEDUCCIONES',
      'DEDUCCIONES',
    ]);
  });

  test('a group that is merged holds for its merged columns, another one until the next text', async () => {
    const rows = drawn(
      'DATOS|||DEDUCCIONES||||OTROS\nNo.|Documento|Sede|Salud|Otros|Total|Costo|Bono|Neto\n1|9|x|1|6|2|3|5|8',
    );
    const source = { ...SHEET, merged: async () => new Map([[1, new Map([[3, 5]])]]) };
    const found = findHeader(source, await withMerged(source, rows, 30), [], {
      row: 2,
      within: 30,
      mustHave: [],
      groups: 'above',
    });
    const over = (group: string, count: number): string[] => new Array(count).fill(group);
    expect(found?.groupLabels).toEqual([
      ...over('DATOS', 3),
      ...over('DEDUCCIONES', 3),
      undefined,
      ...over('OTROS', 2),
    ]);
    expect(found?.labels[6]).toBe('Costo');
  });

  test.each([
    ['a row of groups', 'DATOS||PAGOS|\nDocumento|Sede|Básico|Total', true],
    ['a lone group that does not stand first', '||PAGOS|\nDocumento|Sede|Básico|Total', true],
    ['a title', 'ACME S.A.\nDocumento|Sede|Básico', false],
    ['labels in every column', 'Documento|Sede|Básico\nx|y|z', false],
  ])('%s asks what is merged: %s', async (_, drawing, asks) => {
    let asked = false;
    const merged = async () => {
      asked = true;
      return new Map();
    };
    await withMerged({ ...SHEET, merged }, drawn(drawing), 30);
    expect(asked).toBe(asks);
  });

  test('sections above the groups: labels merged over all rows, and a group wanted there', () => {
    const wanted = wants(
      'document: Documento',
      'pay: Valor @ DEVENGADOS',
      'hours: HED Cant',
      'value: HED Valor',
    );
    const found = find(
      'ACME S.A.\nNo.|Documento|DEVENGADOS|||PROVISIONES|\n||BÁSICO|HED||PRIMA|CESANTÍAS\n||Valor|Cant|Valor|Valor|Valor\n1|9|5|1|6|2|3',
      wanted,
    );
    expect([found.row.number, found.groupRow?.number, found.sectionRow?.number]).toEqual([4, 3, 2]);
    expect(columnsOf(found)).toBe('document B, pay C, hours D, value E');
    expect(found.groupLabels.slice(2)).toEqual(['BÁSICO', 'HED', 'HED', 'PRIMA', 'CESANTÍAS']);
    expect(found.sectionLabels).toEqual([
      ...[undefined, undefined],
      ...['DEVENGADOS', 'DEVENGADOS', 'DEVENGADOS', 'PROVISIONES', 'PROVISIONES'],
    ]);
    expect(found.rowOf(1).number).toBe(2);
    expect(
      issuesOf(
        find('Documento|Documento|PAGOS||\n||HED||RN\n||Cant|Valor|Valor', wants('document: Documento'), {
          row: 3,
          groups: 'above',
        }),
      ),
    ).toEqual(['header/duplicate Hoja!B1 Hoja!A1']);
  });

  test.each([
    ['lines of a title block', 'NIT: 9|ACME||\n'],
    ['a row further up', 'DATOS||PAGOS|\n\n'],
    ['a title', 'ACME\n'],
    ['a title of two texts', 'NÓMINA DE OCTUBRE|||ACME\n'],
  ])('%s above the groups is no row of sections', (_, above) => {
    const found = find(`${above}A|B|HED|\n||Cant|Valor`, [], {
      groups: 'above',
      row: above.split('\n').length + 1,
    });
    expect(found.groupLabels[3]).toBe('HED');
    expect(found.sectionRow).toBeUndefined();
  });

  test('trouble with a merged label is placed on its own cell', () => {
    const found = find('Documento|Documento|DEVENGADOS\n||Básico', WANTED, { groups: 'above' });
    expect(issuesOf(found)).toEqual(['header/duplicate Hoja!B1 Hoja!A1']);
  });

  test('a title of the sheet is no row of groups, declared or not', () => {
    for (const options of [{}, { groups: 'above' as const }]) {
      const found = find(
        'NÓMINA DE OCTUBRE\nDocumento|Básico|Otros',
        wants('document: Documento', 'pay: Otros @ DEVENGADOS'),
        options,
      );
      expect(columnsOf(found)).toBe('document A, pay C');
      expect(found.groupRow).toBeUndefined();
    }
  });

  test('a header is no row of groups for the first record', () => {
    const wanted = wants('document: Documento', 'pay: Devengados', 'other: Otros @ DEVENGADOS');
    const found = find('Documento|Devengados|Nota\n1||x\n2|5|y', wanted, { mustHave: ['document'] });
    expect([found.row.number, columnsOf(found)]).toEqual([1, 'document A, pay B']);
  });
});

describe('columns that want a group', () => {
  test.each([
    [
      'under another group: unused',
      'X|DEDUCCIONES\nDocumento|Otros',
      wants('document: Documento', 'pay: Otros @ DEVENGADOS', 'd: Nada @ DEDUCCIONES'),
      'document A',
      [],
    ],
    [
      'left of all groups: unused',
      '|DEDUCCIONES\nOtros|Salud',
      wants('pay: Otros @ DEVENGADOS', 'd: Salud @ DEDUCCIONES'),
      'd B',
      [],
    ],
    [
      'closer than one that wants none',
      'DEVENGADOS|X\nOtros|Otros',
      wants('any: Otros', 'pay: Otros @ DEVENGADOS'),
      'pay A, any B',
      [],
    ],
    [
      'no closer than an exact title by a wildcard',
      'DEVENGADOS\nOtros pagos',
      wants('exact: Otros pagos', 'pay: Otros* @ DEVENGADOS'),
      'exact A',
      [],
    ],
    [
      'in a sheet without groups: by title',
      'Documento|Otros',
      wants('document: Documento', 'pay: Otros @ DEVENGADOS'),
      'document A, pay B',
      [],
    ],
    [
      'in a sheet without groups, two of them',
      'Documento|Otros',
      WANTED,
      'document A',
      ['header/ambiguous Hoja!B1'],
    ],
    [
      'in a sheet without groups, one that wants none',
      'Otros|x',
      wants('any: O-tros', 'pay: Otros @ DEVENGADOS'),
      'any A',
      [],
    ],
    [
      'group names with wildcards',
      'II. DEVENGADOS|X\nOtros|Salud',
      wants('pay: Otros @ *devengados', 'health: Salud'),
      'pay A, health B',
      [],
    ],
    [
      'a title of both rows',
      'X|H.E.D.|\nDocumento|Horas|Valor',
      wants('document: Documento', 'hours: HED horas', 'value: HED valor', 'g: Nada @ HED'),
      'document A, hours B, value C',
      [],
    ],
  ])('%s', (_, drawing, wanted, expected, issues) => {
    const found = find(drawing, wanted);
    expect(columnsOf(found)).toBe(expected);
    expect(issuesOf(found)).toEqual(issues);
  });

  test('declared labels name the group as well', () => {
    const wanted = wants('document: Documento', 'pay: Nada', 'deduction: Nunca');
    const labels = { 'DEVENGADOS / otros': 'pay', 'Deducciones / OTROS': 'deduction', Total: 'ignore' };
    const found = find('X|DEVENGADOS||DEDUCCIONES|\nDocumento|OTROS|TOTAL|OTROS|TOTAL', wanted, { labels });
    expect(columnsOf(found)).toBe('document A, pay B, deduction D');
    expect([found.unused, found.issues]).toEqual([[], []]);
  });

  test('numbers of repeated columns may stand in the group', () => {
    const repeated = [{ id: 'overtime', columns: wants('date: Extra {n} fecha', 'value: Extra {n} valor') }];
    const found = find(
      'X|EXTRA 1||EXTRA 2|\nDocumento|Fecha|Valor|Fecha|Valor',
      wants('document: Documento'),
      { repeated, groups: 'above' },
    );
    expect(
      found.repeats.get('overtime')?.map(({ n, columns }) => [n, columns.get('date'), columns.get('value')]),
    ).toEqual([
      [1, 1, 2],
      [2, 3, 4],
    ]);
  });
});
