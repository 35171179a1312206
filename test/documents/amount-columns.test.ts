import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placed, prepareFiles } from '../support/prepare-file.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-amounts-'));
let made = 0;

/** The leaves and issues that a small table comes to. */
async function read(
  columns: string,
  document: string,
  rows: readonly string[],
  more = '',
  onePer = 'record: people',
  values = '',
) {
  const file = join(folder, `tabla-${++made}.csv`);
  writeFileSync(file, `${rows.join('\n')}\n`);
  const { drafts, issues } = await prepareFiles({
    files: [file],
    params: {},
    mappingText: `
cargue: 1
name: test/amounts
target: payroll/bonus
tables:
  people:
    columns:
      name: { titles: [Nombre], read: text }
${columns.replace(/^/gm, '      ')}
${more.replace(/^/gm, '    ')}
one_per: { ${onePer} }
key: name
${values}
document:
${document.replace(/^/gm, '  ')}
`,
  });
  return {
    found: placed(issues.filter(({ level }) => level === 'error')).map(([place, code]) => [
      place.replace(/^.*!|^.*csv:?/, ''),
      code,
    ]),
    documents: drafts.map(({ body }) => body),
    issues,
  };
}

describe('a column is read by what its cells show together', () => {
  const BONUS = 'salary_bonus: { from: bonus }';
  const money = 'bonus: { titles: [Bono], read: money }';
  const rows = (...cells: string[]): string[] => [
    'Nombre;Bono',
    ...cells.map((cell, at) => `n${at};${cell}`),
  ];

  test.each<[name: string, cells: string[], read: string[], found: [string, string][]]>([
    ['thousands with dots', ['1.276.000', '276.000'], ['1276000.00', '276000.00'], []],
    [
      'one with a comma among them',
      ['1.276.000', '276,000', '980.000'],
      ['1276000.00', '980000.00'],
      [['B3', 'cell/thousands-or-decimals']],
    ],
    [
      'the other way round, with currency and parentheses',
      ['$ 1,276,000', '$ 276.000', '276.000-', '(276.000)'],
      ['1276000.00'],
      [
        ['B3', 'cell/thousands-or-decimals'],
        ['B4', 'cell/thousands-or-decimals'],
        ['B5', 'cell/thousands-or-decimals'],
      ],
    ],
    [
      'both in one column: what could be either is read by neither',
      ['1.276.000', '980.000', '1,300,000', '276,000'],
      ['1276000.00'],
      [
        ['B3', 'cell/thousands-or-decimals'],
        ['B4', 'format/contradiction'],
        ['B5', 'cell/thousands-or-decimals'],
      ],
    ],
    ['three decimals in all of them', ['1500.000', '60.000', '276.500'], ['1500.00', '60.00', '276.50'], []],
    ['cents show the mark', ['60,00', '60.000', '7,5'], ['60.00', '60000.00', '7.50'], []],
  ])('%s', async (_, cells, read_, found) => {
    const result = await read(money, BONUS, rows(...cells));
    expect(result.found).toEqual(found);
    expect(result.documents).toEqual(read_.map((salary_bonus) => ({ salary_bonus })));
  });

  test('of what was declared too', async () => {
    const result = await read(money, BONUS, rows('60.000', '60000.00'), 'formats: { decimal: dot }');
    expect(result.found).toEqual([['B2', 'cell/thousands-or-decimals']]);
    expect(result.issues[0]?.suggestions?.map(({ value }) => value)).toEqual(['60000', '60']);
    expect(result.documents).toEqual([{ salary_bonus: '60000.00' }]);
  });

  test('quantities may have three decimals where their column shows decimals', async () => {
    const hours = 'bonus: { titles: [Bono], read: decimal }';
    const shown = await read(hours, BONUS, rows('7,500', '8,25'));
    expect([shown.documents, shown.found]).toEqual([
      [{ salary_bonus: '7.50' }, { salary_bonus: '8.25' }],
      [],
    ]);
    const hidden = await read(hours, BONUS, rows('7,500', '1.276.000'));
    expect(hidden.found).toEqual([['B2', 'cell/thousands-or-decimals']]);
  });

  test('dates of both orders: what could be either is read by neither', async () => {
    const result = await read(
      'day: { titles: [Dia], read: date }\nbonus: { titles: [Bono], read: money }',
      'salary_bonus: { from: bonus, when: day < "2030-01-01" }',
      ['Nombre;Dia;Bono', 'a;31/10/2026;1', 'b;03/04/2026;1', 'c;10/31/2026;1'],
    );
    expect(result.found).toEqual([
      ['B3', 'cell/date-ambiguous'],
      ['B4', 'format/contradiction'],
    ]);
  });
});

const PARTS = 'bonus: { titles: ["Bono *"], read: money, several: true }';

describe('amounts that are added up', () => {
  const three = (...rows: string[]): string[] => ['Nombre;Bono 1;Bono 2;Bono 3', ...rows];
  const ab = 'a: { titles: [A], read: money }\nb: { titles: [B], read: money }';

  test.each<[name: string, columns: string, document: string, rows: string[], found: [string, string][]]>([
    [
      'several columns',
      PARTS,
      'salary_bonus: { from: bonus }',
      three('x;;-41000;141000', 'y;1;;2', 'z;;;-5'),
      [
        ['C2', 'cell/negative-part'],
        ['D4', 'cell/negative-part'],
      ],
    ],
    [
      'one of several that cannot be read',
      PARTS,
      'salary_bonus: { from: bonus }',
      three('x;;5O0;100', 'y;;100;1E5'),
      [
        ['C2', 'cell/not-a-number'],
        ['D3', 'cell/scientific'],
      ],
    ],
    [
      'too many decimals: the first cell that is filled',
      PARTS,
      'salary_bonus: { from: bonus }',
      three('x;;1.12345;'),
      [['C2', 'cell/too-many-decimals']],
    ],
    [
      'a formula',
      ab,
      'salary_bonus: { formula: "a + b" }',
      ['Nombre;A;B', 'x;141000;-41000', 'y;1;2'],
      [['C2', 'cell/negative-part']],
    ],
    [
      'a formula over blank cells',
      ab,
      'salary_bonus: { formula: "sum(a, b)" }',
      ['Nombre;A;B', 'x;;-41000', 'y;;2'],
      [['C2', 'document/format-money']],
    ],
    [
      'a computed column',
      `${ab}\nc: { formula: "if_blank(a, 0) + if_blank(b, 0)" }`,
      'salary_bonus: { from: c }',
      ['Nombre;A;B', 'x;-41000;141000', 'y;;2'],
      [['B2', 'cell/negative-part']],
    ],
    [
      'a difference is no sum',
      ab,
      'salary_bonus: { formula: "a - b" }',
      ['Nombre;A;B', 'x;5;2', 'y;1;-1'],
      [],
    ],
  ])('%s', async (_, columns, document, rows, found) => {
    expect((await read(columns, document, rows)).found).toEqual(found);
  });

  test.each<[name: string, document: string, more: string]>([
    ['over records', 'salary_bonus: { from: a, take: sum }', ''],
    ['of some of them', 'salary_bonus: { from: a, take: sum, where: \'k = "p"\' }', ''],
    [
      'a named one',
      'salary_bonus: { formula: "round(value.total, 2)" }',
      'values: { total: { from: a, take: sum } }',
    ],
  ])('a sum %s', async (_, document, values) => {
    const columns = 'k: { titles: [Clase], read: text }\na: { titles: [A], read: money }';
    const rows = ['Nombre;Clase;A', 'x;p;141000', 'x;p;-41000', 'y;p;5', 'y;p;7'];
    const { found, documents } = await read(columns, document, rows, '', 'key: name, of: people', values);
    expect(found).toEqual([['C3', 'cell/negative-part']]);
    expect(documents).toHaveLength(1);
  });

  test('what the condition leaves out may be negative', async () => {
    const columns = 'k: { titles: [Clase], read: text }\na: { titles: [A], read: money }';
    const document = 'salary_bonus: { from: a, take: sum, where: \'k = "p"\' }';
    const rows = ['Nombre;Clase;A', 'x;p;5', 'x;q;-7'];
    const rest = 'non_salary_bonus: { formula: "abs(value.rest)" }';
    const values = `values: { rest: { from: a, take: sum, where: 'k = "q"' } }`;
    const all = `${document}\n${rest}`;
    const { found, documents } = await read(columns, all, rows, '', 'key: name, of: people', values);
    expect([found, documents]).toEqual([[], [{ salary_bonus: '5.00', non_salary_bonus: '7.00' }]]);
  });
});

describe('two columns of which one is filled', () => {
  const columns =
    'debit: { titles: [Debe], read: money }\ncredit: { titles: [Haber], read: money }\nvalue: { titles: [Valor], read: money }';
  const rows = [
    'Nombre;Debe;Haber;Valor',
    'a;5;;',
    'b;;6;',
    'c;0;7;',
    'd;8;0,00;',
    'e;9;9;',
    'f;0;0;',
    'g;10;11;',
    'h;;12;13',
    'i;;0;14',
  ];
  const amounts = ['5.00', '6.00', '7.00', '8.00', '9.00', '0.00', '14.00'];

  test.each([
    [
      'a leaf that falls back',
      columns,
      '{ from: debit, default: { from: credit, default: { from: value } } }',
    ],
    ['a formula of a leaf', columns, '{ formula: "if_blank(debit, if_blank(credit, value))" }'],
    [
      'a computed column',
      `${columns}\none: { formula: "if_blank(debit, if_blank(credit, value))" }`,
      '{ from: one }',
    ],
  ])('%s takes the one, and both are an issue at both cells', async (_, all, leaf) => {
    const { found, documents, issues } = await read(all, `salary_bonus: ${leaf}`, rows);
    expect(found).toEqual([
      ['C8', 'cell/two-amounts'],
      ['D9', 'cell/two-amounts'],
    ]);
    expect(issues.map(({ related }) => related?.map(({ column, row }) => `${column}${row}`))).toEqual([
      ['B8'],
      ['C9'],
    ]);
    expect(documents.map(({ salary_bonus }) => salary_bonus)).toEqual(amounts);
  });

  test('what is no amount may stand in both', async () => {
    const hours = 'a: { titles: [Debe], read: decimal }\nb: { titles: [Haber], read: decimal }';
    const { found, documents } = await read(hours, 'salary_bonus: { from: a, default: { from: b } }', [
      'Nombre;Debe;Haber',
      'x;5;6',
    ]);
    expect([found, documents]).toEqual([[], [{ salary_bonus: '5.00' }]]);
  });
});
