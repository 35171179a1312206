import type { FormulaValue } from '../formula/functions.js';
import type { Place } from '../issues/issue.js';
import type { Header } from '../source/header.js';
import type { Row, RowSource } from '../source/table.js';
import { add } from '../values/decimal.js';
import type { Writable } from '../values/writable.js';
import { PlacedFault } from './cells.js';
import type { CompiledColumn } from './columns.js';
import type { Context } from './context.js';
import type { ParamValues } from './params.js';
import { CellFault, type CellReader } from './read/cell-reader.js';

export { faultIssue, PlacedFault, placeOf, placesOf, rowPlace } from './cells.js';

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
  let faultyParts: Map<CompiledColumn, number> | undefined;
  for (const { column, index, more, read } of table.present) {
    const text = texts[index];
    let value = text === undefined ? undefined : read(text, kinds?.[index] ?? 'text');
    let at = index;
    if (more.length > 0 && !(value instanceof CellFault)) {
      const sum = addUp(value, more, row, read);
      ({ value } = sum);
      at = sum.at ?? index;
    }
    if (value === undefined) continue;
    if (value instanceof CellFault) {
      faults ??= new Map();
      faults.set(column, value);
      if (at !== index) {
        faultyParts ??= new Map();
        faultyParts.set(column, at);
      }
    } else values[column.position] = value;
  }
  const record: ReadRecord =
    parent === undefined
      ? { table, row, values, faults, taken: 0 }
      : { table, row, values, faults, parent, taken: 0 };
  if (faultyParts !== undefined)
    for (const [column, index] of faultyParts) {
      const { code, params, suggestions } = faults!.get(column)!;
      faults!.set(column, new PlacedFault(record, column, code, { params, index, suggestions }));
    }
  return table.computed.length === 0 ? record : compute(record, values, faults);
}

/** Amounts of several columns that mean one thing; `at` is the one that cannot be read. */
function addUp(
  first: Exclude<ReturnType<CellReader>, CellFault>,
  more: readonly number[],
  { texts, kinds }: Row,
  read: CellReader,
): { value: ReturnType<CellReader>; at?: number } {
  let sum = first;
  for (const index of more) {
    const text = texts[index];
    if (text === undefined) continue;
    const value = read(text, kinds?.[index] ?? 'text');
    if (value instanceof CellFault) return { value, at: index };
    if (value !== undefined) sum = sum === undefined ? value : add(sum as string, value as string);
  }
  return { value: sum };
}

/** The negative one among several columns of a record whose amounts are added up. */
export function negativePart({ table, row }: ReadRecord, column: CompiledColumn): number | undefined {
  const present = table.present.find((one) => one.column === column);
  if (present === undefined || present.more.length === 0) return undefined;
  return [present.index, ...present.more].find((index) => {
    const text = row.texts[index];
    const value = text === undefined ? undefined : present.read(text, row.kinds?.[index] ?? 'text');
    return typeof value === 'string' && value.startsWith('-');
  });
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
