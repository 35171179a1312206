import { type Issue, issueOf, NO_ISSUES } from '../core/issue.js';
import { fold } from '../core/text.js';
import type { HeadedTable } from '../mapping/record.js';
import type { HeaderLabels } from '../tables/header-rows.js';
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

/** A text that says in what amounts are. */
export interface ScaleNote {
  readonly row: Row;
  /** Its own column. */
  readonly column: number;
  readonly text: string;
  readonly scale: number;
  /** The columns with amounts of which it says so. */
  readonly amounts: readonly number[];
  readonly isOf: 'column' | 'group' | 'table';
}

/** What rows above the data say of columns with amounts. */
export function scaleNotes(
  header: HeaderLabels,
  above: readonly Row[],
  amounts: readonly number[],
): readonly ScaleNote[] {
  return above.flatMap((row) =>
    row.texts.flatMap((text, column): ScaleNote[] => {
      const scale = scaleIn(text);
      if (scale === undefined) return [];
      const isTitle = header.rowOf(column).number === row.number;
      const grouped = amounts.filter((index) =>
        [header.groupLabels[index], header.sectionLabels[index]].includes(text),
      );
      const isOf = isTitle ? 'column' : grouped.length > 0 ? 'group' : 'table';
      const own = isTitle ? amounts.filter((index) => index === column) : grouped;
      const spoken = isOf === 'table' ? amounts : own;
      return spoken.length === 0 ? [] : [{ row, column, text: text!, scale, amounts: spoken, isOf }];
    }),
  );
}

/** As they stand, whatever a note says. */
export const NO_SCALE = 1;

function notesOf({ header, present }: HeadedTable, rows: readonly Row[]) {
  const amounts = present.filter(({ column }) => column.kind === 'money');
  const above = rows.filter(({ number }) => number < header.firstDataRow);
  const indexes = amounts.map(({ index }) => index);
  return { amounts, notes: scaleNotes(header, above, indexes) };
}

/** What stands above a table, or in the titles of its amounts, says that they are thousands, and the mapping does not read them so. */
export function scaledAmounts(table: HeadedTable, rows: readonly Row[]): readonly Issue[] {
  const { amounts, notes } = notesOf(table, rows);
  // Some columns may be of other units, which the mapping says.
  const isRead = ({ scale, amounts: own }: ScaleNote): boolean => {
    const said = amounts
      .filter(({ index }) => own.includes(index))
      .map(({ column }) => column.formats?.scale);
    return (
      said.every((one) => one !== undefined) &&
      (said.some((one) => one === scale) || said.every((one) => one === NO_SCALE))
    );
  };
  const note = notes.find((one) => !isRead(one));
  if (note === undefined) return NO_ISSUES;
  const { row, column, scale, text } = note;
  const place = cellPlace(table.source, row, column);
  return [{ ...issueOf('header/scaled-amounts', 'error', { scale }, place), value: text }];
}

/**
 * Sheets whose amounts the mapping multiplies while nothing above them says that they are thousands: they may be written in full.
 * Where another sheet of the table says so, it is an error.
 */
export function unsaidScales(
  tables: readonly (readonly [table: HeadedTable, rows: readonly Row[]])[],
): readonly Issue[] {
  const scaled = tables.map(([table, rows]) => {
    const { amounts, notes } = notesOf(table, rows);
    const unsaid = amounts.find(
      ({ column, index }) =>
        (column.formats?.scale ?? NO_SCALE) > NO_SCALE && !notes.some((note) => note.amounts.includes(index)),
    );
    return { table, unsaid, isSaid: notes.length > 0 };
  });
  return scaled.flatMap(({ table, unsaid }): Issue[] => {
    if (unsaid === undefined) return [];
    const { header, source, slot } = table;
    const isError = scaled.some((one) => one.table.slot === slot && one.isSaid);
    const { file, sheet } = source;
    const title = header.rowOf(unsaid.index);
    const place =
      title.number > 0
        ? cellPlace(source, title, unsaid.index)
        : { file, ...(sheet !== undefined && { sheet }) };
    const params = { scale: unsaid.column.formats!.scale! };
    return [issueOf('header/scale-unsaid', isError ? 'error' : 'warning', params, place)];
  });
}
