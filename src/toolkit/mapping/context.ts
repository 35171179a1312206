import { compare, sum } from '../core/decimal.js';
import type { Place } from '../core/issue.js';
import type { FormulaValue } from '../formula/functions.js';
import { placeOf } from './places.js';
import type { CellFault } from './read/cell.js';
import {
  type CompiledColumn,
  type Context,
  type Gate,
  markTaken,
  NO_RECORDS,
  PlacedFault,
  type ReadRecord,
} from './record.js';

/** Contradiction between two records of a document; names both cells. */
export class Conflict extends PlacedFault<'group/conflict'> {
  constructor(
    record: ReadRecord,
    column: CompiledColumn,
    related: Place,
    first: FormulaValue,
    other: FormulaValue,
  ) {
    super(record, column, 'group/conflict', { first: String(first), other: String(other) }, { related });
  }
}

export const recordsOf = (context: Context, tableIndex: number): readonly ReadRecord[] => {
  const record = context.at[tableIndex];
  return record === undefined ? (context.sets[tableIndex] ?? NO_RECORDS) : [record];
};

export const markPassed = (gate: Gate, context: Context): void =>
  markTaken(gate, (tableIndex) => recordsOf(context, tableIndex));

/** Returns the value of a column for the document, over all its records. @throws Conflict */
export function valueFor(context: Context, column: CompiledColumn): FormulaValue {
  const record = context.at[column.tableIndex];
  return record === undefined
    ? take(context.sets[column.tableIndex] ?? NO_RECORDS, column, column.take ?? 'equal', context)
    : record.values[column.position];
}

const hasValue = (context: Context, column: CompiledColumn): boolean => {
  const record = context.at[column.tableIndex];
  if (record !== undefined)
    return record.values[column.position] !== undefined && record.table.inherited?.has(column) !== true;
  return (context.sets[column.tableIndex] ?? NO_RECORDS).some(
    ({ values }) => values[column.position] !== undefined,
  );
};

export function hasAny(context: Context, columns: readonly CompiledColumn[]): boolean {
  for (const column of columns) if (hasValue(context, column)) return true;
  return false;
}

/** Returns the context at one record of a table, and at the record that it is a part of. */
export function standAt(context: Context, tableIndex: number, record: ReadRecord, index: number): Context {
  const at = context.at.slice();
  if (record.parent !== undefined) at[record.parent.table.tableIndex] = record.parent;
  at[tableIndex] = record;
  // Written out: a spread of so many keys costs several times as much.
  const { params, sets, asked, named } = context;
  const root = context.root ?? context;
  return asked === undefined
    ? { params, at, sets, index, root, named }
    : { params, at, sets, asked, index, root, named };
}

type How = NonNullable<CompiledColumn['take']>;

/** Combines the values of records; blank ones do not count. @throws Conflict if they must be equal and differ */
export function take(
  records: readonly ReadRecord[],
  column: CompiledColumn,
  how: How,
  context: Context,
): FormulaValue {
  const value = how === 'equal' ? equalValue(records, column) : taken(records, column, how);
  if (column.kind !== 'money' || records.length < 2) return value;
  const root = context.root ?? context;
  if (how === 'sum') {
    root.summed ??= new Set();
    root.summed.add(column);
  } else if (PICKS.has(how)) {
    for (const record of records) {
      const other = record.values[column.position];
      if (other === undefined || value === undefined || Number(other) === 0) continue;
      if (isEqual(other, value, column)) continue;
      root.dropped ??= [];
      root.dropped.push({ record, column, kept: String(value) });
    }
  }
  return value;
}

/** Ways to combine that return one of the values. */
const PICKS: ReadonlySet<How> = new Set(['first', 'last', 'min', 'max']);

function taken(
  records: readonly ReadRecord[],
  column: CompiledColumn,
  how: Exclude<How, 'equal'>,
): FormulaValue {
  const values = records.flatMap((record) => record.values[column.position] ?? []);
  switch (how) {
    case 'first':
      return values[0];
    case 'last':
      return values.at(-1);
    case 'count':
      return String(values.length);
    case 'sum':
      return values.length === 0 ? undefined : sum(values as string[]);
    case 'min':
      return extreme(values, column, -1);
    case 'max':
      return extreme(values, column, 1);
    case 'collect':
      return values.length === 0 ? undefined : [...new Set(values)].join(', ');
  }
}

/** Returns the value that all records with one share. @throws Conflict if they differ */
function equalValue(records: readonly ReadRecord[], column: CompiledColumn): FormulaValue {
  let first: { readonly record: ReadRecord; readonly value: FormulaValue & {} } | undefined;
  for (const record of records) {
    const held = record.values[column.position];
    if (held === undefined) continue;
    if (first === undefined) first = { record, value: held };
    else if (!isEqual(held, first.value, column))
      throw new Conflict(record, column, placeOf(first.record, column), first.value, held);
  }
  return first?.value;
}

export const isEqual = (a: string | boolean, b: string | boolean, { type }: CompiledColumn): boolean =>
  a === b || (type === 'decimal' && compare(a as string, b as string) === 0);

function extreme(
  values: readonly (string | boolean)[],
  { type }: CompiledColumn,
  sign: 1 | -1,
): FormulaValue {
  const order = type === 'decimal' ? compare : (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
  return (values as readonly string[]).reduce<string | undefined>(
    (best, value) => (best === undefined || order(value, best) === sign ? value : best),
    undefined,
  );
}

export function agreed(context: Context, column: CompiledColumn): FormulaValue | CellFault {
  try {
    return valueFor(context, column);
  } catch (error) {
    if (error instanceof Conflict) return error;
    throw error;
  }
}
