import type { Term } from '../../generated/rule-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { isDecimal } from '../core/decimal-text.js';
import { type JsonObject, type JsonValue, parsePointer } from '../core/json.js';
import { isNationalDateTime, isPlainDate, isPlainDateTime, type PlainDate } from '../core/plain-date.js';
import { compileFormula, type Formula, type Reference, type Scope } from '../formula/compile.js';
import {
  BlankOperand,
  type FormulaType,
  type FormulaValue,
  type WordFunction,
} from '../formula/functions.js';
import { PointerTree } from './pointer-tree.js';
import { type LeafKind, leafKind, resolveNode, type SchemaNode } from './registry.js';

const TYPES: Partial<Record<LeafKind, FormulaType>> = {
  date: 'date',
  'local-date-time': 'datetime',
  boolean: 'boolean',
  text: 'text',
  time: 'text',
  'worker-document': 'text',
};

/** The formula type of a leaf; amounts, quantities and integers are all exact decimals. */
const formulaType = (kind: LeafKind): FormulaType => TYPES[kind] ?? 'decimal';

type Read = (value: JsonValue | undefined) => FormulaValue;

/** What formulas make of a leaf: its type, and how its JSON value is read as one. */
interface LeafReading {
  readonly type: FormulaType;
  readonly read: Read;
}

const asValue = (value: JsonValue | undefined): FormulaValue =>
  typeof value === 'string' || typeof value === 'boolean'
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined;

const dated =
  (isOne: (text: string) => boolean): Read =>
  (value) =>
    typeof value === 'string' && isOne(value) ? value : undefined;

/** The one that was read last: several rules look at the same moment. */
let written: JsonValue | undefined;
let moment: FormulaValue;

/** The nation writes moments as `2026-10-31 18:30`; what is none counts as blank. */
function nationalMoment(value: JsonValue | undefined): FormulaValue {
  if (typeof value !== 'string') return undefined;
  if (value === written) return moment;
  written = value;
  moment = isNationalDateTime(value) ? `${value.slice(0, 10)}T${value.slice(11)}:00` : undefined;
  return moment;
}

const NATIONAL: LeafReading = { type: 'datetime', read: nationalMoment };

/** What is no number, or none that arithmetic is exact with, counts as blank: the shape fault says it. */
const asNumber: Read = (value) => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && isDecimal(text) ? text : undefined;
};

const asText: Read = (value) =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

const READ: Partial<Record<FormulaType, Read>> = {
  decimal: asNumber,
  text: asText,
  date: dated(isPlainDate),
  datetime: dated(isPlainDateTime),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
};

const readings = new Map<string, LeafReading | undefined>();

/**
 * How formulas read the place in a schema that a pointer leads to; what is none of its type counts as blank: the shape fault says
 * it. Undefined for objects and lists.
 */
function leafReading(schema: SchemaName, pointer: string): LeafReading | undefined {
  const place = `${schema} ${pointer}`;
  if (readings.has(place)) return readings.get(place);
  const keys = parsePointer(pointer).map((key) => (key === '^' ? '*' : key));
  const reading = readingOf(resolveNode(schema, keys));
  readings.set(place, reading);
  return reading;
}

function readingOf(node: SchemaNode | undefined): LeafReading | undefined {
  if (node?.format === 'national-date-time') return NATIONAL;
  const kind = node === undefined ? undefined : leafKind(node);
  if (kind === undefined) return undefined;
  const type = formulaType(kind);
  return { type, read: READ[type] ?? asValue };
}

/** The value below `value` at `keys`, or undefined where a step is missing. */
export function follow(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

/** The expression that follows keys below another, blank where a step is missing; `^` is the index on the item's path. */
const inlineRead = (from: string, keys: readonly string[]): string =>
  from + keys.map((key, at) => (key === '^' ? `?.[c.path[${at}]]` : `?.[${JSON.stringify(key)}]`)).join('');

/** Whether every `^` of a pointer stands where the items do: below the same keys, for a list that they are in. */
const standsIn = (keys: readonly string[], each: readonly string[]): boolean =>
  each.every((item) => {
    const path = parsePointer(item);
    return (
      keys.every((key, at) => key !== '^' || path[at] === '*') && sameTo(keys.lastIndexOf('^'), keys, path)
    );
  });

const sameTo = (end: number, keys: readonly string[], path: readonly string[]): boolean =>
  keys.slice(0, end).every((key, at) => key === path[at] || key === '^');

/**
 * What a pointer of a formula stands for in documents of a schema; undefined where they have no such leaf. With `each`, the
 * items that are looked at, `^` stands for the item itself or one that it stands in: `/usuarios/^/codSexo` of a service.
 */
function pointerReference(
  schema: SchemaName,
  pointer: string,
  each: readonly string[] = [],
): Reference<RuleContext> | undefined {
  const keys = parsePointer(pointer);
  const reading = leafReading(schema, pointer);
  if (reading === undefined) return undefined;
  const isBound = keys.includes('^');
  if (isBound && (each.length === 0 || !standsIn(keys, each))) return undefined;
  const { type, read } = reading;
  const one = ({ document, path }: RuleContext): FormulaValue =>
    read(follow(document, isBound ? keys.map((key, at) => (key === '^' ? String(path[at]) : key)) : keys));
  if (keys.includes('*')) return { type, one, many: gatherer(schema, [pointer]) };
  return { type, one, inline: { code: inlineRead('c.document', keys), as: read } };
}

/** Every value at many pointers, in one pass over the document. */
function gatherer(
  schema: SchemaName,
  pointers: readonly string[],
): (context: RuleContext) => readonly FormulaValue[] {
  const tree = new PointerTree<Read>();
  for (const pointer of pointers) tree.add(pointer, leafReading(schema, pointer)?.read ?? asValue);
  return ({ document, path }) => {
    leaves = [];
    tree.each(document, path, addLeaf);
    return leaves;
  };
}

/** Those of the document that is looked at; a closure for each of many documents would cost more than the look. */
let leaves: FormulaValue[] = [];

function addLeaf(value: JsonValue, reads: readonly Read[]): void {
  const leaf = reads[0]!(value);
  if (leaf !== undefined) leaves.push(leaf);
}

/** Where the items that pointers name by `^` are counted: depth in the path; undefined where it is not one for all. */
function boundAt(pointers: readonly string[]): number | undefined {
  const depths = pointers.flatMap((pointer) =>
    parsePointer(pointer).flatMap((key, at) => (key === '^' ? [at] : [])),
  );
  return new Set(depths).size > 1 ? undefined : (depths[0] ?? -1);
}

/**
 * The same, gathered once for a document and an item of it, however many rules ask; `position` is where it is kept.
 * Only of lists: what totals are written to is asked anew.
 */
function remembered(
  schema: SchemaName,
  pointers: readonly string[],
  position: number,
): (context: RuleContext) => readonly FormulaValue[] {
  const gather = gatherer(schema, pointers);
  const depth = boundAt(pointers);
  if (depth === undefined || !pointers.every((pointer) => /\/[*^](\/|$)/.test(pointer))) return gather;
  return (context) => {
    const of = depth < 0 ? undefined : context.path[depth];
    const known = context.gathered[position];
    if (known !== undefined && known.of === of) return known.values;
    const values = gather(context);
    context.gathered[position] = { of, values };
    return values;
  };
}

type TermValues = (FormulaValue | null)[];

/** What a run was told of all its documents: the month that it is for, and the day on which appointments are booked instead of that of the care. */
export type RunParams = Readonly<Record<string, FormulaValue>>;

/** What the formulas of rules are computed over: one document, and the item of it that is looked at. */
export class RuleContext {
  /** Keys down to the item. */
  readonly path: (string | number)[] = [];
  item: JsonValue | undefined;
  /** The item that it is compared with. */
  other: JsonValue | undefined;
  /** Values of terms already computed, by their position; `null` for those that are blank. */
  readonly terms: TermValues = [];
  /** Those of terms that documents share, found when the first is asked for. */
  shared: TermValues | undefined;
  /** Values gathered from lists, by the position of who asks, and the index of the item that they are of. */
  readonly gathered: (
    | { readonly of: string | number | undefined; readonly values: readonly FormulaValue[] }
    | undefined
  )[] = [];

  constructor(
    readonly document: JsonObject,
    readonly today?: PlainDate,
    /** Parameters of the run that rules know. */
    readonly params?: RunParams,
  ) {}
}

/** What a formula gives, or undefined where a leaf it needs is not there: then another check says so. */
export function evaluate(formula: Formula<RuleContext>, context: RuleContext): FormulaValue {
  try {
    return formula.attempt(context) ?? undefined;
  } catch (error) {
    if (error instanceof BlankOperand) return undefined;
    throw error;
  }
}

/** The items that a formula looks at, by pointers, and those that they are compared with. */
interface Items {
  readonly each: readonly string[];
  readonly against?: readonly string[];
}

/** Kinds of leaves of which documents of a run have few different values: a month has its dates, a code list its ids. */
const FEW_VALUES: ReadonlySet<LeafKind | undefined> = new Set<LeafKind>(['date', 'integer']);
/** Combinations of values that are kept. */
const MAX_SHARED = 32;

/** Whether a document has such values, and which. */
interface SharedLeaves {
  readonly has: (context: RuleContext, leaves: readonly JsonValue[]) => boolean;
  readonly read: (context: RuleContext) => readonly JsonValue[];
}

/** Terms over such leaves alone, as what the law says of a month and a kind of worker: computed once for all documents with the same. */
class SharedTerms {
  private readonly names = new Set<string>();
  private readonly pointers = new Set<string>();
  private readonly known: { readonly leaves: readonly JsonValue[]; readonly values: TermValues }[] = [];
  private compiled: SharedLeaves | undefined;

  constructor(private readonly schema: SchemaName) {}

  /** Takes a term if it is such a one. */
  takes({ references }: Formula<RuleContext>, name: string): boolean {
    const isShared = references.every((reference) =>
      reference.startsWith('/') ? this.hasFewValues(reference) : this.names.has(reference),
    );
    if (!isShared) return false;
    this.names.add(name);
    for (const reference of references) if (reference.startsWith('/')) this.pointers.add(reference);
    this.compiled = undefined;
    return true;
  }

  private hasFewValues(pointer: string): boolean {
    const keys = parsePointer(pointer);
    return !keys.includes('*') && FEW_VALUES.has(leafKind(resolveNode(this.schema, keys) ?? {}));
  }

  valuesOf(context: RuleContext): TermValues {
    context.shared ??= this.find(context);
    return context.shared;
  }

  private find(context: RuleContext): TermValues {
    const { has, read } = this.leaves();
    const found = this.known.find(({ leaves }) => has(context, leaves));
    if (found !== undefined) return found.values;
    if (this.known.length === MAX_SHARED) this.known.shift();
    const values: TermValues = [];
    this.known.push({ leaves: read(context), values });
    return values;
  }

  /** Every document is read, so the look at its leaves is JavaScript of its own, as formulas are. */
  private leaves(): SharedLeaves {
    if (this.compiled !== undefined) return this.compiled;
    const reads = [...this.pointers].map((pointer) => inlineRead('c.document', parsePointer(pointer)));
    const isSame = reads.map((code, at) => `${code} === leaves[${at}]`).join(' && ');
    const make = new Function(
      `return { has: (c, leaves) => ${isSame || true}, read: (c) => [${reads.join(', ')}] };`,
    ) as () => SharedLeaves;
    this.compiled = make();
    return this.compiled;
  }
}

/** Compiles the formulas of rules for one schema; terms are compiled when first named and computed once a document. */
export class RuleScope {
  private readonly terms = new Map<string, Reference<RuleContext>>();
  private readonly compiling = new Set<string>();
  private readonly shared: SharedTerms;
  /** What gathers the values at pointers, by those. */
  private readonly gatherers = new Map<string, (context: RuleContext) => readonly FormulaValue[]>();

  constructor(
    private readonly schema: SchemaName,
    private readonly data: readonly Term[],
    private readonly functions: Readonly<Record<string, WordFunction>>,
  ) {
    this.shared = new SharedTerms(schema);
  }

  /**
   * A formula over the document or over items of it.
   * Throws when it is none, or names what the documents do not have.
   */
  compile(source: string, wanted?: FormulaType, items?: Items): Formula<RuleContext> {
    return compileFormula(source, this.scope(items), wanted);
  }

  private scope(items: Items | undefined): Scope<RuleContext> {
    const resolve = (name: string): Reference<RuleContext> | undefined => {
      if (name.startsWith('/')) return pointerReference(this.schema, name, items?.each);
      if (name === 'today') return TODAY;
      if (name in RUN) return RUN[name];
      return (items && this.ofItem(name, items)) ?? this.term(name);
    };
    return {
      resolve,
      gather: (names) => this.gather(names, resolve),
      names: [
        'today',
        ...Object.keys(RUN),
        ...(items === undefined ? [] : ['self', 'list', 'position']),
        ...this.data.map(({ name }) => name),
      ],
      functions: this.functions,
    };
  }

  /** Pointers are gathered in one walk; other names are asked one by one. */
  private gather(
    names: readonly string[],
    resolve: (name: string) => Reference<RuleContext> | undefined,
  ): (context: RuleContext) => readonly FormulaValue[] {
    const pointers = this.gathererOf(names.filter((name) => name.startsWith('/')));
    const others = names.filter((name) => !name.startsWith('/')).map((name) => resolve(name)!.one);
    if (others.length === 0) return pointers;
    return (context) => [...pointers(context), ...others.map((read) => read(context))];
  }

  private gathererOf(pointers: readonly string[]): (context: RuleContext) => readonly FormulaValue[] {
    const name = pointers.join(' ');
    let found = this.gatherers.get(name);
    if (found === undefined) {
      found = remembered(this.schema, pointers, this.gatherers.size);
      this.gatherers.set(name, found);
    }
    return found;
  }

  /**
   * `self`, the value itself; `list`, the key of the list it stands in; `position`, which item of it, from 1; a member
   * of the item; or `other.` and a member of the item that it is compared with.
   */
  private ofItem(name: string, { each, against = [] }: Items): Reference<RuleContext> | undefined {
    if (name === 'list') return LIST;
    if (name === 'position') return POSITION;
    if (name.startsWith('other.')) return this.member(name.slice('other.'.length), against, 'other');
    return this.member(name, each, 'item');
  }

  private member(
    name: string,
    pointers: readonly string[],
    holder: 'item' | 'other',
  ): Reference<RuleContext> | undefined {
    const below = name === 'self' ? [] : [name];
    const found = pointers.map((pointer) => leafReading(this.schema, [pointer, ...below].join('/')));
    const readings = found.filter((one) => one !== undefined);
    const [reading] = readings;
    if (reading === undefined) return undefined;
    const { type, read } = reading;
    const other = readings.find((one) => one.type !== type || one.read !== read);
    if (other !== undefined)
      throw new Error(`${name} is ${type} in some of ${pointers.join(', ')} and ${other.type} in others`);
    const one = (context: RuleContext): FormulaValue => read(follow(context[holder], below));
    return { type, one, inline: { code: inlineRead(`c.${holder}`, below), as: read } };
  }

  private term(name: string): Reference<RuleContext> | undefined {
    const known = this.terms.get(name);
    if (known !== undefined) return known;
    const term = this.data.find((one) => one.name === name);
    if (term === undefined || this.compiling.has(name)) return undefined;
    this.compiling.add(name);
    const formula = this.compile(term.formula);
    const position = this.terms.size;
    const isShared = this.shared.takes(formula, name);
    const reference: Reference<RuleContext> = {
      type: formula.type,
      one: (context) => {
        const values = isShared ? this.shared.valuesOf(context) : context.terms;
        const known = values[position];
        if (known !== undefined) return known ?? undefined;
        const value = evaluate(formula, context);
        values[position] = value ?? null;
        return value;
      },
    };
    this.terms.set(name, reference);
    return reference;
  }
}

const TODAY: Reference<RuleContext> = { type: 'date', one: ({ today }) => today };

const paramOf = (name: string, type: FormulaType): Reference<RuleContext> => ({
  type,
  one: ({ params }) => params?.[name],
});

const RUN: Readonly<Record<string, Reference<RuleContext>>> = {
  'param.month': paramOf('month', 'text'),
  'param.booking_date': paramOf('booking_date', 'date'),
};

const LIST: Reference<RuleContext> = {
  type: 'text',
  one: ({ path }) => path.findLast((key) => typeof key === 'string') as string | undefined,
};

const POSITION: Reference<RuleContext> = {
  type: 'decimal',
  one: ({ path }) => {
    const index = path.findLast((key) => typeof key === 'number');
    return index === undefined ? undefined : String(Number(index) + 1);
  },
};
