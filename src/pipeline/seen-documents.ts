import type { Issue, Place } from '../issues/issue.js';
import { originsOf } from '../mapping/apply.js';
import type { CompiledColumn } from '../mapping/columns.js';
import type { CompiledTarget } from '../mapping/compile.js';
import type { Context } from '../mapping/context.js';
import type { LoadedMapping } from '../mapping/load.js';
import { placeOf, type ReadRecord, rowPlace } from '../mapping/record.js';
import { type BatchRule, batchRules, type Levels } from '../schema/rules.js';
import type { JsonObject } from '../values/json.js';
import { valueAt } from '../values/pointer.js';
import { SeenKeys } from './seen-keys.js';
import { keyText, shownKey } from './sides.js';

/** Tells whether a document was there before in this run; the later one is at fault, the first stands. */
export type Seen = (
  record: ReadRecord,
  context: Context,
  target: CompiledTarget,
  document: JsonObject,
) => Issue | undefined;

/** Where keys were seen, and in which table. */
class FirstPlaces {
  private readonly keys = new SeenKeys();
  private readonly tables: ReadRecord['table'][] = [];

  /** The record that had the key before, if one had. */
  add(
    key: string,
    { table, row }: ReadRecord,
  ): { readonly row: number; readonly table: ReadRecord['table'] } | undefined {
    if (!this.tables.some(({ number }) => number === table.number)) this.tables.push(table);
    const first = this.keys.add(key, { file: table.number, row: row.number });
    return first && { row: first.row, table: this.tables.find(({ number }) => number === first.file)! };
  }
}

/** By the rules over a file that the document's kind has; where it has none, by the key of the mapping. */
export function createSeen(mapping: LoadedMapping, levels: Levels): Seen {
  const ruled = new Map(
    mapping.targets.map(({ schema }) => [
      schema,
      batchRules(schema)
        .filter(({ code }) => levels.get(code) !== 'off')
        .map((rule) => ({ rule, places: new FirstPlaces() })),
    ]),
  );
  const keyed = mapping.onePer === 'record' ? new FirstPlaces() : undefined;
  const [main] = mapping.mains;
  const columns = mapping.key.map((id) => main!.columns.get(id)!);
  return (record, context, target, document) => {
    const rules = ruled.get(target.schema)!;
    for (const { rule, places } of rules) {
      const key = rule.keyOf(document);
      const first = key === undefined ? undefined : places.add(key, record);
      if (first !== undefined) {
        const issue = repeatedByRule(rule, levels, record, context, target, first);
        const value = valueAt(document, rule.blame);
        return value === undefined ? issue : { ...issue, value: String(value) };
      }
    }
    if (keyed === undefined || rules.length > 0) return undefined;
    const key = keyText(columns.map(({ position }) => record.values[position]));
    const first = key === undefined ? undefined : keyed.add(key, record);
    return first && repeatedKey(record, columns[0]!, key!, first);
  };
}

type First = NonNullable<ReturnType<FirstPlaces['add']>>;

const firstPlace = (place: Place, { row, table }: First): Place => {
  const { file, sheet } = table.source;
  const { column, label } = place;
  return {
    file,
    ...(sheet !== undefined && { sheet }),
    row,
    ...(column && { column }),
    ...(label && { label }),
  };
};

function repeatedByRule(
  { code, level, blame, authority }: BatchRule,
  levels: Levels,
  record: ReadRecord,
  context: Context,
  target: CompiledTarget,
  first: First,
): Issue {
  const own = originsOf(target, context).trace.get(blame)?.[0];
  const place = { ...(own ?? rowPlace(record.table, record.row)), pointer: blame };
  const given = levels.get(code);
  return {
    code,
    level: given === undefined || given === 'off' ? level : given,
    params: { first: first.row, ...(authority[0] !== undefined && { rule: authority[0] }) },
    place,
    related: [firstPlace(place, first)],
  };
}

function repeatedKey(record: ReadRecord, column: CompiledColumn, key: string, first: First): Issue {
  const place = placeOf(record, column);
  return {
    code: 'row/key-repeated',
    level: 'error',
    params: { first: first.row },
    place,
    value: shownKey(key),
    related: [firstPlace(place, first)],
  };
}
