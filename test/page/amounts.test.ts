import { expect, test } from 'vitest';
import { amountLike } from '../../src/page/amounts.js';

test.each([
  ['1634178.50', ['1.750.905,00', '1.000.000,00'], '1634178,50'],
  ['1634178.50', ['', '975,5'], '1634178,50'],
  ['1634178.50', ['900.000', '1634178.25'], '1634178.50'],
  ['1634178.00', ['1.750.905,00'], '1634178'],
  ['-36.40', ['70.036,00-'], '-36,40'],
])('the total %s is written into a column as its cells are: %s', (amount, texts, written) => {
  expect(amountLike(amount, { numbers: texts.map((_, at) => at + 2), texts })).toBe(written);
});
