import type { Place } from '../core/issue.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { placeOf } from '../mapping/places.js';
import { type CompiledColumn, type Context, type ReadRecord, repeatedIn } from '../mapping/record.js';
import { type Found, keyText, type Side } from './sides.js';

/** The records of one document: its own, and those that it joins. */
export interface Gathered {
  readonly context: Context;
  /** Its own records, in order. */
  readonly own: readonly ReadRecord[];
  readonly joined: readonly {
    readonly side: Side;
    readonly key: string | undefined;
    readonly records: readonly ReadRecord[];
    /** Without records: the cells by which they were looked for. */
    readonly cells: readonly Place[];
    /** Records that the key leads to and that are not the document's. */
    readonly refused?: NonNullable<Found['refused']> & { readonly asked: string };
  }[];
}

const NO_CELLS: readonly Place[] = [];

/** Puts together what the leaves of a document may read. */
export function gather(
  mapping: LoadedMapping,
  params: ParamValues,
  own: readonly ReadRecord[],
  sides: readonly Side[],
): Gathered {
  const at: (ReadRecord | undefined)[] = [];
  const sets: (readonly ReadRecord[])[] = [];
  for (const { slot, repeated } of mapping.mains) {
    const records = mapping.mains.length === 1 ? own : own.filter(({ table }) => table.slot === slot);
    sets[slot] = records;
    if (mapping.onePer === 'record') at[slot] = records[0];
    if (repeated.length > 0) {
      const parts = records.flatMap(repeatedIn);
      for (const group of repeated) sets[group.slot] = parts.filter(({ table }) => table.slot === group.slot);
    }
  }
  const asked: (readonly Place[])[] = [];
  const joined = sides.map((side) => {
    const { theirs, whose } = side.table.join!;
    const key = joinKey(mapping, theirs, own[0]!, at);
    const who = whose.map((one) => asking(mapping, one.theirs, own[0]!, at));
    const asker = who.map(({ record, column }) => record?.values[column.position]);
    const { records, refused } = side.find(key, asker);
    const { slot, join } = side.table;
    sets[slot] = records;
    const cells = records.length > 0 ? NO_CELLS : keyCells(mapping, theirs, own[0]!, { at, asked });
    if (!join!.many) {
      at[slot] = records[0];
      if (records.length === 0) asked[slot] = cells;
    }
    if (refused === undefined) return { side, key, records, cells };
    const names = asker.filter((value) => value !== undefined).join(' ');
    return { side, key, records, cells, refused: { ...refused, asked: names } };
  });
  return { context: { params, at, sets, asked, index: 0, named: [] }, own, joined };
}

/** What a join asks with: a column of the document's own record, or of a record joined before. */
function asking(
  { mains, tables }: LoadedMapping,
  id: string,
  own: ReadRecord,
  at: Context['at'],
): { readonly record: ReadRecord | undefined; readonly column: CompiledColumn } {
  const main = mains.find(({ slot }) => slot === own.table.slot)!;
  const column = main.columns.get(id);
  if (column !== undefined) return { record: own, column };
  const [name = '', other = ''] = id.split('.');
  const above = tables.get(name)!;
  return { record: at[above.slot], column: above.columns.get(other)! };
}

/** The cells by which a document asks a joined table; those that led nowhere where the record before is missing. */
const keyCells = (
  mapping: LoadedMapping,
  theirs: readonly string[],
  own: ReadRecord,
  context: Pick<Context, 'at' | 'asked'>,
): readonly Place[] =>
  theirs.flatMap((id) => {
    const { record, column } = asking(mapping, id, own, context.at);
    return record === undefined ? (context.asked?.[column.slot] ?? []) : [placeOf(record, column)];
  });

/** The key under which a document asks a joined table. */
const joinKey = (
  mapping: LoadedMapping,
  theirs: readonly string[],
  own: ReadRecord,
  at: Context['at'],
): string | undefined =>
  keyText(
    theirs.map((id) => {
      const { record, column } = asking(mapping, id, own, at);
      return record?.values[column.position];
    }),
  );
