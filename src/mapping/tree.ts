import type { Block, Leaf, Node } from '../generated/mapping-types.js';
import { checkPartShape } from '../schema/file-shape.js';
import {
  childKeys,
  isDerived,
  isFilledLater,
  isList,
  isRequired,
  leafKind,
  resolveNode,
} from '../schema/registry.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { childPointer, formatPointer, type Pointer } from '../values/pointer.js';
import { suggest } from '../values/similar.js';
import { compileBlock, compileItems, feeders, type ItemMaker } from './block.js';
import type { Context } from './context.js';
import { compileLeaf, SOURCES } from './leaf.js';
import { reportShape } from './shape.js';
import type { Workbench } from './workbench.js';
import type { CompiledNode, Need, Spot, TreeBench, WriteLog, Writer } from './writer.js';

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
