import { collapse } from '../values/fold.js';
import { labelForms, type TitleMatcher } from './header-label.js';
import type { Row } from './table.js';

/** A row of group labels, and the names that mapping files give to groups. */
export interface GroupRow {
  readonly row: Row;
  readonly names: TitleMatcher;
}

/** The labels of a header over one or two rows, by 0-based column. */
export interface HeaderLabels {
  readonly labels: readonly (string | undefined)[];
  readonly groupLabels: readonly (string | undefined)[];
  /** The row whose cell holds the label of a column. */
  rowOf(column: number): Row;
}

/** A group row stands right above, or with one blank row between. */
const REACH = 2;

const isName = (names: TitleMatcher, text: string): boolean => names.closeness(labelForms(text)) > 0;

/** The row of group labels over the row at that index: declared to be there, or naming a group that is wanted. */
export function groupRowAbove(
  rows: readonly Row[],
  at: number,
  names: TitleMatcher,
  declared: boolean,
): GroupRow | undefined {
  const row = rows[at - 1];
  if (row === undefined || rows[at]!.number - row.number > REACH) return undefined;
  const texts = row.texts.filter((text) => text !== undefined);
  const named = texts.some((text) => isName(names, text));
  // A single text that names no group is the title of the sheet.
  return named || (declared && texts.length > 1) ? { row, names } : undefined;
}

/**
 * Labels and the groups above them. Merged cells hold their text in the first one only: a group reaches until the
 * next text of its row. A text over a blank cell that names no wanted group is a label merged over both rows.
 */
export function labelsOf(row: Row, groups: GroupRow | undefined): HeaderLabels {
  const labels = row.texts.map((text) => (text === undefined ? undefined : collapse(text)));
  const groupLabels: (string | undefined)[] = [];
  const fromAbove = new Set<number>();
  if (groups !== undefined) {
    let group: string | undefined;
    const above = groups.row.texts;
    for (let column = 0; column < Math.max(labels.length, above.length); column++) {
      const text = above[column];
      const vertical = text !== undefined && labels[column] === undefined && !isName(groups.names, text);
      if (text !== undefined) group = vertical ? undefined : collapse(text);
      if (vertical) {
        labels[column] = collapse(text);
        fromAbove.add(column);
      }
      groupLabels[column] = group;
    }
  }
  return {
    labels,
    groupLabels,
    rowOf: (column) => (groups !== undefined && fromAbove.has(column) ? groups.row : row),
  };
}
