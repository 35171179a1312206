import { type Issue, type IssueCode, issueOf } from '../core/issue.js';
import { rowPlace } from '../mapping/places.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type ReadableTable,
  readRecord,
} from '../mapping/record.js';
import type { Row } from '../tables/table.js';
import { filled, isIdentified } from './footers.js';

/** Min values besides an identity that make a record; a line about the company has at most one. */
const MIN_VALUES = 2;

const isFigure = (text: string): boolean => /^\W*\d/.test(text);

/**
 * Reports rows above the header that look like records, and would be lost silently: below their own labels (`upper`),
 * or similar to the first record below the header. Titles, periods and totals do not look like records.
 */
export function recordsAbove(
  compiled: CompiledTable,
  table: ReadableTable,
  rows: readonly Row[],
  upper: ReadableTable | undefined,
): readonly Issue[] {
  const { header } = table;
  const first = rows.find(
    (row) => row.number >= header.firstDataRow && isIdentified(compiled, readRecord(table, row)),
  );
  const isBelowUpper = (row: Row): boolean =>
    upper !== undefined &&
    row.number >= upper.header.firstDataRow &&
    isIdentified(compiled, readRecord(upper, row)) &&
    figuresIn(upper, row).some(({ type }) => type === 'decimal');
  const isRecord = (row: Row): boolean =>
    isBelowUpper(row) ||
    (first !== undefined &&
      isIdentified(compiled, readRecord(table, row)) &&
      isLike(compiled, table, row, first));
  // A user who names the row of the header has seen the rows above it.
  const level = compiled.spec.header?.row === undefined ? 'error' : 'warning';
  return rows
    .filter(
      (row) =>
        row.number < header.row.number &&
        row.leftOut === undefined &&
        !(row.hidden && compiled.spec.hidden_rows === 'skip') &&
        isRecord(row),
    )
    .map((row) =>
      issueOf<IssueCode>('row/above-header', level, { header: header.row.number }, rowPlace(table, row)),
    );
}

/** Returns the columns of amounts, counts and dates in which a row has numbers. */
const figuresIn = ({ present }: ReadableTable, { texts }: Row): readonly CompiledColumn[] =>
  present.flatMap(({ column, index }) => {
    const text = texts[index];
    return column.type !== 'text' && text !== undefined && isFigure(text) ? column : [];
  });

/** True if a row is filled like a record: an identity as long, numbers and words in the same columns, and values. */
function isLike({ identity }: CompiledTable, table: ReadableTable, row: Row, record: Row): boolean {
  const lengthIn = ({ texts }: Row): number =>
    Math.max(
      0,
      ...identity.flatMap(({ feeders }) =>
        feeders.map(({ position }) => texts[table.indexes[position] ?? -1]?.length ?? 0),
      ),
    );
  // Counts and ordinals above the columns are shorter than identities.
  if (lengthIn(row) * 2 < lengthIn(record)) return false;
  const cells = filled(record.texts);
  const both = cells.flatMap(({ index, text }) => {
    const above = row.texts[index];
    return above === undefined ? [] : { text, above };
  });
  const alike = both.filter(({ text, above }) => isFigure(text) === isFigure(above));
  if (alike.length * 2 <= both.length) return false;
  const { length } = figuresIn(table, row);
  return length >= MIN_VALUES || (length > 0 && alike.length * 2 >= cells.length);
}
