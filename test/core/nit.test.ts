import { describe, expect, test } from 'vitest';
import { checkDigit, hasRightDigit, readNit } from '../../src/toolkit/core/nit.js';

test.each([
  // Published NITs: DIAN, Bancolombia, Universidad Nacional, Banco de Bogotá.
  ['800197268', '4'],
  ['890903938', '8'],
  ['899999063', '3'],
  ['860002964', '4'],
  ['0', '0'],
  ['', ''],
  ['AX12', ''],
  ['1234567890123456', ''],
])('%s-%s', (nit, digit) => expect(checkDigit(nit)).toBe(digit));

describe('a NIT is read as people write it', () => {
  test.each([
    '900.555.321-6',
    '900555321-6',
    '900555321 - 6',
    '900555321–6',
    '9005553216',
    '900 555 321 6',
    '900,555,321-6',
    'NIT 900.555.321-6',
    'N.I.T.: 900555321-6',
    ' 900.555.321 ',
    '900555321',
  ])('%j', (text) => {
    const found = readNit(text)!;
    expect([found.nit, hasRightDigit(found)]).toEqual(['900555321', true]);
  });

  test.each([
    ['900.555.321-5', '900555321', false],
    ['9005553215', '900555321', false],
    ['900123456-8', '900123456', true],
    // A person's: of ten digits it has no check digit.
    ['1.012.345.678', '1012345678', true],
    ['1012345678-9', '1012345678', checkDigit('1012345678') === '9'],
    [`1012345678${checkDigit('1012345678')}`, '1012345678', true],
    ['52.123.456', '52123456', true],
  ])('%j is %s, right: %s', (text, nit, right) => {
    const found = readNit(text)!;
    expect([found.nit, hasRightDigit(found)]).toEqual([nit, right]);
  });

  test.each(['Comercial Andina', '900', '', '2026-10', 'A900555321', '12345678901234567'])(
    '%j is none',
    (text) => expect(readNit(text)).toBeUndefined(),
  );
});
