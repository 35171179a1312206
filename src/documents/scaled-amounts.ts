import { type Issue, issueOf, NO_ISSUES } from '../core/issue.js';
import { fold } from '../core/text.js';
import type { LocatedTable } from '../mapping/record.js';
import { cellPlace, type Row } from '../tables/table.js';

const SCALES: Readonly<Record<string, number>> = {
  miles: 1000,
  thousands: 1000,
  millones: 1_000_000,
  millions: 1_000_000,
};
/** Longer texts above a header tell of other things. */
const LONGEST_NOTE = 120;
const OF_MONEY = /^ (?:de|of) (?!pesos|cop\b|\$|colombian)/;
/** `Valores en miles de pesos`. */
const IN_UNITS = /\b(?:en|in) (miles|millones|thousands|millions)\b/;
/** `Miles de pesos`, `$ millones`: nothing else. */
const UNITS_ALONE =
  /^[^a-z0-9]*(?:cop |pesos )?(miles|millones|thousands|millions)(?: (?:de|of) (?:pesos|cop|\$|colombian pesos))?[^a-z0-9]*$/;
const DENIED = /\b(?:no|not|nunca|never)\b[^.;,:]*$/;

/** In what a text says that amounts are. */
function scaleIn(text: string | undefined): number | undefined {
  if (text === undefined || text.length > LONGEST_NOTE) return undefined;
  const folded = fold(text);
  const found = IN_UNITS.exec(folded);
  if (found === null) return SCALES[UNITS_ALONE.exec(folded)?.[1] ?? ''];
  const [before, after] = [folded.slice(0, found.index), folded.slice(found.index + found[0].length)];
  return OF_MONEY.test(after) || DENIED.test(before) ? undefined : SCALES[found[1]!];
}

/** A text that says in what amounts are, and the columns of which it says so. */
interface ScaleNote {
  readonly row: Row;
  /** Its own column. */
  readonly column: number;
  readonly text: string;
  readonly scale: number;
  readonly amounts: readonly number[];
}

/**
 * What rows above the data say of the columns with amounts: a title of its own column, anything else of all.
 * @param header number of the row with the titles
 */
export function* scaleNotes(
  rows: readonly Row[],
  header: number,
  amounts: readonly number[],
): Generator<ScaleNote> {
  for (const row of rows)
    for (const [column, text] of row.texts.entries()) {
      const own = row.number === header ? amounts.filter((index) => index === column) : amounts;
      const scale = own.length === 0 ? undefined : scaleIn(text);
      if (scale !== undefined) yield { row, column, text: text!, scale, amounts: own };
    }
}

/** As they stand, whatever a note says. */
export const NO_SCALE = 1;

/** What stands above a table, or in the titles of its amounts, says that they are thousands, and the mapping does not read them so. */
export function scaledAmounts(
  { source, header, present }: LocatedTable,
  rows: readonly Row[],
): readonly Issue[] {
  const amounts = present.filter(({ column }) => column.kind === 'money');
  const above = rows.filter(({ number }) => number < header.firstDataRow);
  // Some columns may be of other units, which the mapping says.
  const isRead = (scale: number, some: readonly number[]): boolean => {
    const said = amounts
      .filter(({ index }) => some.includes(index))
      .map(({ column }) => column.formats?.scale);
    return said.every((one) => one !== undefined) && said.some((one) => one === scale || one === NO_SCALE);
  };
  const indexes = amounts.map(({ index }) => index);
  for (const { row, column, text, scale, amounts: own } of scaleNotes(above, header.row.number, indexes))
    if (!isRead(scale, own)) {
      const place = cellPlace(source, row, column);
      return [{ ...issueOf('header/scaled-amounts', 'error', { scale }, place), value: text }];
    }
  return NO_ISSUES;
}
