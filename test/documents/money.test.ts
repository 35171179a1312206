import { readFileSync } from 'node:fs';
import type { CellValue } from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '../../src/toolkit/core/decimal.js';
import { type Issue, paramOf } from '../../src/toolkit/core/issue.js';
import { explaining } from '../../src/toolkit/documents/cells.js';
import { editedSample, workbookOf } from '../support/edit-workbook.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const ABOUT_TOTALS = /^(payroll\/(accrued-total|deductions-total|net)|control\/left-out)$/;

const aboutTotals = (issues: readonly Issue[]) =>
  issues
    .filter(({ code }) => ABOUT_TOTALS.test(code))
    .map((issue) => [
      ...placed([issue])[0]!,
      paramOf(issue, 'left_out') ?? issue.value,
      issue.related
        ?.map(({ column, row }) => `${column}${row}`)
        .slice(0, issue.code.startsWith('control') ? 9 : 1),
    ]);

/** Rows 2 and 3 of the sample state totals with amounts in columns that nothing uses. */
const FIRST = { AR2: 2_304_714.08 + 150_000, BB2: 1_881_304.08 + 150_000 };
const SECOND = { AR3: 6_699_081 + 80_000, BB3: 6_163_155 + 80_000 };
const WIDE = 'extends: payroll/wide\ncargue: 1\nname: nomina\n';
const DECLINED = `${WIDE}tables: { workers: { ignore: [{ titles: [Prima de localización], reason: x }] } }\n`;

describe('a total that differs names what is not used and could explain it', () => {
  test.each<[string, Record<string, CellValue>, string, unknown[]]>([
    [
      'a column that nobody decided on',
      { ...FIRST, BC1: 'Prima de localización', BC2: 150_000 },
      WIDE,
      [['Nomina!AR2', 'payroll/accrued-total', '«Prima de localización»', ['BC2']]],
    ],
    [
      'a column that is declined',
      { ...FIRST, BC1: 'Prima de localización', BC2: '$ 150.000' },
      DECLINED,
      [['Nomina!AR2', 'payroll/accrued-total', '«Prima de localización»', ['BC2']]],
    ],
    [
      'a column without a label',
      { ...FIRST, BC2: 150_000 },
      WIDE,
      [['Nomina!AR2', 'payroll/accrued-total', '«BC»', ['BC2']]],
    ],
    [
      'three columns together, a fourth beside them',
      {
        ...FIRST,
        BC1: 'A1',
        BC2: 100_000,
        BD1: 'B1',
        BD2: 30_000,
        BE1: 'C1',
        BE2: 70_000,
        BF1: 'D1',
        BF2: 20_000,
      },
      WIDE,
      [['Nomina!AR2', 'payroll/accrued-total', '«A1» + «B1» + «D1»', ['BC2']]],
    ],
    [
      'nothing does',
      { ...FIRST, BC1: 'Prima de localización', BC2: 140_000 },
      WIDE,
      [['Nomina!AR2', 'payroll/accrued-total', '2454714.08', undefined]],
    ],
    [
      'the net alone',
      { BB2: 1_881_304.08 - 150_000, BC1: 'Casino', BC2: 150_000 },
      WIDE,
      [['Nomina!BB2', 'payroll/net', '«Casino»', ['BC2']]],
    ],
    [
      'over the run, where several documents differ',
      { ...FIRST, ...SECOND, BC1: 'Prima de localización', BC2: 150_000, BC3: 80_000 },
      DECLINED,
      [
        ['Nomina!AR2', 'payroll/accrued-total', '«Prima de localización»', ['BC2']],
        ['Nomina!AR3', 'payroll/accrued-total', '«Prima de localización»', ['BC3']],
        ['Nomina!BC1', 'control/left-out', '«Prima de localización»', undefined],
      ],
    ],
  ])('%s', async (_, cells, mappingText, expected) => {
    const { issues } = await prepareFiles({ files: [await editedSample(cells)], mappingText });
    const found = aboutTotals(issues).filter(
      ([place], at, all) => at === all.findIndex(([one]) => one === place),
    );
    expect(found).toEqual(expected);
  });

  test('the fewest amounts whose sum it is, to the cent; else none', () => {
    const amount = fc.integer({ min: 100_000, max: 90_000_000 });
    const text = (cents: number): string => (cents / 100).toFixed(2);
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        (all, many) => {
          const amounts = all.map((cents, at) => ({ value: text(cents), place: { column: String(at) } }));
          const chosen = amounts.slice(0, many).map(({ value }) => value);
          const found = explaining(sum(chosen), amounts).map(({ value }) => value);
          if (found.length > 0) expect(Number(sum(found))).toBe(Number(sum(chosen)));
          else expect(chosen.length).toBe(4);
          expect(found.length).toBeLessThanOrEqual(Math.min(3, chosen.length));
        },
      ),
    );
  });
});

describe('every amount column shows its sum', () => {
  test.each([
    [
      'nomina',
      ['samples/payroll/nomina-octubre-2026.xlsx'],
      'mappings/payroll/wide.yaml',
      'samples/payroll/params.json',
    ],
    [
      'quincenas',
      ['samples/payroll/quincenas/Liquidación septiembre 2026.xlsx'],
      'samples/payroll/quincenas/mapeo.yaml',
      'samples/payroll/quincenas/params.json',
    ],
  ])('%s', async (_, files, mapping, params) => {
    const { columns } = await prepareFiles({
      files,
      mapping,
      params: JSON.parse(readFileSync(params, 'utf8')),
    });
    const amounts = columns.filter(({ sum: one }) => one !== undefined);
    expect(amounts.length).toBe(22);
    expect(amounts.flatMap(({ total }) => total?.name ?? [])).toEqual([
      'accrued_total',
      'deductions_total',
      'net',
    ]);
    for (const { sum: one, total } of amounts) {
      expect(one).toMatch(/^\d+\.\d\d$/);
      if (total)
        expect(Number(total.stated) - Number(total.computed)).toBeCloseTo(Number(total.difference), 2);
    }
  });

  test('columns that are added up each show their own', async () => {
    const { columns } = await prepareFiles({
      files: [await editedSample({ BC1: 'Salario devengado 2', BC2: 1000, BC3: 2000 })],
      mappingText: `${WIDE}tables: { workers: { labels: { Salario devengado: salary, Salario devengado 2: salary } } }\n`,
    });
    expect(columns.find(({ place }) => place.label === 'Salario devengado 2')).toMatchObject({
      role: 'used',
      sum: '3000.00',
    });
  });

  test('documents without totals have none', async () => {
    const { columns } = await prepareFiles({
      files: [
        await workbookOf([
          ['Cédula', 'Bono'],
          [1, 1000],
        ]),
      ],
      params: {},
      mappingText:
        'cargue: 1\nname: b\ntarget: payroll/bonus\ntables: { w: { columns: { d: { titles: [Cédula], read: identifier }, b: { titles: [Bono], read: money } } } }\none_per: { record: w }\nkey: d\ndocument: { salary_bonus: { from: b } }\n',
    });
    expect(columns.map(({ sum: one }) => one)).toEqual([undefined, undefined]);
  });
});

describe('an amount that is passed over for another one is said at its cell', () => {
  const mappingOf = (take: string): string => `
cargue: 1
name: lineas
target: payroll/bonus
tables:
  lines:
    columns:
      document: { titles: [Cédula], read: identifier }
      kind: { titles: [Clase], read: text }
      amount: { titles: [Valor], read: money }
one_per: { key: document, of: lines }
document:
  salary_bonus: { from: amount, take: ${take} }
`;
  test.each<[string, string, (number | null)[], string[], string]>([
    ['first', mappingOf('first'), [1000, 2000, 1000], ['Nómina!C3'], '1000.00'],
    ['last', mappingOf('last'), [1000, 2000], ['Nómina!C2'], '2000.00'],
    ['min', mappingOf('min'), [3000, 1000, 2000], ['Nómina!C2', 'Nómina!C4'], '1000.00'],
    ['max', mappingOf('max'), [3000, 1000], ['Nómina!C3'], '3000.00'],
    ['equal ones', mappingOf('first'), [1000, 1000], [], '1000.00'],
    ['blank and zero', mappingOf('first'), [1000, null, 0], [], '1000.00'],
    ['a sum takes all', mappingOf('sum'), [1000, 2000], [], '3000.00'],
  ])('%s', async (_, mappingText, amounts, expected, bonus) => {
    const rows = amounts.map((amount, at) => [52_100_200, `c${at}`, amount]);
    const files = [await workbookOf([['Cédula', 'Clase', 'Valor'], ...rows])];
    const { issues, drafts } = await prepareFiles({ files, mappingText, params: {} });
    const said = issues.filter(({ code }) => code === 'cell/amount-passed-over');
    expect(placed(said).map(([place]) => place)).toEqual(expected);
    expect(drafts.map(({ body: document }) => document)).toEqual([{ salary_bonus: bonus }]);
  });

  test('by a column that is taken so, too', async () => {
    const mappingText = mappingOf('first')
      .replace('read: money', 'read: money, take: max')
      .replace(', take: first', '');
    const files = [
      await workbookOf([
        ['Cédula', 'Clase', 'Valor'],
        [1, 'a', 1000],
        [1, 'b', 5000],
      ]),
    ];
    const { issues } = await prepareFiles({ files, mappingText, params: {} });
    expect(placed(issues.filter(({ code }) => code === 'cell/amount-passed-over'))).toEqual([
      ['Nómina!C2', 'cell/amount-passed-over'],
    ]);
  });
});
