import type { Issue, Place } from '../core/issue.js';
import type { NonEmpty } from '../core/non-empty.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { placeOf } from '../mapping/places.js';
import {
  askingIds,
  type CompiledColumn,
  type Context,
  type JoinKey,
  joinRecords,
  partsIn,
  type ReadRecord,
  repeatedIn,
} from '../mapping/record.js';
import { apartIn, type KeyColumns } from './document-keys.js';
import { type Found, type JoinedTable, keyAsked, keyTexts } from './joined-tables.js';

/** The records of a table that a document looks up. */
export interface JoinedRecords {
  readonly joinedTable: JoinedTable;
  readonly key: string | undefined;
  readonly records: readonly ReadRecord[];
  /** Without records: the cells by which they were looked for. */
  readonly cells: readonly Place[];
  /** Where another key of the document leads to records of another one: that key, and the first of them. */
  readonly contrary?: {
    readonly key: string;
    readonly cells: readonly Place[];
    readonly record: ReadRecord;
  };
  /** Records that the key leads to and that are not the document's. */
  readonly refused?: NonNullable<Found['refused']> & { readonly asked: string };
}

interface Gathered {
  readonly context: Context;
  readonly joined: readonly JoinedRecords[];
  /** What records of several sheets do not say alike. */
  readonly unlike: readonly Issue[];
}

const NO_CELLS: readonly Place[] = [];

/** Puts together what the leaves of a document may read. */
export function gather(
  mapping: LoadedMapping,
  params: ParamValues,
  keyColumns: KeyColumns,
  own: NonEmpty<ReadRecord>,
  joinedTables: readonly JoinedTable[],
): Gathered {
  const at: (ReadRecord | undefined)[] = [];
  const sets: (readonly ReadRecord[])[] = [];
  const unlike: Issue[] = [];
  for (const { slot, repeated, single, spec } of mapping.mains) {
    const found = mapping.mains.length === 1 ? own : own.filter(({ table }) => table.slot === slot);
    const isSpread = spec.spread === true && found.length > 1;
    const records = isSpread ? [joinRecords(found)] : found;
    if (isSpread) unlike.push(...apartIn(keyColumns, found));
    sets[slot] = spec.side_by_side === undefined ? records : records.flatMap(partsIn);
    if (single) at[slot] = records[0];
    if (repeated.length > 0) {
      const parts = records.flatMap(repeatedIn);
      for (const group of repeated) sets[group.slot] = parts.filter(({ table }) => table.slot === group.slot);
    }
  }
  const asked: (readonly Place[])[] = [];
  const joined = joinedTables.map((joinedTable) => {
    const { join } = joinedTable;
    const valuesOf = (theirs: readonly string[], one: ReadRecord) =>
      theirs.map((id) => askedValue(asking(mapping, id, one, at)));
    // What a document asks by need not be its key: its first record may not say it.
    const askerOf = (theirs: readonly string[]): ReadRecord =>
      own.find((one) => !valuesOf(theirs, one).includes(undefined)) ?? own[0];
    const keys = keyTexts(join, ({ theirs }) => valuesOf(theirs, askerOf(theirs)));
    const key = keys.find((text) => text !== undefined);
    const ids = key === undefined ? askingIds(join) : keyAsked(join, key).theirs;
    const asker = valuesOf(
      join.whose.map(({ theirs }) => theirs),
      own[0],
    );
    const { records, refused } = joinedTable.find(key, asker);
    const { slot, single, spec } = joinedTable.table;
    sets[slot] = spec.side_by_side === undefined ? records : records.flatMap(partsIn);
    const cells = records.length > 0 ? NO_CELLS : keyCells(mapping, ids, askerOf(ids), { at, asked });
    const contrary = contraryOf(joinedTable, key, keys, ({ theirs }) =>
      keyCells(mapping, theirs, askerOf(theirs), { at, asked }),
    );
    if (single) {
      at[slot] = records[0];
      if (records.length === 0) asked[slot] = cells;
    }
    const found = { joinedTable, key, records, cells, ...(contrary && { contrary }) };
    if (refused === undefined) return found;
    const names = asker.filter((value) => value !== undefined).join(' ');
    return { ...found, refused: { ...refused, asked: names } };
  });
  return { context: { params, at, sets, asked, index: 0, named: [] }, unlike, joined };
}

/** Where a later key of a document leads to records all of which say another one of the key that it is joined by. */
function contraryOf(
  joinedTable: JoinedTable,
  key: string | undefined,
  keys: readonly (string | undefined)[],
  cellsOf: (key: JoinKey) => readonly Place[],
): JoinedRecords['contrary'] {
  const { join } = joinedTable;
  if (key === undefined || join.keys.length === 1) return undefined;
  const { own } = keyAsked(join, key);
  const isOther = (record: ReadRecord): boolean =>
    own.every(({ position }) => record.values[position] !== undefined) &&
    !joinedTable.keysOf(record).includes(key);
  for (const other of keys.slice(keys.indexOf(key) + 1)) {
    const [record, ...others] = joinedTable.take(other);
    if (other !== undefined && record !== undefined && [record, ...others].every(isOther))
      return { key: other, cells: cellsOf(keyAsked(join, other)), record };
  }
  return undefined;
}

interface Asked {
  readonly record: ReadRecord | undefined;
  readonly column: CompiledColumn;
}

const askedValue = (asked: Asked | undefined) => asked?.record?.values[asked.column.position];

/** What a join asks with: a column of the document's own record, or of a record joined before. */
function asking(
  { mains, tables }: LoadedMapping,
  id: string,
  own: ReadRecord,
  at: Context['at'],
): Asked | undefined {
  const column = mains.find(({ slot }) => slot === own.table.slot)?.columns.get(id);
  if (column !== undefined) return { record: own, column };
  const [name = '', other = ''] = id.split('.');
  const above = tables.get(name);
  const beside = above?.columns.get(other);
  return above && beside && { record: at[above.slot], column: beside };
}

/** The cells by which a document asks a joined table; those that led nowhere where the record before is missing. */
const keyCells = (
  mapping: LoadedMapping,
  theirs: readonly string[],
  own: ReadRecord,
  context: Pick<Context, 'at' | 'asked'>,
): readonly Place[] =>
  theirs.flatMap((id) => {
    const { record, column } = asking(mapping, id, own, context.at) ?? {};
    if (column === undefined) return [];
    return record === undefined ? (context.asked?.[column.slot] ?? []) : [placeOf(record, column)];
  });
