import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainDate } from '../../src/core/plain-date.js';
import { CODES } from '../../src/generated/codes.js';
import { schemaJson, schemaNames } from '../../src/schema/registry.js';
import { FORMATS } from '../../src/schema/validate.js';

function passes(format: string, text: string): boolean {
  const check = FORMATS[format]!;
  return check instanceof RegExp ? check.test(text) : check(text);
}

const CASES: readonly (readonly [format: string, good: readonly string[], bad: readonly string[]])[] = [
  [
    'money',
    ['0.00', '1750905.00', '123456789012345.99'],
    ['', '.00', '1', '1.0', '1.000', '-1.00', '1,00', ' 1.00', '1.00\n'],
  ],
  ['decimal', ['0', '4', '7.5', '0.25'], ['', '4.', '4.0', '7.50', '.5', '-1', '1,5', '4 ']],
  [
    'date',
    ['2024-02-29', '2026-12-31', '2000-02-29'],
    ['2023-02-29', '2100-02-29', '2026-04-31', '1899-12-31', '2026-13-01', '2026-1-1'],
  ],
  [
    'local-date-time',
    ['2026-10-31T00:00:00', '2024-02-29T23:59:59'],
    [
      '2026-10-31T24:00:00',
      '2026-10-31T10:60:00',
      '2023-02-29T00:00:00',
      '2026-10-31T10:00',
      '2026-10-31T10:00:00Z',
    ],
  ],
  ['time', ['00:00', '23:59'], ['24:00', '7:30', '07:30:00']],
  [
    'worker-document',
    ['XZ900118', '00770007', '0', '123456789012A'],
    ['12345', '', 'A-1', 'ñ1', 'A123456789012345'],
  ],
  ['prefix', ['N', 'NOMI'], ['', 'nom', 'NOMIN', 'N1']],
  ['cune', ['0af'.repeat(32)], ['0AF'.repeat(32), '0af'.repeat(31)]],
  ['phone', ['6012345', '3001234567'], ['123456', '30012345678', '300 1234']],
  ['cufe', ['0af'.repeat(32)], ['0AF'.repeat(32), '0af'.repeat(31)]],
  ['base64', ['PD94', 'PD9=', 'PD==', '+/09'], ['', 'PD9', 'P===', 'PD9 4', 'PD94\n', 'PD_-']],
  ['cie10', ['I10X', 'A099', 'U071', 'Z00X'], ['I10', 'A09.9', 'i10x', '1234', 'I10XX']],
  ['cups', ['890201', '602E01', '020110'], ['89020', '20110', '8902011', '89 201']],
  ['country-code', ['170', '032'], ['CO', '57', '1700']],
  [
    'national-date-time',
    ['2026-11-03 08:30', '2024-02-29 00:00'],
    ['2026-11-03T08:30', '2026-11-03 08:30:00', '2023-02-29 08:30', '2026-11-03 24:00', '2026-11-03'],
  ],
  ['pin', ['12345'], ['1234', '123456', '1234a']],
];

test.each(CASES)('%s', (format, good, bad) => {
  expect(good.filter((text) => !passes(format, text))).toEqual([]);
  expect(bad.filter((text) => passes(format, text))).toEqual([]);
});

test('a date is what the calendar has', () => {
  const part = (width: number, max: number) =>
    fc.integer({ min: 0, max }).map((n) => String(n).padStart(width, '0'));
  const text = fc.tuple(part(4, 9999), part(2, 14), part(2, 33)).map((parts) => parts.join('-'));
  fc.assert(
    fc.property(text, (date) => passes('date', date) === isPlainDate(date)),
    { numRuns: 2000 },
  );
});

/** Forms that the tolerant view speaks of; it tells faults to nobody. */
const TOLERANT_ONLY = ['alphanumeric', 'number-text', 'integer-text'];

test('every format that a schema names has a check and words of its own', () => {
  const named = schemaNames()
    .flatMap((name) => [...JSON.stringify(schemaJson(name)).matchAll(/"format":"([\w-]+)"/g)])
    .map(([, format]) => format!)
    .filter((format) => !TOLERANT_ONLY.includes(format));
  expect(named.filter((format) => !(format in FORMATS) && !['email', 'uri'].includes(format))).toEqual([]);
  expect(named.filter((format) => !(`document/format-${format}` in CODES))).toEqual([]);
});
