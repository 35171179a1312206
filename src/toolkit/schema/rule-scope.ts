import type { Term } from '../../generated/rule-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { isDecimal } from '../core/decimal-text.js';
import { type JsonObject, type JsonValue, parsePointer } from '../core/json.js';
import { isNationalDateTime, isPlainDate, isPlainDateTime, type PlainDate } from '../core/plain-date.js';
import { getOrAdd } from '../core/remember.js';
import { unreachable } from '../core/required.js';
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

type Read = (value: JsonValue | undefined) => FormulaValue;

/** Formula type of a leaf, and the conversion of its JSON value. */
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
  (isValid: (text: string) => boolean): Read =>
  (value) =>
    typeof value === 'string' && isValid(value) ? value : undefined;

/** Last moment that was read: several rules read the same one. */
let written: JsonValue | undefined;
let moment: FormulaValue;

/** Reads a moment in the ministry's form, `2026-10-31 18:30`; anything else is blank. */
function nationalMoment(value: JsonValue | undefined): FormulaValue {
  if (typeof value !== 'string') return undefined;
  if (value === written) return moment;
  written = value;
  moment = isNationalDateTime(value) ? `${value.slice(0, 10)}T${value.slice(11)}:00` : undefined;
  return moment;
}

const NATIONAL: LeafReading = { type: 'datetime', read: nationalMoment };

/** Reads an exact decimal; anything else is blank, and reported as a shape error. */
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
 * Returns how formulas read a leaf; a value of another type is blank, and reported as a shape error. Undefined
 * for objects and lists.
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
  const type = TYPES[kind] ?? 'decimal';
  return { type, read: READ[type] ?? asValue };
}

/** Returns the value below `value` at `keys`, or undefined if a step is missing. */
export function follow(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

/**
 * Writes the expression that follows `keys`, blank if a step is missing; `^` is the index on the item's path.
 */
const inlineRead = (from: string, keys: readonly string[]): string =>
  from + keys.map((key, at) => (key === '^' ? `?.[c.path[${at}]]` : `?.[${JSON.stringify(key)}]`)).join('');

/** True if every `^` of a pointer is at the same list as in the pointers of the items. */
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
 * Resolves a pointer of a formula; undefined if documents have no such leaf. With `each`, `^` is the current
 * item or its container: `/usuarios/^/codSexo` of a service.
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
  const readValue = ({ document, path }: RuleContext): FormulaValue =>
    read(follow(document, isBound ? keys.map((key, at) => (key === '^' ? String(path[at]) : key)) : keys));
  if (keys.includes('*')) return { type, read: readValue, many: gatherer(schema, [pointer]) };
  return { type, read: readValue, inline: { code: inlineRead('c.document', keys), as: read } };
}

/** Gathers the values at many pointers in one pass. */
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

/** Values of the current document; module-level, since a closure per document would cost more than the walk. */
let leaves: FormulaValue[] = [];

function addLeaf(value: JsonValue, reads: readonly Read[]): void {
  const leaf = reads[0]?.(value);
  if (leaf !== undefined) leaves.push(leaf);
}

/** Returns the depth of `^` in the path; undefined if it differs between the pointers. */
function boundAt(pointers: readonly string[]): number | undefined {
  const depths = pointers.flatMap((pointer) =>
    parsePointer(pointer).flatMap((key, at) => (key === '^' ? [at] : [])),
  );
  return new Set(depths).size > 1 ? undefined : (depths[0] ?? -1);
}

/**
 * Gathers like `gatherer`, cached in the context at `position` for the document and the item. Only for lists:
 * leaves that totals are written to are read each time.
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

/** Parameters of the run: its month, and the booking day of appointments if it is not that of the care. */
export type RunParams = Readonly<Record<string, FormulaValue>>;

/** Data over which formulas of rules are computed: one document and its current item. */
export class RuleContext {
  /** Keys down to the item. */
  readonly path: (string | number)[] = [];
  item: JsonValue | undefined;
  /** Item that it is compared with. */
  other: JsonValue | undefined;
  /** Values of computed terms by position; `null` for blank ones. */
  readonly terms: TermValues = [];
  /** Values of terms shared by documents, found on first use. */
  shared: TermValues | undefined;
  /** Gathered values by position of the gatherer, with the index of their item. */
  readonly gathered: (
    | { readonly of: string | number | undefined; readonly values: readonly FormulaValue[] }
    | undefined
  )[] = [];

  constructor(
    readonly document: JsonObject,
    readonly today?: PlainDate,
    readonly params?: RunParams,
  ) {}
}

/** Computes a formula; undefined if a required leaf is missing, which another check reports. */
export function evaluate(formula: Formula<RuleContext>, context: RuleContext): FormulaValue {
  try {
    return formula.attempt(context) ?? undefined;
  } catch (error) {
    if (error instanceof BlankOperand) return undefined;
    throw error;
  }
}

/** Pointers of the items of a formula, and of those that they are compared with. */
interface Items {
  readonly each: readonly string[];
  readonly against?: readonly string[];
}

/** Kinds of leaves with few different values per run: a month has its dates, a code list its ids. */
const KINDS_WITH_FEW_VALUES: ReadonlySet<LeafKind | undefined> = new Set<LeafKind>(['date', 'integer']);
/** Max combinations of values that are cached. */
const MAX_SHARED = 32;

/** Compiled access to the leaves of shared terms: a comparison, and a read. */
interface SharedLeaves {
  readonly has: (context: RuleContext, leaves: readonly JsonValue[]) => boolean;
  readonly read: (context: RuleContext) => readonly JsonValue[];
}

/**
 * Terms over such leaves alone, as what the law says of a month and a kind of worker: computed once for equal
 * leaves.
 */
class SharedTerms {
  private readonly names = new Set<string>();
  private readonly pointers = new Set<string>();
  private readonly known: { readonly leaves: readonly JsonValue[]; readonly values: TermValues }[] = [];
  private compiled: SharedLeaves | undefined;

  constructor(private readonly schema: SchemaName) {}

  /** Adds a term if it uses only such leaves. */
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
    return !keys.includes('*') && KINDS_WITH_FEW_VALUES.has(leafKind(resolveNode(this.schema, keys) ?? {}));
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

  /** Compiles the access to the leaves, since every document takes it. */
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

/**
 * Compiles the formulas of rules for one schema. Terms are compiled on first use and computed once per
 * document.
 */
export class RuleScope {
  private readonly terms = new Map<string, Reference<RuleContext>>();
  private readonly compiling = new Set<string>();
  private readonly shared: SharedTerms;
  private readonly gatherers = new Map<string, (context: RuleContext) => readonly FormulaValue[]>();

  constructor(
    private readonly schema: SchemaName,
    private readonly data: readonly Term[],
    private readonly functions: Readonly<Record<string, WordFunction>>,
  ) {
    this.shared = new SharedTerms(schema);
  }

  /** Compiles a formula over the document or over its items. Throws on a wrong formula or an unknown name. */
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
      names: () => [
        'today',
        ...Object.keys(RUN),
        ...(items === undefined ? [] : ['self', 'list', 'position']),
        ...this.data.map(({ name }) => name),
      ],
      functions: this.functions,
    };
  }

  /** Gathers pointers in one walk; other names one by one. */
  private gather(
    names: readonly string[],
    resolve: (name: string) => Reference<RuleContext> | undefined,
  ): (context: RuleContext) => readonly FormulaValue[] {
    const pointers = this.gathererOf(names.filter((name) => name.startsWith('/')));
    const others = names
      .filter((name) => !name.startsWith('/'))
      .map((name) => (resolve(name) ?? unreachable(name)).read);
    if (others.length === 0) return pointers;
    return (context) => [...pointers(context), ...others.map((read) => read(context))];
  }

  private gathererOf(pointers: readonly string[]): (context: RuleContext) => readonly FormulaValue[] {
    const name = pointers.join(' ');
    return getOrAdd(this.gatherers, name, () => remembered(this.schema, pointers, this.gatherers.size));
  }

  /**
   * Resolves `self`, the item's value; `list`, the key of its list; `position` in it, from 1; a member of the
   * item; or `other.` and a member of the compared item.
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
    const readings = found.filter((reading) => reading !== undefined);
    const [reading] = readings;
    if (reading === undefined) return undefined;
    const { type, read } = reading;
    const other = readings.find((another) => another.type !== type || another.read !== read);
    if (other !== undefined)
      throw new Error(`${name} is ${type} in some of ${pointers.join(', ')} and ${other.type} in others`);
    return {
      type,
      read: (context) => read(follow(context[holder], below)),
      inline: { code: inlineRead(`c.${holder}`, below), as: read },
    };
  }

  private term(name: string): Reference<RuleContext> | undefined {
    const known = this.terms.get(name);
    if (known !== undefined) return known;
    const term = this.data.find((entry) => entry.name === name);
    if (term === undefined || this.compiling.has(name)) return undefined;
    this.compiling.add(name);
    const formula = this.compile(term.formula);
    const position = this.terms.size;
    const isShared = this.shared.takes(formula, name);
    const reference: Reference<RuleContext> = {
      type: formula.type,
      read: (context) => {
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

const TODAY: Reference<RuleContext> = { type: 'date', read: ({ today }) => today };

const paramOf = (name: string, type: FormulaType): Reference<RuleContext> => ({
  type,
  read: ({ params }) => params?.[name],
});

const RUN: Readonly<Record<string, Reference<RuleContext>>> = {
  'param.month': paramOf('month', 'text'),
  'param.booking_date': paramOf('booking_date', 'date'),
};

const LIST: Reference<RuleContext> = {
  type: 'text',
  read: ({ path }) => path.findLast((key) => typeof key === 'string') as string | undefined,
};

const POSITION: Reference<RuleContext> = {
  type: 'decimal',
  read: ({ path }) => {
    const index = path.findLast((key) => typeof key === 'number');
    return index === undefined ? undefined : String(Number(index) + 1);
  },
};
