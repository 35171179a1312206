import type { Default, Leaf } from '../generated/mapping-types.js';
import type { LeafKind, SchemaNode } from '../schema/registry.js';
import type { JsonValue } from '../values/json.js';
import { childPointer, formatPointer } from '../values/pointer.js';
import type { CompiledColumn } from './columns.js';
import type { RecordContext } from './context.js';
import { CellFault } from './read/cell-reader.js';
import { compileSource, formulaSource } from './source.js';
import { compileTransforms } from './transforms.js';
import { catalogueToWire, type ToWire, toWire } from './wire.js';
import type { Source } from './workbench.js';
import type { CompiledNode, Spot, TreeBench, Writer } from './writer.js';
import type { YamlPath } from './yaml-source.js';

/** The keys that say where a leaf comes from; exactly one of them. */
export const SOURCES = ['from', 'const', 'param', 'lookup', 'formula', 'parts'] as const;

/** The schema of a default: constant, param or another column. */
function compileDefault(
  bench: TreeBench,
  spec: Default,
  kind: LeafKind,
  node: SchemaNode,
  path: YamlPath,
): { read: (context: RecordContext) => JsonValue | undefined | CellFault; param?: string } | undefined {
  if (spec.const !== undefined) {
    const value = constant(bench, spec.const, kind, [...path, 'const']);
    return { read: () => value };
  }
  const source = compileSource(bench, spec, path, node);
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
export function compileLeaf(
  bench: TreeBench,
  leaf: Leaf,
  key: string,
  spot: Spot,
  kind: LeafKind,
): CompiledNode | undefined {
  const { path } = spot;
  const sources = SOURCES.filter((name) => leaf[name] !== undefined);
  if (sources.length > 1) {
    bench.lint.report([...path, sources[1]!], 'mapping/two-sources', {
      params: { sources: sources.join(', ') },
      key: true,
    });
    return undefined;
  }
  const condition =
    leaf.when === undefined ? undefined : formulaSource(bench, leaf.when, [...path, 'when'], 'boolean');
  const holds = (context: RecordContext): boolean =>
    condition === undefined || condition.read(context) === true;
  if (leaf.const !== undefined) {
    const value = constant(bench, leaf.const, kind, [...path, 'const']);
    const write: Writer = (context, target) => {
      if (holds(context)) target[key] = value;
      return false;
    };
    return { write, reads: false, fedBy: [] };
  }
  const source = compileSource(bench, leaf, path, spot.node);
  const convert = source && wireOf(bench, source, kind, path);
  const fallback = leaf.default && compileDefault(bench, leaf.default, kind, spot.node, [...path, 'default']);
  const change = compileTransforms(leaf.transform ?? []);
  if (source === undefined || convert === undefined) return undefined;
  const needed =
    spot.required && leaf.when === undefined && (fallback === undefined || fallback.param !== undefined);
  if (needed && source.alternatives.length > 0)
    bench.needs.push({
      pointer: formatPointer(spot.keys),
      alternatives: source.alternatives,
      ...(fallback?.param !== undefined && { param: fallback.param }),
    });

  const { columns } = source;
  const reads = columns.length > 0;
  const isPlain = leaf.from !== undefined && Object.keys(leaf).length === 1;
  if (isPlain) return { write: plainWriter(key, columns[0]!, convert), reads, fedBy: columns };
  const write: Writer = (context, target, log, pointer) => {
    const at = pointer === undefined ? undefined : childPointer(pointer, key);
    if (at !== undefined && reads) log.trace?.set(at, log.placesOf?.(columns) ?? []);
    if (at !== undefined && leaf.param !== undefined) log.fromParams?.set(at, leaf.param);
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
    if (at !== undefined && fallback?.param !== undefined) log.fromParams?.set(at, fallback.param);
    if (other instanceof CellFault) log.fault(other, columns, at);
    else if (other !== undefined) target[key] = other;
    else if (leaf.on_empty === 'null') target[key] = null;
    else if (leaf.on_empty === 'error') log.fault(new CellFault('cell/blank'), columns, at);
    return false;
  };
  return { write, reads, fedBy: leaf.formula === undefined ? columns : undefined };
}

/** `{from: column}` and nothing else: nearly every leaf, so it takes the short way. */
const plainWriter =
  (key: string, column: CompiledColumn, convert: ToWire): Writer =>
  (context, target, log, pointer) => {
    const at = pointer === undefined ? undefined : childPointer(pointer, key);
    if (at !== undefined) log.trace?.set(at, log.placesOf?.([column]) ?? []);
    const given = context.values[column.position];
    if (given === undefined) return false;
    const value = convert(given);
    if (value instanceof CellFault) log.fault(value, [column], at);
    else target[key] = value;
    return true;
  };
