import { describe, expect, test } from 'vitest';
import { CellFault, createCellReader, type ReadKind, type ReadOptions } from '../../src/mapping/read/cell.js';
import type { CellKind } from '../../src/tables/table.js';

const read = (kind: ReadKind, text: string, cell: CellKind, options?: ReadOptions): unknown => {
  const value = createCellReader(kind, options)(text, cell);
  return value instanceof CellFault ? value.code : value;
};

describe('money', () => {
  test.each<[string, CellKind, ReadOptions | undefined, unknown]>([
    ['1750905', 'number', undefined, '1750905'],
    ['$ 1.423.500', 'text', undefined, '1423500'],
    ['1.423.500,00', 'text', undefined, '1423500.00'],
    ['$1.423.500', 'text', undefined, '1423500'],
    [' 1.423.500 ', 'text', undefined, '1423500'],
    ['1,423,500.00', 'text', undefined, '1423500.00'],
    ["1'423.500,00", 'text', undefined, '1423500.00'],
    ["1.250'000.000", 'text', undefined, '1250000000'],
    ["1'423.500", 'text', undefined, 'cell/number-ambiguous'],
    ["1'423.500", 'text', { decimal: 'comma' }, '1423500'],
    ["1'423.50", 'text', undefined, '1423.50'],
    ['1\u2019423.500,5', 'text', undefined, '1423500.5'],
    ["1'423,50", 'text', undefined, 'cell/not-a-number'],
    ['1 423 500', 'text', undefined, '1423500'],
    ['1423500.5', 'text', undefined, '1423500.5'],
    ['1423500,5', 'text', undefined, '1423500.5'],
    ['1.500', 'text', undefined, 'cell/number-ambiguous'],
    ['1,500', 'text', undefined, 'cell/number-ambiguous'],
    ['1.500', 'text', { decimal: 'comma' }, '1500'],
    // Money has two decimals at most: three digits after its mark may be thousands, whatever is declared.
    ['1.500', 'text', { decimal: 'dot' }, 'cell/thousands-or-decimals'],
    ['60.000', 'text', { decimal: 'dot' }, 'cell/thousands-or-decimals'],
    ['276,000', 'text', { decimal: 'comma' }, 'cell/thousands-or-decimals'],
    ['$ 276,000', 'text', { decimal: 'comma' }, 'cell/thousands-or-decimals'],
    ['(276,000)', 'text', { decimal: 'comma' }, 'cell/thousands-or-decimals'],
    ['276,000-', 'text', { decimal: 'comma' }, 'cell/thousands-or-decimals'],
    ['276,000\u00a0COP', 'text', { decimal: 'comma' }, 'cell/thousands-or-decimals'],
    ["1'423.500", 'text', { decimal: 'dot' }, 'cell/thousands-or-decimals'],
    ['276.000', 'text', { decimal: 'comma' }, '276000'],
    ['1.276,000', 'text', { decimal: 'comma' }, '1276.000'],
    ['1276.000', 'text', { decimal: 'dot' }, '1276.000'],
    ['0.500', 'text', { decimal: 'dot' }, '0.500'],
    ['60.0000', 'text', { decimal: 'dot' }, '60.0000'],
    ['60.00', 'text', { decimal: 'dot' }, '60.00'],
    ['60.000', 'number', { decimal: 'dot' }, '60.000'],
    ['60.000', 'text', { decimal: 'dot', thousandths: true }, '60.000'],
    ['276.000', 'text', { decimal: 'comma', mixed: true }, 'cell/thousands-or-decimals'],
    ['276,000', 'text', { decimal: 'comma', mixed: true }, 'cell/thousands-or-decimals'],
    ['1.276.000', 'text', { decimal: 'comma', mixed: true }, '1276000'],
    ['1,276,000', 'text', { decimal: 'comma', mixed: true }, 'format/contradiction'],
    ['1E999999999', 'text', undefined, 'cell/scientific'],
    [`1${'0'.repeat(308)}`, 'number', undefined, 'cell/number-too-long'],
    [`0.${'0'.repeat(40)}1`, 'number', undefined, 'cell/number-too-long'],
    ['9'.repeat(32_767), 'text', undefined, 'cell/not-a-number'],
    [`${' '.repeat(16_000)}x${' '.repeat(16_000)}`, 'text', undefined, 'cell/not-a-number'],
    ['1.50', 'text', { decimal: 'comma' }, 'format/contradiction'],
    ['1750905.00', 'text', { decimal: 'comma' }, 'format/contradiction'],
    ['1750905.00', 'number', { decimal: 'comma' }, '1750905.00'],
    ['$ 1,423,500', 'text', { decimal: 'comma' }, 'format/contradiction'],
    ['(1,423,500)', 'text', { decimal: 'comma' }, 'format/contradiction'],
    ['1,5', 'text', { decimal: 'dot' }, 'format/contradiction'],
    ['1.423.500', 'text', { decimal: 'dot' }, 'format/contradiction'],
    ['1.5.000', 'text', { decimal: 'dot' }, 'cell/not-a-number'],
    ['abc', 'text', { decimal: 'dot' }, 'cell/not-a-number'],
    ['1423500', 'text', { decimal: 'comma' }, '1423500'],
    ['1423500,50', 'text', { decimal: 'comma' }, '1423500.50'],
    ['1423500,5', 'text', undefined, '1423500.5'],
    ['0,350', 'text', undefined, '0.350'],
    ['00.50', 'text', undefined, '0.50'],
    ['000', 'text', undefined, '0'],
    ['', 'text', undefined, 'cell/not-a-number'],
    [',', 'text', undefined, 'cell/not-a-number'],
    ['1,2,3', 'text', undefined, 'cell/not-a-number'],
    ['999999999999999999.99', 'text', undefined, '999999999999999999.99'],
    ['1234567890123456789012345678901', 'text', undefined, 'cell/number-too-long'],
    ['0.500', 'text', undefined, '0.500'],
    ['(1.423.500)', 'text', undefined, '-1423500'],
    ['-5', 'text', undefined, '-5'],
    ['5-', 'text', undefined, '-5'],
    ['-0', 'text', undefined, '0'],
    ['COP 5.000,00', 'text', undefined, '5000.00'],
    ['12 %', 'text', undefined, 'cell/not-a-number'],
    ['12%', 'percent', undefined, 'cell/not-a-number'],
    ['0%', 'percent', undefined, '0'],
    ['0 %', 'text', undefined, '0'],
    ['007', 'text', undefined, '7'],
    ['1.5OO.000', 'text', undefined, 'cell/not-a-number'],
    ['1.5.000', 'text', undefined, 'cell/not-a-number'],
    ['abc', 'text', undefined, 'cell/not-a-number'],
    ['1.5E+06', 'text', undefined, 'cell/scientific'],
    ['#N/A', 'error', undefined, 'cell/formula-error'],
    ['SUM(A1:A3)', 'uncached', undefined, 'cell/formula-uncached'],
    ['true', 'boolean', undefined, 'cell/not-a-number'],
    ['2026-10-31', 'date', undefined, 'cell/not-a-number'],
    ['0', 'number', { zeroIsBlank: true }, undefined],
    ['0,00', 'text', { zeroIsBlank: true }, undefined],
    ['-', 'text', { blanks: ['-', 'N/A'] }, undefined],
    ['n/a', 'text', { blanks: ['-', 'N/A'] }, undefined],
    ['-5', 'text', { blanks: ['-', 'N/A'] }, '-5'],
    ['5', 'text', { blanks: ['-', 'N/A'] }, '5'],
    ['99', 'text', { blanks: ['99'] }, undefined],
    ['9.9', 'text', { blanks: ['99'] }, undefined],
    ['98', 'text', { blanks: ['99'] }, '98'],
    ['sin dato 2', 'text', { blanks: ['SIN DATO 2'] }, undefined],
  ])('%s %s %j', (text, cell, options, expected) =>
    expect(read('money', text, cell, options)).toBe(expected),
  );
});

describe('date', () => {
  test.each<[string, CellKind, ReadOptions | undefined, unknown]>([
    ['2026-10-31', 'date', undefined, '2026-10-31'],
    ['2026-10-31T19:00:00', 'date', undefined, '2026-10-31'],
    ['19:00:00', 'date', undefined, 'cell/not-a-date'],
    ['45767', 'number', undefined, '2025-04-20'],
    ['20261031', 'number', undefined, '2026-10-31'],
    ['12', 'number', undefined, 'cell/not-a-date'],
    ['31/10/2026', 'text', undefined, '2026-10-31'],
    ['10/31/2026', 'text', undefined, '2026-10-31'],
    ['05/10/2026', 'text', undefined, 'cell/date-ambiguous'],
    ['05/10/2026', 'text', { date: 'dmy' }, '2026-10-05'],
    ['05/10/2026', 'text', { date: 'mdy' }, '2026-05-10'],
    ['10/10/2026', 'text', undefined, '2026-10-10'],
    ['31/02/2026', 'text', undefined, 'cell/date-impossible'],
    ['31/04/2026', 'text', { date: 'dmy' }, 'cell/date-impossible'],
    ['31/02/2026', 'text', { date: 'dmy' }, 'cell/date-impossible'],
    ['31/02/2026', 'text', { date: 'mdy' }, 'cell/date-impossible'],
    ['10/31/2026', 'text', { date: 'dmy' }, 'format/contradiction'],
    ['31/10/2026', 'text', { date: 'mdy' }, 'format/contradiction'],
    ['31/10/2026', 'text', { date: 'ymd' }, 'format/contradiction'],
    ['26/10/31', 'text', { date: 'ymd' }, '2026-10-31'],
    ['2026-10-31', 'text', { date: 'mdy' }, '2026-10-31'],
    ['31-oct-26', 'text', { date: 'mdy' }, '2026-10-31'],
    ['45767', 'number', { date: 'mdy' }, '2025-04-20'],
    [' 31/10/2026 00:00:00', 'text', { date: 'dmy' }, '2026-10-31'],
    ['2026/10/31', 'text', undefined, '2026-10-31'],
    ['31-oct-26', 'text', undefined, '2026-10-31'],
    ['31 de Octubre de 2026', 'text', undefined, '2026-10-31'],
    ['Oct 31, 2026', 'text', undefined, '2026-10-31'],
    ['31-dic-99', 'text', undefined, '1999-12-31'],
    ['31 brumario 2026', 'text', undefined, 'cell/not-a-date'],
    ['mañana', 'text', undefined, 'cell/not-a-date'],
  ])('%s %s %j', (text, cell, options, expected) => expect(read('date', text, cell, options)).toBe(expected));
});

describe('others', () => {
  test.each<[ReadKind, string, CellKind, ReadOptions | undefined, unknown]>([
    ['identifier', '9000100000', 'number', undefined, '9000100000'],
    ['identifier', '9.000.100.000', 'text', undefined, '9000100000'],
    ['identifier', '00123', 'text', undefined, '00123'],
    ['identifier', '12%', 'percent', undefined, 'cell/not-an-identifier'],
    ['percent', '12%', 'percent', undefined, '12'],
    ['percent', '4.125%', 'percent', { decimal: 'comma' }, '4.125'],
    ['percent', '4 %', 'text', undefined, '4'],
    ['text', '12%', 'percent', undefined, '12%'],
    ['identifier', 'XZ 900118', 'text', undefined, 'XZ900118'],
    ['identifier', '9.0001E+09', 'text', undefined, 'cell/scientific'],
    ['text', '1.2345E+10', 'text', undefined, 'cell/scientific'],
    ['text', '602E01', 'text', undefined, '602E01'],
    ['text', '12345678901234567', 'number', undefined, 'cell/digits-lost'],
    ['text', '123456', 'number', undefined, '123456'],
    ['money', '15%', 'text', undefined, 'cell/not-a-number'],
    ['money', '4 %', 'text', undefined, 'cell/not-a-number'],
    ['percent', '15%', 'text', undefined, '15'],
    ['identifier', '1234567890123456', 'number', undefined, 'cell/digits-lost'],
    ['identifier', '12345.0', 'text', undefined, '12345'],
    ['identifier', '12.5', 'number', undefined, 'cell/not-an-identifier'],
    ['integer', '30', 'number', undefined, '30'],
    ['integer', '30.0', 'text', undefined, '30'],
    ['integer', '15.5', 'number', undefined, 'cell/not-whole'],
    ['text', '  Calle  10 # 20-30 ', 'text', undefined, 'Calle 10 # 20-30'],
    ['text', '0123', 'text', undefined, '0123'],
    ['boolean', 'Sí', 'text', undefined, true],
    ['boolean', 'NO', 'text', undefined, false],
    ['boolean', 'true', 'boolean', undefined, true],
    ['boolean', '0', 'number', undefined, false],
    ['boolean', 'tal vez', 'text', undefined, 'cell/not-yes-or-no'],
    ['datetime', '2026-10-15T19:00:00', 'date', undefined, '2026-10-15T19:00:00'],
    ['datetime', '2026-10-15 19:00', 'text', undefined, '2026-10-15T19:00:00'],
    ['datetime', '15/10/2026 7:00 p. m.', 'text', undefined, '2026-10-15T19:00:00'],
    ['datetime', '15/10/2026', 'text', undefined, 'cell/not-a-datetime'],
    ['datetime', '10/15/2026 19:00', 'text', { date: 'dmy' }, 'format/contradiction'],
    ['datetime', '2026-10-15T19:00:30', 'text', undefined, '2026-10-15T19:00:30'],
    ['datetime', '2026-10-15-19:00', 'text', undefined, '2026-10-15T19:00:00'],
    ['datetime', '5/10/2026 8:05', 'text', { date: 'dmy' }, '2026-10-05T08:05:00'],
    ['datetime', '2026-10-15T19:00:00-05:00', 'text', undefined, '2026-10-15T19:00:00'],
    ['date_or_datetime', '5/10/2026 8:05', 'text', { date: 'dmy' }, '2026-10-05T08:05:00'],
    ['datetime', '2026-10-15', 'date', undefined, 'cell/not-a-datetime'],
    ['datetime', '2026-10-15T00:00:00', 'date', undefined, '2026-10-15T00:00:00'],
    ['date_or_datetime', '5/10/2026', 'text', { date: 'dmy' }, '2026-10-05T00:00:00'],
    ['date_or_datetime', '5/10/2026 8:05', 'text', undefined, 'cell/date-ambiguous'],
    ['date_or_datetime', '2026-10-15T19:00:00', 'date', undefined, '2026-10-15T19:00:00'],
    ['date_or_datetime', '2026-10-15', 'date', undefined, '2026-10-15T00:00:00'],
    ['date_or_datetime', '46310', 'number', undefined, '2026-10-15T00:00:00'],
    ['date_or_datetime', '46310.791666667', 'number', undefined, '2026-10-15T19:00:00'],
    ['date_or_datetime', '15/10/2026 25:00', 'text', undefined, 'cell/not-a-date'],
    ['date_or_datetime', '19:00', 'text', undefined, 'cell/not-a-date'],
    ['datetime', '2026-10-15T19:00:00Z', 'text', undefined, 'cell/not-a-datetime'],
    ['datetime', '2026-10-15T19:00:00+02:00', 'text', undefined, 'cell/not-a-datetime'],
    ['datetime', '46310.791666667', 'text', undefined, '2026-10-15T19:00:00'],
    ['datetime', '46310.791666667', 'number', undefined, '2026-10-15T19:00:00'],
    ['datetime', '46310', 'number', undefined, 'cell/not-a-datetime'],
    ['datetime', '31/02/2026 08:00', 'text', { date: 'dmy' }, 'cell/date-impossible'],
    ['identifier', '602E01', 'text', undefined, '602E01'],
    ['identifier', '6.02E+03', 'text', undefined, 'cell/scientific'],
    ['identifier', '8,90E05', 'text', undefined, 'cell/scientific'],
    ['identifier', '12345.0', 'text', undefined, '12345'],
    ['cie10', 'A09.0', 'text', undefined, 'A090'],
    ['cie10', 'j00', 'text', undefined, 'J00X'],
    ['cie10', 'ZZ.9', 'text', undefined, 'cell/not-a-diagnosis'],
    ['time', '8:05', 'text', undefined, '08:05:00'],
    ['time', '12:30 am', 'text', undefined, '00:30:00'],
    ['time', '18:00:00', 'date', undefined, '18:00:00'],
    ['time', '25:00', 'text', undefined, 'cell/not-a-time'],
    ['choice', 'AHO', 'text', { choices: { Ahorros: ['AHO'], Corriente: ['CTE'] } }, 'Ahorros'],
    ['choice', 'ahorros', 'text', { choices: { Ahorros: ['AHO'] } }, 'Ahorros'],
    ['choice', 'otra', 'text', { choices: { Ahorros: ['AHO'] } }, 'cell/not-a-choice'],
  ])('%s %s %s %j', (kind, text, cell, options, expected) =>
    expect(read(kind, text, cell, options)).toBe(expected),
  );
});

test.each([
  ['1.5OO.000', '1500000'],
  ['1.75O.90S', '1750905'],
  ['dos millones', undefined],
  ['2 millones', undefined],
  ['soli', undefined],
])('letters typed for digits bring a suggestion, words none: %s', (text, value) => {
  const fault = createCellReader('money')(text, 'text') as CellFault;
  expect(fault.suggestions?.[0]?.value).toBe(value);
});

test.each<[ReadKind, string, ReadOptions, object]>([
  ['money', '1,5', { decimal: 'dot' }, { style: '1,234.56', other: '1.234,56' }],
  ['date', '10/31/2026', { date: 'dmy' }, { style: '31/12/2026', other: '12/31/2026' }],
  ['date', '10/31/2026', { date: 'ymd' }, { style: '2026-12-31', other: '12/31/2026' }],
])('a contradiction shows both ways: %s %s', (kind, text, options, params) => {
  const fault = createCellReader(kind, options)(text, 'text') as CellFault;
  expect([fault.code, fault.params]).toEqual(['format/contradiction', params]);
});

describe('three digits after the mark', () => {
  test.each<[ReadKind, string, ReadOptions, unknown]>([
    ['decimal', '7.500', { decimal: 'dot' }, '7.500'],
    ['decimal', '7,500', { decimal: 'comma' }, '7.500'],
    ['percent', '12,500 %', { decimal: 'comma' }, '12.500'],
    ['integer', '1.500', { decimal: 'dot' }, 'cell/thousands-or-decimals'],
    ['integer', '1.500', { decimal: 'comma' }, '1500'],
    ['decimal', '7,500', { decimal: 'comma', thousandths: false }, 'cell/thousands-or-decimals'],
    ['decimal', '7,500', { decimal: 'comma', mixed: true }, 'cell/thousands-or-decimals'],
  ])('%s %s %j', (kind, text, options, expected) => expect(read(kind, text, 'text', options)).toBe(expected));

  test.each<[string, ReadOptions, string[]]>([
    ['276,000', { decimal: 'comma' }, ['276000', '276']],
    ['276,500', { decimal: 'comma' }, ['276500', '276,5']],
    ['(1.250)', { decimal: 'dot' }, ['-1250', '-1.25']],
  ])('%s shows both readings, which are then read as meant', (text, options, values) => {
    const fault = createCellReader('money', options)(text, 'text') as CellFault;
    expect(fault.suggestions?.map(({ value }) => value)).toEqual(values);
    for (const value of values) expect(read('money', value, 'text', options)).toBe(value.replace(',', '.'));
  });
});

test.each<[string, ReadOptions, unknown]>([
  ['03/04/2026', { date: 'dmy', mixed: true }, 'cell/date-ambiguous'],
  ['31/10/2026', { date: 'dmy', mixed: true }, '2026-10-31'],
  ['10/31/2026', { date: 'dmy', mixed: true }, 'format/contradiction'],
  ['03/04/2026', { date: 'dmy' }, '2026-04-03'],
  ['t'.repeat(32_767), { date: 'dmy' }, 'cell/not-a-date'],
])('in a column of both orders: %.20s %j', (text, options, expected) =>
  expect(read('date', text, 'text', options)).toBe(expected),
);
