import type { Column, MappingFile, Table } from '../../generated/mapping-types.js';
import type { LoadedMapping } from './load.js';
import type { CompiledTable } from './record.js';

/** Position of a column that no field of a table without header holds. */
const NOWHERE = 0;

/** Returns a column with what it has by its base alone: titles that were left to others, and that no field of the file holds it. */
function columnOf(
  id: string,
  column: Column,
  { columns, spec }: CompiledTable,
  { synonyms }: LoadedMapping,
): Column {
  // Keys of a parameter are no titles.
  if (column.read === undefined || spec.param !== undefined) return column;
  const known = column.titles ?? synonyms.columns[id] ?? [];
  const titles = columns.get(id)?.wanted?.titles ?? known;
  const isAbsent = spec.header?.none === true && column.position === undefined;
  return {
    ...column,
    ...(titles.some((title) => !known.includes(title)) || titles.length < known.length
      ? { titles: [...titles] }
      : {}),
    ...(isAbsent && { position: NOWHERE }),
  };
}

function tableOf(id: string, table: Table, mapping: LoadedMapping): Table {
  const compiled = mapping.tables.get(id);
  if (compiled === undefined) return table;
  const columns = Object.entries(table.columns).map(([name, column]) => [
    name,
    columnOf(name, column, compiled, mapping),
  ]);
  // The last of them are the columns that annotated copies add.
  const ignore = compiled.ignored.slice(0, -1).map(({ reason, groups, titles, positions }) => ({
    ...(titles.length > 0 && { titles: [...titles] }),
    ...(positions.length > 0 && { positions: [...positions] }),
    ...(groups && { groups: [...groups] }),
    reason,
  }));
  return {
    ...table,
    columns: Object.fromEntries(columns) as Table['columns'],
    ...(table.ignore && { ignore: ignore.filter((entry) => 'titles' in entry || 'positions' in entry) }),
  } as Table;
}

/** Returns a mapping as one that has no base and means the same: what its base leaves to it, it says itself. */
export const coreForm = (mapping: LoadedMapping): MappingFile => ({
  ...mapping.spec,
  tables: Object.fromEntries(
    Object.entries(mapping.spec.tables).map(([id, table]) => [id, tableOf(id, table, mapping)]),
  ),
});
