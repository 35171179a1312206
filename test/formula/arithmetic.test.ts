import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as exact from '../../src/toolkit/core/decimal.js';
import { add, compare, multiply, subtract } from '../../src/toolkit/formula/compile.js';
import { BlankOperand } from '../../src/toolkit/formula/functions.js';

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
  // Each fits a number, and their sum does not.
  '900719925474099',
  '9999999999999.9',
];

const amount = fc.oneof(
  fc.constantFrom(...SAMPLES),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.constantFrom('', '.5', '.00', '.000001'))
    .map(([whole, part]) => `${whole}${part}`),
  fc.integer().map(String),
);

type Arithmetic = Pick<typeof exact, 'add' | 'subtract' | 'multiply'> & {
  readonly compare: (a: string, b: string) => number;
};

function expectExact(own: Arithmetic, a: string, b: string): void {
  expect(Math.sign(own.compare(a, b)), `${a} ? ${b}`).toBe(Big(a).cmp(b));
  for (const [name, right] of [
    ['add', Big(a).plus(b)],
    ['subtract', Big(a).minus(b)],
    ['multiply', Big(a).times(b)],
  ] as const)
    expect(Big(own[name](a, b)).cmp(right), `${name}(${a}, ${b})`).toBe(0);
}

describe('arithmetic is exact, short or long', () => {
  test.each([
    ['formulas', { add, subtract, multiply, compare }],
    ['amounts', exact],
  ])('of %s', (_, own) => {
    for (const a of SAMPLES) for (const b of SAMPLES) expectExact(own, a, b);
    fc.assert(
      fc.property(amount, amount, (a, b) => expectExact(own, a, b)),
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
