import { type Issue, type IssueCode, issueOf, NO_ISSUES } from '../core/issue.js';
import { type NonEmpty, nonEmpty } from '../core/non-empty.js';
import { squash } from '../core/text.js';
import { isEqual } from '../mapping/context.js';
import type { LoadedMapping } from '../mapping/load.js';
import { faultIssue, placeOf } from '../mapping/places.js';
import type { CompiledColumn, ReadRecord } from '../mapping/record.js';
import { hasTrait } from '../messages/wording.js';
import { keyText, shownKey } from './joined-tables.js';
import { faultOfRecord } from './read.js';

export const isReadable = (record: ReadRecord): boolean => faultOfRecord(record) === undefined;

/** Returns the key columns of a table that makes documents. */
export type KeyColumns = (table: { readonly tableIndex: number }) => NonEmpty<CompiledColumn>;

export function keyColumns({ mains, key }: LoadedMapping): KeyColumns {
  const bySlot = new Map(
    mains.map(
      ({ tableIndex, columns }) =>
        [tableIndex, nonEmpty(key.flatMap((id) => columns.get(id) ?? []))] as const,
    ),
  );
  return ({ tableIndex }) => {
    const columns = bySlot.get(tableIndex);
    if (columns === undefined) throw new Error(`no documents are made of table ${tableIndex}`);
    return columns;
  };
}

/** Returns the displayed key of a document, with the issue of a blank key. */
export function keyOf(keys: KeyColumns, record: ReadRecord): { key: string; issue?: Issue } {
  const { table, row, values, faults } = record;
  const columns = keys(table);
  const text = keyText(record.values, columns);
  if (text !== undefined) return { key: shownKey(text) };
  const blank = columns.find(({ position }) => values[position] === undefined) ?? columns[0];
  const index = table.indexes[blank.position];
  const shown = (index === undefined ? undefined : row.texts[index]) ?? String(row.number);
  const isFaulty = [blank, ...blank.feeders].some((column) => {
    const fault = faults?.get(column);
    return fault !== undefined && !hasTrait(fault, 'says-blank');
  });
  if (isFaulty || (index === undefined && blank.computed === undefined)) return { key: shown };
  const { columns: filled = [], isOn = true, param } = table.fillDown ?? {};
  const saysNobody = filled.every(({ position }) => values[position] === undefined);
  const issue =
    !isOn && saysNobody && param !== undefined
      ? issueOf<IssueCode>('row/owner-blank', 'error', { param }, placeOf(record, blank))
      : issueOf<IssueCode>('row/key-blank', 'error', {}, placeOf(record, blank));
  return { key: shown, issue };
}

export function missingKeyIssues(keys: KeyColumns, record: ReadRecord): readonly Issue[] {
  const { issue } = keyOf(keys, record);
  return [
    ...(issue === undefined ? [] : [issue]),
    ...[...(record.faults ?? [])].map(([column, fault]) => faultIssue(record, column, fault)),
  ];
}

/** True if a row has nothing in its key columns, like the lower one of merged rows: it may belong to the row above. */
export const saysNoKey = (keys: KeyColumns, record: ReadRecord): boolean => {
  const { table, row, values } = record;
  return (
    keys(table).every(({ position }) => !values[position]) &&
    (row.json ?? row.file ?? row.fault) === undefined &&
    keyOf(keys, record).issue !== undefined
  );
};

/** Creates the issue of a record followed by one without key, which may belong to it. */
export function keyBlankBelow(keys: KeyColumns, record: ReadRecord, below: ReadRecord): Issue {
  const [column] = keys(record.table);
  const { issue } = keyOf(keys, below);
  return {
    ...issueOf('row/key-blank-below', 'error', { below: below.row.number }, placeOf(record, column)),
    ...(issue && { related: [issue.place] }),
    value: keyOf(keys, record).key,
  };
}

/** Reports records whose keys are equal except for leading zeros. */
export function otherZeros(keys: KeyColumns, records: readonly ReadRecord[]): readonly Issue[] {
  let first: { readonly record: ReadRecord; readonly text: string } | undefined;
  for (const record of records) {
    const columns = keys(record.table);
    const text = keyText(record.values, columns);
    if (text === undefined) continue;
    first ??= { record, text };
    if (text === first.text) continue;
    const { record: other } = first;
    const pairs = keys(other.table).map((known, at) => ({ known, column: columns[at] ?? columns[0] }));
    return pairs
      .filter(({ known, column }) => record.values[column.position] !== other.values[known.position])
      .slice(0, 1)
      .map(({ known, column }): Issue => {
        const params = { first: String(other.values[known.position]), row: other.row.number };
        const issue = issueOf('group/other-zeros', 'error', params, placeOf(record, column));
        return { ...issue, related: [placeOf(other, known)], value: String(record.values[column.position]) };
      });
  }
  return NO_ISSUES;
}

/** Reports contradictions between records of a document in several sheets: two records in a sheet, or different values of a column. */
export function conflictsBetweenSheets(keys: KeyColumns, records: readonly ReadRecord[]): readonly Issue[] {
  const first = new Map<number, ReadRecord>();
  const valueBy = new Map<
    CompiledColumn,
    { readonly record: ReadRecord; readonly value: string | boolean }
  >();
  return records.flatMap((record) => {
    const { table, values } = record;
    const key = keys(table);
    const other = first.get(table.number);
    if (other !== undefined) {
      const params = { first: other.row.number };
      const issue = issueOf('row/key-repeated', 'error', params, placeOf(record, key[0]));
      return [{ ...issue, value: String(values[key[0].position]), related: [placeOf(other, key[0])] }];
    }
    first.set(table.number, record);
    return table.present.flatMap(({ column }): Issue[] => {
      const value = values[column.position];
      if (value === undefined || key.includes(column)) return [];
      const earlier = valueBy.get(column);
      if (earlier === undefined) {
        valueBy.set(column, { record, value });
        return [];
      }
      if (agree(value, earlier.value, column)) return [];
      const params = { first: String(earlier.value), other: String(value) };
      const issue = issueOf('group/conflict', 'error', params, placeOf(record, column));
      return [{ ...issue, related: [placeOf(earlier.record, column)] }];
    });
  });
}

/** True if two values are equal; texts also without regard to case and accents. */
const agree = (a: string | boolean, b: string | boolean, column: CompiledColumn): boolean =>
  isEqual(a, b, column) || (column.type === 'text' && squash(String(a)) === squash(String(b)));
