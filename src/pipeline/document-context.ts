import type { Context } from '../mapping/context.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { type ReadRecord, repeatedIn } from '../mapping/record.js';
import { keyText, type Side } from './sides.js';

/** The records of one document: its own, and those that it joins. */
export interface Gathered {
  readonly context: Context;
  /** Its own records, in order. */
  readonly own: readonly ReadRecord[];
  readonly joined: readonly {
    readonly side: Side;
    readonly key: string | undefined;
    readonly records: readonly ReadRecord[];
  }[];
}

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
  const joined = sides.map((side) => {
    const key = joinKey(mapping, side, own[0]!);
    const records = side.take(key);
    const { slot, join } = side.table;
    sets[slot] = records;
    if (!join!.many) at[slot] = records[0];
    return { side, key, records };
  });
  return { context: { params, at, sets, index: 0, named: [] }, own, joined };
}

/** The key under which a document's own record asks a joined table. */
function joinKey(mapping: LoadedMapping, side: Side, record: ReadRecord): string | undefined {
  const main = mapping.mains.find(({ slot }) => slot === record.table.slot)!;
  return keyText(side.table.join!.theirs.map((id) => record.values[main.columns.get(id)!.position]));
}
