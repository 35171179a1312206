import { isPlainDate, type PlainDate } from '../core/plain-date.js';
import { type Catalogue, type CatalogueRow, requiredCatalogue } from './catalogue.js';
import { cellOf } from './catalogue-text.js';

/** Row of a law table that applies on a date, or the period that has none. */
type DatedRow =
  | { readonly kind: 'row'; readonly row: CatalogueRow }
  | { readonly kind: 'missing'; readonly table: string; readonly period: string };

/** Texts that the row must have in some columns. */
type RowMatch = Readonly<Record<string, string>>;

/** True if the table's content depends on the date. */
export const isDated = (list: Catalogue | undefined): list is Catalogue =>
  list !== undefined && (list.columns.includes('year') || list.columns.includes('valid_from'));

/** Returns the period of a date as it is named if missing: the year, or the day. */
const periodOf = ({ columns }: Catalogue, date: PlainDate): string =>
  columns.includes('year') ? date.slice(0, 4) : date;

/**
 * Returns the rows valid on a date; the latest beginning counts, so that a new set of rows replaces the one
 * before.
 */
export function rowsOn(rows: readonly CatalogueRow[], date: PlainDate): readonly CatalogueRow[] {
  if (rows[0]?.['year'] !== undefined) return rows.filter((row) => date.startsWith(cellOf(row, 'year')));
  const holding = rows.filter(
    ({ valid_from: from = '', valid_to: to = '' }) => from <= date && (to === '' || date <= to),
  );
  const last = holding.reduce((latest, { valid_from: from = '' }) => (from > latest ? from : latest), '');
  return holding.filter(({ valid_from: from = '' }) => from === last);
}

export const rulesAt = (table: string, date: PlainDate, match: RowMatch = {}): readonly CatalogueRow[] =>
  rowsOn(
    requiredCatalogue(table).rows.filter((row) =>
      Object.entries(match).every(([column, text]) => row[column] === text),
    ),
    date,
  );

/** Returns the row of a law table that is valid on a date; never that of another year. */
export function ruleAt(table: string, date: PlainDate, match?: RowMatch): DatedRow {
  const [row] = rulesAt(table, date, match);
  return row === undefined
    ? { kind: 'missing', table, period: periodOf(requiredCatalogue(table), date) }
    : { kind: 'row', row };
}

/** Thrown by a formula that needs a figure of a period without one. */
export class MissingFigure {
  /** `payroll_yearly_figures#2027`, as `UncheckedTables` counts it. */
  readonly needed: string;

  constructor(table: string, period: string) {
    this.needed = `${table}#${period}`;
  }
}

/**
 * Returns a lookup of a column on a date among rows of a table; blank if the row has nothing there.
 * @throws MissingFigure if no row holds
 */
export function figureOn(
  list: Catalogue,
  column: string,
  rows: readonly CatalogueRow[] = list.rows,
): (date: string) => string | undefined {
  // Documents of a file have one or two dates.
  const known = new Map<string, string | undefined | MissingFigure>();
  const find = (date: string): string | undefined | MissingFigure => {
    if (!isPlainDate(date)) return undefined;
    const [row] = rowsOn(rows, date);
    if (row === undefined) return new MissingFigure(list.name, periodOf(list, date));
    return row[column] === '' ? undefined : row[column];
  };
  return (date) => {
    if (!known.has(date)) known.set(date, find(date));
    const figure = known.get(date);
    if (figure instanceof MissingFigure) throw figure;
    return figure;
  };
}
