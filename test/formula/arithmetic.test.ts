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

describe('the short way and the long way agree', () => {
  test.each(SAMPLES)('%s', (a) => {
    for (const b of SAMPLES) {
      expect(Math.sign(compare(a, b)), `${a} ? ${b}`).toBe(exact.compare(a, b));
      for (const [short, long] of [
        [add, exact.add],
        [subtract, exact.subtract],
        [multiply, exact.multiply],
      ] as const)
        expect(exact.compare(short(a, b), long(a, b)), `${short.name}(${a}, ${b})`).toBe(0);
    }
  });
});

test.each(['', 'x', '1,000', '1.2.3', '-', 'NaN', '1e3'])('%s is no decimal and counts as blank', (text) => {
  expect(() => compare(text, '1')).toThrow(BlankOperand);
  expect(() => multiply('1', text)).toThrow(BlankOperand);
});
