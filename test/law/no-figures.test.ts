import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shippedCatalogue } from '../../src/toolkit/schema/catalogue.js';
import { lawTables } from '../../src/toolkit/schema/law-tables.js';
import { ruleData } from '../../src/toolkit/schema/rule-data.js';

/** Numbers that formulas of rules have, and why they are no figures of a law by date. */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  // Days of a month on the commercial calendar of 360 days, and a hundred times those.
  'payroll/minimum-wage': ['30'],
  'payroll/apprentice-support': ['3000'],
  'payroll/worked-days': ['30'],
  'payroll/transport': ['30', '60'], // the latter: thirty days at two pesos of tolerance
  'payroll/leave-days': ['30'], // NIE111 of the annex
  // Months of a year, and half a percent.
  'payroll/provision': ['12', '200'],
  // Two hundred pesos of tolerance, times a hundred.
  'payroll/health-pension': ['20000'],
  'payroll/solidarity': ['0.00'],
  uncapped_base: ['4'], // decimals
  // Minutes of a day.
  'payroll/night-hours': ['1440'],
  'payroll/night-border': ['1440'],
  // What is unlikely: hours of a month of 31 days, and hours that nobody works.
  'payroll/overtime-hours': ['744'],
  'payroll/overtime-many': ['240', '744', '99'],
  'payroll/admission-unlikely': ['60'],
  'payroll/date-far': ['184', '31', '62', '92'],
  // Hours and minutes of the ministry's own rules, which change with their profile.
  'rips/long-emergency': ['48', '60'],
  'rips/short-stay': ['6', '60'],
  'rips/after-death': ['24', '60'],
  // What bodies are: ages, weeks, grams, visits.
  'rips/mother-age': ['60', '9'],
  'rips/gestational-age': ['20', '46'],
  'rips/newborn-weight': ['500', '5000'],
  'rips/prenatal-visits': ['15'],
  'attention/too-old': ['115'],
  'rips/long-ago': ['366'], // unlikely: more than a year ago
  // Letters of a code, and an id of the service.
  'rips/cups-by-chapter': ['3'],
  'rips/unknown-site': ['10'],
  'events/no-receiver': ['3'],
};
/** Of no meaning by themselves: nothing, one, per cent, two pesos of tolerance. */
const PLAIN = new Set(['0', '1', '2', '100', '5']);

/** Numbers of a formula outside its texts and pointers. */
const numbersIn = (formula: string): readonly string[] =>
  formula
    .replace(/'[^']*'/g, '')
    .replace(/\/[\w*^/]+/g, '')
    .match(/(?<![\w.])\d+(?:\.\d+)?/g) ?? [];

/** Every formula of terms and rules, with the name of its term or the code of its rule. */
function formulas(): readonly (readonly [name: string, formula: string])[] {
  const { terms, rules } = ruleData();
  return [
    ...terms.map(({ name, formula }) => [name, formula] as const),
    ...rules.flatMap(({ code, checks = [] }) =>
      checks.flatMap(({ when = '', that, params = {} }) =>
        [when, that, ...Object.values(params)].map((formula) => [code, formula] as const),
      ),
    ),
  ];
}

test('no formula of a rule has a figure of the law', () => {
  const found: Record<string, string[]> = {};
  for (const [name, formula] of formulas())
    for (const number of numbersIn(formula)) {
      found[name] ??= [];
      if (!PLAIN.has(number) && !found[name].includes(number)) found[name].push(number);
    }
  const named = Object.entries(found).filter(([, numbers]) => numbers.length > 0);
  expect(Object.fromEntries(named.map(([name, numbers]) => [name, numbers.sort()]))).toEqual(NUMBERS);
});

test('the figure of an earlier year is only a bound that the unknown one is not below', () => {
  const named = (word: string) => formulas().filter(([, formula]) => formula.includes(word));
  expect(named('last_figure').map(([name]) => name)).toEqual(['known_minimum_wage']);
  for (const [name, formula] of named('known_minimum_wage'))
    expect(formula.replace(/<= \w+ \* known_minimum_wage/g, ''), name).not.toContain('known_minimum_wage');
});

/** Amounts and first days of the law tables, as they would stand in a source. */
function figures(): ReadonlySet<string> {
  const rows = Object.keys(lawTables()).flatMap((name) => shippedCatalogue(name)!.rows);
  const days = rows.flatMap((row) => [row['valid_from'], row['valid_to']]);
  const amounts = rows.flatMap((row) => [row['minimum_wage'], row['transport_allowance'], row['uvt']]);
  const isTelling = (text: string | undefined): text is string =>
    text !== undefined && text !== '' && !text.endsWith('00000'); // round numbers are limits of all kinds
  return new Set([...days, ...amounts].filter(isTelling));
}

/** A file without comments; of a mapping without its tests, which are examples of a month. */
const codeOf = (file: string): string => {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.yaml')
    ? text.replace(/^tests:[\s\S]*/m, '').replace(/^\s*#.*$/gm, '')
    : text
        .replace(/"(rejects_from|valid_from|valid_until)": "[\d-]+"/g, '') // days of a rule are data of its row
        .replace(/\/\*.*?\*\//gs, '')
        .replace(/(^|\s)\/\/.*$/gm, '');
};

const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.startsWith('generated'))
    .map((file) => join(folder, file));

/** Percentages in mappings and code that are no figures of the law. */
const PERCENTAGES = [
  'mappings/payroll/wide.yaml: 1.00', // union fee: the union sets it
  'src/sandbox/payroll/judge.ts: 2.00', // pesos of tolerance
  // Words that people write in titles.
  ...['1%', '12%', '2%', '3%', '4%', '4.17%', '4,17%', '8.33%', '8,33%', '8.5%', '8,5%'].map(
    (text) => `mappings/synonyms/payroll.yaml: ${text}`,
  ),
  'mappings/vocabularies/payroll.yaml: 4%',
];

test('no percentage of a law stands in code or in a mapping', () => {
  const files = [filesBelow('src', '.ts'), filesBelow('src', '.tsx'), filesBelow('mappings', '.yaml')].flat();
  const found = files.flatMap((file) =>
    [...codeOf(file).matchAll(/(?<![\w.,{(])\d{1,2}(?:[.,]\d+)? ?%|['"](?!0\.00)(\d{1,2}\.\d\d)['"]/g)].map(
      ([text, number = text]) => `${file.replaceAll('\\', '/')}: ${number}`,
    ),
  );
  expect([...new Set(found)].sort()).toEqual(PERCENTAGES.toSorted());
});

/** Sources that name a year, and why it is none of a law. */
const YEARS: Readonly<Record<string, readonly string[]>> = {
  // Days from which spreadsheets count, the century of two digits, the first year of a date.
  'src/toolkit/core/plain-date.ts': ['1900', '1904'],
  'src/toolkit/mapping/read/dates.ts': ['1900', '2000'],
  // Examples of how a date is written.
  'src/cli/options.ts': ['2026'],
  'src/send/runs.ts': ['2026'],
  'src/toolkit/formula/functions.ts': ['2026'],
  'src/toolkit/mapping/read/cell.ts': ['2026'],
  'mappings/payroll/wide.yaml': ['2025', '2026'],
  // Since when the codes of apprentices are others, also in the one above: the next test compares it with the table.
  'mappings/vocabularies/payroll.yaml': ['2025'],
  // Names: a file format, a form of errors, a norm.
  'src/toolkit/tables/table.ts': ['2003'],
  'src/sandbox/options.ts': ['2026'],
  'mappings/rips/json.yaml': ['2023', '2026'],
  'mappings/vocabularies/rips.yaml': ['2023', '2026'],
  // Invented invoices of the sandbox.
  'src/sandbox/events/registry.ts': ['2026'],
};

test('no year of a law stands in code or in a mapping', () => {
  const found: Record<string, readonly string[]> = {};
  for (const file of [
    ...filesBelow('src', '.ts'),
    ...filesBelow('src', '.tsx'),
    ...filesBelow('mappings', '.yaml'),
  ]) {
    const years = codeOf(file).match(/(?<![\w.#/-])(?:19|20)\d\d(?!\w)/g) ?? [];
    if (years.length > 0) found[file.replaceAll('\\', '/')] = [...new Set(years)].sort();
  }
  expect(found).toEqual(YEARS);
});

test('what mappings say of the codes of apprentices is what their table says', () => {
  const { rows } = shippedCatalogue('apprentices')!;
  const since = (code: string, stage: string) =>
    rows.find((row) => row['code'] === code && row['stage']!.startsWith(stage) && row['valid_to'] === '')?.[
      'valid_from'
    ];
  expect([since('4:19', 'lectiva'), since('4:01', 'productiva')]).toEqual(['2025-08-01', '2025-08-01']);
  const sentences = ['payroll/wide', 'vocabularies/payroll'].flatMap((name) => [
    ...readFileSync(`mappings/${name}.yaml`, 'utf8').matchAll(/desde (\w+ de \d{4})[^.]*/g),
  ]);
  expect(sentences.length).toBeGreaterThan(0);
  for (const [sentence, month] of sentences) {
    expect(month).toBe('agosto de 2025');
    expect(sentence).toMatch(/19 .*lectiva y 01 .*productiva; antes, 12 y 19/);
  }
});

test('no amount of a year and no first day of a law stands in code, in a mapping or in a rule', () => {
  const known = figures();
  const found = [
    ...filesBelow('src', '.ts'),
    ...filesBelow('mappings', '.yaml'),
    ...filesBelow(join('schemas', 'rules'), '.json'),
  ].flatMap((file) =>
    (
      codeOf(file)
        .replaceAll('_', '')
        .match(/\d{4}-\d\d-\d\d|(?<![\w.-])\d{5,7}(?![\w-])/g) ?? []
    )
      .filter((text) => known.has(text))
      .map((text) => `${file.replaceAll('\\', '/')}: ${text}`),
  );
  expect(found).toEqual([]);
});
