import {
  type CompiledColumn,
  type CompiledTable,
  type LocatedTable,
  type ReadRecord,
  readRecord,
} from '../mapping/record.js';
import type { Piece } from '../tables/table.js';
import { isIdentified } from './footers.js';
import { KeysApart } from './groups.js';
import { plainKeyText } from './joined-tables.js';
import { readTable, votedOf } from './read-table.js';
import { type Reading, SILENT } from './run.js';
import type { GivenFormats } from './voted.js';

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
    parts: [],
  });

/**
 * Whether the records of each document stand together in the one text that holds them, so that documents can be made while it is read.
 * The text is read once for it, the key alone, up to the first record that comes too late or has no key; where two keys look alike the
 * answer is no.
 */
export async function areContiguous({ options, located, startScreening }: Reading): Promise<boolean> {
  const { mains, key } = options.mapping;
  const formats = options.formats ?? {};
  const [main, ...others] = mains;
  const sources = located.tables.filter(({ slot }) => slot === main?.slot);
  // A sheet costs more to unpack twice than its few rows do to put aside.
  if (main === undefined || others.length > 0 || sources.some(({ source }) => source.sheet !== undefined))
    return false;
  if (sources.some(({ source }) => source.pieces !== undefined)) startScreening?.(); // helpers get ready meanwhile
  const columns = key.map((id) => main.columns.get(id)!);
  const narrow = narrowed(deciding(main, key));
  const isApart = async (records: AsyncIterable<readonly ReadRecord[] | undefined>, apart: KeysApart) => {
    for await (const some of records) {
      if (some === undefined) return undefined;
      for (const record of some) if (!apart.add(plainKeyText(record.values, columns))) return false;
    }
    return true;
  };
  const all = async (
    recordsOf: (source: LocatedTable) => AsyncIterable<readonly ReadRecord[] | undefined>,
  ): Promise<boolean | undefined> => {
    const apart = new KeysApart();
    for (const source of sources) {
      const answer = await isApart(recordsOf(source), apart);
      if (answer !== true) return answer;
    }
    return true;
  };
  const quickly = await all((source) => keyRecords(main, source, formats, narrow));
  return quickly ?? (await all((source) => readTable(main, source, formats, SILENT, narrow))) === true;
}

/**
 * The records of a text as far as their keys go: other fields are not read. Rows that are no records count as well. Undefined comes
 * last where a row may be none and have a key all the same, or be one without a key, as only the whole row tells.
 */
async function* keyRecords(
  main: CompiledTable,
  source: LocatedTable,
  formats: GivenFormats,
  narrow: (table: LocatedTable) => LocatedTable,
): AsyncGenerator<readonly ReadRecord[] | undefined> {
  const { pieces } = source.source;
  const voted = pieces && (await votedOf(source, formats, SILENT));
  if (voted === undefined) {
    yield undefined;
    return;
  }
  const table = narrow(voted);
  const wanted: boolean[] = [];
  for (const { index, more } of table.present) for (const at of [index, ...more]) wanted[at] = true;
  const { firstDataRow } = table.header;
  let next = firstDataRow;
  let last: Piece | undefined;
  for await (const piece of pieces!.all()) {
    last = piece;
    for await (const rows of piece === undefined ? [undefined] : pieces!.rows(piece, wanted)) {
      const data = rows?.filter(({ number }) => number >= firstDataRow);
      // Rows without any of those fields are not given.
      const isWhole = data?.every(({ number }) => number === next++);
      const records = data?.map((row) => readRecord(table, row));
      if (!isWhole || records?.every((record) => isIdentified(main, record)) !== true) {
        yield undefined;
        return;
      }
      yield records;
    }
  }
  // Nor are those below all others: the last piece is read whole for them.
  if (last === undefined) return;
  for await (const rows of pieces!.rows(last))
    if (rows?.some(({ number }) => number >= next)) {
      yield undefined;
      return;
    }
}

/** Who must know all records of the main tables before the first document is made. */
interface Foreseeing {
  /** The columns of the main tables that it looks at. */
  readonly ids: readonly string[];
  expect(record: ReadRecord, main: CompiledTable): void;
}

/** The main tables are read once for those who must know them before. */
export async function lookAhead({ options, located }: Reading, all: readonly Foreseeing[]): Promise<void> {
  if (all.length === 0) return;
  for (const main of options.mapping.mains) {
    const ids = all.flatMap((one) => one.ids).filter((id) => main.columns.has(id));
    const narrow = narrowed(deciding(main, ids));
    for (const source of located.tables.filter(({ slot }) => slot === main.slot))
      for await (const records of readTable(main, source, options.formats ?? {}, SILENT, narrow))
        for (const record of records) for (const one of all) one.expect(record, main);
  }
}
