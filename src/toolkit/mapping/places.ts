import { compare } from '../core/decimal.js';
import { type Issue, type IssueCode, isSameCell, issueOf, type Place } from '../core/issue.js';
import type { Writable } from '../core/json.js';
import { remember } from '../core/remember.js';
import { cellPlace, type Row } from '../tables/table.js';
import type { CellFault } from './read/cell.js';
import {
  type CompiledColumn,
  type Context,
  type HeadedTable,
  NO_RECORDS,
  PlacedFault,
  type ReadableColumn,
  type ReadableTable,
  type ReadRecord,
  readAt,
} from './record.js';

/** Returns the index of the first negative cell of a column whose cells are added up; undefined if none is negative. */
export function negativePart(record: ReadRecord, column: CompiledColumn): number | undefined {
  const { table, row } = sheetOf(record, column);
  const present = table.present.find((candidate) => candidate.column === column);
  if (present === undefined || present.more.length === 0) return undefined;
  return [present.index, ...present.more].find((index) => {
    const value = readAt(row, index, present.read);
    return typeof value === 'string' && value.startsWith('-');
  });
}

/** Returns the part of a record in the sheet that has the column, preferably filled. */
function sheetOf(record: ReadRecord, column: CompiledColumn): ReadRecord {
  if (record.bySheet === undefined) return record;
  const having = record.bySheet.filter((part) => hasCell(part, column));
  const filled = having.find(({ values }) =>
    column.feeders.some(({ position }) => values[position] !== undefined),
  );
  return filled ?? having[0] ?? record;
}

/** Returns the place of a column's cell; the row alone if the file lacks the column. */
export function placeOf(record: ReadRecord, column: CompiledColumn): Place {
  const stands = sheetOf(record, column);
  return placeAt(stands, cellOf(stands, column));
}

/** Returns the place of a record's cell by its index in the row; the row alone without an index. */
const placeAt = ({ table, row }: ReadRecord, index: number | undefined): Place =>
  index === undefined
    ? rowPlace(table, row)
    : cellPlace(table.source, row, index, table.header.labels[index]);

/**
 * Returns the index in the row of the cell that stands for a column: of several feeders a filled one, first of the
 * column's type; undefined if the file has none of them.
 */
function cellOf({ table, row, values }: ReadRecord, column: CompiledColumn): number | undefined {
  const { feeders, type } = column;
  const inFile = feeders.filter(({ position }) => table.indexes[position] !== undefined);
  const filled = inFile.filter(({ position }) => values[position] !== undefined);
  const found = inFile.includes(column)
    ? column
    : (filled.find((feeder) => feeder.type === type) ?? filled[0] ?? inFile[0]);
  const index = found && table.indexes[found.position];
  if (index === undefined || row.texts[index] !== undefined) return index;
  const more = table.present.find((candidate) => candidate.column === found)?.more ?? [];
  return more.find((other) => row.texts[other] !== undefined) ?? index;
}

export function rowPlace({ source }: Pick<HeadedTable, 'source'>, row: Row): Place {
  const { column: _, ...place } = cellPlace(source, row, 0);
  return place;
}

/** True for a blank cell that cannot be at fault: part of a sum, or of a column that makes other records. */
const isBlankPart = ({ values }: ReadRecord, { kind, apart, position }: CompiledColumn): boolean =>
  (kind === 'money' || apart === true) && values[position] === undefined;

/** True if the file has a cell of the record for the column or one of its feeders. */
export const hasCell = (record: ReadRecord, column: CompiledColumn): boolean =>
  record.bySheet?.some((part) => hasCell(part, column)) ??
  column.feeders.some(({ position }) => record.table.indexes[position] !== undefined);

const MAX_PLACES = 50;

/** Returns the cells of columns in a document, as far as the files have them; blank amounts come last. */
export function placesOf(context: Context, columns: readonly CompiledColumn[]): readonly Place[] {
  const [only] = columns.length === 1 && columns[0]?.feeders.length === 1 ? columns[0].feeders : [];
  const record = only && (context.at[only.tableIndex] ?? onlyOne(context.sets[only.tableIndex]));
  if (only !== undefined && record !== undefined && !isPart(record)) return cellsOf(record, only);
  const places: Place[] = [];
  const blank: Place[] = [];
  const add = (record: ReadRecord, column: CompiledColumn): void => {
    if (!hasCell(record, column) || places.length + blank.length >= MAX_PLACES) return;
    for (const place of cellsOf(record, column))
      if (!hasPlace(places, place) && !hasPlace(blank, place))
        (isBlankPart(record, column) ? blank : places).push(place);
  };
  for (const { feeders } of columns)
    for (const column of feeders) {
      const current = context.at[column.tableIndex];
      const records = current === undefined ? (context.sets[column.tableIndex] ?? NO_RECORDS) : [current];
      if (records.length === 0) places.push(...(context.asked?.[column.tableIndex] ?? NO_CELLS));
      for (const record of isPart(records[0]) ? largestFirst(records, column) : records) add(record, column);
    }
  return blank.length === 0 ? places : places.concat(blank);
}

/** Compares places one by one: there are few, and a set would cost more. */
const hasPlace = (places: readonly Place[], place: Place): boolean =>
  places.some((known) => isSameCell(known, place));

const onlyOne = (records: readonly ReadRecord[] | undefined): ReadRecord | undefined =>
  records?.length === 1 ? records[0] : undefined;

const isPart = (record: ReadRecord | undefined): boolean =>
  record?.parent !== undefined && record.parent.table.tableIndex === record.table.tableIndex;

/** Returns side-by-side parts, the largest amount first. */
function largestFirst(
  records: readonly ReadRecord[],
  { type, position }: CompiledColumn,
): readonly ReadRecord[] {
  const amount = ({ values }: ReadRecord): string => (values[position] as string | undefined) ?? '0';
  return type === 'decimal' ? [...records].sort((a, b) => compare(amount(b), amount(a))) : records;
}

const NO_CELLS: readonly Place[] = [];
const presentOf = remember(
  ({ present }: ReadableTable): ReadonlyMap<CompiledColumn, ReadableColumn> =>
    new Map(present.map((readable) => [readable.column, readable])),
);

/** Returns the cells of a column in a record; of added amounts the filled ones, the largest first, since a sum that is too high is its fault. */
function cellsOf(record: ReadRecord, column: CompiledColumn): readonly Place[] {
  const { table, row } = sheetOf(record, column);
  const present = presentOf(table).get(column);
  if (present === undefined) return NO_CELLS;
  const { index, more, read } = present;
  if (more.length === 0) return [cellPlace(table.source, row, index, table.header.labels[index])];
  const part = (at: number): string => {
    const value = readAt(row, at, read);
    return typeof value === 'string' ? value : '0';
  };
  const filled = [index, ...more].filter((at) => row.texts[at] !== undefined);
  const indexes = filled.length === 0 ? [index, ...more] : filled;
  if (indexes.length > 1) indexes.sort((a, b) => compare(part(b), part(a)));
  return indexes.map((at) => cellPlace(table.source, row, at, table.header.labels[at]));
}

/** Returns the issue of a cell that could not be read, with its text. */
export function faultIssue(
  record: ReadRecord,
  column: CompiledColumn,
  fault: CellFault,
  level: Issue['level'] = 'error',
): Issue {
  const placed = fault instanceof PlacedFault ? fault : undefined;
  const faulty = placed?.column ?? column;
  const stands = sheetOf(placed?.record ?? record, faulty);
  const index = placed?.index ?? cellOf(stands, faulty);
  const text = index === undefined ? undefined : stands.row.texts[index];
  const { code, params, suggestions } = fault;
  const witness = code === 'format/contradiction' ? stands.table.witnesses?.get(faulty) : undefined;
  const related = [placed?.related, witness].filter((item) => item !== undefined);
  const issue: Writable<Issue> = issueOf<IssueCode>(code, level, params, placeAt(stands, index));
  if (text !== undefined) issue.value = text;
  if (related.length > 0) issue.related = related;
  if (suggestions !== undefined && suggestions.length > 0) issue.suggestions = suggestions;
  return issue;
}
