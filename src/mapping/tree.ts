import type { Block, Leaf, Node } from '../generated/mapping-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import { childKeys, isFilledLater, isList, isRequired, leafKind, resolveNode } from '../schema/registry.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { childPointer, formatPointer, type Pointer } from '../values/pointer.js';
import { suggest } from '../values/similar.js';
import type { RecordContext } from './context.js';
import { compileLeaf, SOURCES } from './leaf.js';
import { formulaSource } from './source.js';
import type { Workbench } from './workbench.js';
import type { CompiledNode, Need, Spot, TreeBench, WriteLog, Writer } from './writer.js';

const MODIFIERS = ['transform', 'default', 'when', 'on_empty'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface CompiledBlock {
  /** The object; undefined when no document must have it and the record gave it nothing. */
  readonly make: (
    context: RecordContext,
    log: WriteLog,
    pointer: Pointer | undefined,
  ) => JsonObject | undefined;
  readonly reads: boolean;
  readonly fedBy: CompiledNode['fedBy'];
}

/** The columns that can feed any of the nodes; undefined when one may be fed without. */
function feeders(nodes: readonly Pick<CompiledNode, 'fedBy'>[]): CompiledNode['fedBy'] {
  const all = nodes.map(({ fedBy }) => fedBy);
  return all.every((columns) => columns !== undefined) ? [...new Set(all.flat())] : undefined;
}

function compileBlock(bench: TreeBench, block: Block, spot: Spot): CompiledBlock {
  const { $when, ...children } = block;
  const condition =
    $when === undefined ? undefined : formulaSource(bench, $when, [...spot.path, '$when'], 'boolean');
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
  const needed = reads && !spot.required ? fedBy : undefined;
  return {
    reads,
    fedBy,
    make(context, log, pointer) {
      if (needed?.every(({ position }) => context.values[position] === undefined)) return undefined;
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
    const pointer = formatPointer([...spot.keys, key]);
    if (key in children || bench.derived.has(pointer)) continue;
    if (isFilledLater(resolveNode(bench.target, [...spot.keys, key]) ?? {})) continue;
    bench.lint.report(spot.path, 'mapping/required-unmapped', { params: { key, pointer }, key: true });
  }
}

function compileChild(bench: TreeBench, key: string, child: Node, parent: Spot): CompiledNode | undefined {
  const path = [...parent.path, key];
  const keys = [...parent.keys, key];
  const node = resolveNode(bench.target, keys);
  const pointer = formatPointer(keys);
  if (node === undefined) {
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
    bench.lint.report([...path, unknown], 'mapping/unknown-key', {
      value: unknown,
      suggestions: near,
      key: true,
    });
    return undefined;
  }
  return compileLeaf(bench, child as Leaf, key, spot, kind);
}

function compileObject(bench: TreeBench, key: string, block: Block, spot: Spot): CompiledNode {
  const { make, reads, fedBy } = compileBlock(bench, block, spot);
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
    compileBlock(bench, block, {
      path: [...spot.path, index],
      keys: [...spot.keys, '*'],
      node: item,
      required: false,
    }),
  );
  const reads = blocks.some((block) => block.reads);
  const write: Writer = (context, target, log, pointer) => {
    let list: JsonValue[] | undefined;
    let fed = false;
    for (const block of blocks) {
      const at =
        pointer === undefined ? undefined : childPointer(childPointer(pointer, key), list?.length ?? 0);
      const made = block.make(context, log, at);
      if (made === undefined) continue;
      list ??= [];
      list.push(made);
      fed ||= block.reads;
    }
    if (list !== undefined) target[key] = list;
    return fed;
  };
  return { write, reads, fedBy: feeders(blocks) };
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
