import type { LoadedMapping } from '../mapping/load.js';
import {
  askingIds,
  type CompiledColumn,
  type CompiledTable,
  type HeadedTable,
  type ReadRecord,
} from '../mapping/record.js';
import { createKeyTable } from '../tables/key-table.js';
import { FormatDecider } from './decide.js';
import { keyText } from './joined-tables.js';
import { readTable, recordsIn } from './read.js';

/** True for a table that users keep themselves, with a row per record of the documents that look it up. */
export const isComplement = ({ spec, join }: CompiledTable): boolean =>
  spec.role === 'side' &&
  spec.optional !== true &&
  spec.sheet === undefined &&
  spec.param === undefined &&
  spec.file === undefined &&
  spec.header?.none !== true &&
  join !== undefined &&
  !join.every;

const titleOf = ({ wanted, id }: CompiledColumn): string => wanted?.titles[0] ?? id;

/** Returns the column of the file behind a column, which may be computed from it. */
const written = (column: CompiledColumn): CompiledColumn =>
  column.wanted === undefined
    ? (column.feeders.find(({ wanted }) => wanted !== undefined) ?? column)
    : column;

/** Missing table with the columns that the documents at hand need of it. */
interface Complement {
  readonly table: CompiledTable;
  /** Titles of its columns, in mapping order. */
  readonly titles: readonly string[];
  /** Titles of the columns by which it is found. */
  readonly keys: readonly string[];
}

/** Returns the document columns that are its keys, by title. */
const keysOf = ({ join }: CompiledTable): ReadonlyMap<string, string> =>
  new Map([
    ...(join?.keys ?? []).flatMap(({ columns, primary }) =>
      primary.flatMap((asked, at) => {
        const column = columns[at];
        return column === undefined ? [] : ([[titleOf(written(column)), asked]] as const);
      }),
    ),
    ...(join?.whose ?? []).map(({ column, primary }) => [titleOf(written(column)), primary] as const),
  ]);

export function complementOf(
  mapping: LoadedMapping,
  table: CompiledTable,
  located: readonly HeadedTable[],
): Complement {
  const there = new Set(located.map(({ tableIndex }) => tableIndex));
  const present = new Set(located.flatMap((known) => known.present.map(({ column }) => column)));
  const used = new Set<CompiledColumn>();
  for (const { fields } of mapping.targets)
    for (const { each, columns, alternatives } of fields) {
      // Columns of other files need not be repeated.
      const isMet = alternatives.some((set) => set.length > 0 && set.every((column) => present.has(column)));
      if (!isMet && (each === undefined || there.has(each.tableIndex)))
        for (const { feeders } of columns) for (const column of feeders) used.add(column);
    }
  const asked = [...mapping.tables.values()].flatMap(({ join }) => askingIds(join));
  const isKey = keysOf(table);
  const titles = [...table.columns.values()]
    .filter((column) => column.wanted !== undefined)
    .filter(
      (column) =>
        used.has(column) || asked.includes(`${table.id}.${column.id}`) || isKey.has(titleOf(column)),
    )
    .map(titleOf);
  return { table, titles, keys: titles.filter((title) => isKey.has(title)) };
}

/** Yields its rows with only the keys filled: one per distinct key of the records, in their order. */
export async function* complementRows(
  mapping: LoadedMapping,
  { table, titles }: Complement,
  located: readonly HeadedTable[],
): AsyncGenerator<readonly string[]> {
  const keys = keysOf(table);
  const seen = createKeyTable();
  const formats = new FormatDecider();
  for (const main of mapping.mains)
    for (const source of located.filter(({ tableIndex }) => tableIndex === main.tableIndex))
      for await (const steps of readTable(main, source, formats))
        for (const record of recordsIn(steps)) {
          const row = titles.map((title) => keyValue(main, record, keys.get(title)));
          const key = keyText([...keys.values()].map((id) => keyValue(main, record, id)));
          const { size } = seen;
          if (key === undefined || seen.add(key) < size) continue;
          yield row;
        }
}

function keyValue({ columns }: CompiledTable, { values }: ReadRecord, id: string | undefined): string {
  const column = id === undefined ? undefined : columns.get(id);
  return column === undefined ? '' : String(values[column.position] ?? '');
}
