import { add, negate } from '../core/decimal.js';
import type { Header } from '../tables/header.js';
import type { RowSource } from '../tables/table.js';
import type { ParamValues } from './params.js';
import type { CellReader } from './read/cell.js';
import type { CompiledColumn, CompiledTable, LocatedTable, Part, PresentColumn } from './record.js';

/** The columns of a header that hold a wanted one. */
interface Found {
  readonly columns: ReadonlyMap<string, number>;
  readonly several?: ReadonlyMap<string, readonly number[]>;
}

const DAYS_FROM_1900_TO_1904 = '1462';

/** A greater number is no count of days, but a date written as one: 20261031. */
const MAX_SERIAL = 100_000;

/** The reader of amounts that are written with a minus sign. */
const negated =
  (reader: CellReader): CellReader =>
  (text, kind) => {
    const value = reader(text, kind);
    return typeof value === 'string' ? negate(value) : value;
  };

/** The reader of a column in a sheet: where dates are counted from 1904, so is one that lost its format and shows as a number. */
function readerIn(
  { base1904 }: RowSource,
  { type, sign }: CompiledColumn,
  reader: CellReader,
  params: ParamValues,
): CellReader {
  if (sign !== undefined && params[sign] === 'negative') return negated(reader);
  if (!base1904 || (type !== 'date' && type !== 'datetime')) return reader;
  return (text, kind) =>
    reader(kind === 'number' && Number(text) < MAX_SERIAL ? add(text, DAYS_FROM_1900_TO_1904) : text, kind);
}

function presentIn(
  table: CompiledTable,
  { columns, several }: Found,
  { source, params }: Pick<LocatedTable, 'source' | 'params'>,
): PresentColumn[] {
  const all = [...table.columns.values()].sort(
    (a, b) => Number(a.times !== undefined) - Number(b.times !== undefined),
  );
  const othersOf = (column: CompiledColumn): readonly number[] =>
    all.flatMap((one) =>
      one !== column && one.times?.some((time) => column.times!.includes(time))
        ? (columns.get(one.id) ?? [])
        : [],
    );
  return all.flatMap((column) => {
    const index = columns.get(column.id);
    if (index === undefined || column.read === undefined) return [];
    const more = (several?.get(column.id) ?? []).filter((other) => other !== index);
    const read = readerIn(source, column, column.read, params);
    return [{ column, index, more, read, ...(column.times && { others: othersOf(column) }) }];
  });
}

function located(
  table: CompiledTable,
  found: Found,
  rest: Pick<LocatedTable, 'source' | 'header' | 'number' | 'params' | 'repeats'>,
): LocatedTable {
  const present = presentIn(table, found, rest);
  const { size } = table.columns;
  const shape = { width: size, present, indexes: indexesOf(present, size), computed: table.computed };
  return { slot: table.slot, ...shape, parts: [], ...rest };
}

function indexesOf(present: readonly PresentColumn[], width: number): (number | undefined)[] {
  const indexes: (number | undefined)[] = new Array(width).fill(undefined);
  for (const { column, index } of present) indexes[column.position] = index;
  return indexes;
}

/** The same table with the parts of its records that stand side by side, each read as the whole is. */
export function withParts(table: LocatedTable): LocatedTable {
  const { header, present, computed, width, indexes } = table;
  if (header.parts.length === 0) return table;
  const inParts = new Set(header.parts.flatMap((columns) => [...columns.keys()]));
  const outside = present.filter(({ column }) => !inParts.has(column.id));
  const parts = header.parts.map((columns): Part => {
    const own = present.flatMap((one) => {
      const [index, ...more] = columns.get(one.column.id) ?? [];
      return index === undefined ? [] : [{ ...one, index, more }];
    });
    const all = [...own, ...outside];
    const isOwn = ({ feeders }: CompiledColumn): boolean =>
      feeders.length === 0 || own.some(({ column }) => feeders.includes(column));
    const inherited = [
      ...outside.map(({ column }) => column),
      ...computed.filter((column) => !isOwn(column)),
    ].filter(({ type }) => type !== 'decimal');
    const whole = { ...table, parts: [], repeats: [] };
    const first = { ...whole, present: all, indexes: indexesOf(all, width) };
    const places = indexesOf(own, width);
    for (const { position } of inherited) places[position] = indexes[position];
    const further: LocatedTable = {
      ...whole,
      present: own,
      indexes: places,
      computed: computed.filter(isOwn),
      inherited: new Set(inherited),
    };
    return { own, first, further };
  });
  return { ...table, parts };
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
    return read === undefined
      ? one
      : { ...one, read: readerIn(table.source, one.column, read, table.params) };
  });
  return { ...table, present, repeats: table.repeats.map((part) => withReaders(part, readerOf)) };
}
