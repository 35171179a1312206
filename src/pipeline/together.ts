import type { CompiledColumn } from '../mapping/columns.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { LocatedTable } from '../mapping/record.js';
import type { CompiledTable } from '../mapping/tables.js';
import { createKeyHashes } from '../source/key-hashes.js';
import { readTable, type TableWatch } from './read-table.js';
import { keyText, type Side } from './sides.js';
import type { GivenFormats } from './voted.js';

const SILENT: TableWatch = {
  read: () => undefined,
  skipped: () => undefined,
  issue: () => undefined,
  voted: () => undefined,
};

/** The columns by which documents and records that are no data are told, and those behind them. */
function deciding({ columns, skips }: CompiledTable, key: readonly string[]): Set<CompiledColumn> {
  const wanted = new Set<CompiledColumn>();
  const add = (column: CompiledColumn): void => {
    if (wanted.has(column)) return;
    wanted.add(column);
    for (const other of [...column.uses, ...column.feeders]) add(other);
  };
  for (const id of key) add(columns.get(id)!);
  for (const { when } of skips) for (const column of when.columns) add(column);
  return wanted;
}

/** The same table, of which only some columns are read. */
const narrowed =
  (wanted: ReadonlySet<CompiledColumn>) =>
  (table: LocatedTable): LocatedTable => ({
    ...table,
    present: table.present.filter(({ column }) => wanted.has(column)),
    computed: table.computed.filter((column) => wanted.has(column)),
    repeats: [],
  });

/**
 * Whether the records of each document stand together in the one text that holds them, so that documents can be made while it is read.
 * The text is read once for it, the key alone, up to the first record that comes too late; where two keys look alike the answer is no.
 */
export async function standTogether(
  { mains, key }: LoadedMapping,
  located: readonly LocatedTable[],
  formats: GivenFormats,
): Promise<boolean> {
  const [main, ...others] = mains;
  const sources = located.filter(({ slot }) => slot === main?.slot);
  // A sheet costs more to unpack twice than its few rows do to put aside.
  if (main === undefined || others.length > 0 || sources.some(({ source }) => source.sheet !== undefined))
    return false;
  const positions = key.map((id) => main.columns.get(id)!.position);
  const narrow = narrowed(deciding(main, key));
  const seen = createKeyHashes();
  let current: string | undefined;
  for (const source of sources)
    for await (const records of readTable(main, source, formats, SILENT, narrow))
      for (const { values } of records) {
        const text = keyText(positions.map((position) => values[position]));
        if (text === undefined || text === current) continue;
        if (!seen.add(text)) return false;
        current = text;
      }
  return true;
}

/**
 * Tells tables with records that do not say whose they are who will ask for them, so that one is never shared unseen: the main tables are
 * read once for it.
 */
export async function expectAskers(
  { mains }: LoadedMapping,
  located: readonly LocatedTable[],
  formats: GivenFormats,
  sides: readonly Side[],
): Promise<void> {
  for (const side of sides.filter(({ isOpen }) => isOpen)) {
    const { theirs, whose } = side.table.join!;
    const owners = whose.map((one) => one.theirs);
    for (const main of mains) {
      const columns = (ids: readonly string[]): CompiledColumn[] =>
        ids.flatMap((id) => main.columns.get(id) ?? []);
      const narrow = narrowed(deciding(main, [...theirs, ...owners]));
      for (const source of located.filter(({ slot }) => slot === main.slot))
        for await (const records of readTable(main, source, formats, SILENT, narrow))
          for (const { values } of records) {
            const key = keyText(columns(theirs).map(({ position }) => values[position]));
            if (key !== undefined)
              side.expect(
                key,
                columns(owners).map(({ position }) => values[position]),
              );
          }
    }
  }
}
