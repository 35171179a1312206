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
  joinParts,
  joinRecords,
  partsIn,
  type ReadRecord,
  repeatedIn,
} from '../mapping/record.js';
import { conflictsBetweenSheets, type KeyColumns } from './document-keys.js';
import { type JoinedTable, keyAsked, keyTexts, type OwnedRecords } from './joined-tables.js';

export interface JoinedRecords {
  readonly joinedTable: JoinedTable;
  readonly key: string | undefined;
  readonly records: readonly ReadRecord[];
  /** Cells of the lookup, if it found no records. */
  readonly cells: readonly Place[];
  /** Another key of the document that leads to records with a different first key, with the first of them. */
  readonly contrary?: {
    readonly key: string;
    readonly cells: readonly Place[];
    readonly record: ReadRecord;
  };
  /** Records of the key that do not belong to the document. */
  readonly refused?: NonNullable<OwnedRecords['refused']> & { readonly asked: string };
}

interface Gathered {
  readonly context: Context;
  readonly joined: readonly JoinedRecords[];
  /** Contradictions between records of several sheets. */
  readonly unlike: readonly Issue[];
}

const NO_CELLS: readonly Place[] = [];

/** True if a value of a record is part of a sum, so that another record's value is a further amount. */
const isAmount = ({ kind, take }: CompiledColumn): boolean => kind === 'money' || take === 'sum';

/**
 * Splits the records of a document into those to join and, where a sheet has several or two sheets are of the same amounts, those that are
 * added to them.
 */
function sheetsOf(records: readonly ReadRecord[], areAdded: boolean) {
  const sheets = new Set<number>();
  const amounts = new Set<CompiledColumn>();
  const [first, further] = [[] as ReadRecord[], [] as ReadRecord[]];
  for (const record of records) {
    const { table, values } = record;
    const filled = areAdded
      ? table.present.flatMap(({ column }) =>
          isAmount(column) && values[column.position] !== undefined ? [column] : [],
        )
      : [];
    const isFurther = areAdded && (sheets.has(table.number) || filled.some((column) => amounts.has(column)));
    (isFurther ? further : first).push(record);
    sheets.add(table.number);
    if (!isFurther) for (const column of filled) amounts.add(column);
  }
  return { first, further };
}

/** Collects the records that the leaves of a document may read. */
export function gather(
  mapping: LoadedMapping,
  params: ParamValues,
  keyColumns: KeyColumns,
  records: NonEmpty<ReadRecord>,
  joinedTables: readonly JoinedTable[],
): Gathered {
  const at: (ReadRecord | undefined)[] = [];
  const sets: (readonly ReadRecord[])[] = [];
  const unlike: Issue[] = [];
  for (const { tableIndex, repeated, single, spec } of mapping.mains) {
    const found =
      mapping.mains.length === 1 ? records : records.filter(({ table }) => table.tableIndex === tableIndex);
    const isSpread = Boolean(spec.spread) && found.length > 1;
    const sheets = isSpread ? sheetsOf(found, spec.spread === 'records') : undefined;
    const joined = sheets
      ? [sheets.first, ...sheets.further.map((record) => [record])].map(joinRecords)
      : found;
    if (sheets) unlike.push(...conflictsBetweenSheets(keyColumns, sheets.first));
    if (spec.side_by_side === undefined) sets[tableIndex] = joined;
    else sets[tableIndex] = isSpread ? joinParts(found) : joined.flatMap(partsIn);
    if (single) at[tableIndex] = joined[0];
    if (repeated.length > 0) {
      const parts = joined.flatMap(repeatedIn);
      for (const group of repeated)
        sets[group.tableIndex] = parts.filter(({ table }) => table.tableIndex === group.tableIndex);
    }
  }
  const asked: (readonly Place[])[] = [];
  const joined = joinedTables.map((joinedTable) => {
    const { join } = joinedTable;
    const valuesOf = (ids: readonly string[], record: ReadRecord) =>
      ids.map((id) => askedValue(asking(mapping, id, record, at)));
    // The lookup key need not be the document's key: its first record may lack it.
    const askerOf = (ids: readonly string[]): ReadRecord =>
      records.find((record) => !valuesOf(ids, record).includes(undefined)) ?? records[0];
    const keys = keyTexts(join, ({ primary }) => valuesOf(primary, askerOf(primary)));
    const key = keys.find((text) => text !== undefined);
    const ids = key === undefined ? askingIds(join) : keyAsked(join, key).primary;
    const asker = valuesOf(
      join.whose.map(({ primary }) => primary),
      records[0],
    );
    const { records: matches, refused } = joinedTable.find(key, asker);
    const { tableIndex, single, spec } = joinedTable.table;
    sets[tableIndex] = spec.side_by_side === undefined ? matches : matches.flatMap(partsIn);
    const cells = matches.length > 0 ? NO_CELLS : keyCells(mapping, ids, askerOf(ids), { at, asked });
    const contrary = conflictingJoinKey(joinedTable, key, keys, ({ primary }) =>
      keyCells(mapping, primary, askerOf(primary), { at, asked }),
    );
    if (single) {
      at[tableIndex] = matches[0];
      if (matches.length === 0) asked[tableIndex] = cells;
    }
    const found = { joinedTable, key, records: matches, cells, ...(contrary && { contrary }) };
    if (refused === undefined) return found;
    const names = asker.filter((value) => value !== undefined).join(' ');
    return { ...found, refused: { ...refused, asked: names } };
  });
  return { context: { params, at, sets, asked, index: 0, named: [] }, unlike, joined };
}

/** Finds a later key of the document all of whose records have another first key. */
function conflictingJoinKey(
  joinedTable: JoinedTable,
  key: string | undefined,
  keys: readonly (string | undefined)[],
  cellsOf: (key: JoinKey) => readonly Place[],
): JoinedRecords['contrary'] {
  const { join } = joinedTable;
  if (key === undefined || join.keys.length === 1) return undefined;
  const { columns } = keyAsked(join, key);
  const isOther = (record: ReadRecord): boolean =>
    columns.every(({ position }) => record.values[position] !== undefined) &&
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

/** Resolves a lookup column: of the document's own record, or of a record joined before. */
function asking(
  { mains, tables }: LoadedMapping,
  id: string,
  record: ReadRecord,
  at: Context['at'],
): Asked | undefined {
  const column = mains.find(({ tableIndex }) => tableIndex === record.table.tableIndex)?.columns.get(id);
  if (column !== undefined) return { record, column };
  const [name = '', other = ''] = id.split('.');
  const above = tables.get(name);
  const related = above?.columns.get(other);
  return above && related && { record: at[above.tableIndex], column: related };
}

/** Returns the cells of a lookup; if the record before is missing, the cells of its lookup. */
const keyCells = (
  mapping: LoadedMapping,
  ids: readonly string[],
  from: ReadRecord,
  context: Pick<Context, 'at' | 'asked'>,
): readonly Place[] =>
  ids.flatMap((id) => {
    const { record, column } = asking(mapping, id, from, context.at) ?? {};
    if (column === undefined) return [];
    return record === undefined ? (context.asked?.[column.tableIndex] ?? []) : [placeOf(record, column)];
  });
