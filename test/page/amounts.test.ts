import { expect, test } from 'vitest';
import { amountLike, withoutCents } from '../../src/page/amounts.js';

test.each([
  ['1634178.50', ['1.750.905,00', '1.000.000,00'], '1634178,50'],
  ['1634178.50', ['', '975,5'], '1634178,50'],
  ['1634178.50', ['900.000', '1634178.25'], '1634178.50'],
  ['1634178.00', ['1.750.905,00'], '1634178'],
  ['-36.40', ['70.036,00-'], '-36,40'],
])('the total %s is written into a column as its cells are: %s', (amount, texts, written) => {
  expect(amountLike(amount, { numbers: texts.map((_, at) => at + 2), texts })).toBe(written);
});

test.each([
  ['suman 1.750.905,00 y no 900,00', 'suman 1.750.905 y no 900'],
  ['1,750,905.00 in all', '1,750,905 in all'],
  ['suman 1.750.905,00 y no 900,50', 'suman 1.750.905,00 y no 900,50'],
  ['«1.750.905,00» es texto; suman 900,00', '«1.750.905,00» es texto; suman 900'],
  ['el NIT 900.123.000 y 12.005', 'el NIT 900.123.000 y 12.005'],
])('cents are left out of a sentence in which no amount has any, not out of quotes: %s', (text, written) => {
  expect(withoutCents(text)).toBe(written);
});
