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

/** Beside an identity, so many values make a record; a line about the company has one at most. */
const VALUES = 2;

const isFigure = (text: string): boolean => /^\W*\d/.test(text);

/**
 * Rows above the header that look like records: below labels of their own (`upper`), or like the first record below the header. They would
 * be lost unseen. Titles, periods and totals do not look so.
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
  const isOwn = (row: Row): boolean =>
    upper !== undefined &&
    row.number >= upper.header.firstDataRow &&
    isIdentified(compiled, readRecord(upper, row)) &&
    figuresIn(upper, row).some(({ type }) => type === 'decimal');
  const isRecord = (row: Row): boolean =>
    isOwn(row) ||
    (first !== undefined &&
      isIdentified(compiled, readRecord(table, row)) &&
      isLike(compiled, table, row, first));
  // Who names the row of the header has seen what stands above it.
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

/** The columns of amounts, counts and dates in which a row has figures. */
const figuresIn = ({ present }: ReadableTable, { texts }: Row): readonly CompiledColumn[] =>
  present.flatMap(({ column, index }) => {
    const text = texts[index];
    return column.type !== 'text' && text !== undefined && isFigure(text) ? column : [];
  });

/** Whether a row is filled as a record: an identity as long, figures and words where that has them, and values. */
function isLike({ identity }: CompiledTable, table: ReadableTable, row: Row, record: Row): boolean {
  const lengthIn = ({ texts }: Row): number =>
    Math.max(
      0,
      ...identity.flatMap(({ feeders }) =>
        feeders.map(({ position }) => texts[table.indexes[position] ?? -1]?.length ?? 0),
      ),
    );
  // What is counted or numbered above the columns is shorter than who is paid.
  if (lengthIn(row) * 2 < lengthIn(record)) return false;
  const own = filled(record.texts);
  const both = own.filter(({ index }) => row.texts[index] !== undefined);
  const alike = both.filter(({ index, text }) => isFigure(text) === isFigure(row.texts[index]!));
  if (alike.length * 2 <= both.length) return false;
  const { length } = figuresIn(table, row);
  return length >= VALUES || (length > 0 && alike.length * 2 >= own.length);
}
