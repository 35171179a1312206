import { expect, test } from 'vitest';
import { readPeriodText } from '../../src/toolkit/mapping/read/dates.js';

/** The two dates of a novelty that stand in its words. */

test.each([
  ['Incapacidad EG del 03/11/2026 al 05/11/2026', '2026-11-03', '2026-11-05'],
  ['Vacaciones disfrutadas 09-nov-2026 a 18-nov-2026', '2026-11-09', '2026-11-18'],
  ['Licencia del 19 al 20 de noviembre de 2026', '2026-11-19', '2026-11-20'],
  ['3 días: 28 de octubre de 2026 – 1 de noviembre de 2026', '2026-10-28', '2026-11-01'],
  ['Incapacidad 66.67% desde 2026-11-03 hasta 2026-11-05', '2026-11-03', '2026-11-05'],
])('%s', (text, start, end) => {
  expect(readPeriodText(text)).toEqual([start, end]);
});

test.each([
  ['one date alone', 'Vacaciones desde el 09/11/2026'],
  ['a first day without its year', 'Incapacidad del 28 de octubre al 3 de noviembre de 2026'],
  ['another figure', 'Incapacidad No. 4417 del 03/11/2026 al 05/11/2026'],
  ['the months first', 'Leave 11/25/2026 to 11/27/2026'],
  ['an end before its start', 'Vacaciones del 18/11/2026 al 09/11/2026'],
  ['a day that is none', 'Incapacidad del 30/11/2026 al 31/11/2026'],
])('%s says nothing', (_, text) => {
  expect(readPeriodText(text)).toBeUndefined();
});
