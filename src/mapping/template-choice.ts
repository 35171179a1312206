import type { CompiledColumn } from './columns.js';
import type { LoadedMapping } from './compile.js';
import type { Feeds } from './feeds.js';
import type { CompiledTable } from './tables.js';

/** The columns of the template by table, in the order of the mapping. */
export type Chosen = ReadonlyMap<CompiledTable, readonly CompiledColumn[]>;

/** Columns that tell which document a record belongs to. */
export const keysOf = ({ mains, key }: LoadedMapping, table: CompiledTable): readonly string[] =>
  mains.includes(table) ? key : (table.join?.own.map(({ id }) => id) ?? []);

const isSheet = ({ spec, parent }: CompiledTable): boolean =>
  parent === undefined && spec.param === undefined && spec.template !== false && spec.role !== 'control';

/** Of the tables, those that a person fills in a workbook; of their columns, those that something comes of. */
export function chooseColumns(mapping: LoadedMapping, { feeds, gates }: Feeds): Chosen {
  const tables = [...mapping.tables.values()].filter(isSheet);
  const slots = new Set(tables.map(({ slot }) => slot));
  const mains = new Set(mapping.mains.map(({ slot }) => slot));
  const elsewhere = new Set(
    feeds
      .filter(({ columns }) => [...columns].some(({ slot }) => slots.has(slot) && !mains.has(slot)))
      .map(({ keys }) => keys.join('/')),
  );
  const isWanted = (table: CompiledTable, column: CompiledColumn): boolean => {
    if (column.wanted === undefined || table.spec.columns[column.id]?.template === false) return false;
    if (keysOf(mapping, table).includes(column.id)) return true;
    if (gates.some(({ columns }) => columns.has(column))) return true;
    const own = feeds.filter(({ columns }) => columns.has(column));
    // What a sheet of its own holds, a record for each event, needs no column beside the documents' own.
    return (
      own.length > 0 && !(mains.has(column.slot) && own.every(({ keys }) => elsewhere.has(keys.join('/'))))
    );
  };
  return new Map(
    tables.map((table) => [table, [...table.columns.values()].filter((column) => isWanted(table, column))]),
  );
}
