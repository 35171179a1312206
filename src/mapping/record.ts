import type { FormulaValue } from '../formula/functions.js';
import type { Issue, Place } from '../issues/issue.js';
import type { Header } from '../source/header.js';
import { cellPlace, type Row, type RowSource } from '../source/table.js';
import type { CompiledColumn } from './columns.js';
import { CellFault } from './read/cell-reader.js';

/** A table of a file, found and matched: which column of the sheet holds which column of the mapping. */
export interface LocatedTable {
  readonly source: RowSource;
  readonly header: Header;
  /** By position of the column in the mapping; undefined where the file has no such column. */
  readonly indexes: readonly (number | undefined)[];
  readonly columns: readonly CompiledColumn[];
  /** The columns that the file has. */
  readonly present: readonly { readonly column: CompiledColumn; readonly index: number }[];
}

/** One record, read: typed values by position of the column, and what could not be read. */
export interface ReadRecord {
  readonly row: Row;
  readonly values: readonly FormulaValue[];
  readonly faults: ReadonlyMap<CompiledColumn, CellFault> | undefined;
}

export function locateTable(
  source: RowSource,
  header: Header,
  columns: Iterable<CompiledColumn>,
): LocatedTable {
  const all = [...columns];
  const indexes = all.map(({ id }) => header.columns.get(id));
  const present = all.flatMap((column) => {
    const index = indexes[column.position];
    return index === undefined ? [] : [{ column, index }];
  });
  return { source, header, columns: all, indexes, present };
}

/** Reads the mapped cells of a row. Never throws: what cannot be read is blank, and a fault. */
export function readRecord({ columns, present }: LocatedTable, row: Row): ReadRecord {
  const { texts, kinds } = row;
  const values: FormulaValue[] = new Array(columns.length);
  let faults: Map<CompiledColumn, CellFault> | undefined;
  for (const { column, index } of present) {
    const text = texts[index];
    if (text === undefined) continue;
    const value = column.read(text, kinds?.[index] ?? 'text');
    if (value instanceof CellFault) {
      faults ??= new Map();
      faults.set(column, value);
    } else values[column.position] = value;
  }
  return { row, values, faults };
}

/** Where the cell of a column stands in a row, or the row alone when the file lacks the column. */
export function placeOf(table: LocatedTable, row: Row, column: CompiledColumn): Place {
  const index = table.indexes[column.position];
  if (index === undefined) return rowPlace(table, row);
  return cellPlace(table.source, row, index, table.header.labels[index]);
}

export function rowPlace({ source }: LocatedTable, row: Row): Place {
  const { column: _, ...place } = cellPlace(source, row, 0);
  return place;
}

/** The places of those columns that the file has. */
export const placesOf = (
  table: LocatedTable,
  row: Row,
  columns: readonly CompiledColumn[],
): readonly Place[] =>
  columns
    .filter((column) => table.indexes[column.position] !== undefined)
    .map((column) => placeOf(table, row, column));

/** The issue of a cell that could not be read, with what it holds. */
export function faultIssue(
  table: LocatedTable,
  row: Row,
  column: CompiledColumn,
  fault: CellFault,
  level: Issue['level'] = 'error',
): Issue {
  const index = table.indexes[column.position];
  const text = index === undefined ? undefined : row.texts[index];
  return {
    code: fault.code,
    level,
    params: fault.params,
    place: placeOf(table, row, column),
    ...(text !== undefined && { value: text }),
    ...(fault.suggestions && fault.suggestions.length > 0 && { suggestions: fault.suggestions }),
  };
}
