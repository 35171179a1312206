import { columnOf } from './row-cells.js';
import { addMark, type CellMarks, type Mark } from './sheet-plan.js';

/** Corners of `B2:D7`; rows as Excel shows them, columns 0-based. */
export interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

const CELL = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i;

export function rangeOf(reference: string): Range | undefined {
  const [from, to = from] = reference.split(':');
  const start = CELL.exec(from ?? '');
  const end = CELL.exec(to ?? '');
  if (start === null || end === null) return undefined;
  return {
    top: Number(start[2]),
    left: columnOf(start[1]!),
    bottom: Number(end[2]),
    right: columnOf(end[1]!),
  };
}

/** Marks inside merged cells go to the cell that is shown. */
export function onShownCells(marks: CellMarks, merges: readonly Range[]): CellMarks {
  const rows = [...marks.keys()].sort((a, b) => a - b);
  const moved = new Map<number, Map<number, Mark>>();
  for (const [row, ofRow] of marks) moved.set(row, new Map(ofRow));
  for (const { top, left, bottom, right } of merges) {
    for (let at = firstFrom(rows, top); at < rows.length && rows[at]! <= bottom; at++) {
      const row = rows[at]!;
      for (const [column, mark] of marks.get(row)!) {
        if (column < left || column > right || (row === top && column === left)) continue;
        moved.get(row)!.delete(column);
        addMark(moved, top, left, mark);
      }
    }
  }
  return moved;
}

/** Index of the first number that is not below `least`. */
function firstFrom(numbers: readonly number[], least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
