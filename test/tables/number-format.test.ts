import { expect, test } from 'vitest';
import { builtInFormat, customFormat } from '../../src/toolkit/tables/xlsx/sheet.js';

test.each([
  ['General', 'number'],
  ['Standard', 'number'],
  ['0.00E+00', 'number'],
  ['#,##0.00', 'number'],
  ['@', 'number'],
  ['[$$-240A]#,##0.00', 'number'],
  ['[$COP] #,##0', 'number'],
  ['[Red]-#,##0;[Blue]#,##0', 'number'],
  ['0 "días"', 'number'],
  ['0 \\d\\í\\a\\s', 'number'],
  ['_-* #,##0_-;_d* -#,##0_-', 'number'],
  ['[>=100]0;0.0', 'number'],
  ['0%', 'percent'],
  ['0.0 %;[Red]-0.0 %', 'percent'],
  ['0 "%"', 'number'],
  ['0000000000', 10],
  ['00;@', 2],
  ['0', 'number'],
  ['dd/mm/yyyy', 'date'],
  ['[$-240A]d "de" mmmm "de" yyyy;@', 'date'],
  ['mmm-yy', 'date'],
  ['dd/mm/yyyy hh:mm', 'moment'],
  ['h:mm d-mmm', 'moment'],
  ['d "horas"', 'date'],
  ['mm:ss', 'date'],
  ['hh:mm AM/PM', 'date'],
  ['yyyy\\-mm\\-dd', 'date'],
  ['[h]:mm', 'duration'],
  ['[mm]:ss', 'duration'],
  ['"[h]" 0', 'number'],
])('format %s shows a %s', (code, format) => expect(customFormat(code)).toBe(format));

test.each([
  ['[$USD] #,##0.00', 'USD'],
  ['_-[$US$-409]* #,##0.00_-;-[$US$-409]* #,##0.00_-', 'US$'],
  ['[$€-2] #,##0.00', '€'],
  ['#,##0.00 [$EUR]', 'EUR'],
  ['"USD" #,##0', 'USD'],
  ['€ #,##0.00', '€'],
])('format %s shows amounts in %s', (code, currency) => expect(customFormat(code)).toEqual({ currency }));

test.each([
  [[0, 1, 8, 11, 13, 23, 37, 44, 48, 49, 59, 164], 'number'],
  [[9, 10], 'percent'],
  [[14, 18, 21, 27, 36, 45, 47, 50, 58], 'date'],
  [[22], 'moment'],
  [[46], 'duration'],
] as const)('built-in formats %j show a %s', (ids, format) => {
  expect(ids.map(builtInFormat)).toEqual(ids.map(() => format));
});
