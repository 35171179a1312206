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

/** The negative one among several columns of a record whose amounts are added up. */
export function negativePart(record: ReadRecord, column: CompiledColumn): number | undefined {
  const { table, row } = sheetOf(record, column);
  const present = table.present.find((one) => one.column === column);
  if (present === undefined || present.more.length === 0) return undefined;
  return [present.index, ...present.more].find((index) => {
    const value = readAt(row, index, present.read);
    return typeof value === 'string' && value.startsWith('-');
  });
}

/** Of a record in several sheets that which has the column, filled if one has it so. */
function sheetOf(record: ReadRecord, column: CompiledColumn): ReadRecord {
  if (record.bySheet === undefined) return record;
  const having = record.bySheet.filter((one) => hasCell(one, column));
  const filled = having.find(({ values }) =>
    column.feeders.some(({ position }) => values[position] !== undefined),
  );
  return filled ?? having[0] ?? record;
}

/** Where the cell of a column stands; the row alone when the file lacks the column. */
export function placeOf(record: ReadRecord, column: CompiledColumn): Place {
  const stands = sheetOf(record, column);
  return placeAt(stands, cellOf(stands, column));
}

/** The cell of a record at a place of its row; the row alone without one. */
const placeAt = ({ table, row }: ReadRecord, index: number | undefined): Place =>
  index === undefined
    ? rowPlace(table, row)
    : cellPlace(table.source, row, index, table.header.labels[index]);

/**
 * The cell that stands for a column, by its place in the row: of several that it is made of a filled one, first of its
 * own type; undefined when the file has none of them.
 */
function cellOf({ table, row, values }: ReadRecord, column: CompiledColumn): number | undefined {
  const { feeders, type } = column;
  const inFile = feeders.filter(({ position }) => table.indexes[position] !== undefined);
  const filled = inFile.filter(({ position }) => values[position] !== undefined);
  const found = inFile.includes(column)
    ? column
    : (filled.find((one) => one.type === type) ?? filled[0] ?? inFile[0]);
  const index = found && table.indexes[found.position];
  if (index === undefined || row.texts[index] !== undefined) return index;
  const more = table.present.find((one) => one.column === found)?.more ?? [];
  return more.find((other) => row.texts[other] !== undefined) ?? index;
}

export function rowPlace({ source }: Pick<HeadedTable, 'source'>, row: Row): Place {
  const { column: _, ...place } = cellPlace(source, row, 0);
  return place;
}

/** What is missing may be at fault, but no part of a sum that is blank, and no column that makes other records. */
const isBlankPart = ({ values }: ReadRecord, { kind, apart, position }: CompiledColumn): boolean =>
  (kind === 'money' || apart === true) && values[position] === undefined;

/** Whether the file has a cell of the record for the column, or for what it is made of. */
export const hasCell = (record: ReadRecord, column: CompiledColumn): boolean =>
  record.bySheet?.some((one) => hasCell(one, column)) ??
  column.feeders.some(({ position }) => record.table.indexes[position] !== undefined);

/** Cells beyond this number explain nothing more. */
const MANY_CELLS = 50;

/** The cells of those columns in a document, as far as the files have them; blank amounts after the filled cells. */
export function placesOf(context: Context, columns: readonly CompiledColumn[]): readonly Place[] {
  const only = columns.length === 1 && columns[0]!.feeders.length === 1 ? columns[0]!.feeders[0] : undefined;
  const own = only && (context.at[only.tableIndex] ?? onlyOne(context.sets[only.tableIndex]));
  if (only !== undefined && own !== undefined && !isPart(own)) return cellsOf(own, only);
  const places: Place[] = [];
  const blank: Place[] = [];
  const add = (one: ReadRecord, column: CompiledColumn): void => {
    if (!hasCell(one, column) || places.length + blank.length >= MANY_CELLS) return;
    for (const place of cellsOf(one, column))
      if (!hasPlace(places, place) && !hasPlace(blank, place))
        (isBlankPart(one, column) ? blank : places).push(place);
  };
  for (const { feeders } of columns)
    for (const column of feeders) {
      const record = context.at[column.tableIndex];
      const records = record === undefined ? (context.sets[column.tableIndex] ?? NO_RECORDS) : [record];
      if (records.length === 0) places.push(...(context.asked?.[column.tableIndex] ?? NO_CELLS));
      for (const one of isPart(records[0]) ? largestFirst(records, column) : records) add(one, column);
    }
  return blank.length === 0 ? places : places.concat(blank);
}

/** Of few places: a set of them would cost more. */
const hasPlace = (places: readonly Place[], place: Place): boolean =>
  places.some((one) => isSameCell(one, place));

const onlyOne = (records: readonly ReadRecord[] | undefined): ReadRecord | undefined =>
  records?.length === 1 ? records[0] : undefined;

const isPart = (record: ReadRecord | undefined): boolean =>
  record?.parent !== undefined && record.parent.table.tableIndex === record.table.tableIndex;

/** Parts that stand side by side, the largest amount first. */
function largestFirst(
  records: readonly ReadRecord[],
  { type, position }: CompiledColumn,
): readonly ReadRecord[] {
  const amount = ({ values }: ReadRecord): string => (values[position] as string | undefined) ?? '0';
  return type === 'decimal' ? [...records].sort((a, b) => compare(amount(b), amount(a))) : records;
}

const NO_CELLS: readonly Place[] = [];
/** Asked of every leaf of every document. */
const presentOf = remember(
  ({ present }: ReadableTable): ReadonlyMap<CompiledColumn, ReadableColumn> =>
    new Map(present.map((one) => [one.column, one])),
);

/** The cells of a column in a record: where amounts are added up the filled ones, the largest part first: a sum that is too high is its fault. */
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

/** The issue of a cell that could not be read, with what it holds. */
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
  const related = [placed?.related, witness].filter((one) => one !== undefined);
  const issue: Writable<Issue> = issueOf<IssueCode>(code, level, params, placeAt(stands, index));
  if (text !== undefined) issue.value = text;
  if (related.length > 0) issue.related = related;
  if (suggestions !== undefined && suggestions.length > 0) issue.suggestions = suggestions;
  return issue;
}
