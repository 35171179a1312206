import { type Issue, isSameCell, isSameSheet, issueOf, NO_ISSUES, type Place } from '../core/issue.js';
import { type JsonObject, valueAt } from '../core/json.js';
import type { CompiledTarget } from '../mapping/load.js';
import { placeOf, placesOf, rowPlace } from '../mapping/places.js';
import type { CompiledColumn, Context, ReadRecord } from '../mapping/record.js';
import { type BatchRule, batchRules, type SameRule, sameRules } from '../schema/batch-rules.js';
import type { Levels } from '../schema/rule-data.js';
import { createKeyTable, widened } from '../tables/key-table.js';
import type { CheckSite, DraftDocument } from './document.js';
import { keyColumns } from './document-keys.js';
import { plainKeyText } from './joined-tables.js';
import { Columns } from './key-places.js';
import type { Derivation, Group } from './phases.js';

/** Place where a key occurred first. */
interface FirstSeen {
  readonly file: number;
  readonly row: number;
}

/** Largest file number that a `Uint16Array` can hold. */
const MAX_UINT16_FILE = 0xffff;

/** Keys of a run, exact and outside the heap: some 25 bytes each for numbers with a few words. */
export class KeyIndex {
  private readonly keys = createKeyTable();
  private rows = new Uint32Array(1 << 12);
  /** File numbers; undefined while all keys are of the first file. */
  private files: Uint16Array | Uint32Array | undefined;
  private first = 0;

  /** Adds a key; returns its first place if it was added before. */
  add(key: string, { file, row }: FirstSeen): FirstSeen | undefined {
    const before = this.keys.size;
    const number = this.keys.add(key);
    if (number < before) return { file: this.files?.[number] ?? this.first, row: this.rows[number] ?? 0 };
    if (number === this.rows.length) {
      this.rows = widened(this.rows);
      this.files &&= widened(this.files);
    }
    this.rows[number] = row;
    this.first ??= file;
    if (file !== this.first && this.files === undefined) {
      const Numbers = this.first > MAX_UINT16_FILE ? Uint32Array : Uint16Array;
      this.files = new Numbers(this.rows.length).fill(this.first);
    }
    if (file > MAX_UINT16_FILE && this.files instanceof Uint16Array)
      this.files = Uint32Array.from(this.files);
    if (this.files !== undefined) this.files[number] = file;
    return undefined;
  }
}

/** Finds repetitions of a run's documents; the later document gets the issue. */
interface Repeats {
  judge(group: Group, draft: DraftDocument): readonly Issue[];
}

class FirstPlaces {
  private readonly keys = new KeyIndex();
  private readonly tables: ReadRecord['table'][] = [];

  /** Adds the key of a record; returns the first record that had it. */
  add(
    key: string,
    { table, row }: ReadRecord,
  ): { readonly row: number; readonly table: ReadRecord['table'] } | undefined {
    if (!this.tables.some(({ number }) => number === table.number)) this.tables.push(table);
    const first = this.keys.add(key, { file: table.number, row: row.number });
    const before = first && this.tables.find(({ number }) => number === first.file);
    return before && { row: first.row, table: before };
  }
}

/** Hashes by FNV-1a over UTF-16 units, never to 0. */
function hashOf(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0 || 1;
}

/** Hashes texts, reusing the last hash for repeated texts. */
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

/** Hash and place of the value of each key's first document: 4 to 12 bytes outside the heap. */
class FirstValues {
  private values = new Uint32Array(1024);
  /** Rows that differ from those of the key. */
  private rows: Uint32Array<ArrayBuffer> | undefined;
  /** Columns; undefined while all are the first. */
  private columns: Uint32Array<ArrayBuffer> | undefined;

  constructor(
    private readonly keys: KeysOfRules,
    private readonly places: Columns,
  ) {}

  /** Returns the hash of the first document, or 0 if there is none. */
  known(key: number): number {
    return this.values[key] ?? 0;
  }

  place(key: number): Place {
    return this.places.place(this.columns?.[key] ?? 0, this.rows?.[key] || (this.keys.rows[key] ?? 0));
  }

  /** @param column number of the column in `places` */
  add(key: number, hash: number, column: number, row: number): void {
    this.values = widened(this.values, key + 1);
    this.values[key] = hash;
    if (row !== this.keys.rowOf(key, row)) {
      this.rows = widened(this.rows ?? NO_ROWS, key + 1);
      this.rows[key] = row;
    }
    if (column > 0) this.columns ??= new Uint32Array(this.values.length);
    if (this.columns === undefined) return;
    this.columns = widened(this.columns, key + 1);
    this.columns[key] = column;
  }
}

const NO_ROWS = new Uint32Array(0);

/** Keys shared by rules; documents of one key usually follow each other. */
class KeysOfRules {
  /** Row of the first document, by number of the key. */
  rows = new Uint32Array(1024);
  private readonly table = createKeyTable();
  private last: string | undefined;
  private number: number | undefined;

  /** Returns the row of a key, set to `row` if it is unknown. */
  rowOf(key: number, row: number): number {
    this.rows = widened(this.rows, key + 1);
    this.rows[key] ||= row;
    return this.rows[key];
  }

  add(key: string): number {
    if (key !== this.last || this.number === undefined) {
      this.number = this.table.add(key);
      this.last = key;
    }
    return this.number;
  }
}

/** Reports documents of one key with different values. */
function createSame(rules: readonly SameRule[], { fields }: CompiledTarget, levels: Levels) {
  const keysBy = new Map<SameRule['by'], KeysOfRules>();
  const places = new Columns();
  const watched = rules
    .filter(({ code }) => levels.get(code) !== 'off')
    .map((rule) => {
      const keys = keysBy.get(rule.by) ?? new KeysOfRules();
      keysBy.set(rule.by, keys);
      return { rule, keys };
    })
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
  /** True if a cell has an error itself, so that it proves nothing about others. */
  const isWrong = (issues: readonly Issue[], place: Place): boolean =>
    issues.some((issue) => issue.level === 'error' && isSameCell(issue.place, place));
  const judge = ({ records: [record], context }: Group, { body, issues: ownIssues }: DraftDocument) => {
    let issues: Issue[] | undefined;
    for (const watch of watched) {
      const { rule, first, keys } = watch;
      const key = rule.keyOf(body);
      const value = key === undefined ? undefined : rule.valueOf(body);
      if (key === undefined || value === undefined) continue;
      const number = keys.add(key);
      const [known, hash] = [first.known(number), watch.hashOf(value)];
      if (known === hash) continue;
      const place = placeIn(watch, context, record);
      if (isWrong(ownIssues, place)) continue;
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

/** Rule over a file, with the places of its keys. */
interface WatchedRule {
  readonly rule: BatchRule;
  readonly places: FirstPlaces;
  /** Set if the rule is about a derived part. */
  readonly derivation?: Derivation;
}

const watchesOf = (
  rules: readonly BatchRule[],
  levels: Levels,
  derivation?: Derivation,
): readonly WatchedRule[] =>
  rules
    .filter(({ code }) => levels.get(code) !== 'off')
    .map((rule) => ({ rule, places: new FirstPlaces(), ...(derivation && { derivation }) }));

/**
 * Creates the detection of repetitions: by the rules over a file of the schema, else by the key of the mapping; derived
 * parts have rules of their own.
 */
export function createRepeats({ mapping, levels, derivations }: CheckSite): Repeats {
  const watched = new Map(
    mapping.targets.map((target) => {
      const { schema } = target;
      const derivation = derivations.get(schema);
      const ofSchema = watchesOf(batchRules(schema), levels);
      const watches = [...ofSchema, ...watchesOf(derivation?.batch ?? [], levels, derivation)];
      return [
        schema,
        { watches, same: createSame(sameRules(schema), target, levels), isRuled: ofSchema.length > 0 },
      ];
    }),
  );
  const keyed = mapping.onePer === 'record' ? new FirstPlaces() : undefined;
  const keys = keyColumns(mapping);
  const judge: Repeats['judge'] = (group, draft) => {
    const { body, target } = draft;
    const rules = watched.get(target.schema);
    if (rules === undefined) return NO_ISSUES;
    const [record] = group.records;
    const differing = rules.same.judge(group, draft);
    if (keyed !== undefined && !rules.isRuled) {
      const columns = keys(record.table);
      const key = plainKeyText(record.values, columns);
      const repeated = key === undefined ? undefined : keyed.add(key, record);
      // Further issues of such a document are reported for the first one.
      if (repeated !== undefined) return [...differing, repeatedKey(record, columns[0], group.key, repeated)];
    }
    let issues: Issue[] | undefined = differing.length > 0 ? [...differing] : undefined;
    for (const watch of rules.watches)
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

/** Formats the row of the first occurrence, with its sheet if that differs. */
export const rowFrom = (
  place: Place,
  { row, table: { source } }: Pick<First, 'row' | 'table'>,
): number | string =>
  place.file === undefined || isSameSheet(source, place) ? row : `${row} (${source.sheet ?? source.file})`;

function repeatedByRule(
  { rule: { code, level, authority }, derivation }: WatchedRule,
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
    related: [firstPlace(derivation === undefined ? place : {}, first)], // only the row is known of a derived item
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
