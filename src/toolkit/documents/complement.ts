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

/** Whether a table is one that people keep themselves, a row for each record of the documents that looks it up. */
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

/** A column as the file has it: where it is computed, that of which it is. */
const written = (column: CompiledColumn): CompiledColumn =>
  column.wanted === undefined
    ? (column.feeders.find(({ wanted }) => wanted !== undefined) ?? column)
    : column;

/** What a table that is missing is to hold: the columns that the documents of the tables at hand need of it. */
interface Complement {
  readonly table: CompiledTable;
  /** Titles of all its columns, in the order of the mapping. */
  readonly titles: readonly string[];
  /** Titles of those by which it is looked up. */
  readonly keys: readonly string[];
}

/** The columns of the documents' own records that are its keys, by title. */
const keysOf = ({ join }: CompiledTable): ReadonlyMap<string, string> =>
  new Map([
    ...join!.keys.flatMap(({ own, theirs }) =>
      own.map((column, at) => [titleOf(written(column)), theirs[at]!] as const),
    ),
    ...join!.whose.map(({ own, theirs }) => [titleOf(written(own)), theirs] as const),
  ]);

export function complementOf(
  mapping: LoadedMapping,
  table: CompiledTable,
  located: readonly HeadedTable[],
): Complement {
  const there = new Set(located.map(({ slot }) => slot));
  const present = new Set(located.flatMap((one) => one.present.map(({ column }) => column)));
  const used = new Set<CompiledColumn>();
  for (const { fields } of mapping.targets)
    for (const { each, columns, alternatives } of fields) {
      // What other files have need not be written once more.
      const isMet = alternatives.some((set) => set.length > 0 && set.every((column) => present.has(column)));
      if (!isMet && (each === undefined || there.has(each.slot)))
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

/** Its rows, with nothing but the keys: one for each set of them that the records have, in their order. */
export async function* complementRows(
  mapping: LoadedMapping,
  { table, titles }: Complement,
  located: readonly HeadedTable[],
): AsyncGenerator<readonly string[]> {
  const keys = keysOf(table);
  const seen = createKeyTable();
  const formats = new FormatDecider();
  for (const main of mapping.mains)
    for (const one of located.filter(({ slot }) => slot === main.slot))
      for await (const steps of readTable(main, one, formats))
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
