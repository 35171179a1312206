import type { Issue } from '../core/issue.js';
import { placeOf, rowPlace } from '../mapping/places.js';
import type { ReadRecord } from '../mapping/record.js';
import type { Gathered } from './check-document.js';
import { keyAsked, keyPlace, shownKey } from './joined-tables.js';
import { rowFrom } from './seen.js';

/** A document that lacks a record it should have, or has two where one may be. */
export function joinIssues({ own, joined }: Gathered): Issue[] {
  return joined.flatMap((one): Issue[] => {
    const { joinedTable, key, records, cells, refused, contrary } = one;
    const { join } = joinedTable.table;
    const [record] = own;
    if (refused?.as === 'other-zeros') return [otherZerosIssue(record!, one)];
    if (refused !== undefined && (refused.as === 'shared' || join!.missing !== 'ignore'))
      return [refusedIssue(record!, one)];
    const disagreeing = contrary === undefined ? [] : [disagreement(one, contrary)];
    if (records.length === 0 && join!.missing !== 'ignore' && key !== undefined)
      return [
        ...disagreeing,
        {
          code: 'join/missing',
          level: join!.missing,
          params: { table: joinedTable.name },
          place: cells[0] ?? rowPlace(record!.table, record!.row),
          value: shownKey(key),
        },
      ];
    const [first, ...others] = records;
    const second = others.find((one) => !saysSame(first!, one));
    if (join!.many || second === undefined) return disagreeing;
    const place = keyPlace(second, join!, key!);
    const { row, table } = first!;
    return [
      ...disagreeing,
      {
        code: 'row/key-repeated',
        level: 'error',
        params: { first: rowFrom(place, { row: row.number, table }) },
        place,
        value: shownKey(key!),
        related: [keyPlace(first!, join!, key!)],
      },
    ];
  });
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
  { joinedTable, key, records }: Gathered['joined'][number],
  { key: other, cells, record }: NonNullable<Gathered['joined'][number]['contrary']>,
): Issue {
  const { join } = joinedTable.table;
  const found = placeOf(record, keyAsked(join!, key!).own[0]!);
  return {
    code: 'join/keys-disagree',
    level: records.length > 0 ? 'error' : 'warning',
    params: { table: joinedTable.name, asked: shownKey(key!) },
    place: cells[0]!,
    value: shownKey(other),
    related: [found],
  };
}

/** Owners that an issue names. */
const NAMED = 5;

/** A record that the document's key leads to, and that is of somebody else or of nobody. */
function refusedIssue(
  { table, row }: ReadRecord,
  { joinedTable, key, cells, refused }: Gathered['joined'][number],
): Issue {
  const { join } = joinedTable.table;
  const { as, records, asked } = refused!;
  const owners = records.map((record) =>
    join!.whose.flatMap(({ own }) => record.values[own.position] ?? []).join(' '),
  );
  const column = join!.whose[0]!.own;
  const params = {
    table: joinedTable.name,
    asked,
    found: [...new Set(owners)].slice(0, NAMED).join(', '),
  };
  return {
    code: `join/${as}`,
    level: join!.missing as Issue['level'],
    params,
    place: cells[0] ?? rowPlace(table, row),
    value: shownKey(key!),
    related: records.slice(0, NAMED).map((record) => placeOf(record, column)),
  };
}

/** Records that the document's key leads to only where zeros before its number are left aside. */
function otherZerosIssue(
  { table, row }: ReadRecord,
  { joinedTable, key, cells, refused }: Gathered['joined'][number],
): Issue {
  const [first, ...others] = refused!.records;
  const places = [first!, ...others].slice(0, NAMED);
  return {
    code: 'join/other-zeros',
    level: 'error',
    params: { table: joinedTable.name, found: shownKey(joinedTable.keysOf(first!)[0]!) },
    place: cells[0] ?? rowPlace(table, row),
    value: shownKey(key!),
    related: places.map((record) => keyPlace(record, joinedTable.table.join!, key!)),
  };
}
