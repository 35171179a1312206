import { type Issue, isSameCell, isSameSheet, issueOf, NO_ISSUES, type Place } from '../core/issue.js';
import { type JsonObject, valueAt } from '../core/json.js';
import type { CompiledTarget } from '../mapping/load.js';
import { placeOf, placesOf, rowPlace } from '../mapping/places.js';
import type { CompiledColumn, Context, ReadRecord } from '../mapping/record.js';
import { type BatchRule, batchRules, type SameRule, sameRules } from '../schema/batch-rules.js';
import type { Levels } from '../schema/rule-data.js';
import { createKeyTable, doubled } from '../tables/key-table.js';
import type { CheckSite, DraftDocument } from './document.js';
import { keyColumns } from './document-keys.js';
import { plainKeyText } from './joined-tables.js';
import { Columns, wider } from './key-places.js';
import type { Derivation, Group } from './phases.js';

/** Where a key was first seen. */
interface FirstSeen {
  readonly file: number;
  readonly row: number;
}

/** So many fit in two bytes each. */
const MOST_FILES = 0xffff;

/** The keys of a run, exactly, outside the heap: some 25 bytes each where they are numbers with a few words around. */
export class SeenKeys {
  private readonly keys = createKeyTable();
  /** By number of the key. */
  private rows = new Uint32Array(1 << 12);
  /** Undefined while all are of the first. */
  private files: Uint16Array | Uint32Array | undefined;
  private first: number | undefined;

  /** Remembers the key; tells where it was seen first, if it was. */
  add(key: string, { file, row }: FirstSeen): FirstSeen | undefined {
    const before = this.keys.size;
    const number = this.keys.add(key);
    if (number < before) return { file: this.files?.[number] ?? this.first!, row: this.rows[number]! };
    if (number === this.rows.length) {
      this.rows = doubled(this.rows);
      this.files &&= doubled(this.files);
    }
    this.rows[number] = row;
    this.first ??= file;
    if (file !== this.first && this.files === undefined) {
      const Numbers = this.first > MOST_FILES ? Uint32Array : Uint16Array;
      this.files = new Numbers(this.rows.length).fill(this.first);
    }
    if (file > MOST_FILES && this.files instanceof Uint16Array) this.files = Uint32Array.from(this.files);
    if (this.files !== undefined) this.files[number] = file;
    return undefined;
  }
}

/** Finds what of a document was there before in this run; the later one is at fault, the first stands. */
interface Repeats {
  judge(group: Group, draft: DraftDocument): readonly Issue[];
}

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

/** FNV-1a over UTF-16 units, never 0. */
function hashOf(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0 || 1;
}

/** The same, of texts of which one is often the one before. */
function rememberedHash(): (text: string) => number {
  let last: string | undefined;
  let hash = 0;
  return (text) => {
    if (text !== last) {
      last = text;
      hash = hashOf(text);
    }
    return hash;
  };
}

/** By number of a key, what its first document had, as a hash, and where: 4 to 12 bytes outside the heap. */
class FirstValues {
  private values = new Uint32Array(1024);
  /** Where they are not those of the key. */
  private rows: Uint32Array<ArrayBuffer> | undefined;
  /** In a file by itself they all stand in the first. */
  private columns: Uint32Array<ArrayBuffer> | undefined;

  constructor(
    private readonly keys: KeysOfRules,
    private readonly places: Columns,
  ) {}

  /** What the first document had; 0 where there was none. */
  known(key: number): number {
    return this.values[key] ?? 0;
  }

  place(key: number): Place {
    return this.places.place(this.columns?.[key] ?? 0, this.rows?.[key] || this.keys.rows[key]!);
  }

  /** @param column its number among the places */
  add(key: number, hash: number, column: number, row: number): void {
    this.values = wider(this.values, key + 1);
    this.values[key] = hash;
    if (row !== this.keys.rowOf(key, row)) {
      this.rows = wider(this.rows ?? NO_ROWS, key + 1);
      this.rows[key] = row;
    }
    if (column > 0) this.columns ??= new Uint32Array(this.values.length);
    if (this.columns === undefined) return;
    this.columns = wider(this.columns, key + 1);
    this.columns[key] = column;
  }
}

const NO_ROWS = new Uint32Array(0);

/** The keys of rules that have the same; documents of one follow each other as a rule. */
class KeysOfRules {
  /** By number of the key: the row of its first document. */
  rows = new Uint32Array(1024);
  private readonly table = createKeyTable();
  /** The key that was asked for last, and its number. */
  private last: string | undefined;
  private number: number | undefined;

  /** The row of a key, which is this one where none is known. */
  rowOf(key: number, row: number): number {
    this.rows = wider(this.rows, key + 1);
    this.rows[key] ||= row;
    return this.rows[key]!;
  }

  add(key: string): number {
    if (key !== this.last || this.number === undefined) {
      this.number = this.table.add(key);
      this.last = key;
    }
    return this.number;
  }
}

/** Tells where documents of one key differ in what they must agree in. */
function createSame(rules: readonly SameRule[], { fields }: CompiledTarget, levels: Levels) {
  const keysBy = new Map(rules.map(({ by }) => [by, new KeysOfRules()]));
  const places = new Columns();
  const watched = rules
    .filter(({ code }) => levels.get(code) !== 'off')
    .map((rule) => ({ rule, keys: keysBy.get(rule.by)! }))
    .map(({ rule, keys }) => ({
      rule,
      keys,
      first: new FirstValues(keys, places),
      hashOf: rememberedHash(),
      columns:
        fields.find(({ needed, pointer }) => needed && pointer === rule.pointer)?.alternatives.flat() ?? [],
    }));
  const placeIn = (
    { columns }: (typeof watched)[number],
    context: Context,
    { table, row }: ReadRecord,
  ): Place => placesOf(context, columns)[0] ?? rowPlace(table, row);
  /** A cell that is wrong by itself says nothing of others. */
  const isWrong = (issues: readonly Issue[], place: Place): boolean =>
    issues.some((one) => one.level === 'error' && isSameCell(one.place, place));
  const judge = ({ records: [record], context }: Group, { body, issues: said }: DraftDocument) => {
    let issues: Issue[] | undefined;
    for (const one of watched) {
      const { rule, first, keys } = one;
      const key = rule.keyOf(body);
      const value = key === undefined ? undefined : rule.valueOf(body);
      if (key === undefined || value === undefined) continue;
      const number = keys.add(key);
      const [known, hash] = [first.known(number), one.hashOf(value)];
      if (known === hash) continue;
      const place = placeIn(one, context, record);
      if (isWrong(said, place)) continue;
      if (known === 0) first.add(number, hash, places.number(place), place.row ?? 0);
      else {
        issues ??= [];
        issues.push(differs(rule, levels, { ...place, pointer: rule.pointer }, first.place(number), body));
      }
    }
    return issues ?? NO_ISSUES;
  };
  return { judge };
}

function differs(
  { code, level, authority }: SameRule,
  levels: Levels,
  place: Place,
  other: Place,
  document: JsonObject,
): Issue {
  const given = levels.get(code);
  const value = valueAt(document, place.pointer ?? '');
  return {
    ...issueOf(
      code,
      given === undefined || given === 'off' ? level : given,
      { first: other.row ?? 0, ...(authority[0] !== undefined && { rule: authority[0] }) },
      place,
    ),
    related: [other],
    ...(value !== undefined && { value: String(value) }),
  };
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
export function createRepeats({ mapping, levels, derivations }: CheckSite): Repeats {
  const watched = new Map(
    mapping.targets.map((target) => {
      const { schema } = target;
      const derivation = derivations.get(schema);
      const own = watchesOf(batchRules(schema), levels);
      const watches = [...own, ...watchesOf(derivation?.batch ?? [], levels, derivation)];
      return [
        schema,
        { watches, same: createSame(sameRules(schema), target, levels), isRuled: own.length > 0 },
      ];
    }),
  );
  const keyed = mapping.onePer === 'record' ? new FirstPlaces() : undefined;
  const keys = keyColumns(mapping);
  const judge: Repeats['judge'] = (group, draft) => {
    const { body, target } = draft;
    const own = watched.get(target.schema);
    if (own === undefined) return NO_ISSUES;
    const [record] = group.records;
    const differing = own.same.judge(group, draft);
    if (keyed !== undefined && !own.isRuled) {
      const columns = keys(record.table);
      const key = plainKeyText(record.values, columns);
      const repeated = key === undefined ? undefined : keyed.add(key, record);
      // What such a document has beside it, the first one has told of.
      if (repeated !== undefined) return [...differing, repeatedKey(record, columns[0], group.key, repeated)];
    }
    let issues: Issue[] | undefined = differing.length > 0 ? [...differing] : undefined;
    for (const watch of own.watches)
      for (const found of watch.rule.keysOf(body)) {
        const first = watch.places.add(found.key, record);
        if (first === undefined) continue;
        const { pointer } = found;
        const fed = draft.origins().trace.get(pointer)?.[0] ?? rowPlace(record.table, record.row);
        const issue = repeatedByRule(watch, { ...fed, pointer }, levels, first);
        const value = valueAt(body, pointer);
        issues ??= [];
        issues.push(value === undefined ? issue : { ...issue, value: String(value) });
      }
    return issues ?? NO_ISSUES;
  };
  return { judge };
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

/** The row of the first one as people say it: with its sheet, where that is another. */
export const rowFrom = (
  place: Place,
  { row, table: { source } }: Pick<First, 'row' | 'table'>,
): number | string =>
  place.file === undefined || isSameSheet(source, place) ? row : `${row} (${source.sheet ?? source.file})`;

function repeatedByRule(
  { rule: { code, level, authority }, derivation }: Watch,
  place: Place,
  levels: Levels,
  first: First,
): Issue {
  const given = levels.get(code);
  return {
    ...issueOf(
      code,
      given === undefined || given === 'off' ? level : given,
      { first: rowFrom(place, first), ...(authority[0] !== undefined && { rule: authority[0] }) },
      place,
    ),
    related: [firstPlace(derivation === undefined ? place : {}, first)], // of an item only the document's row is known
  };
}

function repeatedKey(record: ReadRecord, column: CompiledColumn, key: string, first: First): Issue {
  const place = placeOf(record, column);
  return {
    code: 'row/key-repeated',
    level: 'error',
    params: { first: rowFrom(place, first) },
    place,
    value: key,
    related: [firstPlace(place, first)],
  };
}
