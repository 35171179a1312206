import type { LoadedMapping } from '../mapping/load.js';
import type { CompiledColumn, CompiledTable, ReadableTable, ReadRecord } from '../mapping/record.js';
import { plainKeyText } from './joined-tables.js';
import { readTable, recordsIn } from './read.js';
import type { RunReader } from './run-reader.js';
import { AdjacentKeys } from './stored-groups.js';

/** Returns the columns of keys and skip conditions, with their sources. */
function deciding({ columns, skips }: CompiledTable, key: readonly string[]): Set<CompiledColumn> {
  const wanted = new Set<CompiledColumn>();
  const add = (column: CompiledColumn): void => {
    if (wanted.has(column)) return;
    wanted.add(column);
    for (const other of [...column.uses, ...column.feeders]) add(other);
  };
  for (const column of key.flatMap((id) => columns.get(id) ?? [])) add(column);
  for (const { when } of skips) for (const column of when.columns) add(column);
  return wanted;
}

/** Reduces a table to some of its columns. */
const narrowed =
  (wanted: ReadonlySet<CompiledColumn>) =>
  (table: ReadableTable): ReadableTable => ({
    ...table,
    present: table.present.filter(({ column }) => wanted.has(column)),
    computed: table.computed.filter((column) => wanted.has(column)),
    repeats: [],
    parts: [],
  });

/**
 * True if the records of each document are adjacent in a single text, so that documents can be made while reading.
 * Reads the key columns once, up to the first record out of order or without a key; false if two keys look alike.
 */
export async function areAdjacent({ mains, key }: LoadedMapping, reader: RunReader): Promise<boolean> {
  const [main, ...others] = mains;
  if (main === undefined || others.length > 0) return false;
  const sources = reader.sourcesOf(main);
  // Unpacking a sheet twice costs more than storing its few rows.
  if (sources.some(({ source }) => source.sheet !== undefined)) return false;
  const columns = key.flatMap((id) => main.columns.get(id) ?? []);
  const narrow = narrowed(deciding(main, key));
  const keys = new AdjacentKeys();
  for (const source of sources)
    for await (const steps of readTable(main, source, reader.formats, { narrow }))
      for (const { values } of recordsIn(steps)) if (!keys.add(plainKeyText(values, columns))) return false;
  return true;
}

/** Observer that must see all records of the main tables before the first document is made. */
interface Foreseeing {
  /** Ids of the columns of the main tables that it reads. */
  readonly ids: readonly string[];
  expect(record: ReadRecord, main: CompiledTable): void;
}

/** Reads the main tables once for the observers. */
export async function lookAhead(
  { mains }: LoadedMapping,
  reader: RunReader,
  all: readonly Foreseeing[],
): Promise<void> {
  if (all.length === 0) return;
  for (const main of mains) {
    const ids = all.flatMap((observer) => observer.ids).filter((id) => main.columns.has(id));
    const narrow = narrowed(deciding(main, ids));
    for (const source of reader.sourcesOf(main))
      for await (const steps of readTable(main, source, reader.formats, { narrow }))
        for (const record of recordsIn(steps)) for (const observer of all) observer.expect(record, main);
  }
}
