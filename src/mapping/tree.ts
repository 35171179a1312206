import { compare, toMoney, toPlain } from '../core/decimal.js';
import type { Place } from '../core/issue.js';
import { childPointer, formatPointer, type JsonObject, type JsonValue, type Pointer } from '../core/json.js';
import { suggest } from '../core/text.js';
import type { FormulaType } from '../formula/functions.js';
import type { Block, Default, Leaf, Node } from '../generated/mapping-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import {
  checkPartShape,
  childKeys,
  isDerived,
  isFilledLater,
  isList,
  isRequired,
  type LeafKind,
  leafKind,
  resolveNode,
  type SchemaNode,
} from '../schema/registry.js';
import { hasAny, letThrough, recordsOf, standAt } from './context.js';
import { CellFault } from './read/cell.js';
import {
  type CompiledColumn,
  type CompiledTable,
  type Context,
  PlacedFault,
  type ReadRecord,
  type Source,
} from './record.js';
import { columnOf, deciding, gated, tableOf, type Workbench } from './scope.js';
import { compileSource, compileTransforms, formulaSource, oneAmount } from './source.js';
import { reportShape, type YamlPath } from './yaml-source.js';

/** Compiles one key of a block; undefined when it does not belong to this target. */
export type CompileChild = (
  bench: TreeBench,
  key: string,
  child: Node,
  parent: Spot,
) => CompiledNode | undefined;

export interface CompiledBlock {
  /** The object; undefined when no document must have it and the record gave it nothing. */
  readonly make: (context: Context, log: WriteLog, pointer: Pointer | undefined) => JsonObject | undefined;
  readonly reads: boolean;
  readonly fedBy: CompiledNode['fedBy'];
}

/** The columns that can feed any of the nodes; undefined when one may be fed without. */
function feeders(nodes: readonly Pick<CompiledNode, 'fedBy'>[]): CompiledNode['fedBy'] {
  const all = nodes.map(({ fedBy }) => fedBy);
  return all.every((columns) => columns !== undefined) ? [...new Set(all.flat())] : undefined;
}

function compileBlock(
  outside: TreeBench,
  block: Block,
  spot: Spot,
  compileChild: CompileChild,
): CompiledBlock {
  const { $when, $each: _, $where: __, $sort: ___, $distinct: ____, ...children } = block;
  checkStructure(outside, block, spot);
  const condition =
    $when === undefined
      ? undefined
      : formulaSource(deciding(outside), $when, [...spot.path, '$when'], 'boolean');
  const { bench, gate } = condition === undefined ? { bench: outside, gate: undefined } : gated(outside);
  const writers: CompiledNode[] = [];
  for (const [key, child] of Object.entries(children)) {
    const writer = compileChild(bench, key, child as Node, {
      ...spot,
      required: spot.required && $when === undefined,
    });
    if (writer !== undefined) writers.push(writer);
  }
  checkComplete(bench, children, spot);
  const reads = writers.some((writer) => writer.reads);
  const fedBy = feeders(writers);
  // Items of a derived part line up with others, so none of them is left out.
  const always = spot.required || spot.partial;
  const needed = reads && !always ? fedBy : undefined;
  return {
    reads,
    fedBy,
    make(context, log, pointer) {
      if (needed !== undefined && !hasAny(context, needed)) return undefined;
      if (condition !== undefined && condition.read(context) !== true) return undefined;
      if (gate !== undefined) letThrough(gate, context);
      const made: JsonObject = {};
      let fed = false;
      for (const { write } of writers) fed = write(context, made, log, pointer) || fed;
      return fed || !reads || always ? made : undefined;
    },
  };
}

/** Keys that begin with $ are the language's own; a block needs a child beside them. */
function checkStructure(bench: TreeBench, block: Block, spot: Spot): void {
  const own = Object.entries(block).filter(([key]) => key.startsWith('$'));
  const value = Object.fromEntries([...own, ['child', { const: '' }]]) as JsonObject;
  if (own.length > 0) reportShape(bench.lint, spot.path, checkPartShape('mapping', 'block', value));
}

/** A mapping that leaves out what every document needs could never make one. */
function checkComplete(bench: TreeBench, children: object, spot: Spot): void {
  for (const key of spot.partial ? [] : (spot.node.required ?? [])) {
    const pointer = formatPointer([...spot.keys, key]);
    if (key in children || bench.derived.has(pointer)) continue;
    const node = resolveNode(bench.target, [...spot.keys, key]) ?? {};
    if (isFilledLater(node) || isDerived(node)) continue;
    bench.lint.report(spot.path, 'mapping/required-unmapped', { params: { key, pointer }, key: true });
  }
}

/** Adds the items of one block to a list; says whether records gave it anything. */
interface ItemMaker {
  /** Whether it surely gives nothing here: most concepts did not happen. */
  readonly idle: (context: Context) => boolean;
  readonly add: (list: JsonValue[], context: Context, log: WriteLog, pointer: Pointer | undefined) => boolean;
  readonly reads: boolean;
  readonly fedBy: CompiledNode['fedBy'];
}

/** A block of a list: one item, or one for each record of a table. */
function compileItems(bench: TreeBench, block: Block, spot: Spot, compileChild: CompileChild): ItemMaker {
  const { $each, $where, $sort, $distinct } = block;
  const table = $each === undefined ? undefined : tableOf(bench, $each, [...spot.path, '$each']);
  const inside: TreeBench =
    table === undefined ? bench : { ...bench, open: [table, ...bench.open.filter((one) => one !== table)] };
  if (table === undefined || (table.single && $where === undefined)) {
    for (const key of ['$where', '$sort', '$distinct'] as const)
      if (block[key] !== undefined && $each === undefined)
        bench.lint.report([...spot.path, key], 'mapping/needs-each', { params: { key }, key: true });
    const { make, reads, fedBy } = compileBlock(inside, block, spot, compileChild);
    const feeding = reads && !spot.partial ? fedBy : undefined;
    return {
      reads,
      fedBy,
      idle: (context) => feeding !== undefined && !hasAny(context, feeding),
      add(list, context, log, pointer) {
        const at = pointer === undefined ? undefined : childPointer(pointer, list.length);
        const made = make(
          context.index === list.length ? context : { ...context, index: list.length },
          log,
          at,
        );
        if (made === undefined) return false;
        list.push(made);
        return reads;
      },
    };
  }
  const where =
    $where === undefined
      ? undefined
      : formulaSource(deciding(inside), $where, [...spot.path, '$where'], 'boolean');
  const sort = [$sort ?? []]
    .flat()
    .flatMap((name) => columnOf(deciding(inside), name, [...spot.path, '$sort']) ?? []);
  const isGated = where !== undefined || $distinct === true;
  const { bench: behind, gate } = isGated ? gated(inside) : { bench: inside, gate: undefined };
  const { make, reads } = compileBlock(behind, block, spot, compileChild);
  const distinct = $distinct === true ? new Set<string>() : undefined;
  return {
    reads: true,
    fedBy: undefined,
    idle: (context) => recordsOf(context, table.slot).length === 0,
    add(list, context, log, pointer) {
      let fed = false;
      distinct?.clear();
      for (const record of chosen(context, table, where, sort)) {
        const at = pointer === undefined ? undefined : childPointer(pointer, list.length);
        const here = standAt(context, table.slot, record, list.length);
        const made = make(here, log, at);
        if (made === undefined || isRepeated(distinct, made)) continue;
        if (gate !== undefined) letThrough(gate, here);
        list.push(made);
        fed ||= reads;
      }
      return fed;
    },
  };
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
  const records = recordsOf(context, table.slot);
  const kept =
    where === undefined
      ? records
      : records.filter((record) => where.read(standAt(context, table.slot, record, 0)) === true);
  return sort.length === 0 ? kept : [...kept].sort((a, b) => order(a, b, sort));
}

/** By value of the columns in turn, blank ones last; equal ones keep their order in the file. */
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

/** What a record's writing reports: faults of leaves, and, only when asked, which columns fed which pointer. */
export interface WriteLog {
  fault(
    fault: CellFault,
    columns: readonly CompiledColumn[],
    pointer: Pointer | undefined,
    context: Context,
  ): void;
  readonly trace?: Map<Pointer, readonly Place[]>;
  readonly placesOf?: (context: Context, columns: readonly CompiledColumn[]) => readonly Place[];
}

/** What may give a leaf its value, as the mapping says. */
export interface LeafSources {
  readonly columns: readonly CompiledColumn[];
  readonly params: readonly string[];
}

/**
 * Writes one key of the document; says whether a column of the record gave it anything.
 * `pointer` is the parent's, and undefined when no trace is wanted.
 */
type Writer = (context: Context, target: JsonObject, log: WriteLog, pointer: Pointer | undefined) => boolean;

/** A leaf that every document must have: one of the sets of columns must be in the file, or the param be given. */
export interface Need {
  readonly pointer: Pointer;
  readonly alternatives: readonly (readonly CompiledColumn[])[];
  readonly param?: string;
}

interface CompiledNode {
  readonly write: Writer;
  /** Whether the node reads the record at all: a block of constants stands by itself. */
  readonly reads: boolean;
  /** Columns without any of which the record gives the node nothing; undefined when a formula may give something. */
  readonly fedBy: readonly CompiledColumn[] | undefined;
}

/** The workbench of a whole document. */
interface TreeBench extends Workbench {
  readonly target: SchemaName;
  /** Pointers that rules fill: a mapping never computes a total. */
  readonly derived: ReadonlySet<Pointer>;
  readonly needs: Need[];
  /** By pointer of the leaf, `*` for an item of a list; several blocks may make items of one list. */
  readonly sources: Map<Pointer, LeafSources[]>;
  /** Name of the mapping. */
  readonly mapping: string;
  /** Whether another target of the mapping has the place: a leaf for the one is none for the other. */
  readonly elsewhere: (keys: readonly string[]) => boolean;
}

/** Where the compilation stands: in the mapping file and in the schema. */
interface Spot {
  readonly path: YamlPath;
  readonly keys: readonly string[];
  readonly node: SchemaNode;
  /** Every document has this place. */
  readonly required: boolean;
  /** It lies in a part that follows from the rest of the document: only what is written here is added to it. */
  readonly partial: boolean;
}

/** The keys that say where a leaf comes from; exactly one of them. */
export const SOURCES = ['from', 'const', 'param', 'lookup', 'formula', 'parts', 'sequence'] as const;

/** A source and the form that its values take in the document. */
interface Fitted {
  readonly source: Source;
  readonly convert: (value: string | boolean) => JsonValue | CellFault;
  readonly param?: string;
  /** Of a sum that may not be negative: the negative part of it. */
  readonly negative?: Source['negative'];
}

/** What a blank source falls back upon: a constant, a param, or other columns. */
function compileDefault(
  bench: TreeBench,
  spec: Default,
  kind: LeafKind,
  node: SchemaNode,
  path: YamlPath,
): Fitted[] {
  if (spec.const !== undefined) {
    const value = constant(bench, spec.const, kind, [...path, 'const']);
    const source: Source = { type: 'text', columns: [], alternatives: [], read: () => '' };
    return [{ source, convert: () => value }];
  }
  const source = compileSource(bench, spec, path, node);
  const convert = source && wireOf(bench, source, kind, path);
  if (source === undefined || convert === undefined) return [];
  const fitted: Fitted = {
    source,
    convert,
    ...unsigned(source, kind),
    ...(spec.param !== undefined && { param: spec.param }),
  };
  return spec.default === undefined
    ? [fitted]
    : [fitted, ...compileDefault(bench, spec.default, kind, node, [...path, 'default'])];
}

const UNSIGNED: ReadonlySet<LeafKind> = new Set(['money', 'two-decimals', 'quantity']);

const unsigned = ({ negative }: Source, kind: LeafKind): Pick<Fitted, 'negative'> =>
  negative !== undefined && UNSIGNED.has(kind) ? { negative } : {};

/** The columns of alternatives that are amounts, as long as each is one. */
function amountColumns(sources: readonly Source[]): readonly CompiledColumn[] {
  const end = sources.findIndex(({ plain }) => plain?.kind !== 'money');
  return (end < 0 ? sources : sources.slice(0, end)).map(({ plain }) => plain!);
}

/** Where a leaf is written: what it says of its value goes there too. */
interface Site {
  readonly context: Context;
  readonly log: WriteLog;
  readonly at: Pointer | undefined;
}

/** Whether the negative part is all there is: then the schema says what is wrong with it. */
const isAlone = (fault: CellFault, sum: string): boolean =>
  fault instanceof PlacedFault &&
  fault.index === undefined &&
  fault.record.values[fault.column.position] === sum;

/** The value in its form, after a warning that goes with it. */
function settled(
  { source, convert, negative }: Fitted,
  used: readonly CompiledColumn[],
  { context, log, at }: Site,
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

/** A constant must be written as the target wants it: `"01"`, not 01. */
function constant(
  bench: TreeBench,
  value: string | number | boolean,
  kind: LeafKind,
  path: YamlPath,
): JsonValue {
  const wanted =
    kind === 'integer' || kind === 'number' ? 'number' : kind === 'boolean' ? 'boolean' : 'string';
  const fits = typeof value === wanted || (kind === 'worker-document' && typeof value === 'number');
  if (!fits)
    bench.lint.report(path, 'mapping/const-type', { params: { expected: wanted }, value: String(value) });
  return value;
}

function wireOf(bench: TreeBench, source: Source, kind: LeafKind, path: YamlPath): ToWire | undefined {
  const convert = source.type === 'catalogue' ? catalogueToWire(kind) : toWire(source.type, kind);
  if (convert === undefined)
    bench.lint.report(path, 'mapping/type', { params: { expected: kind, found: source.type } });
  return convert;
}

/** Compiles a leaf: its one source, what is done to the value, and its form in the document. */
function compileLeaf(
  outside: TreeBench,
  leaf: Leaf,
  key: string,
  spot: Spot,
  kind: LeafKind,
): CompiledNode | undefined {
  const { path } = spot;
  const sources = SOURCES.filter((name) => leaf[name] !== undefined);
  if (sources.length > 1) {
    outside.lint.report([...path, sources[1]!], 'mapping/two-sources', {
      params: { sources: sources.join(', ') },
      key: true,
    });
    return undefined;
  }
  const condition =
    leaf.when === undefined
      ? undefined
      : formulaSource(deciding(outside), leaf.when, [...path, 'when'], 'boolean');
  const { bench, gate } = condition === undefined ? { bench: outside, gate: undefined } : gated(outside);
  const holds = (context: Context): boolean => condition === undefined || condition.read(context) === true;
  if (leaf.const !== undefined) {
    const value = constant(bench, leaf.const, kind, [...path, 'const']);
    const inMapping = [{ mapping: bench.mapping }];
    const write: Writer = (context, target, log, pointer) => {
      if (pointer !== undefined) log.trace?.set(childPointer(pointer, key), inMapping);
      if (holds(context)) target[key] = value;
      return false;
    };
    return { write, reads: false, fedBy: [] };
  }
  const source = compileSource(bench, leaf, path, spot.node);
  const convert = source && wireOf(bench, source, kind, path);
  const fallbacks =
    leaf.default === undefined
      ? []
      : compileDefault(bench, leaf.default, kind, spot.node, [...path, 'default']);
  const param = fallbacks.find((one) => one.param !== undefined)?.param;
  const change = compileTransforms(leaf.transform ?? []);
  if (source === undefined || convert === undefined) return undefined;
  const needed =
    spot.required &&
    leaf.when === undefined &&
    (param !== undefined || fallbacks.every(({ source: other }) => other.alternatives.length > 0));
  if (needed && source.alternatives.length > 0)
    bench.needs.push({
      pointer: formatPointer(spot.keys),
      alternatives: [...source.alternatives, ...fallbacks.flatMap(({ source: other }) => other.alternatives)],
      ...(param !== undefined && { param }),
    });

  const main: Fitted = { source, convert: (value) => convert(change(value)), ...unsigned(source, kind) };
  const rivals = amountColumns([source, ...fallbacks.map(({ source: other }) => other)]);
  const { columns } = source;
  const all = [...new Set([...columns, ...fallbacks.flatMap(({ source: other }) => other.columns)])];
  const reads = all.length > 0;
  const given = [
    ...new Set([source, ...fallbacks.map((one) => one.source)].flatMap((one) => one.params ?? [])),
  ];
  const pattern = formatPointer(spot.keys);
  bench.sources.set(pattern, [...(bench.sources.get(pattern) ?? []), { columns: all, params: given }]);
  const origin = originFinder(bench.mapping, all, given, leaf.sequence === undefined);
  const isPlain =
    leaf.from !== undefined &&
    Object.keys(leaf).length === 1 &&
    given.length === 0 &&
    main.negative === undefined;
  if (isPlain) return { write: plainWriter(key, columns[0]!, source, convert), reads, fedBy: columns };
  const write: Writer = (context, target, log, pointer) => {
    const at = pointer === undefined ? undefined : childPointer(pointer, key);
    if (!holds(context)) {
      if (at !== undefined && reads) log.trace?.set(at, log.placesOf?.(context, all) ?? []);
      return false;
    }
    if (gate !== undefined) letThrough(gate, context);
    const site: Site = { context, log, at };
    let used = columns;
    const chosen = rivals.length > 1 ? oneAmount(rivals, context) : -1;
    // Zero in the first and an amount in another: the other is meant.
    let value = chosen instanceof CellFault ? chosen : chosen > 0 ? undefined : settled(main, used, site);
    let fed = value !== undefined && columns.length > 0;
    for (const [place, fallback] of fallbacks.entries()) {
      if (value !== undefined) break;
      if (typeof chosen === 'number' && place + 1 < chosen) continue;
      if (fallback.source.columns.length > 0) used = fallback.source.columns;
      value = settled(fallback, used, site);
      fed = value !== undefined && fallback.source.columns.length > 0;
    }
    if (at !== undefined)
      log.trace?.set(at, origin(context, log, value instanceof CellFault ? undefined : value));
    if (value instanceof CellFault) log.fault(value, used, at, context);
    else if (value !== undefined) target[key] = value;
    else if (leaf.on_empty === 'null' || leaf.on_empty === null) target[key] = null;
    else if (leaf.on_empty === 'error') log.fault(new CellFault('cell/blank'), used, at, context);
    return fed;
  };
  return {
    write,
    reads,
    fedBy: leaf.formula === undefined ? all : undefined,
  };
}

/**
 * Where the value of a leaf came from: its cells, blank ones too while nothing fills the leaf; else the parameters that gave it or
 * could give it; else the mapping. Nothing where the file lacks the columns.
 */
function originFinder(
  mapping: string,
  columns: readonly CompiledColumn[],
  params: readonly string[],
  isOfMapping: boolean,
) {
  const cells = [...new Set(columns.flatMap(({ feeders }) => feeders))];
  return (context: Context, log: WriteLog, value: unknown): readonly Place[] => {
    const places = log.placesOf?.(context, columns) ?? [];
    if (places.length > 0 && (value === undefined || hasAny(context, cells))) return places;
    const isGiven = value !== undefined;
    const chosen = params.filter((name) => (context.params[name] !== undefined) === isGiven);
    if (chosen.length > 0) return chosen.map((param) => ({ param }));
    // A constant stands in for a blank cell: the cell is the one to fill.
    return isGiven && isOfMapping && places.length === 0 ? [{ mapping }] : places;
  };
}

/** `{from: column}` and nothing else: nearly every leaf, so it takes the short way. */
const plainWriter =
  (key: string, column: CompiledColumn, source: Source, convert: ToWire): Writer =>
  (context, target, log, pointer) => {
    const at = pointer === undefined ? undefined : childPointer(pointer, key);
    if (at !== undefined) log.trace?.set(at, log.placesOf?.(context, [column]) ?? []);
    const record = context.at[column.slot];
    const given = record === undefined ? source.read(context) : record.values[column.position];
    if (given === undefined) return false;
    const value = given instanceof CellFault ? given : convert(given as string | boolean);
    if (value instanceof CellFault) log.fault(value, [column], at, context);
    else target[key] = value;
    return true;
  };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function compileChild(bench: TreeBench, key: string, child: Node, parent: Spot): CompiledNode | undefined {
  const path = [...parent.path, key];
  const keys = [...parent.keys, key];
  const node = resolveNode(bench.target, keys);
  const pointer = formatPointer(keys);
  if (node === undefined) {
    if (bench.elsewhere(keys)) return undefined;
    const near = suggest(key, childKeys(parent.node), 1);
    bench.lint.report(path, 'mapping/unknown-target', {
      params: { pointer },
      value: key,
      suggestions: near,
      key: true,
    });
    return undefined;
  }
  if (bench.derived.has(pointer))
    bench.lint.report(path, 'mapping/total-mapped', { params: { pointer }, key: true });
  if (isFilledLater(node))
    bench.lint.report(path, 'mapping/series-mapped', { params: { pointer }, key: true });
  if (node.writeOnly === true)
    bench.lint.report(path, 'mapping/secret-mapped', { params: { pointer }, key: true });
  const partial = parent.partial || isDerived(node);
  const required = !partial && parent.required && isRequired(parent.node, key);
  const spot: Spot = { path, keys, node, required, partial };
  if (isList(node)) return compileList(bench, key, child, spot);
  const kind = leafKind(node);
  if (kind === undefined) {
    if (isObject(child)) return compileObject(bench, key, child as Block, spot);
    bench.lint.report(path, 'mapping/not-a-block', { params: { pointer } });
    return undefined;
  }
  if (!isObject(child) || !SOURCES.some((name) => name in child)) {
    bench.lint.report(path, 'mapping/no-source', { params: { pointer } });
    return undefined;
  }
  const sources = SOURCES.filter((name) => name in child);
  const faults = sources.length > 1 ? [] : checkPartShape('mapping', 'leaf', child as JsonObject);
  if (faults.length > 0) {
    reportShape(bench.lint, path, faults);
    return undefined;
  }
  return compileLeaf(bench, child as Leaf, key, spot, kind);
}

function compileObject(bench: TreeBench, key: string, block: Block, spot: Spot): CompiledNode {
  const { make, reads, fedBy } = compileBlock(bench, block, spot, compileChild);
  const write: Writer = (context, target, log, pointer) => {
    const made = make(context, log, pointer === undefined ? undefined : childPointer(pointer, key));
    if (made === undefined) return false;
    target[key] = made;
    return reads;
  };
  return { write, reads, fedBy };
}

/** A list takes one or several blocks; each gives an item when the record feeds it. */
function compileList(bench: TreeBench, key: string, child: Node, spot: Spot): CompiledNode | undefined {
  if (!Array.isArray(child)) {
    bench.lint.report(spot.path, 'mapping/not-a-list', {
      params: { pointer: formatPointer(spot.keys) },
    });
    return undefined;
  }
  const item = resolveNode(bench.target, [...spot.keys, '*'])!;
  const blocks = child.map((block, index) =>
    compileItems(
      bench,
      block,
      {
        path: [...spot.path, index],
        keys: [...spot.keys, '*'],
        node: item,
        required: false,
        partial: spot.partial,
      },
      compileChild,
    ),
  );
  const reads = blocks.some((block) => block.reads);
  const write: Writer = (context, target, log, pointer) => {
    if (isIdle(blocks, context)) return false;
    const at = pointer === undefined ? undefined : childPointer(pointer, key);
    const list: JsonValue[] = [];
    let fed = false;
    for (const block of blocks) fed = block.add(list, context, log, at) || fed;
    if (list.length > 0) target[key] = list;
    return fed;
  };
  return { write, reads, fedBy: feeders(blocks) };
}

function isIdle(blocks: readonly ItemMaker[], context: Context): boolean {
  for (let index = 0; index < blocks.length; index++) if (!blocks[index]!.idle(context)) return false;
  return true;
}

export interface CompiledTree {
  readonly write: (context: Context, log: WriteLog, pointer: Pointer | undefined) => JsonObject;
  readonly needs: readonly Need[];
  readonly sources: TreeBench['sources'];
}

/** Compiles the `document` of a mapping against its target schema; what does not fit is a lint error. */
export function compileTree(
  bench: Workbench & Pick<TreeBench, 'target' | 'derived' | 'elsewhere' | 'mapping'>,
  document: Block,
): CompiledTree {
  const tree: TreeBench = { ...bench, needs: [], sources: new Map() };
  const root: Spot = {
    path: ['document'],
    keys: [],
    node: resolveNode(bench.target, [])!,
    required: true,
    partial: false,
  };
  const { make } = compileBlock(tree, document, root, compileChild);
  return {
    write: (context, log, pointer) => make(context, log, pointer) ?? {},
    needs: tree.needs,
    sources: tree.sources,
  };
}

/** Turns a typed value into the canonical form of a leaf, or says why it cannot. */
export type ToWire = (value: string | boolean) => JsonValue | CellFault;

const TOO_MANY_DECIMALS = new CellFault('cell/too-many-decimals');

const NOT_WHOLE = new CellFault('cell/not-whole');

const DIGITS_WITHOUT_ZERO = /^[1-9]\d{0,14}$/;

const asIs: ToWire = (value) => value;

const twoDecimals: ToWire = (value) => toMoney(value as string) ?? TOO_MANY_DECIMALS;

const whole: ToWire = (value) => {
  const plain = toPlain(value as string);
  return plain.includes('.') ? NOT_WHOLE : Number(plain);
};

/** Leaves hold hours and minutes; seconds that say something are not cut off. */
const clock: ToWire = (value) =>
  typeof value === 'string' && value.length === 8
    ? value.endsWith(':00')
      ? value.slice(0, 5)
      : new CellFault('cell/not-a-time')
    : value;

/** A number when it is digits without a leading zero, else text (service.md 4.3). */
const workerDocument: ToWire = (value) => (DIGITS_WITHOUT_ZERO.test(value as string) ? Number(value) : value);

const FROM_DECIMAL: Partial<Record<LeafKind, ToWire>> = {
  money: twoDecimals,
  'two-decimals': twoDecimals,
  quantity: (value) => toPlain(value as string),
  integer: whole,
  number: (value) => Number(value),
  text: (value) => toPlain(value as string),
  'worker-document': (value) => workerDocument(toPlain(value as string)),
};

const FROM_TEXT: Partial<Record<LeafKind, ToWire>> = {
  text: asIs,
  'worker-document': workerDocument,
  time: clock,
};

const TABLE: Readonly<Record<FormulaType, Partial<Record<LeafKind, ToWire>>>> = {
  decimal: FROM_DECIMAL,
  text: FROM_TEXT,
  date: { date: asIs, text: asIs },
  datetime: { 'local-date-time': asIs, text: asIs, date: (value) => (value as string).slice(0, 10) },
  boolean: { boolean: asIs },
};

/** The conversion from a type to a kind of leaf; undefined when there is none, which is a lint error. */
export const toWire = (from: FormulaType, kind: LeafKind): ToWire | undefined => TABLE[from][kind];

/** Catalogue cells are text; ids become the integers that leaves want. */
export const catalogueToWire = (kind: LeafKind): ToWire | undefined =>
  kind === 'integer' || kind === 'number' ? (value) => Number(value) : FROM_TEXT[kind];
