import type { Issue } from '../issues/issue.js';
import { type GroupRow, groupRowAbove } from './header-groups.js';
import { createMatcher, type HeaderMatcher, matchHeader } from './header-match.js';
import { positionalHeader } from './header-none.js';
import { unitsRowBelow } from './header-rows.js';
import type { Row, RowSource } from './table.js';

export { looksMisspelt, missingColumn } from './header-missing.js';
export { fieldCountIssue } from './header-none.js';
export { isRepeatedHeader } from './header-rows.js';

/** A column that a mapping wants, and the header texts that mean it. */
export interface WantedColumn {
  readonly id: string;
  readonly titles: readonly string[];
  /** Group labels under which it stands: `DEVENGADOS`. They count only where the sheet has a row of groups. */
  readonly groups?: readonly string[];
  /** Its 1-based place in a table without header. */
  readonly position?: number;
  /** Every column with such a title is meant; their amounts are added up. */
  readonly several?: boolean;
}

/** Columns that come again: with a number, in titles that hold `{n}`, or under groups of their own. */
export interface RepeatedGroup {
  readonly id: string;
  /** Group labels of the instances in turn: `Primera quincena*`, `Segunda quincena*`. */
  readonly under?: readonly string[];
  readonly columns: readonly WantedColumn[];
}

/** Columns of a file that are left aside, and why. */
export interface IgnoredColumns {
  readonly titles: readonly string[];
  readonly groups?: readonly string[];
  /** 1-based places in a table without header. */
  readonly positions: readonly number[];
  readonly reason: string;
}

export interface HeaderOptions {
  /** The header is this row, as Excel shows it. */
  readonly row?: number;
  /** Else the best fitting of the first so many rows. */
  readonly within: number;
  /** Ids without which a row is no header. */
  readonly mustHave: readonly string[];
  /** A row of group labels stands above the header. Undeclared, it is one when it names a group that some column wants. */
  readonly groups?: 'above';
  /** Label, `GROUP / label` or `[column letter]` → wanted id, or `ignore`. Stronger than titles. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The table has no header: columns are found by position. */
  readonly none?: { readonly fields?: readonly number[] };
  readonly repeated?: readonly RepeatedGroup[];
  readonly ignored?: readonly IgnoredColumns[];
}

/** One instance of a repeated group: its number, and its columns by wanted id. */
export interface Repeat {
  readonly n: number;
  readonly columns: ReadonlyMap<string, number>;
}

/** A header row, and which column of the sheet holds which wanted column. */
export interface Header {
  /** In a table without header an empty row with number 0. */
  readonly row: Row;
  /** The row of group labels above, if any. */
  readonly groupRow?: Row;
  /** Rows above this number are no data. */
  readonly firstDataRow: number;
  /** Header texts by 0-based column; without header the first title of the column at that position. */
  readonly labels: readonly (string | undefined)[];
  /** The group label over each 0-based column. */
  readonly groupLabels: readonly (string | undefined)[];
  /** Wanted id → 0-based column. A column claimed twice keeps its first cell, and is an issue unless `several`. */
  readonly columns: ReadonlyMap<string, number>;
  /** Wanted id → all its 0-based columns in sheet order; more than one only for `several`. */
  readonly several: ReadonlyMap<string, readonly number[]>;
  /** Repeated group → its instances in ascending order of their number. */
  readonly repeats: ReadonlyMap<string, readonly Repeat[]>;
  /** Columns left aside by 0-based column, and why; without a reason where `labels` say so. */
  readonly ignored: ReadonlyMap<number, string | undefined>;
  /** Labels that nothing claims. */
  readonly unused: readonly { readonly column: number; readonly label: string }[];
  readonly issues: readonly Issue[];
}

/** How many columns of the sheet have found their meaning: what headers are compared by. */
export function matchedColumns({ columns, repeats }: Header): number {
  const repeated = [...repeats.values()].flat();
  return columns.size + repeated.reduce((sum, repeat) => sum + repeat.columns.size, 0);
}

/** Matched columns whose cell in this very row is filled: not labelled by the row above, nor by a column letter alone. */
const filledColumns = ({ row, columns, repeats }: Header): number =>
  [columns, ...[...repeats.values()].flat().map((repeat) => repeat.columns)]
    .flatMap((found) => [...found.values()])
    .filter((column) => row.texts[column] !== undefined).length;

function readHeader(
  source: RowSource,
  rows: readonly Row[],
  at: number,
  matcher: HeaderMatcher,
  groups: GroupRow | undefined,
): Header {
  const row = rows[at]!;
  const units = unitsRowBelow(rows, at);
  return {
    row,
    ...(groups && { groupRow: groups.row }),
    firstDataRow: (units ?? row).number + 1,
    ...matchHeader(source, row, groups, matcher),
  };
}

/**
 * The header among the first rows of a sheet: the declared row, or the one that has what it must and fits best.
 * `rows` may go on below: one more row shows whether units stand under the header.
 */
export function findHeader(
  source: RowSource,
  rows: readonly Row[],
  wanted: readonly WantedColumn[],
  options: HeaderOptions,
): Header | undefined {
  if (options.none !== undefined) return positionalHeader(wanted, options.ignored);
  const matcher = createMatcher(wanted, options);
  let best: Header | undefined;
  for (const [at, row] of rows.entries()) {
    if (options.row === undefined ? row.number > options.within : row.number !== options.row) continue;
    const groups = groupRowAbove(rows, at, matcher.groupNames, options.groups === 'above');
    const header = readHeader(source, rows, at, matcher, groups);
    if (options.row === undefined && !options.mustHave.every((id) => header.columns.has(id))) continue;
    if (best === undefined || isBetter(header, best)) best = header;
  }
  return best;
}

/** More columns found, or as many and more of them by its own cells; a row of groups yields to the header below. */
function isBetter(header: Header, best: Header): boolean {
  const more = matchedColumns(header) - matchedColumns(best);
  if (more !== 0) return more > 0;
  const filled = filledColumns(header);
  return header.groupRow === best.row ? filled > 0 : filled > filledColumns(best);
}

/** The row that comes nearest to a header, to say what it lacks. */
export function nearestHeader(
  source: RowSource,
  rows: readonly Row[],
  wanted: readonly WantedColumn[],
  within: number,
  options: Pick<HeaderOptions, 'groups' | 'labels' | 'repeated'> = {},
): Header | undefined {
  const header = findHeader(source, rows, wanted, { ...options, within, mustHave: [] });
  return header === undefined || matchedColumns(header) === 0 ? undefined : header;
}
