import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  absolute,
  add,
  centsOf,
  compare,
  divide,
  fromCents,
  fromScientific,
  negate,
  RunningSum,
  round,
  subtract,
  sum,
  toMoney,
  toPlain,
  toSignificant,
} from '../../src/toolkit/core/decimal.js';
import { type DecimalStyle, readNumberText } from '../../src/toolkit/mapping/read/numbers.js';

test.each<[string[], string]>([
  [[], '0'],
  [['1'], '1'],
  [['0.10', '0.20'], '0.30'],
  [['1750905', '62532.33', '0.005'], '1813437.335'],
  [['-1.50', '1'], '-0.50'],
  [['-0.05'], '-0.05'],
  [['99999999999999999999.99', '0.01'], '100000000000000000000.00'],
])('sum %j', (values, expected) => expect(sum(values)).toBe(expected));

test.each<[string, string, -1 | 0 | 1]>([
  ['1', '1.00', 0],
  ['1.10', '1.1', 0],
  ['-2', '1', -1],
  ['10', '9.99', 1],
])('compare %s %s', (a, b, expected) => expect(compare(a, b)).toBe(expected));

test.each<[string, string | undefined]>([
  ['5', '5.00'],
  ['5.5', '5.50'],
  ['5.55', '5.55'],
  ['5.550', '5.55'],
  ['5.555', undefined],
])('money %s', (value, expected) => expect(toMoney(value)).toBe(expected));

test.each<[string, string | undefined]>([
  ['1.5E+3', '1500'],
  ['34e5', '3400000'],
  ['-2.5e-3', '-0.0025'],
  ['1E308', `1${'0'.repeat(308)}`],
  ['1E999999999', undefined],
  ['1E-999999999', undefined],
  ['34E87654321', undefined],
  [`1E${'9'.repeat(400)}`, undefined],
  ['9'.repeat(1_000_000), undefined],
  ['', undefined],
  ['E5', undefined],
  ['NaN', undefined],
])('scientific %.20s', (text, expected) => expect(fromScientific(text)).toBe(expected));

test('small operations', () => {
  expect(add('1', '-1')).toBe('0');
  expect(subtract('2.5', '3')).toBe('-0.5');
  expect([negate('3'), negate('-3'), negate('0')]).toEqual(['-3', '3', '0']);
  expect(absolute('-3.1')).toBe('3.1');
  expect([round('2.5', 0), round('3.5', 0), round('-0.125', 2)]).toEqual(['2', '4', '-0.12']);
  expect(divide('10', '4', 1)).toBe('2.5');
  expect([toPlain('4.00'), toPlain('7.50'), toPlain('100')]).toEqual(['4', '7.5', '100']);
  expect([fromScientific('1.5E+3'), fromScientific('x')]).toEqual(['1500', undefined]);
  expect(toSignificant('62532.330000000002', 15)).toBe('62532.33');
});

/** A fixed sequence: the same amounts, of 1 to 16 digits, on every machine. */
function* amounts(count: number): Generator<string> {
  let state = 20_261_121;
  const next = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  for (let i = 0; i < count; i++) {
    const digits = next(16) + 1;
    const text = `${next(10 ** 8)}${String(next(10 ** 8)).padStart(8, '0')}`.slice(-digits).padStart(3, '0');
    yield `${next(2) === 1 ? '-' : ''}${text.slice(0, -2).replace(/^0+(?=\d)/, '')}.${text.slice(-2)}`;
  }
}

/** How a decimal looks in a style: `1423500.5` → `1.423.500,5`. The inverse of readNumberText. */
function formatNumberText(decimal: string, style: DecimalStyle): string {
  const negative = decimal.startsWith('-');
  const [whole = '', cents] = (negative ? decimal.slice(1) : decimal).split('.');
  const [thousands, mark] = style === 'comma' ? ['.', ','] : [',', '.'];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return `${negative ? '-' : ''}${grouped}${cents === undefined ? '' : mark + cents}`;
}

/** A million of them with the long tests. */
const AMOUNTS = Number(process.env['CARGUE_TEST_AMOUNTS'] ?? 100_000);

describe(`parse ∘ format is the identity for ${AMOUNTS} amounts`, () => {
  test.each<DecimalStyle>(['comma', 'dot'])('%s', (style) => {
    const wrong: string[] = [];
    for (const amount of amounts(AMOUNTS)) {
      const reading = readNumberText(formatNumberText(amount, style), style);
      const expected = amount.replace(/^-(?=0\.00$)/, '');
      if (reading.kind !== 'number' || reading.decimal !== expected) wrong.push(amount);
    }
    expect(wrong).toEqual([]);
  });
});

const anyAmount = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 5 }))
  .map(([units, decimals]) => {
    const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
    const whole = digits.slice(0, digits.length - decimals);
    return `${units < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
  });

describe('a running sum', () => {
  test('is exact, whatever the size and the cents', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyAmount, fc.integer().map(String))), (values) => {
        const running = new RunningSum();
        for (const value of values) running.add(value);
        expect(compare(running.text, sum(values))).toBe(0);
      }),
    );
  });

  test('cents are whole or none', () => {
    fc.assert(
      fc.property(anyAmount, (value) => {
        const cents = centsOf(value);
        const isWhole = toMoney(value) !== undefined;
        const [whole, part = ''] = absolute(value).split('.');
        const isExact = BigInt(whole + part.padEnd(2, '0')) <= Number.MAX_SAFE_INTEGER;
        if (cents === undefined) expect(isWhole && isExact).toBe(false);
        else expect([isWhole, compare(fromCents(cents), value)]).toEqual([true, 0]);
      }),
    );
  });
});
