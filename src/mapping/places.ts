import { compare } from '../core/decimal.js';
import { type Issue, issueOf, type Place } from '../core/issue.js';
import type { Writable } from '../core/json.js';
import { cellPlace, type Row } from '../tables/table.js';
import type { CellFault } from './read/cell.js';
import {
  type CompiledColumn,
  type Context,
  type LocatedTable,
  PlacedFault,
  type ReadRecord,
} from './record.js';

/** Where the cell of a column stands; the row alone when the file lacks the column. */
export function placeOf(record: ReadRecord, column: CompiledColumn): Place {
  const { table, row } = record;
  const index = cellOf(record, column);
  if (index === undefined) return rowPlace(table, row);
  return cellPlace(table.source, row, index, table.header.labels[index]);
}

/**
 * The cell that stands for a column, by its place in the row: of several that it is made of a filled one, first of its
 * own type; undefined when the file has none of them.
 */
function cellOf({ table, row, values }: ReadRecord, column: CompiledColumn): number | undefined {
  const { feeders, type } = column;
  const inFile = feeders.filter(({ position }) => table.indexes[position] !== undefined);
  const filled = inFile.filter(({ position }) => values[position] !== undefined);
  const found = filled.find((one) => one.type === type) ?? filled[0] ?? inFile[0];
  const index = found && table.indexes[found.position];
  if (index === undefined || row.texts[index] !== undefined) return index;
  const more = table.present.find((one) => one.column === found)?.more ?? [];
  return more.find((other) => row.texts[other] !== undefined) ?? index;
}

export function rowPlace({ source }: LocatedTable, row: Row): Place {
  const { column: _, ...place } = cellPlace(source, row, 0);
  return place;
}

/** What is missing may be at fault, but no part of a sum that is blank. */
const isBlankAmount = ({ values }: ReadRecord, { kind, position }: CompiledColumn): boolean =>
  kind === 'money' && values[position] === undefined;

const hasCell = ({ table }: ReadRecord, column: CompiledColumn): boolean =>
  column.feeders.some(({ position }) => table.indexes[position] !== undefined);

/** Cells beyond this number explain nothing more. */
const MANY_CELLS = 50;

/** The cells of those columns in a document, as far as the files have them; blank amounts after the filled cells. */
export function placesOf(context: Context, columns: readonly CompiledColumn[]): readonly Place[] {
  const places: Place[] = [];
  const blank: Place[] = [];
  const seen = new Set<string>();
  for (const column of columns.flatMap(({ feeders }) => feeders)) {
    const record = context.at[column.slot];
    const records = record === undefined ? (context.sets[column.slot] ?? []) : [record];
    if (records.length === 0) places.push(...(context.asked?.[column.slot] ?? []));
    for (const one of records) {
      if (!hasCell(one, column) || seen.size >= MANY_CELLS) continue;
      for (const place of cellsOf(one, column)) {
        const key = `${one.table.number} ${place.column}${place.row}`;
        if (!seen.has(key)) (isBlankAmount(one, column) ? blank : places).push(place);
        seen.add(key);
      }
    }
  }
  return places.concat(blank);
}

/** The cells of a column in a record: where amounts are added up the filled ones, the largest part first: a sum that is too high is its fault. */
function cellsOf(record: ReadRecord, column: CompiledColumn): readonly Place[] {
  const { table, row } = record;
  const present = table.present.find((one) => one.column === column);
  if (present === undefined) return [];
  const { index, more, read } = present;
  const part = (at: number): string => {
    const text = row.texts[at];
    const value = text === undefined ? undefined : read(text, row.kinds?.[at] ?? 'text');
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
  if (fault instanceof PlacedFault) return placedIssue(fault, level);
  const { table, row } = record;
  const index = cellOf(record, column);
  const text = index === undefined ? undefined : row.texts[index];
  const witness = fault.code === 'format/contradiction' ? table.witnesses?.get(column) : undefined;
  const { code, params, suggestions } = fault;
  const issue: Writable<Issue> = issueOf(code, level, params, placeOf(record, column));
  if (text !== undefined) issue.value = text;
  if (witness !== undefined) issue.related = [witness];
  if (suggestions !== undefined && suggestions.length > 0) issue.suggestions = suggestions;
  return issue;
}

function placedIssue(fault: PlacedFault, level: Issue['level']): Issue {
  const { record, column, code, params, suggestions, related } = fault;
  const { table, row } = record;
  const index = fault.index ?? cellOf(record, column);
  const text = index === undefined ? undefined : row.texts[index];
  const witness = code === 'format/contradiction' ? table.witnesses?.get(column) : undefined;
  const beside = [related, witness].filter((place) => place !== undefined);
  return {
    ...issueOf(
      code,
      level,
      params,
      index === undefined
        ? rowPlace(table, row)
        : cellPlace(table.source, row, index, table.header.labels[index]),
    ),
    ...(text !== undefined && { value: text }),
    ...(beside.length > 0 && { related: beside }),
    ...(suggestions !== undefined && suggestions.length > 0 && { suggestions }),
  };
}
