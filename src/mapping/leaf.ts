import type { Default, Leaf } from '../generated/mapping-types.js';
import type { Place } from '../issues/issue.js';
import type { LeafKind, SchemaNode } from '../schema/registry.js';
import type { JsonValue } from '../values/json.js';
import { childPointer, formatPointer, type Pointer } from '../values/pointer.js';
import { PlacedFault } from './cells.js';
import type { CompiledColumn } from './columns.js';
import { type Context, hasAny, letThrough } from './context.js';
import { CellFault } from './read/cell-reader.js';
import { compileSource, formulaSource, oneAmount } from './source.js';
import { compileTransforms } from './transforms.js';
import { catalogueToWire, type ToWire, toWire } from './wire.js';
import { deciding, gated, type Source } from './workbench.js';
import type { CompiledNode, Spot, TreeBench, WriteLog, Writer } from './writer.js';
import type { YamlPath } from './yaml-source.js';

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
export function compileLeaf(
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
