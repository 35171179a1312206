import { describe, expect, test } from 'vitest';
import { compileFormula, type Scope } from '../../src/toolkit/formula/compile.js';
import {
  BeyondBounds,
  BlankOperand,
  type FormulaType,
  type FormulaValue,
} from '../../src/toolkit/formula/functions.js';
import { FormulaFault } from '../../src/toolkit/formula/parser.js';

type Values = Record<string, FormulaValue>;

const TYPES: Record<string, FormulaType> = {
  hours: 'decimal',
  salary: 'decimal',
  nothing: 'decimal',
  city: 'text',
  start: 'date',
  end: 'date',
  paid: 'boolean',
  'param.month': 'text',
  moment: 'datetime',
  midnight: 'datetime',
  nothing_moment: 'datetime',
  nothing_day: 'date',
};
const VALUES: Values = {
  hours: '7.5',
  salary: '1750905.00',
  city: 'Bogotá D.C.',
  start: '2024-02-01',
  end: '2026-03-31',
  paid: true,
  'param.month': '2026-02',
  moment: '2026-10-31T18:30:00',
  midnight: '2026-10-31T00:00:00',
};
const scope: Scope<Values> = {
  resolve: (name) =>
    TYPES[name] === undefined ? undefined : { type: TYPES[name], read: (values) => values[name] },
  names: () => Object.keys(TYPES),
  functions: {
    year_of: {
      words: 1,
      inputs: ['date'],
      gives: 'text',
      about: 'A function over a table, chosen by its first word.',
      bind: (table) => (table === 'a' ? (date) => `${table} ${date}` : undefined),
    },
  },
};

describe('value', () => {
  test.each<[string, FormulaValue]>([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['0.1 + 0.2', '0.3'],
    ['10 - 4 - 3', '3'],
    ['-hours', '-7.5'],
    ['round(salary * 0.04, 2)', '70036.20'],
    ['round(0.125, 2)', '0.12'],
    ['round(0.135, 2)', '0.14'],
    ['divide(1, 3, 4)', '0.3333'],
    ['divide(1, 0, 2)', undefined],
    ['sum(hours, nothing, 2.25)', '9.75'],
    ['min(3, hours, 12)', '3'],
    ['max(3, hours, nothing)', '7.5'],
    ['count(hours, nothing, salary)', '2'],
    ['if_blank(nothing, 5)', '5'],
    ['if(nothing is blank, hours, nothing + 1)', '7.5'],
    ['abs(-3.50)', '3.50'],
    ['salary = 1750905', true],
    ['hours < 7.50', false],
    ['hours in (1, 7.50)', true],
    ['city not in ("Cali", \'Pasto\')', true],
    ['like(city, "bogota*")', true],
    ['upper(city)', 'BOGOTÁ D.C.'],
    ['folded(city)', 'bogota d.c.'],
    ['number_key("FE-2301")', 'fe2301'],
    ['number_key(" cm  7302 ")', 'cm7302'],
    ['number_key("FE1-23")', 'fe1-23'],
    ['join(city, city)', 'Bogotá D.C. Bogotá D.C.'],
    ['not paid or hours > 7', true],
    ['paid and city is not blank', true],
    ['nothing is blank', true],
    ['start < end and start >= "2024-01-01"', true],
    ['days_360(start, end)', '780'],
    ['days(start, start)', '1'],
    ['month(end)', '2026-03'],
    ['year(end)', '2026'],
    ['month_start(param.month)', '2026-02-01'],
    ['month_end(param.month)', '2026-02-28'],
    ['add_days(start, 28)', '2024-02-29'],
    ['date_of(moment)', '2026-10-31'],
    ['time_of(moment)', '18:30:00'],
    ['time_of(midnight)', undefined],
    ['time_of(nothing_moment)', undefined],
    ['workday(month_start("2026-11"), 1)', '2026-11-02'], // the first is a Sunday
    ['workday(month_start("2026-11"), 10)', '2026-11-13'],
    ['workday(start, 0)', undefined],
    ['earliest(end, nothing_day, start)', '2024-02-01'],
    ['latest(end, nothing_day, start)', '2026-03-31'],
    ['years(start, end)', '2'],
    ['years(start, add_days(start, 365))', '0'], // a leap year
    ['years(start, add_days(start, 366))', '1'],
    ['minutes(moment, moment)', '0'],
    ['start(city, 3)', 'Bog'],
    ['length(city)', '11'],
    ['text(hours)', '7.5'],
    ['has_letters(city)', true],
    ['has_letters("0123.4")', false],
    ['has_digits("AUT-12")', true],
    ['has_digits("PENDIENTE")', false],
    ['turned_date("2026-03-01T00:00:00")', true],
    ['turned_date("19954-nov")', true],
    ['turned_date("mar-05")', true],
    ['turned_date("19954-11")', false],
    ['turned_date("A12-MAR")', false],
    ...["O'Brien", 'D’León', 'María-José', 'Ñáñez', 'de la Cruz', 'Sta. María'].map(
      (name): [string, boolean] => [`is_name("${name}")`, true],
    ),
    ...['Luis (retirado)', 'Luis *', 'Luis 79000006', 'N/A', '-', '.', ''].map((text): [string, boolean] => [
      `is_name("${text}")`,
      false,
    ]),
    ['plain(city)', true],
    ['plain("Uno & dos")', false],
    ['(hours > 7) = paid', true],
    ["city in ('Cali', city)", true],
    ["year_of('a', end)", 'a 2026-03-31'],
    ["year_of('a', nothing_day)", undefined],
  ])('%s', (source, expected) => {
    expect(compileFormula(source, scope).run(VALUES)).toBe(expected);
  });
});

describe('refused when compiled', () => {
  test.each<[string, string, number]>([
    ['salary + city', 'type', 9],
    ['city * 2', 'type', 0],
    ['paid < true', 'type', 5],
    ['salary / 2', 'division', 7],
    ['salery + 1', 'unknown-name', 0],
    ['summ(1)', 'unknown-function', 0],
    ['round(salary)', 'inputs', 0],
    ['if(paid, 1, city)', 'type', 0],
    ['hours +', 'ends-early', 7],
    ['hours ) 2', 'unexpected', 6],
    ['(hours', 'expected', 6],
    ['city = "open', 'open-text', 7],
    ['hours # 2', 'unexpected', 6],
    ['hours = city', 'type', 8],
    ["year_of('b', end)", 'unknown-name', 0],
    ['year_of(city, end)', 'unknown-name', 0],
    ["year_of('a')", 'inputs', 0],
    ["year_of('a', city)", 'type', 13],
  ])('%s', (source, reason, at) => {
    const attempt = () => compileFormula(source, scope);
    expect(attempt).toThrow(FormulaFault);
    try {
      attempt();
    } catch (fault) {
      expect([(fault as FormulaFault).code, (fault as FormulaFault).at]).toEqual([`formula/${reason}`, at]);
    }
  });

  test('suggests a near name', () => {
    try {
      compileFormula('salery + 1', scope);
    } catch (fault) {
      expect((fault as FormulaFault).near).toBe('salary');
    }
    expect.assertions(1);
  });
});

test('a blank operand is an error that names it', () => {
  const formula = compileFormula('hours + nothing', scope);
  expect(() => formula.run(VALUES)).toThrow(BlankOperand);
  expect(formula.references).toEqual(['hours', 'nothing']);
});

describe('nothing is computed beyond all bounds', () => {
  const huge = '9'.repeat(30);
  test.each([
    'round(salary, 1000000000)',
    'round(salary, 21)',
    'round(salary, -1)',
    'round(salary, 1.5)',
    'divide(salary, 3, 999999)',
    'divide(salary, 3, 0 - 2)',
    `${huge} * ${huge} * ${huge}`,
    `${huge}9 + 1`,
    `add_days(start, ${huge})`,
    'add_days(start, 2999999)',
    'add_days(start, -2000000)',
  ])('%s', (source) => {
    expect(() => compileFormula(source, scope).run(VALUES)).toThrow(BeyondBounds);
  });

  test('texts do not double without end', () => {
    const resolve: Scope<Values>['resolve'] = (name) => ({ type: 'text', read: (values) => values[name] });
    const double = compileFormula<Values>('concat(a, join(a, a))', { resolve, names: () => [] });
    const grow = (): void => {
      for (let a: FormulaValue = 'x', round = 0; round < 100; round++) a = double.run({ a });
    };
    expect(grow).toThrow(BeyondBounds);
  });

  test.each<[name: string, source: string]>([
    ['parentheses', `${'('.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['signs', `${'-'.repeat(50_000)}1`],
    ['negations', `${'not '.repeat(50_000)}paid`],
    ['calls', `${'abs('.repeat(50_000)}1${')'.repeat(50_000)}`],
    ['a long sum', `1${' + 1'.repeat(100_000)}`],
  ])('%s without end are refused', (_, source) => {
    expect(() => compileFormula(source, scope)).toThrow(
      expect.objectContaining({ code: 'formula/too-long' }),
    );
  });

  test.each<[name: string, source: string, value: string]>([
    ['parentheses', `${'('.repeat(90)}1${')'.repeat(90)}`, '1'],
    ['a long sum', `1${' + 1'.repeat(990)}`, '991'],
    ['a sum of many', `sum(1${', 1'.repeat(990)})`, '991'],
    ['a long sum of names', `hours${' + hours'.repeat(990)}`, '7432.5'],
  ])('as many %s as anybody writes are not', (_, source, value) => {
    expect(compileFormula(source, scope).run(VALUES)).toBe(value);
  });
});
