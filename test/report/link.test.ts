import { describe, expect, test } from 'vitest';
import { linksFrom } from '../../src/report/link.js';

const link = (file: string, sheet: string | undefined, column: string | undefined, row: number | undefined) =>
  linksFrom(
    '/out/report.xlsx',
    new Map([[file, `/out/in/${file}`]]),
  )({
    file,
    ...(sheet !== undefined && { sheet }),
    ...(column !== undefined && { column }),
    ...(row !== undefined && { row }),
  });

describe('link to a cell of the input', () => {
  test.each([
    ['a cell', 'n.xlsx', 'Hoja', 'F', 17, "in/n.xlsx#'Hoja'!F17"],
    ['a record', 'n.xlsx', 'Hoja', undefined, 17, "in/n.xlsx#'Hoja'!A17"],
    ['blanks and accents', 'nómina oct.xlsx', 'Nómina 1', 'B', 2, "in/nómina%20oct.xlsx#'Nómina%201'!B2"],
    ['a quote in the sheet', 'n.xlsx', "L'été", 'B', 2, "in/n.xlsx#'L''été'!B2"],
    [
      'a name that would end the path',
      'a#b?"<c>.xlsx',
      'Hoja',
      'B',
      2,
      "in/a%23b%3F%22%3Cc%3E.xlsx#'Hoja'!B2",
    ],
    ['a CSV, which has no cells to go to', 'a.csv', undefined, 'B', 2, 'in/a.csv'],
    ['no row, no link', 'n.xlsx', 'Hoja', undefined, undefined, undefined],
  ])('%s', (_, file, sheet, column, row, expected) => {
    expect(link(file, sheet, column, row)).toBe(expected);
  });

  test('a name like a scheme stays a file of the folder', () => {
    const to = linksFrom('/out/report.xlsx', new Map([['javascript:x.csv', '/out/javascript:x.csv']]));
    expect(to({ file: 'javascript:x.csv', row: 2 })).toBe('./javascript:x.csv');
  });

  test('a file whose path is not known has none', () => {
    expect(
      linksFrom('/out/report.xlsx', new Map())({ file: 'n.xlsx', sheet: 'Hoja', row: 1 }),
    ).toBeUndefined();
  });
});
