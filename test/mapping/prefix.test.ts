import { expect, test } from 'vitest';
import { prefixReader } from '../../src/toolkit/mapping/read/prefix.js';

const prefixOf = prefixReader(['CC', 'PA', 'Cédula']);

test.each([
  ['CC 1098', 'CC', '1098'],
  ['CC-1.098.765', 'CC', '1.098.765'],
  ['C.C. 1098', 'C.C.', '1098'],
  ['C.C.1098', 'C.C', '1098'],
  ['Cedula: 1098', 'Cedula', '1098'],
  ['PA AB123', 'PA', 'AB123'],
  ['CC9800770001', 'CC', '9800770001'],
  ['cc10987654', 'cc', '10987654'],
])('%s is a word before a value', (text, word, rest) => {
  expect(prefixOf(text)).toEqual({ word, rest });
});

test.each([
  '1098',
  'PA123456',
  'PA1234567',
  'CC1098765A',
  'AB 1098',
  'AB9800770001',
  'PAB123',
  'CC',
  'CC Sin',
  'CC-',
])('%s has no known word before a value', (text) => {
  expect(prefixOf(text)).toBeUndefined();
});
