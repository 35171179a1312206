import type { FormulaValue } from '../formula/functions.js';
import type { Issue, Place } from '../issues/issue.js';
import type { Header } from '../source/header.js';
import { cellPlace, type Row, type RowSource } from '../source/table.js';
import { add, compare } from '../values/decimal.js';
import type { Writable } from '../values/writable.js';
import type { CompiledColumn } from './columns.js';
import type { Context } from './context.js';
import type { ParamValues } from './params.js';
import { CellFault, type CellReader } from './read/cell-reader.js';

/** A read column, and the columns of the sheet that hold it. */
export interface PresentColumn {
  readonly column: CompiledColumn;
  readonly index: number;
  /** Further columns whose amounts are added. */
  readonly more: readonly number[];
  readonly read: CellReader;
}

/** A table of a file, found and matched. */
export interface LocatedTable {
  readonly slot: number;
  /** Its place among the located tables of the run. */
  readonly number: number;
  readonly source: RowSource;
  readonly header: Header;
  /** How many values a record has. */
  readonly width: number;
  readonly present: readonly PresentColumn[];
  /** By position of the column; undefined where the file has no such column. */
  readonly indexes: readonly (number | undefined)[];
  readonly computed: readonly CompiledColumn[];
  /** Without header: how many fields a record may have. */
  readonly fields?: readonly number[];
  /** Groups of columns that come again: each instance reads like a table of its own. */
  readonly repeats: readonly LocatedTable[];
  readonly params: ParamValues;
  /** The cell by which the format of a column was decided. */
  readonly witnesses?: ReadonlyMap<CompiledColumn, Place>;
}

/** One record, read: typed values by position of the column, and what could not be read. */
export interface ReadRecord {
  readonly table: LocatedTable;
  readonly row: Row;
  readonly values: readonly FormulaValue[];
  readonly faults: ReadonlyMap<CompiledColumn, CellFault> | undefined;
  /** Values that were repaired rather than refused. */
  readonly repairs?: ReadonlyMap<CompiledColumn, CellFault>;
  /** Set in an instance of repeated columns: the record that it is part of. */
  readonly parent?: ReadRecord;
  /** Bits of the amounts that a condition let into a document. */
  taken: number;
}

/** Reads the mapped cells of a row. Never throws: what cannot be read is blank, and a fault. */
export function readRecord(table: LocatedTable, row: Row, parent?: ReadRecord): ReadRecord {
  const { texts, kinds } = row;
  const values: FormulaValue[] = new Array(table.width);
  let faults: Map<CompiledColumn, CellFault> | undefined;
  for (const { column, index, more, read } of table.present) {
    const text = texts[index];
    let value = text === undefined ? undefined : read(text, kinds?.[index] ?? 'text');
    if (more.length > 0) value = addUp(value, more, row, read);
    if (value === undefined) continue;
    if (value instanceof CellFault) {
      faults ??= new Map();
      faults.set(column, value);
    } else values[column.position] = value;
  }
  const record: ReadRecord =
    parent === undefined
      ? { table, row, values, faults, taken: 0 }
      : { table, row, values, faults, parent, taken: 0 };
  return table.computed.length === 0 ? record : compute(record, values, faults);
}

/** Amounts of several columns that mean one thing. */
function addUp(
  first: ReturnType<CellReader>,
  more: readonly number[],
  { texts, kinds }: Row,
  read: CellReader,
): ReturnType<CellReader> {
  let sum = first;
  for (const index of more) {
    const text = texts[index];
    if (text === undefined || sum instanceof CellFault) continue;
    const value = read(text, kinds?.[index] ?? 'text');
    if (value instanceof CellFault) sum = value;
    else if (value !== undefined) sum = sum === undefined ? value : add(sum as string, value as string);
  }
  return sum;
}

/** Fills the computed columns, in an order in which each finds what it needs. */
function compute(
  record: ReadRecord,
  values: FormulaValue[],
  faults: Map<CompiledColumn, CellFault> | undefined,
): ReadRecord {
  const { table } = record;
  const context = recordContext(record);
  let all = faults;
  let spoilt: Set<CompiledColumn> | undefined;
  let repairs: Map<CompiledColumn, CellFault> | undefined;
  for (const column of table.computed) {
    if (all !== undefined && column.uses.some((used) => all!.has(used) || spoilt?.has(used))) {
      spoilt ??= new Set(); // the fault of what it reads is said already
      spoilt.add(column);
      continue;
    }
    const value = column.computed!(context);
    if (value instanceof CellFault) {
      all ??= new Map();
      all.set(column, value);
    } else if (typeof value === 'object') {
      repairs ??= new Map();
      repairs.set(column, value.warning);
      values[column.position] = value.value;
    } else values[column.position] = value;
  }
  if (all === faults && repairs === undefined) return record;
  const changed: Writable<ReadRecord> = { table, row: record.row, values, faults: all, taken: 0 };
  if (record.parent !== undefined) changed.parent = record.parent;
  if (repairs !== undefined) changed.repairs = repairs;
  return changed;
}

/** A context in which only this record is known: for what concerns a record by itself. */
export function recordContext(record: ReadRecord): Context {
  const at: (ReadRecord | undefined)[] = [];
  at[record.table.slot] = record;
  if (record.parent !== undefined) at[record.parent.table.slot] = record.parent;
  return {
    params: record.table.params,
    at,
    sets: [],
    index: 0,
    named: [],
  };
}

/** The instances of repeated columns in a record that hold anything. */
export const repeatedIn = (record: ReadRecord): ReadRecord[] =>
  record.table.repeats.flatMap((table) => {
    const part = readRecord(table, record.row, record);
    return part.faults !== undefined || part.values.some((value) => value !== undefined) ? [part] : [];
  });

/** Where the cell of a column stands; the row alone when the file lacks the column. */
export function placeOf({ table, row }: ReadRecord, column: CompiledColumn): Place {
  const found = column.feeders.find(({ position }) => table.indexes[position] !== undefined);
  const index = found && table.indexes[found.position];
  if (index === undefined) return rowPlace(table, row);
  return cellPlace(table.source, row, index, table.header.labels[index]);
}

export function rowPlace({ source }: LocatedTable, row: Row): Place {
  const { column: _, ...place } = cellPlace(source, row, 0);
  return place;
}

const hasCell = ({ table }: ReadRecord, column: CompiledColumn): boolean =>
  column.feeders.some(({ position }) => table.indexes[position] !== undefined);

/** Cells beyond this number explain nothing more. */
const MANY_CELLS = 50;

/** The cells of those columns in a document, as far as the files have them. */
export function placesOf(context: Context, columns: readonly CompiledColumn[]): readonly Place[] {
  const places: Place[] = [];
  const seen = new Set<string>();
  for (const column of columns.flatMap(({ feeders }) => feeders)) {
    const record = context.at[column.slot];
    const records = record === undefined ? (context.sets[column.slot] ?? []) : [record];
    if (records.length === 0) places.push(...(context.asked?.[column.slot] ?? []));
    for (const one of records) {
      if (!hasCell(one, column) || places.length >= MANY_CELLS) continue;
      for (const place of cellsOf(one, column)) {
        const key = `${one.table.number} ${place.column}${place.row}`;
        if (!seen.has(key)) places.push(place);
        seen.add(key);
      }
    }
  }
  return places;
}

/** Every cell of a column in a record: more than one where amounts are added up, and then the largest part first: a sum that is too high is its fault. */
function cellsOf(record: ReadRecord, column: CompiledColumn): readonly Place[] {
  const { table, row } = record;
  const present = table.present.find((one) => one.column === column);
  if (present === undefined) return [];
  const { index, more, read } = present;
  const part = (at: number): string => {
    const text = row.texts[at];
    const value = text === undefined ? undefined : read(text, row.kinds?.[at] ?? 'text');
    return typeof value === 'string' ? value : '0';
  };
  const indexes = more.length === 0 ? [index] : [index, ...more].sort((a, b) => compare(part(b), part(a)));
  return indexes.map((at) => cellPlace(table.source, row, at, table.header.labels[at]));
}

/** The issue of a cell that could not be read, with what it holds. */
export function faultIssue(
  record: ReadRecord,
  column: CompiledColumn,
  fault: CellFault,
  level: Issue['level'] = 'error',
): Issue {
  const { table, row } = record;
  const feeder = column.feeders.find(({ position }) => table.indexes[position] !== undefined);
  const index = feeder && table.indexes[feeder.position];
  const text = index === undefined ? undefined : row.texts[index];
  const witness = fault.code === 'format/contradiction' ? table.witnesses?.get(column) : undefined;
  const { code, params, suggestions } = fault;
  const issue: Writable<Issue> = { code, level, params, place: placeOf(record, column) };
  if (text !== undefined) issue.value = text;
  if (witness !== undefined) issue.related = [witness];
  if (suggestions !== undefined && suggestions.length > 0) issue.suggestions = suggestions;
  return issue;
}
