import { remember } from '../core/remember.js';
import type { Header } from './header.js';
import type { Row } from './table.js';
import { squashLabel } from './titles.js';

/** Filled cells of a header row, squashed; others are skipped, since a row may be as wide as Excel allows. */
type Labels = readonly (readonly [column: number, label: string])[];

const labelsOfRows = (row: Row): Labels =>
  row.texts.flatMap((text, column) => (text === undefined ? [] : [[column, squashLabel(text)]]));

const labelRowsOf = remember(({ row, groupRow, sectionRow }: Header): readonly Labels[] =>
  [row, groupRow, sectionRow]
    .flatMap((labelRow) => labelRow ?? [])
    .map(labelsOfRows)
    .filter(({ length }) => length > 0),
);

const labelsOfHeader = remember(
  (header: Header): ReadonlySet<string> =>
    new Set(labelRowsOf(header).flatMap((row) => row.map(([, label]) => label))),
);

const startsWithDigit = (text: string): boolean => {
  const code = text.charCodeAt(0);
  return code >= 48 && code <= 57;
};

/** True if a text differs from a label for sure; cheaper than squashing the text, for every row. */
const cannotBe = (text: string, label: string): boolean =>
  text.length < label.length || startsWithDigit(text) !== startsWithDigit(label);

/** True if every text under a label equals it, and at least half of the labels are repeated. */
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

/** True if a row repeats the header or its groups: printed sheets do so on each page. */
export const isRepeatedHeader = (header: Header, row: Row): boolean =>
  labelRowsOf(header).some((labels) => repeats(labels, row));

/** Min labels of a header of other columns. */
const MIN_TITLES = 3;

/** True if a row is a header of other columns: most of its texts are labels of this one, elsewhere or among others. */
export function isOtherHeader(header: Header, row: Row): boolean {
  const labels = labelsOfHeader(header);
  const filled = row.texts.filter((text) => text !== undefined);
  const equal = filled.filter((text) => labels.has(squashLabel(text))).length;
  return equal >= MIN_TITLES && equal * 2 >= filled.length;
}
