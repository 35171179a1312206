import { compare } from '../core/decimal.js';
import type { Place } from '../core/issue.js';
import { childPointer, type JsonObject, type JsonValue, type Pointer } from '../core/json.js';
import { fold } from '../core/text.js';
import { hasAny, markPassed, recordsOf, standAt } from './context.js';
import { CellFault } from './read/cell.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type Context,
  type Gate,
  PlacedFault,
  type ReadRecord,
  type Source,
} from './record.js';
import { oneAmount } from './source.js';

/** Receives faults of leaves and, if asked, the columns that fed each pointer. */
export interface WriteLog {
  /** True if a column of the record gave a value to the object being made. */
  fed: boolean;
  fault(
    fault: CellFault,
    columns: readonly CompiledColumn[],
    pointer: Pointer | undefined,
    context: Context,
  ): void;
  readonly trace?: Map<Pointer, readonly Place[]>;
  readonly placesOf?: (context: Context, columns: readonly CompiledColumn[]) => readonly Place[];
}

/** Columns that the files of a run have. */
export interface Present {
  column(column: CompiledColumn): boolean;
  table(tableIndex: number): boolean;
}

/** Writer of one key of an object of the document. */
export interface Writer {
  readonly key: string;
  /** True if it reads the record; a block of constants does not. */
  readonly reads: boolean;
  /** Columns without all of which the record gives it no value; undefined if a formula may give one. */
  readonly fedBy: readonly CompiledColumn[] | undefined;
  /**
   * Returns the value; undefined if there is none. Tells the log if a column of the record gave it. `pointer` is that of
   * the parent object, undefined if no trace is wanted.
   */
  value(context: Context, log: WriteLog, pointer: Pointer | undefined): JsonValue | undefined;
  /** Returns the writer without sources that these files never fill, or undefined if nothing is left. Not for traces. */
  within(present: Present): Writer | undefined;
}

const children = new Map<Pointer, Map<string | number, Pointer>>();
const MAX_PARENTS = 10_000;

/** Returns the pointer below another; cached, since the same ones come with every document. */
function pointerBelow(parent: Pointer, key: string | number): Pointer {
  let byKey = children.get(parent);
  if (byKey === undefined) {
    if (children.size === MAX_PARENTS) return childPointer(parent, key);
    byKey = new Map();
    children.set(parent, byKey);
  }
  let pointer = byKey.get(key);
  if (pointer === undefined) {
    pointer = childPointer(parent, key);
    byKey.set(key, pointer);
  }
  return pointer;
}

/** Returns the columns that can feed the parts; undefined if a part needs none. */
export function feeders(parts: readonly Pick<Writer, 'fedBy'>[]): Writer['fedBy'] {
  const all = parts.map(({ fedBy }) => fedBy);
  return all.every((columns) => columns !== undefined) ? [...new Set(all.flat())] : undefined;
}

/** Converts a typed value to the canonical form of a leaf, or returns a fault. */
export type Conversion = (value: string | boolean) => JsonValue | CellFault;

/** Value by the mapping itself. */
export class ConstantLeaf implements Writer {
  readonly reads = false;
  readonly fedBy = [];

  constructor(
    readonly key: string,
    private readonly constant: JsonValue,
    private readonly condition: Source | undefined,
    private readonly mapping: string,
  ) {}

  value(context: Context, log: WriteLog, pointer: Pointer | undefined): JsonValue | undefined {
    if (pointer !== undefined) log.trace?.set(pointerBelow(pointer, this.key), [{ mapping: this.mapping }]);
    return holds(this.condition, context) ? this.constant : undefined;
  }

  within(): Writer {
    return this;
  }
}

const holds = (condition: Source | undefined, context: Context): boolean =>
  condition === undefined || condition.read(context) === true;

/** Compiles a leaf of `{from: column}`, as most leaves are. */
export class PlainLeaf implements Writer {
  readonly reads = true;
  readonly fedBy: readonly CompiledColumn[];

  constructor(
    readonly key: string,
    readonly column: CompiledColumn,
    private readonly source: Source,
    readonly convert: Conversion,
  ) {
    this.fedBy = [column];
  }

  value(context: Context, log: WriteLog, pointer: Pointer | undefined): JsonValue | undefined {
    const { column, key } = this;
    if (pointer !== undefined)
      log.trace?.set(pointerBelow(pointer, key), log.placesOf?.(context, this.fedBy) ?? []);
    const record = context.at[column.tableIndex];
    const given = record === undefined ? this.source.read(context) : record.values[column.position];
    if (given === undefined) return undefined;
    log.fed = true;
    const value = typeof given === 'object' ? (given as CellFault) : this.convert(given);
    if (!(value instanceof CellFault)) return value;
    log.fault(value, this.fedBy, pointer === undefined ? undefined : pointerBelow(pointer, key), context);
    return undefined;
  }

  within(present: Present): Writer | undefined {
    return isSilent(this.column, present) ? undefined : this;
  }
}

/** Source with the form of its values in the document. */
export interface Fitted {
  readonly source: Source;
  readonly convert: Conversion;
  /** Finds the negative part of a sum that may not be negative. */
  readonly negative?: Source['negative'];
}

/** Source used if those before it are blank; its gate marks values that reach the document. */
export interface Fallback extends Fitted {
  readonly gate: Gate;
}

/** Parts of a leaf in addition to its sources. */
interface LeafParts {
  readonly key: string;
  readonly main: Fitted;
  /** Sources for a blank value, in order. */
  readonly fallbacks: readonly Fallback[];
  readonly columns: readonly CompiledColumn[];
  readonly condition: Source | undefined;
  readonly gate: Gate | undefined;
  readonly blank: 'null' | 'error' | 'omit';
  readonly origin: (context: Context, log: WriteLog, value: unknown) => readonly Place[];
}

/** Compiles a leaf with conditions, fallbacks or a source other than a column. */
export class SourcedLeaf implements Writer {
  readonly reads: boolean;
  readonly fedBy: Writer['fedBy'];
  readonly key: string;
  private readonly rivals: readonly CompiledColumn[];

  constructor(private readonly parts: LeafParts) {
    const { key, main, fallbacks, columns } = parts;
    this.key = key;
    this.reads = columns.length > 0;
    this.fedBy = main.source.kind.is === 'formula' ? undefined : columns;
    this.rivals = amountColumns([main, ...fallbacks].map(({ source }) => source));
  }

  value(context: Context, log: WriteLog, pointer: Pointer | undefined): JsonValue | undefined {
    const { key, main, fallbacks, condition, gate, columns, blank, origin } = this.parts;
    const at = pointer === undefined ? undefined : pointerBelow(pointer, key);
    if (!holds(condition, context)) {
      if (at !== undefined && this.reads) log.trace?.set(at, log.placesOf?.(context, columns) ?? []);
      return undefined;
    }
    if (gate !== undefined) markPassed(gate, context);
    let used = main.source.columns;
    const chosen = this.rivals.length > 1 ? oneAmount(this.rivals, context) : -1;
    // Zero in the first and an amount in another: the other is meant.
    let value =
      typeof chosen === 'object' ? chosen : chosen > 0 ? undefined : settled(main, used, context, log, at);
    let fed = value !== undefined && used.length > 0;
    let place = 0;
    for (; value === undefined && place < fallbacks.length; place++) {
      const fallback = fallbacks[place];
      if (fallback === undefined || (typeof chosen === 'number' && place + 1 < chosen)) continue;
      markPassed(fallback.gate, context);
      const { columns } = fallback.source;
      if (columns.length > 0) used = columns;
      value = settled(fallback, used, context, log, at);
      fed = value !== undefined && columns.length > 0;
    }
    for (; place < fallbacks.length; place++) {
      const fallback = fallbacks[place];
      if (fallback !== undefined && gives(fallback, value, context)) markPassed(fallback.gate, context);
    }
    if (at !== undefined)
      log.trace?.set(at, origin(this.taken(context), log, value instanceof CellFault ? undefined : value));
    if (fed) log.fed = true;
    if (value instanceof CellFault) log.fault(value, used, at, this.taken(context));
    else if (value !== undefined) return value;
    else if (blank === 'null') return null;
    else if (blank === 'error') log.fault(new CellFault('cell/blank'), used, at, context);
    return undefined;
  }

  /** Cells that the value is taken from. */
  private taken(context: Context): Context {
    const { main, fallbacks } = this.parts;
    return amongTaken(main.source, context, fallbacks.length > 0);
  }

  within(present: Present): Writer | undefined {
    const { main, fallbacks, blank } = this.parts;
    const gives = ({ source: { kind, columns, named } }: Fitted): boolean =>
      !READING.has(kind.is) ||
      (kind.is === 'column' && kind.take === 'count') ||
      ![...columns, ...named].every((column) => isSilent(column, present));
    return blank === 'omit' && ![main, ...fallbacks].some(gives) ? undefined : this;
  }
}

/** Returns the context with only the records that a value is taken over, so that no other cells are blamed. */
function amongTaken({ records, columns: [column] }: Source, context: Context, hasOthers: boolean): Context {
  const taken = records?.(context);
  // Where it takes none, what else could give the value is the cause.
  if (column === undefined || taken === undefined || (taken.length === 0 && !hasOthers)) return context;
  return { ...context, sets: Object.assign([...context.sets], { [column.tableIndex]: taken }) };
}

/** Sources without value if the file lacks their columns. */
const READING: ReadonlySet<Source['kind']['is']> = new Set(['column', 'part', 'lookup']);

/** Returns true if no record has a value for the column. */
const isSilent = (column: CompiledColumn, present: Present): boolean =>
  column.take !== 'count' && !present.column(column);

/** Returns the columns of alternatives, if each is an amount. */
function amountColumns(sources: readonly Source[]): readonly CompiledColumn[] {
  const amounts: CompiledColumn[] = [];
  for (const { plain } of sources) {
    if (plain?.kind !== 'money') break;
    amounts.push(plain);
  }
  return amounts;
}

/** Returns true if the sum has only the negative part; the schema then reports it. */
const isAlone = (fault: CellFault, sum: string): boolean =>
  fault instanceof PlacedFault &&
  fault.index === undefined &&
  fault.record.values[fault.column.position] === sum;

/** Returns the value in its form, and reports a warning about it. */
function settled(
  { source, convert, negative }: Fitted,
  used: readonly CompiledColumn[],
  context: Context,
  log: WriteLog,
  at: Pointer | undefined,
): JsonValue | CellFault | undefined {
  const hidden = negative?.(context);
  const given = source.read(context);
  if (hidden !== undefined && typeof given === 'string') {
    // The sum is written all the same, so that totals which fit it raise nothing more.
    if (!given.startsWith('-')) log.fault(hidden, used, at, context);
    else if (!isAlone(hidden, given)) return hidden;
  }
  if (given === undefined || given instanceof CellFault) return given;
  if (typeof given !== 'object') return convert(given);
  log.fault(given.warning, used, at, context);
  return convert(given.value);
}

/** Returns true if another source of the leaf has the same value, which is then not lost; called for columns with no other way. */
function gives({ source, convert, gate }: Fallback, value: unknown, context: Context): boolean {
  if (gate.masks.length === 0) return false;
  const given = source.read(context);
  if (given === undefined || given instanceof CellFault) return false;
  const other = convert(typeof given === 'object' ? given.value : given);
  return (
    other === value || (typeof other === 'string' && typeof value === 'string' && fold(other) === fold(value))
  );
}

type Fill = (context: Context, log: WriteLog, pointer: Pointer | undefined) => JsonObject;

/**
 * The writers one after the other as separate JavaScript, as formulas are: every key is then written where V8 knows it, and a column
 * that feeds one alone is read in place. Only keys of the schema as JSON, and numbers of columns and writers, enter the source.
 */
function compileFill(writers: readonly Writer[]): Fill {
  const lines = writers.map((writer, at) => {
    const ask = `v = w${at}.value(c, log, p);`;
    const write = `if (v !== undefined) o[${JSON.stringify(writer.key)}] = v;`;
    return `${writer instanceof PlainLeaf ? readInPlace(writer.column, `w${at}`, ask) : ask} ${write}`;
  });
  const names = writers.map((_, at) => `w${at} = w[${at}]`);
  // V8 gives objects of a constructor room for as many keys as it sees assigned: an empty one grows, again and again.
  const keys = writers.map(({ key }) => `this[${JSON.stringify(key)}] = 0;`);
  const body = `${names.length === 0 ? '' : `const ${names.join(', ')};`}
    function Made(all) { if (all) { ${keys.join(' ')} } }
    Made.prototype = Object.prototype;
    return (c, log, p) => { const o = new Made(false); let r, g, v; ${lines.join('\n')} return o; };`;
  const make = new Function('w', 'CellFault', body) as (
    w: readonly Writer[],
    fault: typeof CellFault,
  ) => Fill;
  return make(writers, CellFault);
}

/** Returns code that reads a column in place; the leaf itself handles faults and traces. */
const readInPlace = ({ tableIndex, position }: CompiledColumn, leaf: string, ask: string): string => `
  r = p === undefined ? c.at[${tableIndex}] : undefined;
  g = r === undefined ? undefined : r.values[${position}];
  if (r === undefined || typeof g === 'object') ${ask}
  else if (g === undefined) v = undefined;
  else {
    v = ${leaf}.convert(g);
    if (v instanceof CellFault) ${ask}
    else log.fed = true;
  }`;

interface ObjectParts {
  /** True if it is built for every record. */
  readonly always: boolean;
  readonly reads: boolean;
  readonly condition: Source | undefined;
  readonly gate: Gate | undefined;
}

/** Writer of one object: the document, a part of it, or an item of a list. */
export class ObjectMaker {
  readonly reads: boolean;
  /** Columns of which at least one must have a value. */
  private readonly needed: readonly CompiledColumn[] | undefined;
  private fill: Fill | undefined;

  constructor(
    private readonly writers: readonly Writer[],
    private readonly parts: ObjectParts,
    readonly fedBy: Writer['fedBy'],
  ) {
    this.reads = parts.reads;
    this.needed = parts.reads && !parts.always ? fedBy : undefined;
  }

  /** Builds the object; undefined if it is optional and the record gave it no value. */
  make(context: Context, log: WriteLog, pointer: Pointer | undefined): JsonObject | undefined {
    const { needed } = this;
    const { always, reads, condition, gate } = this.parts;
    if (needed !== undefined && !hasAny(context, needed)) return undefined;
    if (!holds(condition, context)) return undefined;
    if (gate !== undefined) markPassed(gate, context);
    const before = log.fed;
    log.fed = false;
    this.fill ??= compileFill(this.writers);
    const made = this.fill(context, log, pointer);
    const { fed } = log;
    log.fed = before;
    return fed || !reads || always ? made : undefined;
  }

  /** Returns the writer without sources that these files never fill, or undefined if it would never build one. */
  within(present: Present): ObjectMaker | undefined {
    const there = this.fedBy?.filter((column) => present.column(column));
    if (this.needed !== undefined && there?.length === 0) return undefined;
    const writers = this.writers.flatMap((writer) => writer.within(present) ?? []);
    return new ObjectMaker(writers, this.parts, there);
  }
}

export class ObjectWriter implements Writer {
  readonly reads: boolean;
  readonly fedBy: Writer['fedBy'];

  constructor(
    readonly key: string,
    private readonly maker: ObjectMaker,
  ) {
    this.reads = maker.reads;
    this.fedBy = maker.fedBy;
  }

  value(context: Context, log: WriteLog, pointer: Pointer | undefined): JsonValue | undefined {
    const { key, maker } = this;
    const made = maker.make(context, log, pointer === undefined ? undefined : pointerBelow(pointer, key));
    if (made !== undefined && this.reads) log.fed = true;
    return made;
  }

  within(present: Present): Writer | undefined {
    const maker = this.maker.within(present);
    return maker && new ObjectWriter(this.key, maker);
  }
}

/** Adds the items of one block to a list; says whether records gave it anything. */
export interface ItemMaker {
  readonly reads: boolean;
  readonly fedBy: Writer['fedBy'];
  /** Returns true if it gives nothing here, as most concepts do. */
  isIdle(context: Context): boolean;
  add(list: JsonValue[], context: Context, log: WriteLog, pointer: Pointer | undefined): boolean;
  within(present: Present): ItemMaker | undefined;
}

export class OneItem implements ItemMaker {
  readonly reads: boolean;
  readonly fedBy: Writer['fedBy'];
  private readonly feeding: Writer['fedBy'];

  constructor(
    private readonly maker: ObjectMaker,
    /** True if its items line up with those of another list, so that none is left out. */
    private readonly isPartial: boolean,
  ) {
    this.reads = maker.reads;
    this.fedBy = maker.fedBy;
    this.feeding = maker.reads && !isPartial ? maker.fedBy : undefined;
  }

  isIdle(context: Context): boolean {
    return this.feeding !== undefined && !hasAny(context, this.feeding);
  }

  add(list: JsonValue[], context: Context, log: WriteLog, pointer: Pointer | undefined): boolean {
    const index = list.length;
    const at = pointer === undefined ? undefined : pointerBelow(pointer, index);
    const made = this.maker.make(context.index === index ? context : { ...context, index }, log, at);
    if (made === undefined) return false;
    list.push(made);
    return this.reads;
  }

  within(present: Present): ItemMaker | undefined {
    const maker = this.maker.within(present);
    if (maker === undefined || (this.feeding !== undefined && maker.fedBy?.length === 0)) return undefined;
    return new OneItem(maker, this.isPartial);
  }
}

interface EachParts {
  readonly table: CompiledTable;
  readonly where: Source | undefined;
  readonly sort: readonly CompiledColumn[];
  readonly distinct: boolean;
  readonly gate: Gate | undefined;
}

/** Compiles a list with an item for each record of a table. */
export class EachItem implements ItemMaker {
  readonly reads = true;
  readonly fedBy = undefined;

  constructor(
    private readonly maker: ObjectMaker,
    private readonly parts: EachParts,
  ) {}

  isIdle(context: Context): boolean {
    return recordsOf(context, this.parts.table.tableIndex).length === 0;
  }

  add(list: JsonValue[], context: Context, log: WriteLog, pointer: Pointer | undefined): boolean {
    const { maker } = this;
    const { table, where, sort, distinct, gate } = this.parts;
    const seen = distinct ? new Set<string>() : undefined;
    let fed = false;
    for (const record of chosen(context, table, where, sort)) {
      const at = pointer === undefined ? undefined : pointerBelow(pointer, list.length);
      const here = standAt(context, table.tableIndex, record, list.length);
      const made = maker.make(here, log, at);
      if (made === undefined || isRepeated(seen, made)) continue;
      if (gate !== undefined) markPassed(gate, here);
      list.push(made);
      fed ||= maker.reads;
    }
    return fed;
  }

  within(present: Present): ItemMaker | undefined {
    if (!present.table(this.parts.table.tableIndex)) return undefined;
    const maker = this.maker.within(present);
    return maker && new EachItem(maker, this.parts);
  }
}

function isRepeated(seen: Set<string> | undefined, made: JsonObject): boolean {
  if (seen === undefined) return false;
  const text = JSON.stringify(made);
  if (seen.has(text)) return true;
  seen.add(text);
  return false;
}

function chosen(
  context: Context,
  table: CompiledTable,
  where: Source | undefined,
  sort: readonly CompiledColumn[],
): readonly ReadRecord[] {
  const records = recordsOf(context, table.tableIndex);
  const kept =
    where === undefined
      ? records
      : records.filter((record) => where.read(standAt(context, table.tableIndex, record, 0)) === true);
  return sort.length === 0 ? kept : [...kept].sort((a, b) => order(a, b, sort));
}

/** Sorts by the columns in turn, blanks last; equal records keep the order of the file. */
function order(a: ReadRecord, b: ReadRecord, columns: readonly CompiledColumn[]): number {
  for (const { position, type } of columns) {
    const [left, right] = [a.values[position], b.values[position]];
    if (left === right) continue;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    const sign = type === 'decimal' ? compare(left as string, right as string) : left < right ? -1 : 1;
    if (sign !== 0) return sign;
  }
  return 0;
}

/** Compiles a list of one or several blocks; each gives items if the record feeds it. */
export class ListWriter implements Writer {
  readonly reads: boolean;
  readonly fedBy: Writer['fedBy'];

  constructor(
    readonly key: string,
    private readonly items: readonly ItemMaker[],
  ) {
    this.reads = items.some(({ reads }) => reads);
    this.fedBy = feeders(items);
  }

  value(context: Context, log: WriteLog, pointer: Pointer | undefined): JsonValue | undefined {
    const { key, items } = this;
    let list: JsonValue[] | undefined;
    for (const item of items) {
      if (item.isIdle(context)) continue;
      list ??= [];
      const at = pointer === undefined ? undefined : pointerBelow(pointer, key);
      if (item.add(list, context, log, at)) log.fed = true;
    }
    return list !== undefined && list.length > 0 ? list : undefined;
  }

  within(present: Present): Writer | undefined {
    const items = this.items.flatMap((item) => item.within(present) ?? []);
    return items.length === 0 ? undefined : new ListWriter(this.key, items);
  }
}
