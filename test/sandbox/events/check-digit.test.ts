import { expect, test } from 'vitest';
import { checkDigit } from '../../../src/sandbox/events/events.js';

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
