import type { SchemaName } from '../generated/schema-types.js';
import type { Issue, Place } from '../issues/issue.js';
import type { CompiledColumn } from '../mapping/columns.js';
import type { CompiledTarget } from '../mapping/compile.js';
import type { LoadedMapping } from '../mapping/load.js';
import { placeOf, type ReadRecord, rowPlace } from '../mapping/record.js';
import { type BatchRule, batchRules, type Levels } from '../schema/rules.js';
import { valueAt } from '../values/pointer.js';
import type { Derivation } from './attention-parts.js';
import type { CheckedDocument } from './check-document.js';
import { SeenKeys } from './seen-keys.js';
import { keyText, shownKey } from './sides.js';

/** Tells what of a document was there before in this run; the later one is at fault, the first stands. */
export type Seen = (
  record: ReadRecord,
  target: CompiledTarget,
  checked: Pick<CheckedDocument, 'document' | 'origins'>,
) => readonly Issue[];

const NONE: readonly Issue[] = [];

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

/** A rule over a file, and where its keys were seen. */
interface Watch {
  readonly rule: BatchRule;
  readonly places: FirstPlaces;
  /** Where the rule is about what follows from the document. */
  readonly derivation?: Derivation;
}

const watchesOf = (rules: readonly BatchRule[], levels: Levels, derivation?: Derivation): readonly Watch[] =>
  rules
    .filter(({ code }) => levels.get(code) !== 'off')
    .map((rule) => ({ rule, places: new FirstPlaces(), ...(derivation && { derivation }) }));

/**
 * By the rules over a file that the document's kind has; where it has none, by the key of the mapping. What follows from
 * the document has rules of its own, beside these.
 */
export function createSeen(
  mapping: LoadedMapping,
  levels: Levels,
  derivations: ReadonlyMap<SchemaName, Derivation>,
): Seen {
  const watched = new Map(
    mapping.targets.map(({ schema }) => {
      const derivation = derivations.get(schema);
      const own = watchesOf(batchRules(schema), levels);
      const watches = [...own, ...watchesOf(derivation?.batch ?? [], levels, derivation)];
      return [schema, { watches, isRuled: own.length > 0 }];
    }),
  );
  const keyed = mapping.onePer === 'record' ? new FirstPlaces() : undefined;
  const [main] = mapping.mains;
  const columns = mapping.key.map((id) => main!.columns.get(id)!);
  return (record, { schema }, { document, origins }) => {
    const { watches, isRuled } = watched.get(schema)!;
    let issues: Issue[] | undefined;
    for (const watch of watches)
      for (const found of watch.rule.keysOf(document)) {
        const first = watch.places.add(found.key, record);
        if (first === undefined) continue;
        const { pointer } = found;
        const fed = origins().trace.get(pointer)?.[0] ?? rowPlace(record.table, record.row);
        const issue = repeatedByRule(watch, { ...fed, pointer }, levels, first);
        const value = valueAt(document, pointer);
        issues ??= [];
        issues.push(value === undefined ? issue : { ...issue, value: String(value) });
      }
    if (keyed === undefined || isRuled) return issues ?? NONE;
    const key = keyText(columns.map(({ position }) => record.values[position]));
    const first = key === undefined ? undefined : keyed.add(key, record);
    if (first === undefined) return issues ?? NONE;
    return [...(issues ?? NONE), repeatedKey(record, columns[0]!, key!, first)];
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
  { rule: { code, level, authority }, derivation }: Watch,
  place: Place,
  levels: Levels,
  first: First,
): Issue {
  const given = levels.get(code);
  return {
    code,
    level: given === undefined || given === 'off' ? level : given,
    params: { first: first.row, ...(authority[0] !== undefined && { rule: authority[0] }) },
    place,
    related: [firstPlace(derivation === undefined ? place : {}, first)], // of an item only the document's row is known
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
