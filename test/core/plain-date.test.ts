import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  days360,
  daysBetween,
  fromSerial,
  isPlainDate,
  isPlainDateTime,
  lastOfMonth,
  plainDate,
  weekdayOf,
} from '../../src/toolkit/core/plain-date.js';

test.each<[number, boolean, string | undefined]>([
  [1, false, '1900-01-01'],
  [59, false, '1900-02-28'],
  [60, false, undefined],
  [61, false, '1900-03-01'],
  [45767, false, '2025-04-20'],
  [45767.5, false, '2025-04-20T12:00:00'],
  [45767.9999999, false, '2025-04-21'],
  [0.75, false, '18:00:00'],
  [44305, true, '2025-04-20'],
  [0, true, '1904-01-01'],
  [-1, false, undefined],
  [2_958_466, false, undefined],
])('serial %d, 1904 %s', (serial, base1904, expected) => expect(fromSerial(serial, base1904)).toBe(expected));

test.each<[string, boolean]>([
  ['2026-10-31', true],
  ['2026-02-29', false],
  ['2024-02-29', true],
  ['2026-13-01', false],
  ['2026-1-1', false],
])('date %s', (text, expected) => expect(isPlainDate(text)).toBe(expected));

test('date-time', () => {
  expect([
    isPlainDateTime('2026-10-31T23:59:59'),
    isPlainDateTime('2026-10-31T24:00:00'),
    isPlainDateTime('2026-10-31'),
  ]).toEqual([true, false, false]);
});

test.each<[string, string, number]>([
  ['2024-02-01', '2026-03-31', 780],
  ['2026-10-01', '2026-10-31', 30],
  ['2026-10-31', '2026-10-31', 1],
  ['2026-02-01', '2026-02-28', 30],
])('days360 %s %s', (from, to, expected) => expect(days360(from, to)).toBe(expected));

test('calendar', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(daysBetween('2026-10-12', '2026-10-21')).toBe(9);
  expect(lastOfMonth('2028-02-05')).toBe('2028-02-29');
  expect(plainDate(2026, 2, 31)).toBeUndefined();
});

test('the calendar is that of the machine', () => {
  const [first, last] = [Date.UTC(1900, 0, 1), Date.UTC(9999, 11, 31)].map((instant) => instant / 86_400_000);
  const day = integer({ min: first!, max: last! });
  const dateOf = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);
  assert(
    property(day, day, (one, other) => {
      expect(addDays(dateOf(one), other - one)).toBe(dateOf(other));
      expect(daysBetween(dateOf(one), dateOf(other))).toBe(other - one);
      expect(weekdayOf(dateOf(one))).toBe(new Date(`${dateOf(one)}T00:00:00Z`).getUTCDay());
    }),
    { numRuns: 2000 },
  );
});
