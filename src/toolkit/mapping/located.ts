import { add, negate } from '../core/decimal.js';
import type { Header } from '../tables/header.js';
import type { RowSource } from '../tables/table.js';
import type { ParamValues } from './params.js';
import { CellFault, type CellReader } from './read/cell.js';
import type {
  CompiledColumn,
  CompiledTable,
  HeadedColumn,
  HeadedTable,
  Part,
  ReadableTable,
} from './record.js';

interface HeaderColumns {
  readonly columns: ReadonlyMap<string, number>;
  readonly several?: ReadonlyMap<string, readonly number[]>;
}

const DAYS_FROM_1900_TO_1904 = '1462';

/** Greatest serial date; a greater number is a date written as one: 20261031. */
const MAX_SERIAL = 100_000;

/** Returns the reader of amounts that are written with a minus sign. */
const negated =
  (reader: CellReader): CellReader =>
  (text, kind) => {
    const value = reader(text, kind);
    return typeof value === 'string' ? negate(value) : value;
  };

/** Returns the reader of a column in a sheet. Serial dates without format follow the sheet's date system. */
function readerIn(
  { base1904 }: RowSource,
  { column: { type, sign }, around }: HeadedColumn,
  reader: CellReader,
  params: ParamValues,
): CellReader {
  if (around !== undefined) return around(reader);
  if (sign !== undefined && params[sign] === 'negative') return negated(reader);
  if (!base1904 || (type !== 'date' && type !== 'datetime')) return reader;
  return (text, kind) =>
    reader(kind === 'number' && Number(text) < MAX_SERIAL ? add(text, DAYS_FROM_1900_TO_1904) : text, kind);
}

/**
 * Returns the wrapper of the reader of a column whose cells are shared with another: one reads the word, the other the
 * value behind it. A word before a value is refused if the table has a column for it that does not read it here: other
 * cells of the sheet may differ, and a word that first comes far below would be lost.
 */
function aroundOf(
  { id, prefix }: CompiledColumn,
  all: readonly CompiledColumn[],
  columns: HeaderColumns['columns'],
): HeadedColumn['around'] {
  const index = columns.get(id);
  const shared = all.find((other) => other.prefix?.column === id && columns.get(other.id) === index)?.prefix;
  if (shared !== undefined)
    return (reader) => (text) => {
      const word = shared.of(text)?.word;
      return word === undefined ? undefined : reader(word, 'text');
    };
  if (prefix === undefined || !all.some((other) => other.id === prefix.column)) return undefined;
  if (columns.get(prefix.column) === index) return undefined;
  return (reader) => (text, kind) => {
    const rest = prefix.of(text)?.rest;
    return rest === undefined
      ? reader(text, kind)
      : new CellFault('cell/not-an-identifier', {}, [{ value: rest, score: 0.75 }]);
  };
}

function presentIn(table: CompiledTable, { columns, several }: HeaderColumns): HeadedColumn[] {
  const all = [...table.columns.values()].sort(
    (a, b) => Number(a.times !== undefined) - Number(b.times !== undefined),
  );
  const othersOf = (times: readonly CompiledColumn[], column: CompiledColumn): readonly number[] =>
    all.flatMap((other) =>
      other !== column && other.times?.some((time) => times.includes(time))
        ? (columns.get(other.id) ?? [])
        : [],
    );
  return all.flatMap((column) => {
    const index = columns.get(column.id);
    if (index === undefined || column.read === undefined) return [];
    const more = (several?.get(column.id) ?? []).filter((other) => other !== index);
    const around = aroundOf(column, all, columns);
    return [
      {
        column,
        index,
        more,
        ...(column.times && { others: othersOf(column.times, column) }),
        ...(around && { around }),
      },
    ];
  });
}

function located(
  table: CompiledTable,
  found: HeaderColumns,
  rest: Pick<HeadedTable, 'source' | 'header' | 'number' | 'params' | 'repeats'>,
): HeadedTable {
  const present = presentIn(table, found);
  const { size } = table.columns;
  const shape = { width: size, present, indexes: indexesOf(present, size), computed: table.computed };
  return { compiled: table, tableIndex: table.tableIndex, ...shape, ...rest };
}

function indexesOf(present: readonly HeadedColumn[], width: number): (number | undefined)[] {
  const indexes: (number | undefined)[] = new Array(width).fill(undefined);
  for (const { column, index } of present) indexes[column.position] = index;
  return indexes;
}

/** Returns the table with its side-by-side parts, each with its own readers. */
export function withParts(table: ReadableTable): ReadableTable {
  const { header, present, computed, width, indexes } = table;
  if (header.parts.length === 0) return table;
  const inParts = new Set(header.parts.flatMap((columns) => [...columns.keys()]));
  const outside = present.filter(({ column }) => !inParts.has(column.id));
  const parts = header.parts.map((columns): Part => {
    const inPart = present.flatMap((headed) => {
      const [index, ...more] = columns.get(headed.column.id) ?? [];
      return index === undefined ? [] : [{ ...headed, index, more }];
    });
    const all = [...inPart, ...outside];
    const isOwn = ({ feeders }: CompiledColumn): boolean =>
      feeders.length === 0 || inPart.some(({ column }) => feeders.includes(column));
    const inherited = [
      ...outside.map(({ column }) => column),
      ...computed.filter((column) => !isOwn(column)),
    ].filter(({ type }) => type !== 'decimal');
    const base = { ...table, parts: [], repeats: [] };
    const first = { ...base, present: all, indexes: indexesOf(all, width) };
    const places = indexesOf(inPart, width);
    for (const { position } of inherited) places[position] = indexes[position];
    const further: ReadableTable = {
      ...base,
      present: inPart,
      indexes: places,
      computed: computed.filter(isOwn),
      inherited: new Set(inherited),
    };
    return { columns: inPart, first, further };
  });
  return { ...table, parts };
}

/** Creates the table of a mapping in a sheet whose header was found. */
export function locateTable(
  table: CompiledTable,
  source: RowSource,
  header: Header,
  number: number,
  params: ParamValues,
): HeadedTable {
  const rest = { source, header, number, params };
  const repeats = table.repeated.flatMap((group) =>
    (header.repeats.get(group.id) ?? []).map(({ columns }) =>
      located(group, { columns }, { ...rest, repeats: [] }),
    ),
  );
  const fields = table.spec.header?.fields;
  return { ...located(table, header, { ...rest, repeats }), ...(fields && { fields }) };
}

/** Returns the table with a reader for each column; `readerOf` receives the reader of the declared formats. */
export function withReaders(
  table: HeadedTable,
  readerOf: (column: CompiledColumn, declared: CellReader) => CellReader,
): ReadableTable {
  const { source, params } = table;
  const present = table.present.flatMap((headed) => {
    const { column } = headed;
    if (column.read === undefined) return [];
    return { ...headed, read: readerIn(source, headed, readerOf(column, column.read), params) };
  });
  return {
    ...table,
    present,
    repeats: table.repeats.map((part) => withReaders(part, readerOf)),
    parts: [],
  };
}

/** Returns the table with the declared formats, to read rows before formats are inferred. */
export const asDeclared = (table: HeadedTable): ReadableTable =>
  withReaders(table, (_, declared) => declared);
