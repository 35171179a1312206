import { isObject, type JsonObject, type JsonValue } from '../core/json.js';
import { fold, isWild, squash, wildcard } from '../core/text.js';
import { NO_TEXT } from '../messages/texts.js';
import { checkPartShape, type ShapeFault } from '../schema/registry.js';
import { sourceOf, type YamlPath } from './yaml-source.js';

/** Leaf of an item → the part that fills it; a leaf alone in a list is filled by the part of its name. */
type Leaves = Readonly<Record<string, string>> | readonly (string | Readonly<Record<string, string>>)[];

/** Concept of a vocabulary, the same for all layouts: an earning, a deduction or an absence of payroll, a kind of service of RIPS. */
interface Concept {
  /** Leaf or list of the document: `accrued.endowment`, `accrued.HEDs[]`, `accrued.bonuses[].salary_bonus`. */
  readonly to?: string;
  /** Side of a concept that has no leaf. */
  readonly side?: 'deduction';
  /** Shape of the vocabulary; `leaves` is used instead if given. */
  readonly shape?: string;
  readonly leaves?: Leaves;
  /** Another list of the document → those of the leaves that stand there. */
  readonly elsewhere?: Readonly<Record<string, readonly string[]>>;
  /** Prefix of the ids of its columns, one for each part. */
  readonly column?: string;
  /** Part → column id that differs from the prefix and suffix; null if the part has no column. */
  readonly columns?: Readonly<Record<string, string | null>>;
  /** Keys added to its columns of amounts. */
  readonly as?: JsonObject;
  /** Columns that fill no leaf, in the core form. */
  readonly plain?: JsonObject;
  readonly fixed?: Readonly<Record<string, JsonValue>>;
  readonly kind?: { readonly catalogue: string; readonly by: readonly string[]; readonly is: JsonValue };
  /** Part → parameter used if the part is blank. */
  readonly else?: Readonly<Record<string, string>>;
  /** True if zero counts as an amount. */
  readonly zero?: true;
  /** Value of the leaf if there is no amount. */
  readonly absent?: JsonValue;
  /** `derived` if the layout of a list maps it itself. */
  readonly word?: 'derived';
  /** Names as a label, as a word of a list and as a sheet; those with a wildcard as a word only. */
  readonly names?: readonly string[];
  /** Names as a label only. */
  readonly titles?: readonly string[];
  /** Names as a word of a list only. */
  readonly words?: readonly string[];
  /** Names as a sheet only; an empty list if no sheet has this concept alone. */
  readonly sheets?: readonly string[];
  /** Numbers that mean it, alone or next to a name; the first of them as a label too. */
  readonly numbers?: readonly string[];
}

interface TablePart {
  readonly columns?: JsonObject;
  /** Column id; `$` stands for the concept's column. */
  readonly from?: string;
  /** True if the column is always present. */
  readonly sure?: true;
  /** Leaf in the core form, used instead of a column. */
  readonly leaf?: JsonObject;
}

/** Table of a layout, without its keys of the core form. */
interface Place {
  readonly id: string;
  /** Concept → column of its amounts. */
  readonly of: ReadonlyMap<string, string>;
  readonly parts: Readonly<Record<string, TablePart>>;
  /**
   * `worker`: a column for each concept; `word`: a word in each row names the concept; `event`: all rows have one concept;
   * `service`: a row has all leaves of its concept; `visit`: and is the only one of its document.
   */
  readonly row: 'worker' | 'word' | 'event' | 'service' | 'visit';
  /** True if it has that column of a service. */
  readonly has: (column: string) => boolean;
  /** Name for the sum of a concept's rows: `$` is the concept, `%` the prefix of its columns. */
  readonly sums?: string;
  /** Further concepts that its amounts may have. */
  readonly also: readonly string[];
  /** Column by which its rows are joined, if those without an amount take it from the worker's columns. */
  readonly partial?: string;
}

/** Part of a concept in all columns that hold it. */
interface Part {
  /** Suffix of the column ids; absent if no column holds the part. */
  readonly suffix?: string;
  readonly read?: JsonObject;
  /** Parameter used if the part is blank. */
  readonly else?: string;
  /** Source of a leaf of that name, if it is not just its column; `$` stands for that. */
  readonly leaf?: JsonObject;
  /** Columns in addition to that of its leaf. */
  readonly companions?: readonly string[];
}

type Fragments = Readonly<Record<string, JsonValue>>;

interface Vocabulary {
  readonly parts: Readonly<Record<string, Part>>;
  readonly shapes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly concepts: Readonly<Record<string, Concept>>;
  /** Fragments that layouts take over by `use`; `columns` is also the default reading of their columns. */
  readonly fragments: Fragments & { readonly columns: JsonObject };
  /** Names that a mapping gives to columns. */
  readonly fields?: Readonly<Record<string, string[]>>;
  /** Columns that are read alike, as `columns` of the fragments has others one by one. */
  readonly alike?: readonly { readonly of: readonly string[] }[];
  /** Class set of lists of any concept. */
  readonly words: string;
  /** Column of the class; `class` if absent. */
  readonly class?: string;
  /** Class set of sheets of some concepts → concept → what else it is called there. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly order: Readonly<Record<string, readonly string[]>>;
}

const isDeduction = ({ to = '', side }: Concept): boolean =>
  side === 'deduction' || to.startsWith('deductions.');

/** Keys of a layout's table that the core form does not have. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  'each',
  'row',
  'of',
  'but',
  'also',
  'words',
  'parts',
  'sums',
  'partial',
  'value',
  'at',
  'not_at',
]);

/** Characters in the name of a sheet, as Excel allows. */
const MAX_SHEET_NAME = 31;

const given = (key: string, value: JsonValue | undefined): JsonObject =>
  value === undefined ? {} : { [key]: value };

/** Parts that say when a concept was, or how long. */
const TIMES: ReadonlySet<string> = new Set(['start', 'end', 'clock_start', 'clock_end', 'hours', 'days']);

const isService = (row: unknown): boolean => row === 'service' || row === 'visit';

const isList = ({ to = '' }: Concept): boolean => to.includes('[]');

/** Error for a layout or concept of another shape than the vocabulary wants, or with a name that it does not have. */
export class LayoutError extends Error {
  constructor(
    readonly path: YamlPath,
    readonly faults: readonly ShapeFault[],
  ) {
    super(path.join('/'));
  }
}

function entryOf<T>(entries: Readonly<Record<string, T>>, name: string, path: YamlPath): T {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (entry !== undefined) return entry;
  throw new LayoutError(path, [
    { kind: 'unknown-key', path: [], key: String(name), expected: NO_TEXT, known: Object.keys(entries) },
  ]);
}

function checkShape(definition: string, value: JsonValue, path: YamlPath): void {
  const faults = checkPartShape('layout', definition, value);
  if (faults.length > 0) throw new LayoutError(path, faults);
}

/**
 * Expands a layout with its vocabulary into the core form.
 * @throws LayoutError
 */
export function expandLayout(layout: JsonObject, vocabulary: JsonObject): JsonObject {
  return new Expansion(vocabulary as unknown as Vocabulary).expand(layout);
}

/** Titles of columns by id, and patterns of words by class set and class. */
export interface ConceptNames {
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly classes: Readonly<Record<string, Readonly<Record<string, string[]>>>>;
  /** Names of columns in every layout, or those added by `+`. */
  readonly fields?: Readonly<Record<string, string[]>>;
}

/** Returns what the concepts of a vocabulary are called, all of them or some. */
export function namesOf(vocabulary: JsonObject, only?: readonly string[]): ConceptNames {
  return new Expansion(vocabulary as unknown as Vocabulary).names(only);
}

/** Key of `concepts` by which a mapping names a column, and the list that has its labels. */
interface Naming {
  readonly key: string;
  readonly list: 'names' | 'titles';
}

/** Returns by id how `concepts` names a column: by its concept, or by its own name. */
export const namingOf = (vocabulary: JsonObject): ReadonlyMap<string, Naming> =>
  new Expansion(vocabulary as unknown as Vocabulary).naming();

/**
 * Returns the vocabulary with the concepts and names of columns that a mapping overrides: a list of which every text begins with `+`
 * adds to the names, null takes a key away, anything else replaces it.
 * @throws LayoutError
 */
export function withConcepts(vocabulary: JsonObject, overrides: JsonObject): JsonObject {
  const { concepts, fields } = vocabulary as unknown as Vocabulary;
  const columns = [...namingOf(vocabulary)].flatMap(([id, { key }]) => (key === id ? [id] : []));
  const found: Record<string, object> = { ...concepts };
  const named: Record<string, readonly string[]> = { ...fields };
  for (const [name, over = null] of Object.entries(overrides)) {
    const path = ['concepts', name];
    if (!(name in concepts) && columns.includes(name)) {
      checkShape('field', over, path);
      named[name] = addedNames(named[name], (over as { names: string[] }).names);
      continue;
    }
    checkShape('concept', over, path);
    const isNew = !(name in concepts) && 'to' in (over as JsonObject);
    const known = { ...Object.fromEntries(columns.map((id) => [id, {}])), ...found };
    const concept = { ...(isNew ? {} : entryOf(known, name, ['concepts'])) } as Record<string, JsonValue>;
    for (const [key, value] of Object.entries(over as JsonObject))
      if (value === null) delete concept[key];
      else concept[key] = withAdded((concept[key] ?? []) as string[], value);
    found[name] = concept;
  }
  return { ...vocabulary, concepts: found as JsonObject, fields: named as JsonObject };
}

const isAdding = (value: JsonValue): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((name) => typeof name === 'string' && name.startsWith('+'));

/** Returns names with those that are added by `+`; any other value replaces them. */
export const withAdded = <T extends JsonValue>(names: readonly string[], value: T): T | string[] =>
  isAdding(value) ? [...names, ...value.map((name) => name.slice(1).trim())] : value;

/** Returns the names of a column that two mappings say, the second over the first: those of both if it only adds. */
const addedNames = (before: readonly string[] | undefined, names: string[]): readonly string[] => {
  if (before === undefined) return names;
  return isAdding(names) && isAdding([...before]) ? [...before, ...names] : withAdded(before, names);
};

/** Lists the names of a concept, with each of its numbers before and behind too. */
const numberedNames = ({ names = [], numbers = [] }: Concept, used = numbers): readonly string[] => [
  ...names,
  ...used.flatMap((number) => [
    number,
    ...names.flatMap((name) => [`${name} ${number}`, `${number} ${name}`]),
  ]),
];

const plainNames = (concept: Concept): readonly string[] =>
  numberedNames(concept, concept.numbers?.slice(0, 1)).filter((name) => !isWild(name));

/** Leaves out what is the same but for case, accents and blanks. */
const distinct = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [isWild(name) ? name : squash(name), name])).values(),
];

/** Returns the path of the concept or column in the vocabulary that a path of an expanded layout comes from. */
export function placeInVocabulary(path: YamlPath, value: JsonValue, said: JsonObject): YamlPath | undefined {
  const { concepts, fragments } = said as unknown as Vocabulary;
  const places = new Map<string, YamlPath>(
    Object.keys(fragments.columns).map((column) => [column, ['fragments', 'columns', column]]),
  );
  for (const [name, concept] of Object.entries(concepts)) {
    const { column, columns = {}, plain = {} } = concept;
    for (const id of [name, column, ...Object.values(columns), ...Object.keys(plain)])
      if (id != null) places.set(id, ['concepts', name]);
    if (column !== undefined)
      for (const { suffix } of Object.values((said as unknown as Vocabulary).parts))
        places.set(column + suffix, ['concepts', name]);
  }
  const below = path.reduce<JsonValue | undefined>(
    (node, key) => (node as JsonObject | undefined)?.[key],
    value,
  );
  const words = [
    ...path.slice(1).map(String).reverse(),
    ...(JSON.stringify(below ?? '').match(/[a-z_]+/g) ?? []),
  ];
  const found = words.find((word) => places.has(word));
  return found === undefined ? undefined : places.get(found);
}

const partialName = (table: string, concept: string): string => `${table}_partial_${concept}`;

/** Returns the column of a table that holds the amounts of a concept. */
const amountOf = ({ row, of, parts }: Place, name: string): string =>
  (row === 'word' ? parts['value']?.from : of.get(name)) ?? 'value';

class Expansion {
  private readonly vocabulary: Vocabulary;

  constructor({ shapes = {}, kinds = {}, order = {}, ...vocabulary }: Vocabulary) {
    const { fragments } = vocabulary;
    const listed = { concepts: vocabulary.concepts, alike: vocabulary.alike ?? [] } as unknown as JsonObject;
    const { concepts, alike } = this.used(listed, [], fragments) as unknown as Required<Vocabulary>;
    for (const [name, { shape }] of Object.entries(concepts))
      if (shape !== undefined) entryOf(shapes, shape, ['concepts', name, 'shape']);
    const groups = alike.flatMap(({ of, ...spec }) => of.map((id) => [id, spec]));
    const columns = { ...(Object.fromEntries(groups) as JsonObject), ...fragments.columns };
    this.vocabulary = { ...vocabulary, concepts, shapes, kinds, order, fragments: { ...fragments, columns } };
  }

  expand(layout: JsonObject): JsonObject {
    const { vocabulary: _, ...used } = this.used(layout) as JsonObject;
    checkShape('layout', used, []);
    const { people = {}, tables = {}, document = {}, values = {}, ...rest } = used;
    // Other values are refused by the shape of mappings.
    if (![tables, document, values].every(isObject)) return { ...used, cargue: 1 };
    for (const [id, table = null] of Object.entries(tables as JsonObject))
      if (isObject(table)) checkShape('layout_table', table, ['tables', id]);
    const entries = this.entries(tables as JsonObject);
    const places = entries.flatMap(([id, table]) =>
      isObject(table) && table['row'] ? [this.place(id, table)] : [],
    );
    const made = this.document(places);
    const sums = { ...this.sums(places), ...this.partials(places) };
    const all: JsonObject = {
      ...rest,
      cargue: 1,
      tables: Object.fromEntries(
        entries.map(([id, table]) => [
          id,
          this.table(
            table,
            places.find((place) => place.id === id),
            rest['extends'] === undefined,
          ),
        ]),
      ),
      values: { ...sums, ...(values as JsonObject) },
      document: this.ordered(joined(joined(this.across(people), made), document)) as JsonObject,
    };
    return this.withNames(all, places) as JsonObject;
  }

  names(only: readonly string[] = Object.keys(this.vocabulary.concepts)): ConceptNames {
    const { concepts, words: list, kinds } = this.vocabulary;
    const named = only.flatMap((name) => {
      const concept = concepts[name];
      return concept === undefined || concept.plain !== undefined ? [] : [[name, concept] as const];
    });
    const columns = named.flatMap(([name, concept]) => {
      // Which part of a shape a name alone is the label of, it does not say.
      const titles = [...(concept.shape === undefined ? plainNames(concept) : []), ...(concept.titles ?? [])];
      const id = this.columnOf(concept, this.counted(name));
      return id === undefined || titles.length === 0 ? [] : [[id, distinct(titles)] as const];
    });
    const ofList = named.map(
      ([name, concept]) => [name, distinct([...numberedNames(concept), ...(concept.words ?? [])])] as const,
    );
    const ofKinds = Object.entries(kinds).map(([set, kind]) => {
      const entries = named.flatMap(([name, concept]) =>
        kind[name] === undefined ? [] : [[name, distinct([...kind[name], ...plainNames(concept)])] as const],
      );
      return [set, Object.fromEntries(entries)] as const;
    });
    return {
      columns: Object.fromEntries(columns),
      classes: { [list]: Object.fromEntries(ofList), ...Object.fromEntries(ofKinds) },
      ...(this.vocabulary.fields && { fields: this.vocabulary.fields }),
    };
  }

  private concept(name: string): Concept {
    return entryOf(this.vocabulary.concepts, name, ['concepts']);
  }

  /** Returns by id how `concepts` names a column. */
  naming(): ReadonlyMap<string, Naming> {
    const { concepts, fragments } = this.vocabulary;
    const found = new Map<string, Naming>();
    for (const concept of Object.values(concepts))
      for (const [, part] of this.leavesOf(concept)) {
        const id = this.columnOf(concept, part);
        if (id !== undefined) found.set(id, { key: id, list: 'names' });
      }
    for (const id of Object.keys(fragments.columns)) found.set(id, { key: id, list: 'names' });
    for (const [key, concept] of Object.entries(concepts)) {
      const id = this.columnOf(concept, this.counted(key));
      // A name alone is no label of a concept with several parts.
      if (id !== undefined) found.set(id, { key, list: concept.shape === undefined ? 'names' : 'titles' });
    }
    return found;
  }

  private leavesOf({ to = '', shape, leaves }: Concept): readonly (readonly [leaf: string, part: string])[] {
    const value =
      leaves ??
      (shape === undefined
        ? { [to.slice(to.lastIndexOf('.') + 1)]: 'value' }
        : entryOf(this.vocabulary.shapes, shape, ['concepts']));
    return [value]
      .flat()
      .flatMap((leaf) => (typeof leaf === 'string' ? [[leaf, leaf]] : Object.entries(leaf)));
  }

  /** Returns the id of a worker's column for a part of a concept; undefined if there is none. */
  private columnOf(concept: Concept, part: string): string | undefined {
    const { column, columns = {} } = concept;
    if (part in columns) return columns[part] ?? undefined;
    const { suffix } = this.vocabulary.parts[part] ?? {};
    if (column === undefined || suffix === undefined) return undefined;
    return this.leavesOf(concept).length === 1 ? column : column + suffix;
  }

  /**
   * Replaces `{ use: NAME }` by that fragment, or by several, with the other keys of the object; in a list, a list takes its
   * place, each object of it with these keys.
   * `{ use: { NAME: [KEY] } }` takes those keys alone. No fragment has itself.
   */
  private used(
    value: JsonValue,
    path: YamlPath = [],
    fragments: Fragments = this.vocabulary.fragments,
  ): JsonValue {
    if (Array.isArray(value))
      return value.flatMap((item, at) => {
        const found = this.used(item, [...path, at], fragments);
        return isObject(item) && 'use' in item ? found : [found];
      }) as JsonValue;
    if (!isObject(value)) return value;
    const { use, ...rest } = value;
    const besides = Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => [key, this.used(inner, [...path, key], fragments)]),
    );
    if (use === undefined) return besides;
    const taken = [use].flat().flatMap((name) => this.taken(name, [...path, 'use'], fragments));
    const [first = {}] = taken;
    if (Array.isArray(first)) return first.map((item) => (isObject(item) ? { ...item, ...besides } : item));
    return isObject(first) ? Object.assign({}, ...taken, besides) : first;
  }

  private taken(use: JsonValue, path: YamlPath, fragments: Fragments): JsonValue[] {
    if (!isObject(use)) {
      const name = String(use);
      const { [name]: fragment, ...others } = fragments;
      return [this.used(fragment ?? entryOf(fragments, name, path), ['fragments', name], others)];
    }
    return Object.entries(use).map(([name, keys]) => {
      const fragment = this.taken(name, path, fragments)[0] as JsonObject;
      const entries = [this.used(keys, path, fragments)]
        .flat()
        .map((key) => [key, entryOf(fragment, String(key), [...path, name])]);
      return Object.fromEntries(entries) as JsonObject;
    });
  }

  /** Returns the tables of a layout; one with `each` stands for a sheet of every concept that has no separate one. */
  private entries(tables: JsonObject): [id: string, table: JsonValue][] {
    const explicit = Object.values(tables).filter(isObject);
    const known = new Set(explicit.map(({ of }) => of));
    const taken = explicit.flatMap(({ sheet = [] }) => [sheet].flat().map((name) => wildcard(String(name))));
    const isFree = (name: string): boolean => !taken.some((fits) => fits(fold(name)));
    return Object.entries(tables).flatMap(([id, table = null]) => {
      if (!isObject(table) || table['each'] !== true) return [[id, table]];
      return Object.entries(this.vocabulary.concepts).flatMap(([name, concept]): [string, JsonValue][] => {
        const { plain, sheets } = concept;
        const titles = [...plainNames(concept), ...(sheets ?? [])].map((title) =>
          title.slice(0, MAX_SHEET_NAME),
        );
        const sheet = distinct(titles).filter(isFree);
        const isNone = plain !== undefined || sheets?.length === 0 || known.has(name) || sheet.length === 0;
        const value = {
          ...(table['value'] as JsonObject),
          ...given('take', isList(concept) ? undefined : 'sum'),
        };
        return isNone ? [] : [[name, { ...table, sheet, of: name, value }]];
      });
    });
  }

  private place(
    id: string,
    { row, of, parts = {}, columns = {}, sums, also = [], but = [], partial, join }: JsonObject,
  ): Place {
    const { concepts } = this.vocabulary;
    const named = isObject(of)
      ? Object.keys(of)
      : of === undefined
        ? Object.keys(concepts)
        : ([of].flat() as string[]);
    const amounts = named.flatMap((name): [string, string][] => {
      const concept = entryOf(concepts, name, ['tables', id, 'of']);
      if (concept.plain !== undefined || (but as JsonValue[]).includes(name)) return [];
      if (isService(row)) return [[name, name]];
      const counted = this.counted(name);
      const { from } = (parts as unknown as Place['parts'])[counted] ?? {};
      const column = row === 'worker' ? this.columnOf(concept, counted) : counted === 'days' ? from : 'value';
      return column === undefined ? [] : [[name, isObject(of) ? String(of[name]) : column]];
    });
    return {
      id,
      of: new Map(amounts),
      parts: Object.fromEntries(
        Object.entries(parts as JsonObject).map(([part, how]) => [
          part,
          typeof how === 'string' ? { leaf: { from: how } } : how,
        ]),
      ) as unknown as Place['parts'],
      row: row as Place['row'],
      has: (column) => (columns as JsonObject)['leaves'] === true || column in (columns as JsonObject),
      ...(sums !== undefined && { sums: String(sums) }),
      also: also as string[],
      ...(partial === true && isObject(join) && { partial: String(join['on']) }),
    };
  }

  /** Returns a table in the core form; what a column of a layout with a base lacks, its base says. */
  private table(table: JsonValue, place: Place | undefined, isWhole: boolean): JsonValue {
    if (!isObject(table)) return table;
    const { value: extra = {}, words } = table;
    const { header } = table;
    const core = {
      ...Object.fromEntries(Object.entries(table).filter(([key]) => !OWN_KEYS.has(key))),
      ...(table['not_at'] !== undefined && {
        file: null,
        header: { none: null, fields: null, ...(header as JsonObject) },
      }),
      ...(table['at'] !== undefined &&
        !isWhole && { sheet: null, header: { none: true, must_have: null, ...(header as JsonObject) } }),
    };
    const columns = ofKind(columnsOf(table), place);
    if (columns === undefined) return core; // they are those of the base
    const { leaves, rare, ...specs } = columns;
    const isMade = place !== undefined && place.row !== 'word' && (!isService(place.row) || leaves === true);
    const made = isMade ? this.columns(place, extra as JsonObject) : {};
    const word = words === undefined ? {} : (place?.parts['word']?.columns ?? {});
    const classify = Object.keys(word).map((from) => [
      'class',
      { classify: { from, ...given('classes', words) } },
    ]);
    const entries = Object.entries(specs);
    const merged: JsonObject = {
      ...Object.fromEntries(entries.filter(([id]) => !(id in made))),
      ...word,
      ...joined(made, Object.fromEntries(entries.filter(([id]) => id in made))),
      ...Object.fromEntries(classify),
    };
    const read = Object.entries(merged).map(([id, spec = null]) => [
      id,
      isWhole ? this.read(id, spec, rare) : spec,
    ]);
    return { ...core, columns: Object.fromEntries(read) };
  }

  /** Returns a column that does not say how it is read with what the vocabulary says; rare ones are left out of templates. */
  private read(id: string, spec: JsonValue, rare: JsonValue = []): JsonValue {
    const known = this.vocabulary.fragments.columns[id];
    if (!isObject(spec)) return spec;
    const hidden = given('template', (rare as JsonValue[]).includes(id) ? false : undefined);
    return { ...(isObject(known) && sourceOf(spec) === undefined && known), ...hidden, ...spec };
  }

  /** Returns the columns of a table's concepts, in the order of the vocabulary. */
  private columns(place: Place, extra: JsonObject): JsonObject {
    const found: Record<string, JsonValue> = {};
    const names = place.row === 'worker' ? Object.keys(this.vocabulary.concepts) : place.of.keys();
    for (const name of names) {
      const concept = this.concept(name);
      if (place.row === 'worker') Object.assign(found, concept.plain);
      const amount = place.of.get(name);
      if (amount === undefined) continue;
      for (const [leaf, part] of this.leavesOf(concept)) {
        if (concept.fixed && leaf in concept.fixed) continue;
        if (isService(place.row)) {
          for (const column of [leaf, ...(this.vocabulary.parts[leaf]?.companions ?? [])])
            found[column] ??= entryOf(this.vocabulary.fragments.columns, column, ['fragments', 'columns']);
          continue;
        }
        const how = place.parts[part];
        const id = part === 'value' && place.row === 'event' ? amount : this.columnOf(concept, part);
        if (part !== 'value' && how?.columns !== undefined) Object.assign(found, how.columns);
        else if (id !== undefined && (place.row === 'worker' || part === 'value'))
          found[id] ??= this.columnSpec(concept, part, place.row === 'worker' ? undefined : extra);
      }
    }
    return found;
  }

  private columnSpec(concept: Concept, part: string, extra: JsonObject | undefined): JsonObject {
    const { as = {}, zero } = concept;
    const isPay = part === 'value';
    const sign = given('sign', isPay && isDeduction(concept) ? 'deduction_sign' : undefined);
    const { read } = this.vocabulary.parts[part] ?? {};
    if (extra !== undefined) return { read: 'money', ...sign, ...extra };
    return {
      ...read,
      ...sign,
      ...given('zero_is_blank', isPay && !zero ? true : undefined),
      ...given('take', isPay && !isList(concept) ? 'sum' : undefined),
      ...as,
    };
  }

  /** Returns the leaf that a table fills of a concept, and the columns it must have for that; undefined if it has nothing for it. */
  private leaf(place: Place, name: string, leaf: string, part: string): JsonObject | undefined {
    const concept = this.concept(name);
    const { fixed = {}, kind, else: instead = {} } = concept;
    if (fixed[leaf] !== undefined) return { const: fixed[leaf] };
    if (isService(place.row)) return this.serviceLeaf(place, leaf, part);
    const how = place.parts[part] ?? (place.row === 'worker' ? { from: '$' } : undefined);
    if (how?.leaf !== undefined) return how.leaf;
    const param = how?.sure ? undefined : (instead[part] ?? this.vocabulary.parts[part]?.else);
    const otherwise = param === undefined ? undefined : { param };
    const amount = part === 'value' && place.row === 'event' ? place.of.get(name) : undefined;
    const from = amount ?? (how?.from === '$' ? this.columnOf(concept, part) : how?.from);
    if (part === 'kind' && kind !== undefined) {
      if (from === undefined) return { const: kind.is };
      const match = [{ from, by: [...kind.by] }];
      return { lookup: { catalogue: kind.catalogue, match }, ...given('default', otherwise) };
    }
    if (from === undefined) return otherwise;
    return { from, ...given('default', otherwise) };
  }

  /**
   * Returns a leaf of a service: tables of one kind call their columns as its leaves, those of several kinds as its parts. `<table>` stands
   * for the id of the table.
   */
  private serviceLeaf({ id, of, parts, has }: Place, leaf: string, part: string): JsonObject | undefined {
    const key = of.size === 1 ? leaf : part;
    const { leaf: stated } = parts[key] ?? {};
    if (stated !== undefined)
      return JSON.parse(JSON.stringify(stated).replaceAll('<table>', id)) as JsonObject;
    if (!has(key)) return undefined;
    const { leaf: source = { from: '$' }, else: param } =
      this.vocabulary.parts[part] ?? this.vocabulary.parts[leaf] ?? {};
    const filled = JSON.parse(JSON.stringify(source).replaceAll('"$"', JSON.stringify(key))) as JsonObject;
    return { ...given('default', param && { param }), ...filled };
  }

  /** Builds the document tree from the concepts of all tables. */
  private document(places: readonly Place[]): JsonObject {
    let tree: JsonObject = {};
    for (const place of places)
      for (const name of Object.keys(this.vocabulary.concepts)) {
        const concept = this.concept(name);
        if (
          concept.to === undefined ||
          !place.of.has(name) ||
          (place.row === 'word' && concept.word === 'derived')
        )
          continue;
        for (const to of [concept.to, ...Object.keys(concept.elsewhere ?? {})]) {
          const [path = ''] = to.split('[]');
          const node = isList(concept) ? this.block(places, place, name, to) : this.amount(places, name);
          if (node !== undefined) tree = put(tree, path.split('.'), node, isList(concept));
        }
      }
    return tree;
  }

  /** Returns the item that a concept makes of the list `to`; undefined if the table has nothing for it. */
  private block(places: readonly Place[], place: Place, name: string, to: string): JsonObject | undefined {
    const concept = this.concept(name);
    const { elsewhere = {} } = concept;
    const home = new Map(
      Object.entries(elsewhere).flatMap(([list, leaves]) => leaves.map((leaf) => [leaf, list])),
    );
    const leaves = this.leavesOf(concept).flatMap(([leaf, part]) => {
      if ((home.get(leaf) ?? concept.to) !== to) return [];
      const made = this.leaf(place, name, leaf, part);
      return made === undefined ? [] : [[leaf, this.completed(places, place, name, part, made)] as const];
    });
    if (leaves.length === 0) return undefined;
    const { else: instead = {} } = concept;
    const asks = place.row === 'worker' && ('note' in instead || 'percent' in instead);
    const isOne =
      place.of.size === 1 ? place.row !== 'word' : place.row === 'event' && place.sums === undefined;
    const condition = {
      ...given(
        '$where',
        place.row === 'worker' || isOne ? undefined : `${this.vocabulary.class ?? 'class'} = "${name}"`,
      ),
      ...given(
        '$when',
        asks
          ? `${place.of.get(name)} is not blank`
          : place.row === 'worker'
            ? this.partialCount(places, name, '<> 1')
            : undefined,
      ),
    };
    return {
      ...given('$each', place.row === 'visit' ? undefined : place.id),
      ...condition,
      ...Object.fromEntries(leaves),
    };
  }

  /** Returns the leaf of an amount: the column of one table, or the sum of several. */
  private amount(places: readonly Place[], name: string): JsonObject {
    const concept = this.concept(name);
    const [only, ...others] = places.filter(({ of }) => of.has(name));
    const otherwise = given('default', concept.absent === undefined ? undefined : { const: concept.absent });
    if (only !== undefined && others.length === 0) {
      const from = amountOf(only, name);
      const taken = only.row === 'word' && { take: 'sum', where: `class = "${name}"` };
      return { ...given('from', from), ...taken, ...otherwise };
    }
    const sources = this.sources(places, name).join(', ');
    const isThere = concept.absent === undefined ? `count(${sources}) > 0` : undefined;
    return { formula: `sum(${sources})`, ...given('when', isThere) };
  }

  /** Lists the places of a concept's amounts in all tables. */
  private sources(places: readonly Place[], name: string): string[] {
    return places.flatMap((place) => {
      const amount = place.of.get(name);
      if (amount === undefined) return place.also.includes(name) ? [`${place.id}.value`] : [];
      if (place.row === 'worker') return [amount];
      return [place.sums === undefined ? `${place.id}.${amount}` : `value.${this.sumName(place, name)}`];
    });
  }

  private sumName({ sums = '' }: Place, name: string): string {
    return sums.replace('$', name).replace('%', this.concept(name).column ?? name);
  }

  /** Returns what is compared with other tables: the amount, or the days of an unpaid concept. */
  private counted(name: string): 'value' | 'days' {
    const concept = this.concept(name);
    return this.leavesOf(concept).some(([, part]) => part === 'value') ? 'value' : 'days';
  }

  /** Returns the named sums of concepts that both a word and other tables hold. */
  private sums(places: readonly Place[]): JsonObject {
    return Object.fromEntries(
      places.flatMap((place) =>
        [...(place.sums === undefined ? [] : place.of.keys())]
          .filter((name) => this.sources(places, name).length > 1)
          .map((name) => {
            const from = `${place.id}.${place.parts[this.counted(name)]?.from ?? 'value'}`;
            return [this.sumName(place, name), { from, take: 'sum', where: `class = "${name}"` }];
          }),
      ),
    );
  }

  /** Lists the tables whose records without an amount take it from the worker's columns of a concept that has times. */
  private partial(places: readonly Place[], name: string): readonly Place[] {
    const leaves = this.leavesOf(this.concept(name));
    const isTimed = leaves.some(([, part]) => TIMES.has(part)) && this.counted(name) === 'value';
    const isAcross = places.some(({ row, of }) => row === 'worker' && of.has(name));
    return isTimed && isAcross
      ? places.filter((place) => place.partial !== undefined && place.of.has(name))
      : [];
  }

  /** Returns a condition on how many records of a concept have no amount; undefined if no table may have such. */
  private partialCount(places: readonly Place[], name: string, is: string): string | undefined {
    const counts = this.partial(places, name).map(({ id }) => `value.${partialName(id, name)}`);
    return counts.length === 0 ? undefined : `${counts.join(' + ')} ${is}`;
  }

  /** Returns the named counts of records without an amount. */
  private partials(places: readonly Place[]): JsonObject {
    return Object.fromEntries(
      Object.keys(this.vocabulary.concepts).flatMap((name) =>
        this.partial(places, name).map((place) => {
          const isAny = place.row === 'word' || place.of.size > 1;
          const where = `${isAny ? `class = "${name}" and ` : ''}${amountOf(place, name)} is blank`;
          return [
            partialName(place.id, name),
            { from: `${place.id}.${place.partial}`, take: 'count', where },
          ];
        }),
      ),
    );
  }

  /** Returns a leaf that takes the worker's column where it is blank and no other record lacks the amount. */
  private completed(
    places: readonly Place[],
    place: Place,
    name: string,
    part: string,
    made: JsonObject,
  ): JsonObject {
    const from = this.columnOf(this.concept(name), part);
    const isLone = this.partialCount(places, name, '= 1');
    if (isLone === undefined || place.partial === undefined || from === undefined) return made;
    if (part !== 'value' && part !== 'days' && part !== 'hours') return made;
    const formula = `if(${amountOf(place, name)} is blank and ${isLone}, ${from}, ${String(made['from'])})`;
    return { ...made, default: { formula } };
  }

  /** Returns the leaves of people from the tables that hold them; `but` lists columns that a table does not give. */
  private across(holders: JsonValue): JsonObject {
    const { of, but = {}, only } = isObject(holders) ? holders : { of: holders };
    const tables = [of]
      .flat()
      .map((table) => ({ table: String(table), but: (but as JsonObject)[String(table)] ?? [] }));
    if (of === undefined) return {};
    const people = this.used(entryOf(this.vocabulary.fragments, 'people', ['fragments'])) as JsonObject;
    const fragment = only === undefined ? people : given(String(only), people[String(only)]);
    return tables.length > 1 ? (acrossTables(fragment, tables) as JsonObject) : fragment;
  }

  private ordered(document: JsonObject): JsonObject {
    const sorted = (part: string, below: JsonValue | undefined): JsonValue => {
      const order = this.vocabulary.order[part] ?? [];
      if (!isObject(below)) return below ?? null;
      const keys = new Set([...order.filter((key) => key in below), ...Object.keys(below)]);
      return Object.fromEntries(
        [...keys].map((key) => [key, part === 'document' ? sorted(key, below[key]) : (below[key] ?? null)]),
      );
    };
    return sorted('document', document) as JsonObject;
  }

  /** Writes out `<deductions>`, the names of deductions, `<solidarity>`, the places of that concept's amounts, and `once: value`, the amounts that several tables may have. */
  private withNames(value: JsonValue, places: readonly Place[]): JsonValue {
    if (typeof value === 'string')
      return value.replace(/<([a-z_]+)>/g, (text, name: string) => {
        if (name === 'deductions')
          return this.deductions()
            .map((deduction) => `"${deduction}"`)
            .join(', ');
        return name in this.vocabulary.concepts ? this.sources(places, name).join(', ') : text;
      });
    if (Array.isArray(value)) return value.map((item) => this.withNames(item, places));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        if (key !== 'once' || !isObject(inner)) return [[key, this.withNames(inner, places)]];
        const rows = Object.keys(this.vocabulary.concepts)
          .filter((name) => this.counted(name) === inner['of'])
          .map((name) => this.sources(places, name))
          .filter((sources) => sources.length > 1);
        return [[key, [...rows, ...((inner['more'] ?? []) as JsonValue[])]]];
      }),
    );
  }

  private deductions(): string[] {
    return Object.entries(this.vocabulary.concepts)
      .filter(([, concept]) => concept.plain === undefined && isDeduction(concept))
      .map(([name]) => name);
  }
}

/** Writes out `only: $`, the kind of a table of services of one kind. */
function ofKind(columns: JsonObject | undefined, place: Place | undefined): JsonObject | undefined {
  const [kind, ...others] = place?.of.keys() ?? [];
  if (columns === undefined || kind === undefined || others.length > 0) return columns;
  return JSON.parse(JSON.stringify(columns).replaceAll('"only":"$"', `"only":"${kind}"`)) as JsonObject;
}

/** Returns the columns of a layout's table with their positions: `at` lists ids in order, `not_at` those that have none. */
function columnsOf({ columns, at = [], not_at: removed = [] }: JsonObject): JsonObject | undefined {
  const positions = [
    ...([at].flat() as (string | null)[]).map((id, index) => [id, index + 1] as const),
    ...([removed].flat() as (string | null)[]).map((id) => [id, null] as const),
  ];
  if (positions.length === 0) return columns as JsonObject | undefined;
  const specs = (columns ?? {}) as Record<string, JsonObject>;
  const placed = positions.flatMap(([id, position]) =>
    id === null ? [] : [[id, { position, ...specs[id] }]],
  );
  return { ...Object.fromEntries(placed), ...specs, ...Object.fromEntries(placed) } as JsonObject;
}

/** Puts a leaf into the tree, or a block into its list. */
function put(
  tree: JsonObject,
  [key = '', ...below]: readonly string[],
  node: JsonObject,
  isBlock: boolean,
): JsonObject {
  const inner = tree[key];
  if (below.length > 0) return { ...tree, [key]: put(isObject(inner) ? inner : {}, below, node, isBlock) };
  return { ...tree, [key]: isBlock ? withBlock((inner ?? []) as JsonObject[], node) : node };
}

/** Adds a block to its list; a block of the same records without conflicting leaves is merged into one item. */
function withBlock(blocks: readonly JsonObject[], block: JsonObject): JsonObject[] {
  const last = blocks.at(-1);
  if (last === undefined || '$where' in block) return [...blocks, block];
  const isApart = ([leaf, source]: readonly [string, JsonValue | undefined]): boolean =>
    leaf !== '$when' && leaf in last && JSON.stringify(last[leaf]) !== JSON.stringify(source);
  if (Object.entries(block).some(isApart)) return [...blocks, block];
  const when = [last['$when'], block['$when']].filter(Boolean).join(' or ');
  return [...blocks.slice(0, -1), { ...last, ...block, ...given('$when', when === '' ? undefined : when) }];
}

/** Lays one tree over another: lists are joined, other values come from the second. */
function joined(under: JsonValue, over: JsonValue): JsonObject {
  const found: Record<string, JsonValue> = { ...(under as JsonObject) } as Record<string, JsonValue>;
  for (const [key, value] of Object.entries(over as JsonObject)) {
    const below = found[key];
    if (Array.isArray(value) && Array.isArray(below)) found[key] = [...below, ...value];
    else if (isObject(value) && isObject(below) && sourceOf(value) === undefined)
      found[key] = joined(below, value);
    else found[key] = value;
  }
  return found;
}

/** A table that holds people, and the columns that it does not give. */
interface Holder {
  readonly table: string;
  readonly but: JsonValue;
}

/** Returns the groups whose columns a table gives, prefixed with it. */
const groupsIn = (groups: readonly string[][], { table, but }: Holder): string[][] =>
  groups
    .filter((group) => !group.some((column) => (but as JsonValue[]).includes(column)))
    .map((group) => group.map((column) => `${table}.${column}`));

/** Chains a leaf over several tables: the next table is used if the one before is blank. */
function acrossTables(node: JsonValue, tables: readonly Holder[]): JsonValue {
  if (!isObject(node)) return node;
  const inEach = (source: JsonObject): JsonObject[] => {
    const { parts } = source;
    const column = isObject(parts) ? parts['from'] : source['from'];
    const groups = isObject(parts) ? (parts['unless'] as string[][] | undefined) : undefined;
    const unless = groups && tables.flatMap((table) => groupsIn(groups, table));
    if (column === undefined) return [source];
    return tables
      .filter(({ but }) => !(but as JsonValue[]).includes(column))
      .map(({ table }) => {
        const prefixed = inTable(source, table) as JsonObject;
        return unless === undefined
          ? prefixed
          : { ...prefixed, parts: { ...(prefixed['parts'] as JsonObject), unless } };
      });
  };
  const { lookup, default: otherwise, when: condition, ...leaf } = node;
  if (isObject(lookup)) {
    const match = (lookup['match'] as JsonObject[]).flatMap(inEach);
    return { lookup: { ...lookup, match }, ...given('default', otherwise) };
  }
  if ('from' in node || 'parts' in node) {
    const rest = otherwise === undefined ? undefined : acrossTables(otherwise, tables);
    const chain = inEach(leaf).reduceRight<JsonValue | undefined>(
      (below, step) => ({ ...step, ...given('default', below) }),
      rest,
    ) as JsonObject;
    return { ...chain, ...given('when', condition && filledIn(String(condition), tables)) };
  }
  return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, acrossTables(inner, tables)]));
}

/** Returns a condition of the form `a is not blank or b is not blank` for all tables that give its columns. */
const filledIn = (condition: string, tables: readonly Holder[]): string =>
  condition
    .split(' or ')
    .flatMap((part) =>
      tables.flatMap(({ table, but }) =>
        (but as JsonValue[]).includes(part.replace(/ .*$/s, '')) ? [] : `${table}.${part}`,
      ),
    )
    .join(' or ');

/** Prefixes the columns that a source names with a table. */
function inTable(node: JsonValue, table: string): JsonValue {
  if (!isObject(node)) return node;
  const named = (names: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(names).map(([list, column]) => [list, `${table}.${column}`]));
  return Object.fromEntries(
    Object.entries(node).map(([key, inner = null]) => [
      key,
      key === 'from'
        ? `${table}.${inner}`
        : key === 'within'
          ? named(inner as JsonObject)
          : inTable(inner, table),
    ]),
  );
}
