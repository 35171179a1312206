import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { tableFolder } from '../../src/app/context.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import type { PlainDate } from '../../src/toolkit/core/plain-date.js';
import {
  type CatalogueRow,
  shippedCatalogue,
  UncheckedTables,
  withLoadedTables,
} from '../../src/toolkit/schema/catalogue.js';
import { rowsOn, ruleAt } from '../../src/toolkit/schema/dated-rows.js';
import { lawTables } from '../../src/toolkit/schema/law-tables.js';
import { ruleData } from '../../src/toolkit/schema/rule-data.js';
import { checkRules } from '../../src/toolkit/schema/rules.js';
import { fake } from '../cli/fake-context.js';
import { freshFolder } from '../cli/run-cli.js';
import { catalogueImport } from '../cli/use-cases.js';
import { type Edits, edited, GOLDEN } from '../schema/payroll-document.js';

const SOUND = GOLDEN[0]!;
const JANUARY: Edits = {
  '/period/settlement_start_date': '2027-01-01',
  '/period/settlement_end_date': '2027-01-31',
};
/** What the law of January finds wrong in each, once its figures are there. */
const WRONG: Readonly<Record<string, Edits>> = {
  'payroll/minimum-wage': { '/worker/salary': '1750905.00' },
  'payroll/transport': { '/accrued/transportation_allowance': '249095.00' },
  'payroll/integral': { '/worker/integral_salarary': true, '/worker/salary': '22761765.00' },
  'payroll/solidarity': { '/accrued/salary': '7900000.00', '/worker/salary': '7900000.00' },
  'payroll/health-pension': { '/deductions/eps_deduction': '1.00' },
};

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

async function imported(text: string, day = '2026-12-30', yes = false) {
  const file = join(folder, 'cifras.csv');
  writeFileSync(file, text);
  const call = fake({ workspace: join(folder, 'ws'), now: () => new Date(`${day}T12:00:00Z`) });
  const exit = await catalogueImport(call.context, [file], {
    as: 'payroll_yearly_figures',
    json: true,
    yes,
  });
  return { exit, events: call.events() };
}

/** Law codes that documents of January get, and what was not checked. */
function checked(...documents: readonly JsonObject[]) {
  return withLoadedTables(tableFolder(join(folder, 'ws')), () => {
    const unchecked = new UncheckedTables();
    const codes = documents.map((document) =>
      checkRules('payroll/payroll', document, { unchecked })
        .map(({ code }) => code)
        .filter((code) => code in WRONG),
    );
    return { codes, notices: unchecked.issues() };
  });
}

const january = Object.values(WRONG).map((edits) => edited(SOUND, { ...JANUARY, ...edits }));

test('without the figures of a year each rule that needs them says so once, and none judges', () => {
  const { codes, notices } = checked(...january, ...january);
  expect(new Set(codes.flat())).toEqual(new Set(['payroll/health-pension']));
  expect(notices.map((issue) => [issue.code, paramOf(issue, 'table'), paramOf(issue, 'period')])).toEqual([
    ['payroll/figure-missing', 'payroll_yearly_figures', '2027'],
  ]);
  expect(String(paramOf(notices[0]!, 'checks')).split(', ')).toEqual([
    'payroll/integral',
    'payroll/minimum-wage',
    'payroll/solidarity',
    'payroll/transport',
  ]);
  expect(paramOf(notices[0]!, 'documents')).toBe(2 * january.length);
});

test('a base that could be above an unknown ceiling is not judged', () => {
  const high = edited(SOUND, {
    ...JANUARY,
    '/accrued/salary': '60000000.00',
    '/worker/salary': '60000000.00',
  });
  const { codes, notices } = checked(high);
  expect(codes.flat()).toEqual([]);
  expect(String(paramOf(notices[0]!, 'checks'))).toContain('payroll/health-pension');
});

test('with the figures imported all of them warn, and nothing is missing', async () => {
  const line = '2027,1900000,270000,Decreto de prueba,\n';
  const { exit, events } = await imported(`year,minimum_wage,transport_allowance,norm,status\n${line}`);
  expect([exit, events]).toMatchObject([
    0,
    [{ event: 'catalogue', name: 'payroll_yearly_figures', rows: 1 }],
  ]);
  const { codes, notices } = checked(...january);
  for (const [at, code] of Object.keys(WRONG).entries()) expect(codes[at]).toContain(code);
  expect(notices).toEqual([]);
});

test('a second import keeps the years of the first, and replaces its own', async () => {
  await imported('year,minimum_wage,transport_allowance\n2027,1900000,270000\n');
  await imported('Year;Minimum_wage;Transport_allowance\n2028;2000000;280000\n', '2027-12-30');
  await imported('year,minimum_wage,transport_allowance\n2027,1910000,270000\n', '2027-12-31', true);
  const rows = withLoadedTables(tableFolder(join(folder, 'ws')), () =>
    ['2026', '2027', '2028'].map(
      (year) => ruleAt('payroll_yearly_figures', `${year}-06-30` as PlainDate) as { row: CatalogueRow },
    ),
  );
  expect(rows.map(({ row }) => row['minimum_wage'])).toEqual(['1750905', '1910000', '2000000']);
});

test.each<[string, string, string]>([
  [
    'marks of thousands',
    'year,minimum_wage,transport_allowance\n2027,1.900.000,270000\n',
    'catalogue/bad-figure',
  ],
  ['cents', 'year,minimum_wage,transport_allowance\n2027,1900000.50,270000\n', 'catalogue/bad-figure'],
  [
    'a year twice',
    'year,minimum_wage,transport_allowance\n2027,1900000,270000\n2027,1900001,270000\n',
    'catalogue/figure-twice',
  ],
  ['no amount', 'year,minimum_wage,transport_allowance\n2027,,270000\n', 'catalogue/bad-figure'],
  ['no year', 'year,minimum_wage,transport_allowance\nenero,1900000,270000\n', 'catalogue/bad-figure'],
  ['another table', 'a,b\n1,2\n', 'catalogue/no-codes'],
  ['no rows', 'year,minimum_wage,transport_allowance\n', 'catalogue/no-codes'],
])('import of %s is refused', async (_, text, code) => {
  await expect(imported(text)).rejects.toMatchObject({ issues: [{ code }] });
});

const paid = (salary: string, more: Edits = {}): Edits => ({
  '/worker/salary': salary,
  '/accrued/salary': salary,
  '/accrued/transportation_allowance': undefined,
  '/accrued/HEDs': undefined,
  '/accrued/HENs': undefined,
  ...more,
});

/** What is lawful with the figures of 2025 alone, or of 2026 alone. */
test.each<[string, string, Edits, isLawful: readonly [in2025: boolean, in2026: boolean]]>([
  ['the minimum wage of 2025', 'payroll/minimum-wage', paid('1423500.00'), [true, false]],
  [
    'the transport allowance of 2025',
    'payroll/transport',
    { '/accrued/transportation_allowance': '200000.00' },
    [true, false],
  ],
  [
    'the transport allowance of 2026',
    'payroll/transport',
    paid('1750905.00', { '/accrued/transportation_allowance': '249095.00' }),
    [false, true],
  ],
  [
    'thirteen minimum wages of 2025',
    'payroll/integral',
    { '/worker/integral_salarary': true, '/worker/salary': '18505500.00' },
    [true, false],
  ],
  ['no fund from four minimum wages of 2025 on', 'payroll/solidarity', paid('5694000.00'), [false, true]],
  [
    'health and pension of 25 minimum wages of 2025',
    'payroll/health-pension',
    paid('50000000.00', {
      '/deductions/eps_deduction': '1423500.00',
      '/deductions/pension_deduction': '1423500.00',
    }),
    [true, false],
  ],
])('%s', (_, code, edits, isLawful) => {
  const periods = [
    ['2025-12-01', '2025-12-31'],
    ['2026-01-01', '2026-01-31'],
    ['2025-12-16', '2026-01-15'], // the end of the settlement counts
  ] as const;
  const { codes, notices } = checked(
    ...periods.map(([start, end]) =>
      edited(SOUND, {
        '/period/settlement_start_date': start,
        '/period/settlement_end_date': end,
        '/period/admision_date': '2024-04-20',
        ...edits,
      }),
    ),
  );
  expect(codes.map((found) => !found.some((other) => other === code))).toEqual([...isLawful, isLawful[1]]);
  expect(notices).toEqual([]);
});

test('a figure that is disputed is used, and the warning names its norm and its state', () => {
  const [issue] = checkRules('payroll/payroll', edited(SOUND, paid('1423500.00'))).filter(
    ({ code }) => code === 'payroll/minimum-wage',
  );
  const { norm, status } = shippedCatalogue('payroll_yearly_figures')!.rows.at(-1)!;
  expect(status).toContain('suspendido provisionalmente');
  expect(paramOf(issue!, 'norm')).toBe(`${norm} (${status})`);
});

test('what the fund gets between 16 and 20 minimum wages is not judged: its steps are not sure', () => {
  const withFund = (amount: string) =>
    edited(SOUND, paid('30000000.00', { '/deductions/fondosp_deduction_SP': amount }));
  const { codes } = checked(withFund('300000.00'), withFund('360000.00'));
  expect(codes.flat()).not.toContain('payroll/solidarity');
});

test('labour law is never an error', () => {
  const file = readFileSync('schemas/rules/payroll-labour-law.json', 'utf8');
  const { rules } = JSON.parse(file) as { readonly rules: readonly { readonly level: string }[] };
  const apprentices = ruleData().rules.filter(({ code }) => code.startsWith('payroll/apprentice-'));
  expect(new Set([...rules, ...apprentices].map(({ level }) => level))).toEqual(new Set(['warning']));
});

/** Tables whose rows end with a year: each needs a new row every year. */
const YEARLY = Object.keys(lawTables()).filter((name) => shippedCatalogue(name)!.columns.includes('year'));

test('in January of the year after next a table has a row, or the program says that it has none', () => {
  const year = new Date().getUTCFullYear() + 2;
  for (const name of Object.keys(lawTables()))
    if (!YEARLY.includes(name))
      expect(rowsOn(shippedCatalogue(name)!.rows, `${year}-01-01` as PlainDate), name).not.toEqual([]);
  const then = edited(SOUND, {
    '/period/settlement_start_date': `${year}-01-01`,
    '/period/settlement_end_date': `${year}-01-31`,
  });
  const isUsed = (name: string): boolean => JSON.stringify(ruleData()).includes(`'${name}'`);
  const hasRow = (name: string): boolean =>
    shippedCatalogue(name)!.rows.some((row) => row['year'] === String(year));
  expect(checked(then).notices.map((issue) => [issue.code, paramOf(issue, 'table')])).toEqual(
    YEARLY.filter((name) => isUsed(name) && !hasRow(name)).map((name) => ['payroll/figure-missing', name]),
  );
});
