import { expect, test } from 'vitest';
import {
  type DateKind,
  formatCell,
  formatTypedDate,
  parseTypedCell,
  parseTypedDate,
} from '../../src/page/dates.js';

test.each<[DateKind, string, string | undefined]>([
  ['date', '31/10/2026', '2026-10-31'],
  ['date', ' 31-10-2026 ', '2026-10-31'],
  ['date', '5.1.2026', '2026-01-05'],
  ['date', '2026-10-31', '2026-10-31'],
  ['date', '10/31/2026', undefined],
  ['date', '31/11/2026', undefined],
  ['date', '29/02/2026', undefined],
  ['date', '31/10/26', undefined],
  ['date', '10/2026', undefined],
  ['date', '31/10/2026 18:00', undefined],
  ['date', '', undefined],
  ['month', '10/2026', '2026-10'],
  ['month', '2026-2', '2026-02'],
  ['month', '13/2026', undefined],
  ['month', '31/10/2026', undefined],
  ['datetime', '31/10/2026 18:30', '2026-10-31T18:30:00'],
  ['datetime', '2026-10-31T18:30:15', '2026-10-31T18:30:15'],
  ['datetime', '31/10/2026', '2026-10-31T00:00:00'],
  ['datetime', '31/10/2026 24:00', undefined],
])('a %s typed as «%s» is %s', (kind, typed, value) => {
  expect(parseTypedDate(kind, typed)).toBe(value);
  if (value !== undefined) expect(parseTypedDate(kind, formatTypedDate(value))).toBe(value);
});

test.each([
  ['2026-10-31', '31/10/2026', '30/10/2026', '2026-10-30'],
  ['2026-10-31T08:05:00', '31/10/2026 08:05', '31/10/2026 25:10', '31/10/2026 25:10'],
  ['2026-10-31T08:05:00', '31/10/2026 08:05', '30/10/2026 09:00', '2026-10-30T09:00:00'],
  ['31/11/2026', '31/11/2026', '30/11/2026', '30/11/2026'],
  ['2026-10-31 a', '2026-10-31 a', '1', '1'],
])('a cell with «%s» shows «%s», and «%s» typed there is %s', (stored, shown, typed, text) => {
  expect(formatCell(stored)).toBe(shown);
  expect(parseTypedCell(typed, stored)).toBe(text);
  expect(parseTypedCell(shown, stored)).toBe(stored);
});
