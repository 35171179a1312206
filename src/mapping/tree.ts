import type { Block, Default, Leaf, Node } from '../generated/mapping-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Place } from '../issues/issue.js';
import { childKeys, isList, isRequired, type LeafKind, leafKind, resolveNode, type SchemaNode } from '../schema/registry.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { childPointer, type Pointer } from '../values/pointer.js';
import { suggest } from '../values/similar.js';
import type { CompiledColumn } from './columns.js';
import type { RecordContext } from './context.js';
import { CellFault } from './read/cell-reader.js';
import { compileSource, formulaSource, type Source, type Workbench } from './source.js';
import { compileTransforms } from './transforms.js';
import { catalogueToWire, type ToWire, toWire } from './wire.js';
import type { YamlPath } from './yaml-source.js';

/** What a record's writing reports: faults of leaves, and, only when asked, which columns fed which pointer. */
export interface WriteLog {
  fault(fault: CellFault, columns: readonly CompiledColumn[], pointer: Pointer | undefined): void;
  readonly trace?: Map<Pointer, readonly Place[]>;
  readonly placesOf?: (columns: readonly CompiledColumn[]) => readonly Place[];
}

/**
 * Writes one key of the document; says whether a column of the record gave it anything.
 * `pointer` is the parent's, and undefined when no trace is wanted.
 */
export type Writer = (context: RecordContext, target: JsonObject, log: WriteLog, pointer: Pointer | undefined) => boolean;

/** A leaf that every document must have: one of the sets of columns must be in the file, or the param be given. */
export interface Need {
  readonly alternatives: readonly (readonly CompiledColumn[])[];
  readonly param?: string;
}

export interface CompiledNode {
  readonly write: Writer;
  /** Whether the node reads the record at all: a block of constants stands by itself. */
  readonly reads: boolean;
}

interface TreeBench extends Workbench {
  readonly target: SchemaName;
  /** Pointers that rules fill: a mapping never computes a total. */
  readonly derived: ReadonlySet<Pointer>;
  readonly needs: Need[];
}

/** Where the compilation stands: in the mapping file and in the schema. */
interface Spot {
  readonly path: YamlPath;
  readonly keys: readonly string[];
  readonly node: SchemaNode;
  /** Every document has this place. */
  readonly required: boolean;
}

const SOURCES = ['from', 'const', 'param', 'lookup', 'formula', 'parts'] as const;
const MODIFIERS = ['transform', 'default', 'when', 'on_empty'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema of a default: constant, param or another column. */
function compileDefault(bench: TreeBench, spec: Default, kind: LeafKind, path: YamlPath): { read: (context: RecordContext) => JsonValue | undefined | CellFault; param?: string } | undefined {
  if (spec.const !== undefined) {
    const value = constant(bench, spec.const, kind, [...path, 'const']);
    return { read: () => value };
  }
  const source = compileSource(bench, spec, path);
  const convert = source && wireOf(bench, source, kind, path);
  if (source === undefined || convert === undefined) return undefined;
  return {
    read: (context) => {
      const value = source.read(context);
      return typeof value === 'string' || typeof value === 'boolean' ? convert(value) : undefined;
    },
    ...(spec.param !== undefined && { param: spec.param }),
  };
}

/** A constant must be written as the target wants it: `"01"`, not 01. */
function constant(bench: TreeBench, value: string | number | boolean, kind: LeafKind, path: YamlPath): JsonValue {
  const wanted = kind === 'integer' || kind === 'number' ? 'number' : kind === 'boolean' ? 'boolean' : 'string';
  const fits = typeof value === wanted || (kind === 'worker-document' && typeof value === 'number');
  if (!fits) bench.lint.report(path, 'mapping/const-type', { params: { expected: wanted }, value: String(value) });
  return value;
}

function wireOf(bench: TreeBench, source: Source, kind: LeafKind, path: YamlPath): ToWire | undefined {
  const convert = source.type === 'catalogue' ? catalogueToWire(kind) : toWire(source.type, kind);
  if (convert === undefined) bench.lint.report(path, 'mapping/type', { params: { expected: kind, found: source.type } });
  return convert;
}

function compileLeaf(bench: TreeBench, leaf: Leaf, key: string, spot: Spot, kind: LeafKind): CompiledNode | undefined {
  const { path } = spot;
  const sources = SOURCES.filter((name) => leaf[name] !== undefined);
  if (sources.length > 1) {
    bench.lint.report([...path, sources[1]!], 'mapping/two-sources', { params: { sources: sources.join(', ') }, key: true });
    return undefined;
  }
  const condition = leaf.when === undefined ? undefined : formulaSource(bench, leaf.when, [...path, 'when'], 'boolean');
  const holds = (context: RecordContext): boolean => condition === undefined || condition.read(context) === true;
  if (leaf.const !== undefined) {
    const value = constant(bench, leaf.const, kind, [...path, 'const']);
    const write: Writer = (context, target) => {
      if (holds(context)) target[key] = value;
      return false;
    };
    return { write, reads: false };
  }
  const source = compileSource(bench, leaf, path);
  const convert = source && wireOf(bench, source, kind, path);
  const fallback = leaf.default && compileDefault(bench, leaf.default, kind, [...path, 'default']);
  const change = compileTransforms(leaf.transform ?? []);
  if (source === undefined || convert === undefined) return undefined;
  const needed = spot.required && leaf.when === undefined && (fallback === undefined || fallback.param !== undefined);
  if (needed && source.alternatives.length > 0)
    bench.needs.push({ alternatives: source.alternatives, ...(fallback?.param !== undefined && { param: fallback.param }) });

  const { columns } = source;
  const reads = columns.length > 0;
  const write: Writer = (context, target, log, pointer) => {
    const at = pointer === undefined ? undefined : childPointer(pointer, key);
    if (at !== undefined && reads) log.trace?.set(at, log.placesOf?.(columns) ?? []);
    if (!holds(context)) return false;
    const given = source.read(context);
    let value: JsonValue | CellFault | undefined;
    if (given instanceof CellFault) value = given;
    else if (typeof given === 'object') {
      log.fault(given.warning, columns, at);
      value = convert(change(given.value));
    } else if (given !== undefined) value = convert(change(given));
    if (value instanceof CellFault) {
      log.fault(value, columns, at);
      return true;
    }
    if (value !== undefined) {
      target[key] = value;
      return reads;
    }
    const other = fallback?.read(context);
    if (other instanceof CellFault) log.fault(other, columns, at);
    else if (other !== undefined) target[key] = other;
    else if (leaf.on_empty === 'null') target[key] = null;
    else if (leaf.on_empty === 'error') log.fault(new CellFault('cell/blank'), columns, at);
    return false;
  };
  return { write, reads };
}

interface CompiledBlock {
  /** The object; undefined when no document must have it and the record gave it nothing. */
  readonly make: (context: RecordContext, log: WriteLog, pointer: Pointer | undefined) => JsonObject | undefined;
  readonly reads: boolean;
}

function compileBlock(bench: TreeBench, block: Block, spot: Spot): CompiledBlock {
  const { $when, ...children } = block;
  const condition = $when === undefined ? undefined : formulaSource(bench, $when, [...spot.path, '$when'], 'boolean');
  const writers: CompiledNode[] = [];
  for (const [key, child] of Object.entries(children)) {
    const writer = compileChild(bench, key, child as Node, { ...spot, required: spot.required && $when === undefined });
    if (writer !== undefined) writers.push(writer);
  }
  checkComplete(bench, children, spot);
  const reads = writers.some((writer) => writer.reads);
  return {
    reads,
    make(context, log, pointer) {
      if (condition !== undefined && condition.read(context) !== true) return undefined;
      const made: JsonObject = {};
      let fed = false;
      for (const { write } of writers) fed = write(context, made, log, pointer) || fed;
      return fed || !reads || spot.required ? made : undefined;
    },
  };
}

/** A mapping that leaves out what every document needs could never make one. */
function checkComplete(bench: TreeBench, children: object, spot: Spot): void {
  for (const key of spot.node.required ?? []) {
    const pointer = [...spot.keys, key].map((part) => `/${part}`).join('');
    if (key in children || bench.derived.has(pointer)) continue;
    if (resolveNode(bench.target, [...spot.keys, key])?.['x-series']) continue;
    bench.lint.report(spot.path, 'mapping/required-unmapped', { params: { key, pointer }, key: true });
  }
}

function compileChild(bench: TreeBench, key: string, child: Node, parent: Spot): CompiledNode | undefined {
  const path = [...parent.path, key];
  const keys = [...parent.keys, key];
  const node = resolveNode(bench.target, keys);
  const pointer = keys.map((part) => `/${part}`).join('');
  if (node === undefined) {
    const near = suggest(key, childKeys(parent.node), 1);
    bench.lint.report(path, 'mapping/unknown-target', { params: { pointer }, value: key, suggestions: near, key: true });
    return undefined;
  }
  if (bench.derived.has(pointer)) bench.lint.report(path, 'mapping/total-mapped', { params: { pointer }, key: true });
  if (node['x-series']) bench.lint.report(path, 'mapping/series-mapped', { params: { pointer }, key: true });
  const spot: Spot = { path, keys, node, required: parent.required && isRequired(parent.node, key) };
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
  const unknown = Object.keys(child).find((name) => ![...SOURCES, ...MODIFIERS].includes(name));
  if (unknown !== undefined) {
    const near = suggest(unknown, [...SOURCES, ...MODIFIERS], 1);
    bench.lint.report([...path, unknown], 'mapping/unknown-key', { value: unknown, suggestions: near, key: true });
    return undefined;
  }
  return compileLeaf(bench, child as Leaf, key, spot, kind);
}

function compileObject(bench: TreeBench, key: string, block: Block, spot: Spot): CompiledNode {
  const { make, reads } = compileBlock(bench, block, spot);
  const write: Writer = (context, target, log, pointer) => {
    const made = make(context, log, pointer === undefined ? undefined : childPointer(pointer, key));
    if (made === undefined) return false;
    target[key] = made;
    return reads;
  };
  return { write, reads };
}

/** A list takes one or several blocks; each gives an item when the record feeds it. */
function compileList(bench: TreeBench, key: string, child: Node, spot: Spot): CompiledNode | undefined {
  if (!Array.isArray(child)) {
    bench.lint.report(spot.path, 'mapping/not-a-list', { params: { pointer: spot.keys.map((part) => `/${part}`).join('') } });
    return undefined;
  }
  const item = resolveNode(bench.target, [...spot.keys, '*'])!;
  const blocks = child.map((block, index) =>
    compileBlock(bench, block, { path: [...spot.path, index], keys: [...spot.keys, '*'], node: item, required: false }),
  );
  const reads = blocks.some((block) => block.reads);
  const write: Writer = (context, target, log, pointer) => {
    const list: JsonValue[] = [];
    let fed = false;
    for (const block of blocks) {
      const at = pointer === undefined ? undefined : childPointer(childPointer(pointer, key), list.length);
      const made = block.make(context, log, at);
      if (made === undefined) continue;
      list.push(made);
      fed ||= block.reads;
    }
    if (list.length > 0) target[key] = list;
    return fed;
  };
  return { write, reads };
}

export interface CompiledTree {
  readonly write: (context: RecordContext, log: WriteLog, pointer: Pointer | undefined) => JsonObject;
  readonly needs: readonly Need[];
}

/** Compiles the `document` of a mapping against its target schema; what does not fit is a lint error. */
export function compileTree(
  bench: Workbench & { readonly target: SchemaName; readonly derived: ReadonlySet<Pointer> },
  document: Block,
): CompiledTree {
  const tree: TreeBench = { ...bench, needs: [] };
  const root: Spot = { path: ['document'], keys: [], node: resolveNode(bench.target, [])!, required: true };
  const { make } = compileBlock(tree, document, root);
  return { write: (context, log, pointer) => make(context, log, pointer) ?? {}, needs: tree.needs };
}
