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

/** What stands above a table, or in the titles of its amounts, says that they are thousands, and the mapping does not read them so. */
export function scaledAmounts(
  { source, header, present }: LocatedTable,
  rows: readonly Row[],
): readonly Issue[] {
  const amounts = present.filter(({ column }) => column.kind === 'money');
  if (amounts.length === 0) return NO_ISSUES;
  // Some columns may be of other units, which the mapping says.
  const isRead = (scale: number, some: typeof amounts): boolean =>
    some.every(({ column }) => column.formats?.scale !== undefined) &&
    some.some(({ column }) => column.formats?.scale === scale);
  for (const row of rows) {
    if (row.number >= header.firstDataRow) break;
    for (const [column, text] of row.texts.entries()) {
      const own =
        row.number === header.row.number ? amounts.filter(({ index }) => index === column) : amounts;
      const scale = own.length === 0 ? undefined : scaleIn(text);
      if (scale === undefined || isRead(scale, own)) continue;
      const place = cellPlace(source, row, column);
      return [{ ...issueOf('header/scaled-amounts', 'error', { scale }, place), value: text! }];
    }
  }
  return NO_ISSUES;
}
