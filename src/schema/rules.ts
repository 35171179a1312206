import { absolute, compare, subtract, toMoney } from '../core/decimal.js';
import { isDecimal } from '../core/decimal-text.js';
import { type Issue, type IssueParams, type Level, NO_ISSUES, type Suggestion } from '../core/issue.js';
import { type JsonObject, type JsonValue, type Pointer, parsePointer, valueAt } from '../core/json.js';
import { isNationalDateTime, isPlainDate, isPlainDateTime, type PlainDate } from '../core/plain-date.js';
import {
  compileFormula,
  type Formula,
  FormulaGroup,
  type Reference,
  type Scope,
} from '../formula/compile.js';
import {
  BlankOperand,
  type FormulaType,
  type FormulaValue,
  type WordFunction,
} from '../formula/functions.js';
import { FormulaFault } from '../formula/parser.js';
import type { RuleCode } from '../generated/issue-codes.js';
import type { Check, Derive, Rule, Same, Term, Unique } from '../generated/rule-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import {
  catalogueFunctions,
  firstDay,
  isDatedTable,
  keptByLists,
  nearestCodes,
  onDay,
  type UncheckedTables,
  wholeCatalogue,
} from './catalogue.js';
import { type LeafKind, leafKind, resolveNode, type SchemaNode } from './registry.js';
import { blamed, type Levels, levelOn, type RuleData, ruleData, ruleIssue } from './rule-data.js';

type Path = (string | number)[];
type Meet<T> = (value: JsonValue, ends: readonly T[]) => void;
type Walk<T> = (value: JsonValue, path: Path, meet: Meet<T>) => void;

/** A place in the tree; `ends` stand for the pointers that lead just here. */
interface Node<T> {
  readonly ends: T[];
  readonly keys: Map<string, Node<T>>;
}

const grown = <T>(): Node<T> => ({ ends: [], keys: new Map() });

/**
 * Pointers as one tree; what stands for a pointer lies where it ends. `*` stands for every item of a list, `^` for the
 * item that the walk was begun at, or stands in: the one whose index is at that depth of the path it was given.
 */
export class PointerTree<T> {
  private readonly root: Node<T> = grown();
  private tracked: Walk<T> | undefined;
  private untracked: Walk<T> | undefined;

  add(pointer: string, end: T): void {
    let node = this.root;
    for (const key of parsePointer(pointer)) {
      let next = node.keys.get(key);
      if (next === undefined) {
        next = grown();
        node.keys.set(key, next);
      }
      node = next;
    }
    node.ends.push(end);
    this.tracked = undefined;
    this.untracked = undefined;
  }

  /**
   * Meets every value that a pointer leads to. Walks what the document has rather than what it might have: most
   * concepts are absent, and cost nothing. `path` holds the keys down to the value while it is met.
   */
  walk(value: JsonValue, path: Path, meet: Meet<T>): void {
    this.tracked ??= compileWalk(this.root, true);
    this.tracked(value, path, meet);
  }

  /** The same, where nobody asks how one came to the value: `path` stays as it is. */
  each(value: JsonValue, path: Path, meet: Meet<T>): void {
    this.untracked ??= compileWalk(this.root, false);
    this.untracked(value, path, meet);
  }
}

/**
 * The walk as JavaScript of its own, as formulas are: every document takes it, and a loop over nodes takes several times
 * as long. Only keys as JSON, and numbers of functions and constants, enter the source.
 */
function compileWalk<T>(root: Node<T>, tracks: boolean): Walk<T> {
  const ends: (readonly T[])[] = [];
  const functions: string[] = [];

  /** What happens to the value in the variable `x` at a node. */
  const visit = (node: Node<T>, depth: number): string => {
    const meet = node.ends.length === 0 ? '' : `meet(x, ends[${ends.push(node.ends) - 1}]);`;
    return node.keys.size === 0 ? meet : `${meet} ${below(node, depth)}(x, path, meet);`;
  };
  const under = (key: string, node: Node<T>, depth: number): string =>
    tracks ? `path.push(${key}); ${visit(node, depth)} path.pop();` : visit(node, depth);

  const inList = ({ keys }: Node<T>, depth: number): string => {
    const own = keys.get('^');
    const items = keys.get('*');
    return [
      own === undefined
        ? ''
        : `const at = path[${depth}];
           if (typeof at === 'number' && at < v.length) { const x = v[at]; ${under('at', own, depth + 1)} }`,
      items === undefined
        ? ''
        : `for (let i = 0; i < v.length; i++) { const x = v[i]; ${under('i', items, depth + 1)} }`,
    ].join('\n');
  };
  const inObject = (entries: readonly (readonly [string, Node<T>])[], depth: number): string =>
    entries
      .map(([name, node]) => {
        const key = JSON.stringify(name);
        return `{ const x = v[${key}]; if (x !== undefined) { ${under(key, node, depth + 1)} } }`;
      })
      .join('\n');
  /** The function that walks on below a node; gives its name. */
  const below = (node: Node<T>, depth: number): string => {
    const list = inList(node, depth);
    const named = [...node.keys].filter(([key]) => key !== '*' && key !== '^');
    const object = inObject(named, depth);
    const name = `w${functions.length}`;
    functions.push(
      `const ${name} = (v, path, meet) => {
         if (typeof v !== 'object' || v === null) return;
         if (Array.isArray(v)) { ${list} } else { ${object} }
       };`,
    );
    return name;
  };

  const start = visit(root, 0);
  const make = new Function('ends', `${functions.join('\n')}\nreturn (x, path, meet) => { ${start} };`) as (
    ends: readonly (readonly T[])[],
  ) => Walk<T>;
  return make(ends);
}

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
function follow(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
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

/** What a run was told of all its documents: the month that it is for, and the day on which appointments are booked instead of that of the care. */
type RunParams = Readonly<Record<string, FormulaValue>>;

/** What the formulas of rules are computed over: one document, and the item of it that is looked at. */
class RuleContext {
  /** Keys down to the item. */
  readonly path: (string | number)[] = [];
  item: JsonValue | undefined;
  /** The item that it is compared with. */
  other: JsonValue | undefined;
  /** Values of terms already computed, by their position; `null` for those that are blank. */
  readonly terms: (FormulaValue | null)[] = [];
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
function evaluate(formula: Formula<RuleContext>, context: RuleContext): FormulaValue {
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

/** Compiles the formulas of rules for one schema; terms are compiled when first named and computed once a document. */
class RuleScope {
  private readonly terms = new Map<string, Reference<RuleContext>>();
  private readonly compiling = new Set<string>();
  /** What gathers the values at pointers, by those. */
  private readonly gatherers = new Map<string, (context: RuleContext) => readonly FormulaValue[]>();

  constructor(
    private readonly schema: SchemaName,
    private readonly data: readonly Term[],
    private readonly functions: Readonly<Record<string, WordFunction>>,
  ) {}

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
    const reference: Reference<RuleContext> = {
      type: formula.type,
      one: (context) => {
        const known = context.terms[position];
        if (known !== undefined) return known ?? undefined;
        const value = evaluate(formula, context);
        context.terms[position] = value ?? null;
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

/**
 * Runs several checks over what the context stands at: the run is told of those that do not hold, and looks itself at those that
 * take more than two formulas: compared with other items, or in want of a table.
 */
type CheckRunner = (context: RuleContext, run: RuleRun) => void;

/** A formula that needs a leaf which is not there says nothing: then another check does. */
function pass(error: unknown): void {
  if (!(error instanceof BlankOperand)) throw error;
}

/**
 * The checks one after the other as JavaScript of its own, their formulas in place: every document goes through all of them, and a
 * call for each costs more than most of them do.
 */
function compileRunner(checks: readonly CompiledCheck[]): CheckRunner {
  const group = new FormulaGroup<RuleContext>();
  const lines = checks.map(({ when, that, against, lacks, dated }, at) => {
    if (against !== undefined || lacks !== undefined || dated !== undefined)
      return `run.look(checks[${at}]);`;
    const fails = group.test(that, false, `run.broken(checks[${at}]);`);
    return `try { ${when === undefined ? fails : group.test(when, true, fails)} } catch (error) { pass(error); }`;
  });
  return group.compile('c, run', lines.join('\n'), { checks, pass });
}

/** Most items that documents may have are in none of a run. */
function whenMet(compile: () => CheckRunner): CheckRunner {
  let runner: CheckRunner | undefined;
  return (context, run) => {
    runner ??= compile();
    runner(context, run);
  };
}

type RuleFormula = Formula<RuleContext>;

interface CompiledCheck {
  readonly rule: Rule;
  readonly data: Check;
  readonly when?: RuleFormula;
  readonly that: RuleFormula;
  readonly params: readonly (readonly [string, RuleFormula])[];
  /** Items that those of `each` are compared with. */
  readonly against?: PointerTree<true>;
  /** Tables that it needs and that are not there. */
  readonly lacks?: readonly string[];
  /** Where it depends on the day of the item what a table says. */
  readonly dated?: DatedTables;
  /** Finds the codes of its list that are nearest to one that is not in it. */
  readonly nearest?: (code: string) => readonly Suggestion[];
  /** What it found last. */
  readonly memory: { last?: Finding };
}

interface DatedTables {
  /** The day of the item; undefined where it is not there. */
  readonly dayOf: (context: RuleContext) => PlainDate | undefined;
  readonly tables: readonly string[];
  /** What is missing of a table on the days before its first version. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** An issue, and all that it was made of. */
interface Finding {
  readonly pointer: Pointer;
  readonly keys: readonly string[];
  readonly level: Level;
  readonly levels: Levels | undefined;
  readonly value: JsonValue | undefined;
  readonly params: readonly FormulaValue[];
  readonly issue: Issue | undefined;
}

interface CompiledTotal {
  readonly rule: Rule;
  readonly data: Derive;
  readonly formula: RuleFormula;
  /** Keys of the leaf that holds it. */
  readonly into?: readonly string[];
}

interface CompiledUnique {
  readonly rule: Rule;
  readonly data: Unique;
  readonly when?: RuleFormula;
  readonly of: readonly RuleFormula[];
  /** The items that have the values; without it the document has them. */
  readonly items?: PointerTree<true>;
}

interface CompiledSame {
  readonly rule: Rule;
  readonly data: Same;
  readonly of: readonly RuleFormula[];
  readonly has: readonly RuleFormula[];
}

/** The rules of one kind of document, ready to run. */
interface CompiledRules {
  readonly schema: SchemaName;
  readonly totals: readonly CompiledTotal[];
  /** Checks of the document as a whole. */
  readonly whole: CheckRunner;
  /** Checks of items, where they stand: what a document lacks costs nothing. */
  readonly items: PointerTree<CheckRunner>;
  readonly unique: readonly CompiledUnique[];
  readonly same: readonly CompiledSame[];
}

/** Turns a fault of a formula into an error that says whose it is. */
function named<T>(code: string, compile: () => T): T {
  try {
    return compile();
  } catch (fault) {
    if (!(fault instanceof FormulaFault)) throw fault;
    const details = JSON.stringify(fault.params);
    throw new Error(`rule ${code}: ${fault.code} at ${fault.at} ${details}`, { cause: fault });
  }
}

/** Tables that a formula asks for a code. */
const ASKED = /\b(?:has|has_value|says|says_number)\('(\w+)'/g;

const tablesIn = ({ that, when = '' }: Check): readonly string[] => [
  ...new Set([...`${that} ${when}`.matchAll(ASKED)].map(([, table]) => table!)),
];

/** The tables of a check that were loaded for days, and the day of its items; undefined where there is none of either. */
function datedTables(data: Check, days: readonly string[]): DatedTables | undefined {
  const tables = tablesIn(data).filter(isDatedTable);
  const keys = days
    .map((day) => parsePointer(day))
    .filter((day) => data.each?.every((item) => standsBeside(day, parsePointer(item))))[0];
  if (tables.length === 0 || keys === undefined) return undefined;
  return {
    tables,
    missing: new Map(tables.map((table) => [table, [`${table}@${firstDay(table)}`]])),
    dayOf({ document, path }) {
      const moment = follow(
        document,
        keys.map((key, at) => (key === '*' ? String(path[at]) : key)),
      );
      const day = typeof moment === 'string' ? moment.slice(0, 10) : '';
      return isPlainDate(day) ? day : undefined;
    },
  };
}

/** Whether a leaf is a member of the item, or of one that the item stands in. */
const standsBeside = (leaf: readonly string[], item: readonly string[]): boolean =>
  leaf.slice(0, -1).every((key, at) => key === item[at]);

function compileCheck(scope: RuleScope, rule: Rule, data: Check, days: readonly string[]): CompiledCheck {
  const { each, against, params = {} } = data;
  const items = each && { each, ...(against && { against }) };
  const that = scope.compile(data.that, 'boolean', items);
  const when = data.when === undefined ? undefined : scope.compile(data.when, 'boolean', items);
  const asks = when === undefined || when.absent.length === 0; // else it cannot say whether the check is due
  const lacks = [...that.absent, ...(when?.absent ?? [])];
  return {
    rule,
    data,
    that,
    ...(when && asks && { when }),
    ...(against && { against: treeOf(against) }),
    ...(lacks.length > 0 ? { lacks } : datedIn(data, days)),
    ...nearestIn(data),
    params: Object.entries(params).map(([name, source]) => [name, scope.compile(source, undefined, items)]),
    memory: {},
  };
}

/** A check that a list has a code knows those that it has. */
function nearestIn({ that }: Check): Pick<CompiledCheck, 'nearest'> {
  const [, table] = /^has\('(\w+)', /.exec(that) ?? [];
  return table === undefined ? {} : { nearest: nearestCodes(table) };
}

/** A check whose items have days at several places is one for each place. */
function byDay(data: Check, days: readonly string[]): readonly Check[] {
  if (!tablesIn(data).some(isDatedTable)) return [data];
  const parts = new Map<string | undefined, string[]>();
  for (const item of data.each ?? []) {
    const day = days.find((leaf) => standsBeside(parsePointer(leaf), parsePointer(item)));
    parts.set(day, [...(parts.get(day) ?? []), item]);
  }
  return [...parts.values()].map((each) => ({ ...data, each: each as [string, ...string[]] }));
}

const datedIn = (data: Check, days: readonly string[]): Pick<CompiledCheck, 'dated'> => {
  const dated = datedTables(data, days);
  return dated === undefined ? {} : { dated };
};

function treeOf(pointers: readonly string[]): PointerTree<true> {
  const tree = new PointerTree<true>();
  for (const pointer of pointers) tree.add(pointer, true);
  return tree;
}

function compileTotal(scope: RuleScope, rule: Rule, data: Derive): CompiledTotal {
  const formula = scope.compile(data.formula, 'decimal');
  return { rule, data, formula, ...(data.into !== undefined && { into: parsePointer(data.into) }) };
}

function compileUnique(scope: RuleScope, rule: Rule, data: Unique): CompiledUnique {
  const { each } = data;
  const items = each && { each };
  return {
    rule,
    data,
    of: data.of.map((source) => scope.compile(source, undefined, items)),
    ...(data.when !== undefined && { when: scope.compile(data.when, 'boolean', items) }),
    ...(each && { items: treeOf(each) }),
  };
}

/** Compiles the rules of a schema. Throws an Error that names the rule when one of its formulas is wrong. */
export function compileRules(
  schema: SchemaName,
  { rules, terms, days }: RuleData,
  functions = catalogueFunctions(),
): CompiledRules {
  const scope = new RuleScope(schema, terms, functions);
  const totals: CompiledTotal[] = [];
  const whole: CompiledCheck[] = [];
  const ofItems: CompiledCheck[] = [];
  /** Which of those look at the items at a pointer. */
  const each = new Map<string, number[]>();
  const unique: CompiledUnique[] = [];
  const same: CompiledSame[] = [];
  for (const rule of rules) {
    if (!rule.schemas.includes(schema)) continue;
    named(rule.code, () => {
      if (rule.derive !== undefined) totals.push(compileTotal(scope, rule, rule.derive));
      if (rule.unique !== undefined) unique.push(compileUnique(scope, rule, rule.unique));
      if (rule.same !== undefined) {
        const [of, has] = [rule.same.of, rule.same.has].map((list) =>
          list.map((source) => scope.compile(source)),
        );
        same.push({ rule, data: rule.same, of: of!, has: has! });
      }
      for (const data of rule.checks ?? []) {
        if (data.schemas?.includes(schema) === false) continue;
        if (data.each === undefined) whole.push(compileCheck(scope, rule, data, days));
        else
          for (const one of byDay(data, days)) {
            const at = ofItems.push(compileCheck(scope, rule, one, days)) - 1;
            for (const pointer of one.each ?? []) each.set(pointer, [...(each.get(pointer) ?? []), at]);
          }
      }
    });
  }
  const items = new PointerTree<CheckRunner>();
  /** Items that are looked at alike share one. */
  const runners = new Map<string, CheckRunner>();
  for (const [pointer, checks] of each) {
    const name = checks.join();
    const runner = runners.get(name) ?? whenMet(() => compileRunner(checks.map((at) => ofItems[at]!)));
    runners.set(name, runner);
    items.add(pointer, runner);
  }
  return { schema, totals, whole: compileRunner(whole), items, unique, same };
}

/** The rules of schemas/rules for a schema; compiled when first asked for, and anew when other code lists are in use. */
const rulesFor = keptByLists((schema: SchemaName): CompiledRules => compileRules(schema, ruleData()));

/** Derived totals by name. */
type Totals = ReadonlyMap<string, string>;
export const NO_TOTALS: Totals = new Map();

/** Names that a mapping may state for a kind of document: accrued_total, deductions_total, net. */
export const derivedNames = (schema: SchemaName): string[] => derivedIn(schema).map(({ name }) => name);

const derivedPlaces = new Map<SchemaName, ReadonlyMap<string, string>>();

/** The leaves that rules fill in a kind of document, by the name of the total. */
export function derivedLeaves(schema: SchemaName): ReadonlyMap<string, string> {
  let found = derivedPlaces.get(schema);
  if (found === undefined) {
    found = new Map(
      derivedIn(schema).flatMap(({ name, into }) => (into === undefined ? [] : [[name, into] as const])),
    );
    derivedPlaces.set(schema, found);
  }
  return found;
}

/** What the rules say of totals; read without compiling a rule. */
const derivedIn = (schema: SchemaName): readonly NonNullable<Rule['derive']>[] =>
  ruleData().rules.flatMap(({ schemas, derive }) =>
    derive !== undefined && schemas.includes(schema) ? [derive] : [],
  );

function compute(total: CompiledTotal, context: RuleContext): string | undefined {
  const value = evaluate(total.formula, context);
  return typeof value === 'string' ? toMoney(value) : undefined;
}

function fill(document: JsonObject, keys: readonly string[], value: string): void {
  let parent: JsonValue | undefined = document;
  for (let depth = 0; depth < keys.length - 1; depth++)
    parent = (parent as JsonObject | undefined)?.[keys[depth]!];
  if (typeof parent === 'object' && parent !== null) (parent as JsonObject)[keys.at(-1)!] = value;
}

/**
 * Computes every total of the document and fills those that it carries; their parent object must be there.
 * Changes the document it is given.
 */
export function deriveTotals(schema: SchemaName, document: JsonObject): Totals {
  const rules = rulesFor(schema);
  if (rules.totals.length === 0) return NO_TOTALS;
  const totals = new Map<string, string>();
  const context = new RuleContext(document);
  for (const total of rules.totals) {
    const value = compute(total, context);
    if (value === undefined) continue;
    totals.set(total.data.name, value);
    if (total.into !== undefined) fill(document, total.into, value);
  }
  return totals;
}

/** The issue of a total that is not what it should be, or undefined when it agrees to the cent. */
function difference(
  { rule, data }: CompiledTotal,
  stated: string,
  computed: string,
  pointer: Pointer | undefined,
  levels: Levels | undefined,
): Issue | undefined {
  if (compare(stated, computed) === 0) return undefined;
  const gap = subtract(stated, computed);
  const within = data.warn_within;
  const level = within !== undefined && compare(absolute(gap), within) <= 0 ? 'warning' : rule.level;
  const params = { stated, computed, difference: toMoney(gap) ?? gap };
  const issue = ruleIssue(rule, level, pointer, params, levels);
  return issue && { ...issue, value: stated };
}

/** A stated total that is not what it should be. */
interface WrongTotal {
  /** What mappings call it. */
  readonly name: string;
  readonly issue: Issue;
  /** The leaf that holds it. */
  readonly into?: Pointer;
}

export const NONE_WRONG: readonly WrongTotal[] = [];

/** A net of wrong totals is wrong with them: it is said once, where it began. */
const restsOnWrong = ({ formula }: CompiledTotal, wrong: readonly WrongTotal[] = NONE_WRONG): boolean =>
  wrong.some(({ into }) => into !== undefined && formula.references.includes(into));

/** Compares totals stated in the file with the derived ones; the caller knows the cells that state them. */
export function compareStated(
  schema: SchemaName,
  totals: Totals,
  stated: (name: string) => string | undefined,
  levels?: Levels,
): readonly WrongTotal[] {
  let wrong: WrongTotal[] | undefined;
  for (const total of rulesFor(schema).totals) {
    const { name } = total.data;
    const claim = stated(name);
    const computed = totals.get(name);
    if (claim === undefined || computed === undefined || restsOnWrong(total, wrong)) continue;
    const issue = difference(total, claim, computed, undefined, levels);
    if (issue === undefined) continue;
    wrong ??= [];
    wrong.push({ name, issue, ...(total.data.into !== undefined && { into: total.data.into }) });
  }
  return wrong ?? NONE_WRONG;
}

/** The totals that the document carries, against what its parts add up to. */
function checkTotals(rules: CompiledRules, context: RuleContext, levels: Levels | undefined): Issue[] {
  return rules.totals.flatMap((total) => {
    if (total.into === undefined) return [];
    const stated = follow(context.document, total.into);
    const computed = compute(total, context);
    if (typeof stated !== 'string' || computed === undefined) return [];
    return difference(total, stated, computed, total.data.into, levels) ?? [];
  });
}

/** What a document, or an item of it, has that no other of the file may have. */
export interface BatchKey {
  readonly key: string;
  /** Leaf that is at fault where another had it before; worked out when asked for. */
  readonly pointer: Pointer;
}

class FoundKey implements BatchKey {
  constructor(
    readonly key: string,
    private readonly blame: string,
    private readonly path: readonly (string | number)[],
  ) {}

  get pointer(): Pointer {
    return blamed(this.blame, this.path);
  }
}

/** A rule over the documents of a file: no two of them may have the same key. */
export interface BatchRule {
  readonly code: RuleCode;
  readonly level: Level;
  readonly authority: readonly string[];
  /** Each key once; none when the document takes no part, or lacks a part of its key. */
  readonly keysOf: (document: JsonObject) => readonly BatchKey[];
}

/** What is compared, as one text, of the document or the item that is looked at. */
function keyIn({ when, of }: CompiledUnique, context: RuleContext): string | undefined {
  return when !== undefined && evaluate(when, context) !== true ? undefined : textOf(of, context);
}

export const NO_KEYS: readonly BatchKey[] = [];

/** Every key of a document in order, those that it has twice among them. */
function allKeys(unique: CompiledUnique, context: RuleContext): readonly BatchKey[] {
  const { items, data } = unique;
  if (items !== undefined && countOf(items, context) === 0) return NO_KEYS;
  const found: BatchKey[] = [];
  const meet = (): void => {
    const key = keyIn(unique, context);
    if (key !== undefined) found.push(new FoundKey(key, data.blame, context.path.slice()));
  };
  if (items === undefined) meet();
  else
    items.walk(context.document, context.path, (item) => {
      context.item = item;
      meet();
    });
  return found;
}

function keysOf(unique: CompiledUnique, context: RuleContext): readonly BatchKey[] {
  const found = allKeys(unique, context);
  if (found.length < 2) return found;
  const keys = new Map<string, BatchKey>();
  for (const one of found) if (!keys.has(one.key)) keys.set(one.key, one);
  return [...keys.values()];
}

/** Whether a document has two of the items at all; most have not, and their keys need not be made. */
const hasTwo = ({ items }: CompiledUnique, context: RuleContext): boolean =>
  items !== undefined && countOf(items, context) > 1;

function countOf(items: PointerTree<true>, { document, path }: RuleContext): number {
  counted = 0;
  items.each(document, path, countOne);
  return counted;
}

let counted = 0;

const countOne = (): void => {
  counted += 1;
};

/** The leaves at fault of the items of one document that repeat an earlier one of it. */
function repeatedItems(unique: CompiledUnique, context: RuleContext): readonly Pointer[] {
  if (!hasTwo(unique, context)) return NO_RULES;
  const seen = new Set<string>();
  return allKeys(unique, context)
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ pointer }) => pointer);
}

const NO_RULES: readonly Pointer[] = [];

/** A rule over the documents of a file: those of one key have one value. */
export interface SameRule {
  readonly code: RuleCode;
  readonly level: Level;
  readonly authority: readonly string[];
  /** What the key is made of: rules of one such may share what is remembered of it. */
  readonly by: string;
  /** Leaf that is at fault. */
  readonly pointer: Pointer;
  readonly keyOf: (document: JsonObject) => string | undefined;
  readonly valueOf: (document: JsonObject) => string | undefined;
}

/** Several values as one text; undefined when one is blank. */
function textOf(formulas: readonly RuleFormula[], context: RuleContext): string | undefined {
  let text: string | undefined;
  for (const formula of formulas) {
    const value = evaluate(formula, context);
    if (value === undefined) return undefined;
    text = text === undefined ? String(value) : `${text}|${value}`;
  }
  return text;
}

/**
 * The text of formulas over a few leaves of a document, which is worked out again where one of them says something else than in the
 * document before: those of one patient follow each other.
 */
function rememberedText(formulas: readonly RuleFormula[]): (document: JsonObject) => string | undefined {
  const names = [...new Set(formulas.flatMap(({ references }) => references))];
  if (names.some((name) => !name.startsWith('/') || name.includes('*')))
    return (document) => textOf(formulas, new RuleContext(document));
  const leaves = names.map(parsePointer);
  const before: (JsonValue | undefined)[] = [];
  let last: JsonObject | undefined;
  let text: string | undefined;
  return (document) => {
    if (document === last) return text; // several rules have one key
    let isKnown = last !== undefined;
    last = document;
    for (let at = 0; at < leaves.length; at++) {
      const value = follow(document, leaves[at]!);
      if (value === before[at]) continue;
      before[at] = value;
      isKnown = false;
    }
    if (!isKnown) text = textOf(formulas, new RuleContext(document));
    return text;
  };
}

export function sameRules(schema: SchemaName): readonly SameRule[] {
  /** Rules of one key share it. */
  const keys = new Map<string, SameRule['keyOf']>();
  return rulesFor(schema).same.map(({ rule, data, of, has }) => {
    const by = data.of.join('|');
    const keyOf = keys.get(by) ?? rememberedText(of);
    keys.set(by, keyOf);
    return {
      code: rule.code as RuleCode,
      level: rule.level,
      authority: rule.authority ?? [],
      by,
      pointer: data.blame,
      keyOf,
      valueOf: rememberedText(has),
    };
  });
}

/**
 * The rules over a whole file of documents of a schema; the caller remembers the keys. `within`: those over the items of one document
 * instead, for who reads it part by part.
 */
export function batchRules(schema: SchemaName, within?: 'document'): readonly BatchRule[] {
  let context: RuleContext | undefined;
  /** What one rule worked out of a document serves the next. */
  const contextOf = (document: JsonObject): RuleContext => {
    if (context?.document !== document) context = new RuleContext(document);
    return context;
  };
  return rulesFor(schema)
    .unique.filter(({ data }) => data.within === within)
    .map((unique) => ({
      code: unique.rule.code as RuleCode,
      level: unique.rule.level,
      authority: unique.rule.authority ?? [],
      keysOf: (document) => keysOf(unique, contextOf(document)),
    }));
}

export interface RuleOptions {
  /** The totals of the document were just derived and need no second look. @default false */
  readonly derived?: boolean;
  /** The day of the run; rules that need it are silent without it. */
  readonly today?: PlainDate;
  /** Parameters of the run; rules that need one are silent without it. */
  readonly params?: RunParams;
  /** Levels that the caller gives to codes instead of their own; `off` silences one. */
  readonly levels?: Levels;
  /** Is told of the tables that rules needed and that are not loaded; the same for all documents of a run. */
  readonly unchecked?: UncheckedTables;
}

const DERIVED: RuleOptions = { derived: true };
const AS_IT_IS: RuleOptions = {};

/**
 * Checks a complete document against every rule of its kind that one document can answer. Issues carry the blamed
 * pointer and the authority's rules; where a value that a rule needs is missing or malformed, the rule is silent.
 * `true` for `options` stands for `{ derived: true }`.
 */
export function checkRules(
  schema: SchemaName,
  document: JsonObject,
  options: RuleOptions | boolean = AS_IT_IS,
): readonly Issue[] {
  if (typeof options === 'boolean') return checkRules(schema, document, options ? DERIVED : AS_IT_IS);
  return runRules(rulesFor(schema), document, options);
}

/** The same, with rules of one's own. */
export function runRules(rules: CompiledRules, document: JsonObject, options: RuleOptions): readonly Issue[] {
  const context = new RuleContext(document, options.today, options.params);
  const run = new RuleRun(rules, context, options);
  options.unchecked?.begin();
  if (options.derived !== true)
    for (const issue of checkTotals(rules, context, options.levels)) run.add(issue);
  rules.whole(context, run);
  rules.items.walk(document, context.path, (item, runners) => {
    context.item = item;
    for (let at = 0; at < runners.length; at++) runners[at]!(context, run);
  });
  run.lookForRepeated();
  return run.issues ?? NO_ISSUES;
}

/** The rules of one document, one after the other; an object, since there are many documents. */
class RuleRun {
  issues: Issue[] | undefined;

  constructor(
    private readonly rules: CompiledRules,
    private readonly context: RuleContext,
    private readonly options: RuleOptions,
  ) {}

  add(issue: Issue | undefined): void {
    if (issue === undefined) return;
    this.issues ??= [];
    this.issues.push(issue);
  }

  broken(check: CompiledCheck): void {
    const { rules, context, options } = this;
    if (isInForce(check.rule, context.document))
      this.add(issueOf(rules.schema, check, context, options.levels));
  }

  look(check: CompiledCheck): void {
    const { lacks, dated } = check;
    const { context, options } = this;
    const day = dated?.dayOf(context);
    if (lacks !== undefined) tellUnchecked(check, lacks, context, options.unchecked);
    else if (dated !== undefined && day !== undefined) this.lookOn(day, check, dated);
    else this.lookAt(check);
  }

  /** Looks at a check with its tables as they are on a day. */
  private lookOn(day: PlainDate, check: CompiledCheck, { tables, missing }: DatedTables): void {
    onDay(day, () => {
      const lacks = tables.find((table) => wholeCatalogue(table) === undefined);
      if (lacks === undefined) this.lookAt(check);
      else tellUnchecked(check, missing.get(lacks)!, this.context, this.options.unchecked);
    });
  }

  private lookAt(check: CompiledCheck): void {
    const { context } = this;
    if (check.against === undefined ? isBroken(check, context) : isBrokenByOne(check, context))
      this.broken(check);
  }

  lookForRepeated(): void {
    const { rules, context, options } = this;
    for (const unique of rules.unique) {
      if (unique.items === undefined) continue;
      for (const pointer of repeatedItems(unique, context)) {
        const level = levelOn(unique.rule, unique.rule.level, options.today);
        const words = wordsOf(rules.schema, pointer, [], []);
        const value = valueAt(context.document, pointer) as JsonValue | undefined;
        this.add(withValue(ruleIssue(unique.rule, level, pointer, words, options.levels), value));
      }
    }
  }
}

/** A check whose table is not there is due for what is there to check. */
function tellUnchecked(
  { when, rule }: CompiledCheck,
  lacks: readonly string[],
  context: RuleContext,
  unchecked: UncheckedTables | undefined,
): void {
  if (unchecked === undefined || context.item === null || unchecked.isCounted(lacks)) return;
  if (when === undefined || evaluate(when, context) !== false)
    unchecked.add(lacks, rule.authority?.[0] ?? rule.code);
}

const isBroken = ({ when, that }: CompiledCheck, context: RuleContext): boolean =>
  (when === undefined || evaluate(when, context) === true) && evaluate(that, context) === false;

/** The item is compared with each of the others until it does not hold; that one then words the issue. */
function isBrokenByOne(check: CompiledCheck, context: RuleContext): boolean {
  let breaker: JsonValue | undefined;
  check.against?.each(context.document, context.path, (other) => {
    if (breaker !== undefined) return;
    context.other = other;
    if (isBroken(check, context)) breaker = other;
  });
  context.other = breaker;
  return breaker !== undefined;
}

/** Rules of a norm hold for the documents of its days. */
function isInForce(
  { dated_by, valid_from, valid_until }: CompiledCheck['rule'],
  document: JsonObject,
): boolean {
  if (dated_by === undefined) return true;
  const date = valueAt(document, dated_by);
  if (typeof date !== 'string') return false;
  return (
    (valid_from === undefined || date >= valid_from) && (valid_until === undefined || date <= valid_until)
  );
}

/** Documents of a file break a rule alike: while all that an issue is made of is the same, so is the issue. */
function issueOf(
  schema: SchemaName,
  check: CompiledCheck,
  context: RuleContext,
  levels: Levels | undefined,
): Issue | undefined {
  const { rule, data, memory } = check;
  const pointer = blamed(data.blame, context.path);
  const level = levelOn(rule, data.level ?? rule.level, context.today);
  const { last } = memory;
  const keys = last?.pointer === pointer ? last.keys : parsePointer(pointer);
  const value = follow(context.document, keys);
  if (
    last?.pointer === pointer &&
    last.level === level &&
    last.levels === levels &&
    last.value === value &&
    check.params.every(([, formula], index) => evaluate(formula, context) === last.params[index])
  )
    return last.issue;
  const params = check.params.map(([, formula]) => evaluate(formula, context));
  const words = wordsOf(schema, pointer, check.params, params);
  const issue = withNearest(withValue(ruleIssue(rule, level, pointer, words, levels), value), check);
  memory.last = { pointer, keys, level, levels, value, params, issue };
  return issue;
}

/** What was found at the pointer of an issue, where it is a leaf. */
const withValue = (issue: Issue | undefined, found: JsonValue | undefined): Issue | undefined =>
  issue && isLeaf(found) ? { ...issue, value: String(found) } : issue;

function withNearest(issue: Issue | undefined, { nearest }: CompiledCheck): Issue | undefined {
  const suggestions = issue?.value === undefined ? [] : (nearest?.(issue.value) ?? []);
  return issue === undefined || suggestions.length === 0 ? issue : { ...issue, suggestions };
}

const isLeaf = (value: JsonValue | undefined): value is string | number | boolean =>
  value !== undefined && typeof value !== 'object';

/** What the wording names: the field and its Spanish title as for faults of shape, and the rule's own params. */
function wordsOf(
  schema: SchemaName,
  pointer: Pointer,
  params: CompiledCheck['params'],
  values: readonly FormulaValue[],
): IssueParams {
  const keys = parsePointer(pointer);
  const field = keys.findLast((key) => !/^\d+$/.test(key)) ?? '';
  const words: Record<string, string> = { field, title: resolveNode(schema, keys)?.title ?? field };
  for (const [index, [name]] of params.entries())
    if (values[index] !== undefined) words[name] = String(values[index]);
  return words;
}
