import type { Header } from './header.js';
import { squashLabel } from './header-label.js';
import type { Row } from './table.js';

/** What a row of units under a header holds, squashed. */
const UNITS = new Set(
  (
    '$ % cop pesos enpesos valor hora horas hr hrs h dia dias mes meses cant cantidad und unidad unidades num numero ' +
    'texto fecha sino ddmmaaaa ddmmyyyy aaaammdd yyyymmdd ddmmaa hhmm hhmmss'
  ).split(' '),
);

const isUnit = (text: string): boolean => UNITS.has(squashLabel(text)) || /^\(?#\)?$/.test(text.trim());

/** The row right under the header at that index, when it holds nothing but units: `($)`, `Hrs`, `dd/mm/aaaa`. */
export function unitsRowBelow(rows: readonly Row[], at: number): Row | undefined {
  const row = rows[at + 1];
  if (row === undefined || row.number !== rows[at]!.number + 1) return undefined;
  const texts = row.texts.filter((text) => text !== undefined);
  return texts.length > 1 && texts.every(isUnit) ? row : undefined;
}

/** The filled cells of a header row, squashed: only they are compared, a row may be as wide as Excel allows. */
type Labels = readonly (readonly [column: number, label: string])[];

const labelsOf = (row: Row): Labels =>
  row.texts.flatMap((text, column) => (text === undefined ? [] : [[column, squashLabel(text)]]));

const known = new WeakMap<Header, readonly Labels[]>();

function labelRowsOf(header: Header): readonly Labels[] {
  let texts = known.get(header);
  if (texts === undefined) {
    const rows = header.groupRow === undefined ? [header.row] : [header.row, header.groupRow];
    texts = rows.map(labelsOf).filter(({ length }) => length > 0);
    known.set(header, texts);
  }
  return texts;
}

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
