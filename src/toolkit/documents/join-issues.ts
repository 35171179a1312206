import { type Issue, issueOf, type Place } from '../core/issue.js';
import { placeOf, rowPlace } from '../mapping/places.js';
import type { Join, ReadRecord } from '../mapping/record.js';
import type { JoinedRecords } from './gather.js';
import { type JoinedTable, keyAsked, keyPlace, shownKey } from './joined-tables.js';
import type { Group } from './phases.js';
import { rowFrom } from './repeats.js';

/** What is wrong with what a document looks up: a record that it should have and has not, two where one may be. */
export const joinIssues = ({ records: [record], joined }: Group): readonly Issue[] =>
  joined.flatMap((one) => (one.key === undefined ? [] : issuesUnder(one.key, record, one)));

function issuesUnder(key: string, record: ReadRecord, one: JoinedRecords): readonly Issue[] {
  const { joinedTable, records, cells, refused, contrary } = one;
  const { join, name } = joinedTable;
  const place = cells[0] ?? rowPlace(record.table, record.row);
  const value = shownKey(key);
  if (refused?.as === 'other-zeros') return [otherZeros(key, joinedTable, refused, place)];
  if (refused !== undefined && (refused.as === 'shared' || join.missing !== 'ignore'))
    return [refusal(key, joinedTable, refused, place)];
  const disagreeing = contrary === undefined ? [] : [disagreement(key, one, contrary)];
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

/** Whether two records say the same in all that is read of them; of a file of its own not all is. */
const saysSame = (one: ReadRecord, other: ReadRecord): boolean =>
  one.row.file === undefined &&
  one.faults === undefined &&
  other.faults === undefined &&
  [...new Set([...one.table.present, ...other.table.present])].every(
    ({ column: { position } }) => one.values[position] === other.values[position],
  );

/** What a document says twice of the record that it belongs to, and not the same; a number may be that of another seller's invoice. */
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
      .own.slice(0, 1)
      .map((column) => placeOf(record, column)),
  };
}

/** Owners that an issue names. */
const NAMED = 5;

type Refused = NonNullable<JoinedRecords['refused']>;

/** A record that the document's key leads to, and that is of somebody else or of nobody. */
function refusal(
  key: string,
  { join, name }: JoinedTable,
  { as, records, asked }: Refused,
  place: Place,
): Issue {
  const owners = records.map((record) =>
    join.whose.flatMap(({ own }) => record.values[own.position] ?? []).join(' '),
  );
  const found = [...new Set(owners)].slice(0, NAMED).join(', ');
  // What several could claim is an error also where nothing need be there.
  const level = join.missing === 'warning' ? 'warning' : 'error';
  return {
    ...issueOf(`join/${as}`, level, { table: name, asked, found }, place),
    value: shownKey(key),
    related: records
      .slice(0, NAMED)
      .flatMap((record) => join.whose.slice(0, 1).map(({ own }) => placeOf(record, own))),
  };
}

/** Records that the document's key leads to only where zeros before its number are left aside. */
function otherZeros(key: string, joinedTable: JoinedTable, { records }: Refused, place: Place): Issue {
  const { join, name } = joinedTable;
  const [found = ''] = records.flatMap((record) => joinedTable.keysOf(record)).slice(0, 1);
  return {
    ...issueOf('join/other-zeros', 'error', { table: name, found: shownKey(found) }, place),
    value: shownKey(key),
    related: records.slice(0, NAMED).map((record) => keyPlace(record, join, key)),
  };
}
