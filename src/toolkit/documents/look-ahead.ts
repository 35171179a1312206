import type { LoadedMapping } from '../mapping/load.js';
import type { CompiledColumn, CompiledTable, ReadableTable, ReadRecord } from '../mapping/record.js';
import type { Accounts } from './accounts.js';
import { plainKeyText } from './joined-tables.js';
import { readTable, recordsIn } from './read.js';
import { AdjacentKeys } from './stored-groups.js';

/** The columns by which documents and records that are no data are told, and those behind them. */
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

/** The same table, of which only some columns are read. */
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
 * Tells whether the records of each document stand together in the one text that holds them, so that documents can be made while it is
 * read. The text is read once for it, the key alone, up to the first record that comes too late or has no key; where two keys look
 * alike the answer is no.
 */
export async function areAdjacent({ mains, key }: LoadedMapping, accounts: Accounts): Promise<boolean> {
  const [main, ...others] = mains;
  if (main === undefined || others.length > 0) return false;
  const sources = accounts.sourcesOf(main);
  // A sheet costs more to unpack twice than its few rows do to put aside.
  if (sources.some(({ source }) => source.sheet !== undefined)) return false;
  const columns = key.flatMap((id) => main.columns.get(id) ?? []);
  const narrow = narrowed(deciding(main, key));
  const keys = new AdjacentKeys();
  for (const source of sources)
    for await (const steps of readTable(main, source, accounts.formats, { narrow }))
      for (const { values } of recordsIn(steps)) if (!keys.add(plainKeyText(values, columns))) return false;
  return true;
}

/** Who must know all records of the main tables before the first document is made. */
interface Foreseeing {
  /** The columns of the main tables that it looks at. */
  readonly ids: readonly string[];
  expect(record: ReadRecord, main: CompiledTable): void;
}

/** The main tables are read once for those who must know them before. */
export async function lookAhead(
  { mains }: LoadedMapping,
  accounts: Accounts,
  all: readonly Foreseeing[],
): Promise<void> {
  if (all.length === 0) return;
  for (const main of mains) {
    const ids = all.flatMap((one) => one.ids).filter((id) => main.columns.has(id));
    const narrow = narrowed(deciding(main, ids));
    for (const source of accounts.sourcesOf(main))
      for await (const steps of readTable(main, source, accounts.formats, { narrow }))
        for (const record of recordsIn(steps)) for (const one of all) one.expect(record, main);
  }
}
