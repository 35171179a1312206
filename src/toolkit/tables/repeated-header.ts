import { remember } from '../core/remember.js';
import type { Header } from './header.js';
import type { Row } from './table.js';
import { squashLabel } from './titles.js';

/** The filled cells of a header row, squashed: only they are compared, a row may be as wide as Excel allows. */
type Labels = readonly (readonly [column: number, label: string])[];

const labelsOfRows = (row: Row): Labels =>
  row.texts.flatMap((text, column) => (text === undefined ? [] : [[column, squashLabel(text)]]));

const labelRowsOf = remember(({ row, groupRow, sectionRow }: Header): readonly Labels[] =>
  [row, groupRow, sectionRow]
    .flatMap((one) => one ?? [])
    .map(labelsOfRows)
    .filter(({ length }) => length > 0),
);

/** All that a header says, squashed. */
const labelsOfHeader = remember(
  (header: Header): ReadonlySet<string> =>
    new Set(labelRowsOf(header).flatMap((row) => row.map(([, label]) => label))),
);

const startsWithDigit = (text: string): boolean => {
  const code = text.charCodeAt(0);
  return code >= 48 && code <= 57;
};

/** What can be told of a text without squashing it, which costs as much as reading it: asked of every row. */
const cannotBe = (text: string, label: string): boolean =>
  text.length < label.length || startsWithDigit(text) !== startsWithDigit(label);

/** Every text under a label equals it, and at least half of the labels come again. */
function repeats(labels: Labels, row: Row): boolean {
  let equal = 0;
  for (const [column, label] of labels) {
    const text = row.texts[column];
    if (text === undefined) continue;
    if (cannotBe(text, label) || squashLabel(text) !== label) return false;
    equal++;
  }
  return equal > 0 && equal * 2 >= labels.length;
}

/** Whether a later row is the header again, or its row of groups: printed sheets repeat them on each page. */
export const isRepeatedHeader = (header: Header, row: Row): boolean =>
  labelRowsOf(header).some((labels) => repeats(labels, row));

/** A row has so many labels at least that it holds other titles. */
const TITLES = 3;

/** Whether a later row is a header of other columns: most of what it holds are labels of this one, elsewhere or among others. */
export function isOtherHeader(header: Header, row: Row): boolean {
  const labels = labelsOfHeader(header);
  const filled = row.texts.filter((text) => text !== undefined);
  const equal = filled.filter((text) => labels.has(squashLabel(text))).length;
  return equal >= TITLES && equal * 2 >= filled.length;
}
