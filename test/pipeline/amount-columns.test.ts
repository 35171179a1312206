import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placed, prepareFiles } from '../support/prepare-file.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-amounts-'));
let made = 0;

/** The leaves and issues that a small table comes to. */
async function read(columns: string, document: string, rows: readonly string[], more = '') {
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
one_per: { record: people }
key: name
document:
${document.replace(/^/gm, '  ')}
`,
  });
  return {
    found: placed(issues.filter(({ level }) => level === 'error')).map(([place, code]) => [
      place.replace(/^.*!|^.*csv:?/, ''),
      code,
    ]),
    documents: drafts.map(({ document: body }) => body),
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
