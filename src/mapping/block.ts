import type { Block, Node } from '../generated/mapping-types.js';
import { checkPartShape } from '../schema/file-shape.js';
import { isDerived, isFilledLater, resolveNode } from '../schema/registry.js';
import { compare } from '../values/decimal.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { childPointer, formatPointer, type Pointer } from '../values/pointer.js';
import type { CompiledColumn } from './columns.js';
import { type Context, hasAny, letThrough, recordsOf, standAt } from './context.js';
import type { ReadRecord } from './record.js';
import { reportShape } from './shape.js';
import { formulaSource } from './source.js';
import type { CompiledTable } from './tables.js';
import { columnOf, deciding, gated, type Source, tableOf } from './workbench.js';
import type { CompiledNode, Spot, TreeBench, WriteLog } from './writer.js';

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
export function feeders(nodes: readonly Pick<CompiledNode, 'fedBy'>[]): CompiledNode['fedBy'] {
  const all = nodes.map(({ fedBy }) => fedBy);
  return all.every((columns) => columns !== undefined) ? [...new Set(all.flat())] : undefined;
}

export function compileBlock(
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
export interface ItemMaker {
  /** Whether it surely gives nothing here: most concepts did not happen. */
  readonly idle: (context: Context) => boolean;
  readonly add: (list: JsonValue[], context: Context, log: WriteLog, pointer: Pointer | undefined) => boolean;
  readonly reads: boolean;
  readonly fedBy: CompiledNode['fedBy'];
}

/** A block of a list: one item, or one for each record of a table. */
export function compileItems(
  bench: TreeBench,
  block: Block,
  spot: Spot,
  compileChild: CompileChild,
): ItemMaker {
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
