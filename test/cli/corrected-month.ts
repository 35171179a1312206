import type ExcelJS from 'exceljs';
import { columnLetter } from '../../src/toolkit/core/text.js';
import { editedSample } from '../support/edit-workbook.js';

/** Workers of rows 3, 9 and 13, whose salary rises. */
export const RISEN = ['9000100037', '9000100259', '8800121'];
/** The worker of row 10, under a number of its own in each file. */
export const RENUMBERED = { from: '9000100296', to: '9000100297' };
/** The worker of row 24, who is not there any more. */
export const GONE = '9000100814';

const COLUMNS = 54;
export const blankRow = (row: number): Record<string, null> =>
  Object.fromEntries(Array.from({ length: COLUMNS }, (_, index) => [`${columnLetter(index)}${row}`, null]));

const made = new Map<string, Promise<string>>();

/** The sample's month with its mistakes corrected, totals and all; `more` changes further cells. */
export function correctedMonth(more: Readonly<Record<string, ExcelJS.CellValue>> = {}): Promise<string> {
  const key = JSON.stringify(more);
  const file = made.get(key) ?? edit(more);
  made.set(key, file);
  return file;
}

const edit = (more: Readonly<Record<string, ExcelJS.CellValue>>): Promise<string> =>
  editedSample({
    ...{ O3: 6_300_000, V3: 4_200_000, AR3: 6_751_081, BB3: 6_215_155 },
    ...{ O9: 2_000_000, V9: 2_000_000, AR9: 2_249_095, BB9: 2_095_575 },
    ...{ O13: 2_900_000, V13: 2_900_000, AR13: 3_334_095, BB13: 2_803_535 },
    B10: Number(RENUMBERED.to),
    ...blankRow(24),
    ...more,
  });
