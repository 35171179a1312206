import { expect, test } from 'vitest';
import { termEnd } from '../../src/events/term.js';

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
