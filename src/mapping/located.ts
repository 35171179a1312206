import { add } from '../core/decimal.js';
import type { Header } from '../tables/header.js';
import type { RowSource } from '../tables/table.js';
import type { ParamValues } from './params.js';
import type { CellReader } from './read/cell.js';
import type { LocatedTable, PresentColumn } from './record.js';
import type { CompiledColumn, CompiledTable } from './tables.js';

/** The columns of a header that hold a wanted one. */
interface Found {
  readonly columns: ReadonlyMap<string, number>;
  readonly several?: ReadonlyMap<string, readonly number[]>;
}

const DAYS_FROM_1900_TO_1904 = '1462';
/** A greater number is no count of days, but a date written as one: 20261031. */
const MAX_SERIAL = 100_000;

/** The reader of a column in a sheet: where dates are counted from 1904, so is one that lost its format and shows as a number. */
function readerIn({ base1904 }: RowSource, { kind: read }: CompiledColumn, reader: CellReader): CellReader {
  if (!base1904 || (read !== 'date' && read !== 'datetime')) return reader;
  return (text, kind) =>
    reader(kind === 'number' && Number(text) < MAX_SERIAL ? add(text, DAYS_FROM_1900_TO_1904) : text, kind);
}

function presentIn(table: CompiledTable, { columns, several }: Found, source: RowSource): PresentColumn[] {
  return [...table.columns.values()].flatMap((column) => {
    const index = columns.get(column.id);
    if (index === undefined || column.read === undefined) return [];
    const more = (several?.get(column.id) ?? []).filter((other) => other !== index);
    return [{ column, index, more, read: readerIn(source, column, column.read) }];
  });
}

function located(
  table: CompiledTable,
  found: Found,
  rest: Pick<LocatedTable, 'source' | 'header' | 'number' | 'params' | 'repeats'>,
): LocatedTable {
  const present = presentIn(table, found, rest.source);
  const indexes: (number | undefined)[] = new Array(table.columns.size).fill(undefined);
  for (const { column, index } of present) indexes[column.position] = index;
  return { slot: table.slot, width: table.columns.size, present, indexes, computed: table.computed, ...rest };
}

/** A table of a mapping in a sheet whose header was found. */
export function locateTable(
  table: CompiledTable,
  source: RowSource,
  header: Header,
  number: number,
  params: ParamValues,
): LocatedTable {
  const rest = { source, header, number, params };
  const repeats = table.repeated.flatMap((group) =>
    (header.repeats.get(group.id) ?? []).map(({ columns }) =>
      located(group, { columns }, { ...rest, repeats: [] }),
    ),
  );
  const fields = table.spec.header?.fields;
  return { ...located(table, header, { ...rest, repeats }), ...(fields && { fields }) };
}

/** The same table, read with formats that were voted. */
export function withReaders(
  table: LocatedTable,
  readerOf: (column: CompiledColumn) => CellReader | undefined,
): LocatedTable {
  const present = table.present.map((one) => {
    const read = readerOf(one.column);
    return read === undefined ? one : { ...one, read: readerIn(table.source, one.column, read) };
  });
  return { ...table, present, repeats: table.repeats.map((part) => withReaders(part, readerOf)) };
}
