import { type Issue, issueOf, type Place } from '../core/issue.js';
import { placeOf, rowPlace } from '../mapping/places.js';
import type { Join, ReadRecord } from '../mapping/record.js';
import type { JoinedRecords } from './gather.js';
import { type JoinedTable, keyAsked, keyPlace, shownKey } from './joined-tables.js';
import type { Group } from './phases.js';
import { rowFrom } from './repeats.js';

/** Reports missing, conflicting and repeated records of joined tables. */
export const joinIssues = ({ records: [record], joined }: Group): readonly Issue[] =>
  joined.flatMap((lookup) => (lookup.key === undefined ? [] : issuesUnder(lookup.key, record, lookup)));
function issuesUnder(key: string, record: ReadRecord, lookup: JoinedRecords): readonly Issue[] {
  const { joinedTable, records, cells, refused, contrary } = lookup;
  const { join, name } = joinedTable;
  const place = cells[0] ?? rowPlace(record.table, record.row);
  const value = shownKey(key);
  if (refused?.as === 'other-zeros') return [otherZeros(key, joinedTable, refused, place)];
  if (refused !== undefined && (refused.as === 'shared' || join.missing !== 'ignore'))
    return [refusal(key, joinedTable, refused, place)];
  const disagreeing = contrary === undefined ? [] : [disagreement(key, lookup, contrary)];
  if (records.length === 0 && join.missing !== 'ignore')
    return [...disagreeing, { ...issueOf('join/missing', join.missing, { table: name }, place), value }];
  const [first, ...others] = records;
  if (join.many || first === undefined) return disagreeing;
  return [
    ...disagreeing,
    ...others
      .filter((other) => !saysSame(first, other))
      .slice(0, 1)
      .map((second) => repeatedIn(key, join, first, second)),
  ];
}

function repeatedIn(key: string, join: Join, first: ReadRecord, second: ReadRecord): Issue {
  const place = keyPlace(second, join, key);
  const params = { first: rowFrom(place, { row: first.row.number, table: first.table }) };
  return {
    ...issueOf('row/key-repeated', 'error', params, place),
    value: shownKey(key),
    related: [keyPlace(first, join, key)],
  };
}

/** True if two records are equal in all columns that are read; false for files, which are read only in part. */
const saysSame = (record: ReadRecord, other: ReadRecord): boolean =>
  record.row.file === undefined &&
  record.faults === undefined &&
  other.faults === undefined &&
  [...new Set([...record.table.present, ...other.table.present])].every(
    ({ column: { position } }) => record.values[position] === other.values[position],
  );

/** Creates the issue of two lookup keys that disagree; an invoice number may belong to another seller. */
function disagreement(
  key: string,
  { joinedTable: { join, name }, records }: JoinedRecords,
  { key: other, cells, record }: NonNullable<JoinedRecords['contrary']>,
): Issue {
  const level = records.length > 0 ? 'error' : 'warning';
  return {
    ...issueOf('join/keys-disagree', level, { table: name, asked: shownKey(key) }, cells[0] ?? {}),
    value: shownKey(other),
    related: keyAsked(join, key)
      .columns.slice(0, 1)
      .map((column) => placeOf(record, column)),
  };
}

const MAX_LISTED_OWNERS = 5;

type Refused = NonNullable<JoinedRecords['refused']>;

/** Creates the issue of a record of the key that belongs to another document, or to none. */
function refusal(
  key: string,
  { join, name }: JoinedTable,
  { as, records, asked }: Refused,
  place: Place,
): Issue {
  const owners = records.map((record) =>
    join.whose.flatMap(({ column }) => record.values[column.position] ?? []).join(' '),
  );
  const found = [...new Set(owners)].slice(0, MAX_LISTED_OWNERS).join(', ');
  // A record that several may claim is an error even if none is required.
  const level = join.missing === 'warning' ? 'warning' : 'error';
  return {
    ...issueOf(`join/${as}`, level, { table: name, asked, found }, place),
    value: shownKey(key),
    related: records
      .slice(0, MAX_LISTED_OWNERS)
      .flatMap((record) => join.whose.slice(0, 1).map(({ column }) => placeOf(record, column))),
  };
}

/** Creates the issue of records that match only without leading zeros. */
function otherZeros(key: string, joinedTable: JoinedTable, { records }: Refused, place: Place): Issue {
  const { join, name } = joinedTable;
  const [found = ''] = records.flatMap((record) => joinedTable.keysOf(record)).slice(0, 1);
  return {
    ...issueOf('join/other-zeros', 'error', { table: name, found: shownKey(found) }, place),
    value: shownKey(key),
    related: records.slice(0, MAX_LISTED_OWNERS).map((record) => keyPlace(record, join, key)),
  };
}
