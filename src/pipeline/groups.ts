import type { LoadedMapping } from '../mapping/load.js';
import { type LocatedTable, type ReadRecord, readRecord } from '../mapping/record.js';
import { createRowStore } from '../source/row-store.js';
import { keyText } from './sides.js';

/** Records by the key of their document, in order of first appearance; in memory, or spilled. */
export interface Groups {
  /** False when the record has no key. */
  add(record: ReadRecord): boolean;
  all(): Iterable<readonly ReadRecord[]>;
  close(): void;
}

export function createGroups({ mains, key }: LoadedMapping): Groups {
  const store = createRowStore();
  const located: LocatedTable[] = [];
  const columns = new Map(
    mains.map(({ slot, columns }) => [slot, key.map((id) => columns.get(id)!.position)]),
  );
  return {
    add({ table, row, values }) {
      const text = keyText(columns.get(table.slot)!.map((position) => values[position]));
      if (text === undefined) return false;
      if (!located.includes(table)) located.push(table);
      store.add(text, { table: located.indexOf(table), row });
      return true;
    },
    *all() {
      for (const { rows } of store.groups())
        yield rows.map(({ table, row }) => readRecord(located[table]!, row));
    },
    close: () => store.close(),
  };
}
