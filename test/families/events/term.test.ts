import { describe, expect, test } from 'vitest';
import { termDay, termEnd, termOf } from '../../../src/families/events/sequence.js';
import { storeLawRows, withLoadedTables } from '../../../src/toolkit/schema/catalogue.js';
import { freshFolder } from '../../cli/run-cli.js';

test.each([
  ['Monday', '2026-11-16', [], '2026-11-19'],
  ['Wednesday, over the weekend', '2026-11-18', [], '2026-11-23'],
  ['Friday', '2026-11-20', [], '2026-11-25'],
  ['Saturday', '2026-11-21', [], '2026-11-25'],
  ['Sunday', '2026-11-22', [], '2026-11-25'],
  ['a holiday on Monday', '2026-11-13', ['2026-11-16'], '2026-11-19'],
  ['a holiday on Sunday counts once', '2026-11-20', ['2026-11-22'], '2026-11-25'],
  ['over the year', '2026-12-30', ['2027-01-01'], '2027-01-05'],
])('%s', (_name, from, holidays, end) => {
  expect(termEnd(from, new Set(holidays))).toBe(end);
});

test('another length', () => expect(termEnd('2026-11-20', new Set(), 1)).toBe('2026-11-23'));

describe('in the calendar of Colombia', () => {
  test.each([
    ['a Wednesday of Easter week', '2026-04-01', '2026-04-08'],
    ['a Tuesday of Easter week', '2026-03-31', '2026-04-07'],
    ['before a holiday moved to Monday', '2026-11-13', '2026-11-19'],
    ['before 6 January, moved to the 12th', '2026-01-08', '2026-01-14'],
    ['New Year and Epiphany of 2025', '2024-12-30', '2025-01-03'],
    ['over New Year 2026', '2025-12-30', '2026-01-05'],
    ['25 December on a Friday', '2026-12-24', '2026-12-30'],
    ['8 December on a Tuesday', '2026-12-07', '2026-12-11'],
  ])('%s', (_name, from, end) => expect(termEnd(from)).toBe(end));

  test.each([
    ['2026-11-13', '2026-11-13', 0],
    ['2026-11-13', '2026-11-16', 0], // weekend and a moved holiday
    ['2026-11-13', '2026-11-17', 1],
    ['2026-11-13', '2026-11-18', 2],
    ['2026-11-13', '2026-11-22', 4], // still Friday's day on a Sunday
  ])('from %s, %s is business day %i', (from, date, day) => expect(termDay(from, date)).toBe(day));
});

test.each([
  ['031', { from: '032', days: 3, warnFrom: 2, after: 'error' }],
  ['033', { from: '032', days: 3, warnFrom: 2, after: 'warning' }],
  ['034', { from: '032', days: 3, before: 'error' }],
  ['030', undefined],
  ['032', undefined],
] as const)('the term of %s', (code, term) => expect(termOf(code)).toEqual(term));

test('a term is that of the day on which it starts', () => {
  const folder = freshFolder();
  const row = {
    name: 'event_claim',
    valid_to: '',
    amount: '5',
    unit: '',
    norm: 'Ley de prueba',
    certainty: '',
  };
  const layer = { source: 'x', kind: 'file', hash: '0', at: '2026-11-28T00:00:00.000Z' } as const;
  storeLawRows(folder, layer, { law_terms: [{ ...row, valid_from: '2026-12-01' }] });
  const days = ['2020-08-19', '2020-08-20', '2026-11-30', '2026-12-01'] as const;
  const terms = () => days.map((day) => termOf('031', day)?.days);
  expect(terms()).toEqual([undefined, 3, 3, 3]);
  expect(withLoadedTables(folder, terms)).toEqual([undefined, 3, 3, 5]);
  expect(withLoadedTables(folder, () => termEnd('2026-12-01'))).toBe('2026-12-09');
});
