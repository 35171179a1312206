import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../src/generated/rule-types.js';
import { type JsonObject, valueAt } from '../../src/toolkit/core/json.js';
import { batchRules } from '../../src/toolkit/schema/batch-rules.js';
import { type Catalogue, type CatalogueRow, catalogue } from '../../src/toolkit/schema/catalogue.js';
import { catalogueFunctions } from '../../src/toolkit/schema/catalogue-functions.js';
import { compileRules } from '../../src/toolkit/schema/compiled-rules.js';
import { compareStated, deriveTotals } from '../../src/toolkit/schema/derived-totals.js';
import { ruleData } from '../../src/toolkit/schema/rule-data.js';
import { checkRules, runRules } from '../../src/toolkit/schema/rules.js';
import { type Edits, edited, GOLDEN, saidOf } from './payroll-document.js';

const SOUND = GOLDEN[0]!;
const text = { es: 'x', en: 'x' };

const rule = (more: Partial<Rule>): Rule => ({
  code: 'test/rule',
  level: 'error',
  schemas: ['payroll/payroll'],
  title: text,
  message: text,
  fix: text,
  checks: [{ that: 'false', blame: '/prefix' }],
  ...more,
});

const run = (one: Rule, document: JsonObject = SOUND, options = {}) =>
  saidOf(
    'test/rule',
    runRules(compileRules('payroll/payroll', { rules: [one], terms: [], days: [] }), document, options),
  );

describe('a dated rule', () => {
  const dated = rule({
    dated_by: '/period/settlement_end_date',
    valid_from: '2026-10-31',
    valid_until: '2026-11-30',
  });
  test.each([
    ['2026-10-30', 0],
    ['2026-10-31', 1],
    ['2026-11-30', 1],
    ['2026-12-01', 0],
    [undefined, 0],
  ])('on %s', (end, times) => {
    expect(run(dated, edited(SOUND, { '/period/settlement_end_date': end }))).toHaveLength(times);
  });
});

test('terms of dates and ids, kept for documents that share them, follow the document', () => {
  const terms = [
    { name: 'year_end', about: 'x', formula: "month(/period/settlement_end_date) = '2026-12'" },
    { name: 'is_late', about: 'x', formula: 'year_end and /worker/type_worker_id = 2' },
  ];
  const check = rule({ checks: [{ when: 'is_late', that: 'false', blame: '/prefix' }] });
  const compiled = compileRules('payroll/payroll', { rules: [check], terms, days: [] });
  const cases = [
    ['2026-12-31', 2, 1],
    ['2026-12-31', 1, 0],
    ['2026-11-30', 2, 0],
    ['2026-12-31', 2, 1],
    [undefined, 2, 0],
    ['2026-12-31', undefined, 0],
  ] as const;
  for (const [end, kind, times] of [...cases, ...Array(10).fill(cases).flat()]) {
    const document = edited(SOUND, { '/period/settlement_end_date': end, '/worker/type_worker_id': kind });
    expect(saidOf('test/rule', runRules(compiled, document, {})), `${end} ${kind}`).toHaveLength(times);
  }
});

describe('checks of items', () => {
  test('point at the very item, at a member, at the leaf itself or elsewhere', () => {
    const each = ['/accrued/HEDs/*', '/accrued/HENs/*'];
    expect(run(rule({ checks: [{ each, that: 'quantity > 2', blame: 'quantity' }] }))).toEqual([
      ['error', '/accrued/HENs/0/quantity'],
    ]);
    expect(run(rule({ checks: [{ each: ['/worker/surname'], that: 'false', blame: 'self' }] }))).toEqual([
      ['error', '/worker/surname'],
    ]);
    expect(run(rule({ checks: [{ each, that: 'false', blame: '/prefix', level: 'warning' }] }))).toEqual([
      ['warning', '/prefix'],
      ['warning', '/prefix'],
    ]);
  });

  test('know the list they stand in', () => {
    const each = ['/accrued/HEDs/*', '/accrued/HENs/*'];
    expect(run(rule({ checks: [{ each, that: "list = 'HEDs'", blame: 'payment' }] }))).toEqual([
      ['error', '/accrued/HENs/0/payment'],
    ]);
  });
});

describe('items of lists', () => {
  const each = ['/accrued/HENs/*'];
  const hours = (...quantities: string[]): JsonObject => {
    const [item] = (SOUND['accrued'] as JsonObject)['HENs'] as JsonObject[];
    return edited(SOUND, {
      '/accrued/HENs': quantities.map((quantity) => ({ ...item!, quantity })),
    });
  };
  const at = (index: number): [string, string] => ['error', `/accrued/HENs/${index}/quantity`];

  test('know their position', () => {
    const check = { each, that: 'quantity = position', blame: 'quantity' };
    expect(run(rule({ checks: [check] }), hours('1', '3', '3'))).toEqual([at(1)]);
  });
  test('^ is the item itself, and blames it', () => {
    const check = { each, that: '/accrued/HENs/^/quantity < 3', blame: '/accrued/HENs/^/quantity' };
    expect(run(rule({ checks: [check] }), hours('1', '3', '2'))).toEqual([at(1)]);
  });
  test('are compared with others, one by one', () => {
    const against = ['/accrued/HEDs/*', '/accrued/HENs/*'];
    const check = {
      each,
      against,
      that: 'other.quantity <= quantity',
      blame: 'quantity',
      when: 'quantity > 1',
    };
    expect(run(rule({ checks: [check] }), hours('1', '6', '5'))).toEqual([at(2)]);
  });
  test('may have something once', () => {
    const unique = { each, of: ['quantity'], blame: 'quantity', when: 'quantity > 1' };
    const { checks: _, ...only } = rule({ unique });
    expect(run(only, hours('1', '1', '2', '2', '2'))).toEqual([at(3), at(4)]);
  });
  test('only some documents of a rule are checked by one of its checks', () => {
    const check = { that: 'false', blame: '/prefix' };
    expect(
      run(rule({ checks: [{ ...check, schemas: ['payroll/adjust-note-delete'] }, check] })),
    ).toHaveLength(1);
  });
});

test.each([
  [{ that: '/accrued/HENs/^/quantity > 1', blame: '/prefix' }, /unknown-name/],
  [{ each: ['/accrued/HEDs/*'], that: '/accrued/HENs/^/quantity > 1', blame: 'self' }, /unknown-name/],
  [{ that: '/worker/nothing = 1', blame: '/prefix' }, /test\/rule: formula\/unknown-name/],
  [{ that: "figure('monthly_hours', 'minutes', today) = 1", blame: '/prefix' }, /unknown-name/],
  [{ that: '/worker/salary', blame: '/prefix' }, /test\/rule: formula\/type/],
])('a wrong formula is refused when compiled: %o', (check, reason) => {
  expect(() => run(rule({ checks: [check] }))).toThrow(reason);
});

describe('levels that the caller gives', () => {
  const document = edited(SOUND, { '/worker/second_surname': undefined, '/accrued/worked_days': 31 });
  const said = (levels?: [string, 'error' | 'warning' | 'off'][]) =>
    checkRules('payroll/payroll', document, { ...(levels && { levels: new Map(levels) }) })
      .filter(({ code }) => /worker-name|worked-days/.test(code))
      .map(({ code, level }) => [code, level]);
  test('their own', () =>
    expect(said()).toEqual([
      ['payroll/worked-days', 'error'],
      ['payroll/worker-name', 'warning'],
    ]));
  test('raised and silenced', () =>
    expect(
      said([
        ['payroll/worker-name', 'error'],
        ['payroll/worked-days', 'off'],
      ]),
    ).toEqual([['payroll/worker-name', 'error']]));
  test('of stated totals', () => {
    const totals = deriveTotals('payroll/payroll', structuredClone(SOUND));
    const levels = new Map([['payroll/net', 'off' as const]]);
    expect(compareStated('payroll/payroll', totals, () => '1.00', levels).map(({ name }) => name)).toEqual([
      'accrued_total',
      'deductions_total',
    ]);
  });
});

describe('a new year is a new line of data', () => {
  const next: Edits = {
    '/period/settlement_start_date': '2027-01-01',
    '/period/settlement_end_date': '2027-01-31',
    '/worker/salary': '1750905.00',
    '/accrued/worked_days': 28,
  };
  const table = (line: string): Catalogue => {
    const csv = readFileSync('schemas/catalogues/rules/payroll_yearly_figures.csv', 'utf8') + line;
    const rows: CatalogueRow[] = parse(csv, { columns: true });
    return { name: 'payroll_yearly_figures', columns: Object.keys(rows[0]!), rows };
  };
  const said = (line: string) => {
    const figures = table(line);
    const lists = (name: string) => (name === figures.name ? figures : catalogue(name));
    const rules = compileRules('payroll/payroll', ruleData(), catalogueFunctions(lists));
    return runRules(rules, edited(SOUND, next), {}).map(({ code }) => code);
  };
  const law = ['payroll/minimum-wage', 'payroll/transport'];

  test('without it the rules of the year are silent', () => {
    expect(said('')).not.toEqual(expect.arrayContaining(law));
  });
  test('with it they speak', () => {
    expect(said('2027,1900000,270000,,\n')).toEqual(expect.arrayContaining(law));
  });
});

describe('one document per worker and month', () => {
  const [month] = batchRules('payroll/payroll');
  const key = (edits: Edits) => month!.keysOf(edited(SOUND, edits))[0]?.key;
  const ZEROS = `00${valueAt(SOUND, '/worker/identification_number')}`;

  test('is a rule over the file', () => {
    expect(month).toMatchObject({
      code: 'payroll/worker-month',
      level: 'error',
      authority: ['NIE199'],
    });
    expect(month!.keysOf(SOUND).map(({ pointer }) => pointer)).toEqual(['/worker/identification_number']);
    expect(batchRules('payroll/adjust-note-replace')).toEqual([]);
  });
  test.each<[string, Edits, boolean]>([
    ['the other fortnight', { '/period/settlement_start_date': '2026-10-16' }, true],
    ['another month', { '/period/settlement_start_date': '2026-11-01' }, false],
    ['another document', { '/worker/identification_number': 1 }, false],
    ['the same number of another kind', { '/worker/payroll_type_document_identification_id': 5 }, false],
    ['no novelty', { '/novelty': { novelty: false } }, true],
    ['zeros before the number of a cédula', { '/worker/identification_number': ZEROS }, true],
    [
      'zeros before that of another kind',
      { '/worker/identification_number': ZEROS, '/worker/payroll_type_document_identification_id': 5 },
      false,
    ],
  ])('%s', (_, edits, same) => {
    expect(key(edits) === key({})).toBe(same);
  });
  test.each<[string, Edits]>([
    ['a novelty', { '/novelty': { novelty: true, uuidnov: 'a' } }],
    ['no worker', { '/worker/identification_number': undefined }],
    ['no month', { '/period/settlement_start_date': '2026-13-01' }],
  ])('%s takes no part', (_, edits) => {
    expect(key(edits)).toBeUndefined();
  });
});
