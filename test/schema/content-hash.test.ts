import { describe, expect, test } from 'vitest';
import { contentHash } from '../../src/toolkit/schema/document.js';
import { DELETE, PAYROLL, REPLACE, withValue } from './examples.js';
import { RIPS_DOCUMENT } from './health-examples.js';

const hash = contentHash('payroll/payroll', PAYROLL);

test('is SHA-256 in hexadecimal', () => {
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

test('of a small schema is that of its canonical JSON', async () => {
  const { createHash } = await import('node:crypto');
  const expected = createHash('sha256')
    .update('{"consecutive":7,"email":"a\\"b@c.co","prefix":"NI"}')
    .digest('hex');
  expect(contentHash('payroll/email', { prefix: 'NI', email: 'a"b@c.co', consecutive: 7 })).toBe(expected);
});

test('does not depend on the order of members', () => {
  const reversed = Object.fromEntries(Object.entries(PAYROLL).reverse());
  expect(contentHash('payroll/payroll', reversed)).toBe(hash);
});

describe('leaves out number and issue date', () => {
  test.each([
    ['/consecutive', 2],
    ['/consecutive', undefined],
    ['/period/issue_date', '2026-04-01'],
  ])('%s = %j', (pointer, value) => {
    expect(contentHash('payroll/payroll', withValue(PAYROLL, pointer, value))).toBe(hash);
    const note = contentHash('payroll/adjust-note', REPLACE);
    expect(contentHash('payroll/adjust-note', withValue(REPLACE, pointer, value))).toBe(note);
  });
});

test.each([
  ['/prefix', 'XX'],
  ['/worker/salary', '2200000.01'],
  ['/worker/identification_number', '1020304050'],
  ['/accrued/HEDs/0/quantity', '5'],
  ['/payment_dates', [{ payment_date: '2026-03-31' }, { payment_date: '2026-03-15' }]],
  ['/notes', ''],
])('changes with %s', (pointer, value) => {
  expect(contentHash('payroll/payroll', withValue(PAYROLL, pointer, value))).not.toBe(hash);
});

test('keeps the order of lists', () => {
  const dates = [{ payment_date: '2026-03-31' }, { payment_date: '2026-03-15' }];
  const one = contentHash('payroll/payroll', { ...PAYROLL, payment_dates: dates });
  const other = contentHash('payroll/payroll', { ...PAYROLL, payment_dates: [...dates].reverse() });
  expect(one).not.toBe(other);
});

test('tells kinds of note apart', () => {
  expect(contentHash('payroll/adjust-note', DELETE)).not.toBe(
    contentHash('payroll/adjust-note', { ...DELETE, type_note: 1 }),
  );
});

test('of a health document leaves out its number, not its appointment or services', () => {
  const own = contentHash('rips/document', RIPS_DOCUMENT);
  const hashWith = (pointer: string, value: unknown): string =>
    contentHash('rips/document', withValue(RIPS_DOCUMENT, pointer, value));
  expect(hashWith('/note_number', 'RS-2')).toBe(own);
  expect(hashWith('/appointment_id', 91)).not.toBe(own);
  expect(hashWith('/services/0/vrServicio', 60001)).not.toBe(own);
});
