import { expect, test } from 'vitest';
import { amountLike, formatAmount, parseTypedAmount, withoutCents } from '../../src/page/amounts.js';

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
  ['1750905', '1.750.905', '1,750,905'],
  ['2404714.08', '2.404.714,08', '2,404,714.08'],
  ['-975,5', '-975,5', '-975.5'],
  ['1750905.00', '1.750.905', '1,750,905'],
  ['1.750.905', '1.750.905', '1.750.905'],
  ['1750.905', '1750.905', '1750.905'],
  ['$ 900', '$ 900', '$ 900'],
])('a cell with the amount «%s» shows «%s», and «%s» in English', (stored, es, en) => {
  expect([formatAmount(stored, 'es'), formatAmount(stored, 'en')]).toEqual([es, en]);
});

test.each([
  ['1.800.000', '1750905', '1800000'],
  ['1,800', '1750905.50', '1800'],
  ['1.800.000,50', '1750905', '1.800.000,50'],
  ['0.800', '1750905', '0.800'],
  ['1.800', '1.750', '1.800'],
  ['1.800', '', '1.800'],
])('«%s» typed over the amount «%s» is %s', (typed, before, text) => {
  expect(parseTypedAmount(typed, before)).toBe(text);
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
