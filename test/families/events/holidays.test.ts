import { describe, expect, test } from 'vitest';
import { easter, HOLIDAYS, holidaysOf } from '../../../src/families/events/holidays.js';
import { storeLawRows, withLoadedTables } from '../../../src/toolkit/schema/catalogue.js';
import { freshFolder } from '../../cli/run-cli.js';

/** Published calendars, not worked out by the rule that is tested. */
const CALENDARS: Readonly<Record<number, string>> = {
  2024: '01-01 01-08 03-25 03-28 03-29 05-01 05-13 06-03 06-10 07-01 07-20 08-07 08-19 10-14 11-04 11-11 12-08 12-25',
  2025: '01-01 01-06 03-24 04-17 04-18 05-01 06-02 06-23 06-30 06-30 07-20 08-07 08-18 10-13 11-03 11-17 12-08 12-25',
  2026: '01-01 01-12 03-23 04-02 04-03 05-01 05-18 06-08 06-15 06-29 07-20 08-07 08-17 10-12 11-02 11-16 12-08 12-25',
  2027: '01-01 01-11 03-22 03-25 03-26 05-01 05-10 05-31 06-07 07-05 07-20 08-07 08-16 10-18 11-01 11-15 12-08 12-25',
  2028: '01-01 01-10 03-20 04-13 04-14 05-01 05-29 06-19 06-26 07-03 07-20 08-07 08-21 10-16 11-06 11-13 12-08 12-25',
};

test.each([
  [1961, '1961-04-02'],
  [2000, '2000-04-23'],
  [2008, '2008-03-23'],
  [2024, '2024-03-31'],
  [2025, '2025-04-20'],
  [2026, '2026-04-05'],
  [2038, '2038-04-25'],
])('Easter of %i', (year, date) => expect(easter(year)).toBe(date));

test.each(Object.keys(CALENDARS).map(Number))('the holidays of %i', (year) => {
  expect([...holidaysOf(year)].sort().map((date) => date.slice(5))).toEqual(CALENDARS[year]!.split(' '));
});

describe('a day', () => {
  test.each([
    ['2026-11-11', false], // Independencia de Cartagena moves on to Monday
    ['2026-11-16', true],
    ['2025-01-06', true], // a Monday already
    ['2026-04-03', true],
    ['2026-04-05', false], // Easter itself is a Sunday as any other
  ])('%s', (date, is) => expect(HOLIDAYS.has(date)).toBe(is));
});

test('a holiday that begins or ends with a law counts on its days alone', () => {
  const row = { days_from_easter: '', moved_to_monday: 'no', norm: '' };
  const days = ['2026-10-12', '2027-03-19', '2027-10-12', '2027-10-18', '2028-03-19'] as const;
  const held = () => days.filter((day) => HOLIDAYS.has(day));
  expect(held()).toEqual(['2026-10-12', '2027-10-18']);
  const folder = freshFolder();
  storeLawRows(
    folder,
    { source: 'x', kind: 'file', hash: '0', at: '2026-11-28T00:00:00.000Z' },
    {
      holidays: [
        { ...row, name: 'Día nuevo', valid_from: '2028-01-01', valid_to: '', month: '3', day: '19' },
        { ...row, name: 'Día de la Raza', valid_from: '', valid_to: '2026-12-31', month: '10', day: '12' },
      ],
    },
  );
  expect(withLoadedTables(folder, held)).toEqual(['2026-10-12', '2028-03-19']);
  expect(held()).toEqual(['2026-10-12', '2027-10-18']);
});
