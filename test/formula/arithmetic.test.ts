import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as exact from '../../src/core/decimal.js';
import { add, compare, multiply, subtract } from '../../src/formula/compile.js';
import { BlankOperand } from '../../src/formula/functions.js';

const SAMPLES = [
  '0',
  '0.00',
  '-0.01',
  '1',
  '-1',
  '7.5',
  '0.0000001',
  '1750905.00',
  '-249095.5',
  '9007199254740993',
  '999999999999999',
  '99999999999999.99',
  '0.123456789012',
  '123456789012345678.90',
];

const amount = fc.oneof(
  fc.constantFrom(...SAMPLES),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.constantFrom('', '.5', '.00', '.000001'))
    .map(([whole, part]) => `${whole}${part}`),
  fc.integer().map(String),
);

describe('arithmetic is exact, short or long', () => {
  test.each([
    ['formulas', { add, subtract, multiply, compare }],
    ['amounts', exact],
  ])('of %s', (_, own) => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(Math.sign(own.compare(a, b))).toBe(Big(a).cmp(b));
        expect(Big(own.add(a, b)).eq(Big(a).plus(b))).toBe(true);
        expect(Big(own.subtract(a, b)).eq(Big(a).minus(b))).toBe(true);
        expect(Big(own.multiply(a, b)).eq(Big(a).times(b))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of sums', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 40 }), (values) => {
        const total = values.reduce((sum, value) => sum.plus(value), Big(0));
        expect(Big(exact.sum(values)).eq(total)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each(['', 'x', '1,000', '1.2.3', '-', 'NaN', '1e3'])('%s is no decimal and counts as blank', (text) => {
  expect(() => compare(text, '1')).toThrow(BlankOperand);
  expect(() => multiply('1', text)).toThrow(BlankOperand);
});
