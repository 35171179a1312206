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
/** Max length of a note on units above a header. */
const MAX_NOTE_LENGTH = 120;
const OF_MONEY = /^ (?:de|of) (?!pesos|cop\b|\$|colombian)/;
/** `Valores en miles de pesos`. */
const IN_UNITS = /\b(?:en|in) (miles|millones|thousands|millions)\b/;
/** `Miles de pesos`, `$ millones`, and nothing else. */
const UNITS_ALONE =
  /^[^a-z0-9]*(?:cop |pesos )?(miles|millones|thousands|millions)(?: (?:de|of) (?:pesos|cop|\$|colombian pesos))?[^a-z0-9]*$/;
const DENIED = /\b(?:no|not|nunca|never)\b[^.;,:]*$/;

/** Returns the scale of amounts that a text states. */
function scaleIn(text: string | undefined): number | undefined {
  if (text === undefined || text.length > MAX_NOTE_LENGTH) return undefined;
  const folded = fold(text);
  const found = IN_UNITS.exec(folded);
  if (found === null) return SCALES[UNITS_ALONE.exec(folded)?.[1] ?? ''];
  const [before, after] = [folded.slice(0, found.index), folded.slice(found.index + found[0].length)];
  return OF_MONEY.test(after) || DENIED.test(before) ? undefined : SCALES[found[1] ?? ''];
}

/** Text that states the scale of amounts. */
export interface ScaleNote {
  readonly row: Row;
  readonly column: number;
  readonly text: string;
  readonly scale: number;
  /** Amount columns to which it applies. */
  readonly amounts: readonly number[];
  readonly isOf: 'column' | 'group' | 'table';
}

/** Returns the notes above the data that apply to amount columns. */
export function scaleNotes(
  header: HeaderLabels,
  above: readonly Row[],
  amounts: readonly number[],
): readonly ScaleNote[] {
  return above.flatMap((row) =>
    row.texts.flatMap((text, column): ScaleNote[] => {
      const scale = scaleIn(text);
      if (text === undefined || scale === undefined) return [];
      const isTitle = header.rowOf(column).number === row.number;
      const grouped = amounts.filter((index) =>
        [header.groupLabels[index], header.sectionLabels[index]].includes(text),
      );
      const isOf = isTitle ? 'column' : grouped.length > 0 ? 'group' : 'table';
      const covered = isTitle ? amounts.filter((index) => index === column) : grouped;
      const applicable = isOf === 'table' ? amounts : covered;
      return applicable.length === 0 ? [] : [{ row, column, text, scale, amounts: applicable, isOf }];
    }),
  );
}

/** Scale of amounts in pesos, whatever a note says. */
export const NO_SCALE = 1;

function notesOf({ header, present }: HeadedTable, rows: readonly Row[]) {
  const amounts = present.filter(({ column }) => column.kind === 'money');
  const above = rows.filter(({ number }) => number < header.firstDataRow);
  const indexes = amounts.map(({ index }) => index);
  return { amounts, notes: scaleNotes(header, above, indexes) };
}

/** Reports amounts in thousands, by a note above or their titles, that the mapping reads as pesos. */
export function scaledAmounts(table: HeadedTable, rows: readonly Row[]): readonly Issue[] {
  const { amounts, notes } = notesOf(table, rows);
  // Some columns may have other units, as the mapping says.
  const isRead = ({ scale, amounts: covered }: ScaleNote): boolean => {
    const declared = amounts
      .filter(({ index }) => covered.includes(index))
      .map(({ column }) => column.formats?.scale);
    return (
      declared.every((entry) => entry !== undefined) &&
      (declared.some((entry) => entry === scale) || declared.every((entry) => entry === NO_SCALE))
    );
  };
  const note = notes.find((entry) => !isRead(entry));
  if (note === undefined) return NO_ISSUES;
  const { row, column, scale, text } = note;
  const place = cellPlace(table.source, row, column);
  return [{ ...issueOf('header/scaled-amounts', 'error', { scale }, place), value: text }];
}

/**
 * Reports sheets whose amounts the mapping multiplies although no note says so: they may be in pesos. An error if
 * another sheet of the table has the note.
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
    const { header, source, tableIndex } = table;
    const isError = scaled.some((other) => other.table.tableIndex === tableIndex && other.isSaid);
    const { file, sheet } = source;
    const title = header.rowOf(unsaid.index);
    const place =
      title.number > 0
        ? cellPlace(source, title, unsaid.index)
        : { file, ...(sheet !== undefined && { sheet }) };
    const params = { scale: unsaid.column.formats?.scale ?? NO_SCALE };
    return [issueOf('header/scale-unsaid', isError ? 'error' : 'warning', params, place)];
  });
}
