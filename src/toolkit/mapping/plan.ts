import type { Block, Default, Leaf, Node } from '../../generated/mapping-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { toMoney, toPlain } from '../core/decimal.js';
import type { Place } from '../core/issue.js';
import { formatPointer, isObject, type JsonObject, type JsonValue, type Pointer } from '../core/json.js';
import { suggest } from '../core/text.js';
import type { FormulaType } from '../formula/functions.js';
import {
  checkPartShape,
  childKeys,
  isDerived,
  isFilledLater,
  isList,
  isRequired,
  type LeafKind,
  leafKind,
  requiredNode,
  resolved,
  resolveNode,
  rootNode,
  type SchemaNode,
} from '../schema/registry.js';
import { hasAny } from './context.js';
import { CellFault } from './read/cell.js';
import type { CompiledColumn, CompiledTable, Context, Source } from './record.js';
import { columnOf, deciding, gated, type Scope, tableOf } from './scope.js';
import { CONSTANT, compileSource, compileTransforms, formulaSource } from './source.js';
import {
  ConstantLeaf,
  type Conversion,
  EachItem,
  type Fallback,
  type Fitted,
  feeders,
  type ItemMaker,
  ListWriter,
  ObjectMaker,
  ObjectWriter,
  OneItem,
  PlainLeaf,
  type Present,
  SourcedLeaf,
  type WriteLog,
  type Writer,
} from './write.js';
import { reportShape, type YamlPath } from './yaml-source.js';

/** A leaf of the document as the mapping fills it. */
export interface Field {
  /** `*` for an item of a list; several fields may fill one leaf, in items of several kinds. */
  readonly pointer: Pointer;
  readonly keys: readonly string[];
  /** Path in the mapping. */
  readonly path: YamlPath;
  readonly node: SchemaNode;
  /** The object that it is part of; for an item of a list, the list. */
  readonly parent: SchemaNode;
  /** True if the document, or the item of the list, must have it. */
  readonly required: boolean;
  /** True if the list that it is part of must have an item. */
  readonly listed: boolean;
  /** True if no document is complete without its columns in the file or its parameter in the run. */
  readonly needed: boolean;
  /** Sources of the value: the first, and its fallbacks in order. */
  readonly sources: readonly [Source, ...Source[]];
  readonly columns: readonly CompiledColumn[];
  /** Sets of columns each of which suffices. */
  readonly alternatives: readonly (readonly CompiledColumn[])[];
  readonly params: readonly string[];
  /** The parameter that stands in where its columns are blank. */
  readonly param?: string;
  /** Columns of its condition. */
  readonly when: readonly CompiledColumn[];
  /** The blocks around it, from the document or the item of a list inward. */
  readonly blocks: readonly Block[];
  /** The table whose records make the items of the list that it is part of. */
  readonly each?: CompiledTable;
}

/** Columns that decide which records a list takes, or a sum counts. */
export interface Condition {
  readonly node: SchemaNode;
  readonly columns: readonly CompiledColumn[];
}

/** The read columns behind those of a field or a condition. */
export const readBy = ({ columns }: Pick<Field, 'columns'>): ReadonlySet<CompiledColumn> =>
  new Set(columns.flatMap(({ feeders }) => feeders));

/** The scope of a whole document. */
interface DocumentScope extends Scope {
  readonly target: SchemaName;
  /** Pointers that rules fill: a mapping never computes a total. */
  readonly derived: ReadonlySet<Pointer>;
  readonly fields: Field[];
  readonly conditions: Condition[];
  /** Name of the mapping. */
  readonly mapping: string;
  /** True if another target of the mapping has a leaf at these keys. */
  readonly elsewhere: (keys: readonly string[]) => boolean;
}

/** Position of the compilation in the mapping file and in the schema. */
interface Spot extends Pick<Field, 'path' | 'keys' | 'node' | 'parent' | 'required' | 'listed' | 'blocks'> {
  readonly each?: CompiledTable;
  /** Every document has this place. */
  readonly everywhere: boolean;
  /** It lies in a part that follows from the rest of the document: only what is written here is added to it. */
  readonly partial: boolean;
}

/** The keys that say where a leaf comes from; exactly one of them. */
const SOURCES = ['from', 'const', 'param', 'lookup', 'formula', 'parts', 'sequence'] as const;

function compileBlock(outside: DocumentScope, block: Block, spot: Spot): ObjectMaker {
  const { $when, $each: _, $where: __, $sort: ___, $distinct: ____, ...children } = block;
  checkStructure(outside, block, spot);
  const condition =
    $when === undefined
      ? undefined
      : formulaSource(deciding(outside), $when, [...spot.path, '$when'], 'boolean');
  const { scope, gate } = condition === undefined ? { scope: outside, gate: undefined } : gated(outside);
  const inside: Spot = {
    ...spot,
    everywhere: spot.everywhere && $when === undefined,
    blocks: [...spot.blocks, block],
  };
  const writers = Object.entries(children).flatMap(
    ([key, child]) => compileChild(scope, key, child as Node, inside) ?? [],
  );
  checkComplete(scope, children, spot);
  // Items of a derived part line up with others, so none of them is left out.
  const always = spot.everywhere || spot.partial;
  const reads = writers.some((writer) => writer.reads);
  return new ObjectMaker(writers, { always, reads, condition, gate }, feeders(writers));
}

/** Keys that begin with $ are the language's own; a block needs a child next to them. */
function checkStructure(scope: DocumentScope, block: Block, spot: Spot): void {
  const directives = Object.entries(block).filter(([key]) => key.startsWith('$'));
  const value = Object.fromEntries([...directives, ['child', { const: '' }]]) as JsonObject;
  if (directives.length > 0 && !scope.lint.shipped)
    reportShape(scope.lint, spot.path, checkPartShape('mapping', 'block', value));
}

/** A mapping that leaves out what every document needs could never make one. */
function checkComplete(scope: DocumentScope, children: object, spot: Spot): void {
  // A record of JSON is whole: the kind of document takes from it what no column gives.
  if ([...scope.tables.values()].some(({ spec }) => spec.json)) return;
  for (const key of spot.partial ? [] : (spot.node.required ?? [])) {
    const pointer = formatPointer([...spot.keys, key]);
    if (key in children || scope.derived.has(pointer)) continue;
    const node = resolveNode(scope.target, [...spot.keys, key]) ?? {};
    if (isFilledLater(node) || isDerived(node)) continue;
    scope.lint.report(spot.path, 'mapping/required-unmapped', { params: { pointer }, key: true });
  }
}

/** A block of a list: one item, or one for each record of a table. */
function compileItems(scope: DocumentScope, block: Block, spot: Spot, list: Spot): ItemMaker {
  const { $each, $where, $sort, $distinct } = block;
  const table = $each === undefined ? undefined : tableOf(scope, $each, [...spot.path, '$each']);
  const inside: DocumentScope =
    table === undefined
      ? scope
      : { ...scope, open: [table, ...scope.open.filter((other) => other !== table)] };
  const within: Spot = table === undefined ? spot : { ...spot, each: table };
  if (table === undefined || (table.single && $where === undefined)) {
    for (const key of ['$where', '$sort', '$distinct'] as const)
      if (block[key] !== undefined && $each === undefined)
        scope.lint.report([...spot.path, key], 'mapping/needs-each', { params: { key }, key: true });
    return new OneItem(compileBlock(inside, block, within), spot.partial);
  }
  const where =
    $where === undefined
      ? undefined
      : formulaSource(deciding(inside), $where, [...spot.path, '$where'], 'boolean');
  if (where !== undefined) addCondition(scope.conditions, list.node, where.columns);
  const sort = [$sort ?? []]
    .flat()
    .flatMap((name) => columnOf(deciding(inside), name, [...spot.path, '$sort']) ?? []);
  const distinct = $distinct === true;
  const { scope: behind, gate } =
    where !== undefined || distinct ? gated(inside) : { scope: inside, gate: undefined };
  return new EachItem(compileBlock(behind, block, within), { table, where, sort, distinct, gate });
}

export function addCondition(
  conditions: Condition[],
  node: SchemaNode,
  columns: readonly CompiledColumn[] = [],
): void {
  if (columns.length > 0) conditions.push({ node, columns });
}

/** Compiles the fallback of a blank source: a constant, a param, or other columns. */
function compileDefault(
  scope: DocumentScope,
  spec: Default,
  kind: LeafKind,
  node: SchemaNode,
  path: YamlPath,
): Fallback[] {
  const { scope: behind, gate } = gated(scope);
  if (spec.const !== undefined) {
    const value = constant(scope, spec.const, kind, [...path, 'const']);
    return [{ source: CONSTANT, convert: () => value, gate }];
  }
  const compiled = compileSource(behind, spec, path, node);
  const source = compiled && spec.formula !== undefined ? standingIn(compiled) : compiled;
  const convert = source && conversionOf(scope, source, kind, path);
  if (source === undefined || convert === undefined) return [];
  // Amounts have an accounting of their own.
  for (const column of gate.columns) if (column.kind === 'money') scope.notes.into.add(column);
  const fitted: Fallback = { source, convert, gate, ...unsigned(source, kind) };
  return spec.default === undefined
    ? [fitted]
    : [fitted, ...compileDefault(scope, spec.default, kind, node, [...path, 'default'])];
}

/** Marks a formula that gives a value by its parameters: they are its origin, and what is asked for. */
const standingIn = (source: Source): Source => ({
  ...source,
  kind: { is: 'formula', standIns: source.params ?? [] },
  named: [],
  columns: [],
  alternatives: [],
});

const UNSIGNED: ReadonlySet<LeafKind> = new Set(['money', 'two-decimals', 'quantity']);

const unsigned = ({ negative }: Source, kind: LeafKind): Pick<Fitted, 'negative'> =>
  negative !== undefined && UNSIGNED.has(kind) ? { negative } : {};

/** A constant must be written as the target wants it: `"01"`, not 01. */
function constant(
  scope: DocumentScope,
  value: string | number | boolean,
  kind: LeafKind,
  path: YamlPath,
): JsonValue {
  const wanted =
    kind === 'integer' || kind === 'number' ? 'number' : kind === 'boolean' ? 'boolean' : 'string';
  const fits = typeof value === wanted || (kind === 'worker-document' && typeof value === 'number');
  if (!fits)
    scope.lint.report(path, 'mapping/const-type', {
      params: { expected_type: wanted },
      value: String(value),
    });
  return value;
}

function conversionOf(
  scope: DocumentScope,
  source: Source,
  kind: LeafKind,
  path: YamlPath,
): Conversion | undefined {
  const convert = source.type === 'catalogue' ? catalogueConversion(kind) : conversion(source.type, kind);
  if (convert === undefined)
    scope.lint.report(path, 'mapping/type', { params: { expected_type: kind, found_type: source.type } });
  return convert;
}

/** Compiles a leaf: its one source, what is done to the value, and its form in the document. */
function compileLeaf(
  outside: DocumentScope,
  leaf: Leaf,
  key: string,
  spot: Spot,
  kind: LeafKind,
): Writer | undefined {
  const { path } = spot;
  const sources = SOURCES.filter((name) => leaf[name] !== undefined);
  const [, second] = sources;
  if (second !== undefined) {
    outside.lint.report([...path, second], 'mapping/two-sources', {
      params: { sources: sources.join(', ') },
      key: true,
    });
    return undefined;
  }
  const condition =
    leaf.when === undefined
      ? undefined
      : formulaSource(deciding(outside), leaf.when, [...path, 'when'], 'boolean');
  const { scope, gate } = condition === undefined ? { scope: outside, gate: undefined } : gated(outside);
  if (leaf.const !== undefined) {
    const value = constant(scope, leaf.const, kind, [...path, 'const']);
    addField(scope, leaf, spot, [CONSTANT], condition);
    return new ConstantLeaf(key, value, condition, scope.mapping);
  }
  const source = compileSource(scope, leaf, path, spot.node);
  const convert = source && conversionOf(scope, source, kind, path);
  const fallbacks =
    leaf.default === undefined
      ? []
      : compileDefault(scope, leaf.default, kind, spot.node, [...path, 'default']);
  if (source === undefined || convert === undefined) return undefined;
  const change = compileTransforms(leaf.transform);
  const main: Fitted = {
    source,
    convert: change === undefined ? convert : (value) => convert(change(value)),
    ...unsigned(source, kind),
  };
  const field = addField(
    scope,
    leaf,
    spot,
    [source, ...fallbacks.map((fallback) => fallback.source)],
    condition,
  );
  const { columns, params } = field;
  const isAlone = leaf.from !== undefined && Object.keys(leaf).length === 1;
  const [column] = columns;
  if (isAlone && params.length === 0 && main.negative === undefined && column !== undefined)
    return new PlainLeaf(key, column, source, convert);
  const blank = leaf.on_empty === null ? 'null' : (leaf.on_empty ?? 'omit');
  const origin = originFinder(scope.mapping, columns, params, leaf.sequence === undefined);
  return new SourcedLeaf({ key, main, fallbacks, columns, condition, gate, blank, origin });
}

/** Adds a leaf to the plan. */
function addField(
  scope: DocumentScope,
  leaf: Leaf,
  spot: Spot,
  sources: Field['sources'],
  condition: { readonly columns: readonly CompiledColumn[] } | undefined,
): Field {
  const { path, keys, node, parent, required, listed, blocks, each, everywhere } = spot;
  const [source, ...fallbacks] = sources;
  if (source.kind.is === 'column') addCondition(scope.conditions, node, source.kind.where);
  const given = fallbacks
    .map(({ kind }) => kind)
    .find(({ is }) => is === 'param' || is === 'constant' || is === 'formula');
  const param = given?.is === 'param' ? given.name : given?.is === 'formula' ? given.standIns[0] : undefined;
  const field: Field = {
    pointer: formatPointer(keys),
    path,
    keys,
    node,
    parent,
    required: required && leaf.when === undefined,
    listed,
    needed:
      everywhere &&
      leaf.when === undefined &&
      source.alternatives.length > 0 &&
      (param !== undefined || fallbacks.every(({ alternatives }) => alternatives.length > 0)),
    sources,
    columns: [...new Set(sources.flatMap(({ columns }) => columns))],
    alternatives: sources.flatMap(({ alternatives }) => alternatives),
    params: [...new Set(sources.flatMap(({ params = [] }) => params))],
    ...(param !== undefined && { param }),
    when: condition?.columns ?? [],
    blocks,
    ...(each && { each }),
  };
  scope.fields.push(field);
  return field;
}

/**
 * Returns a function that finds the origin of a leaf's value: its cells, blank ones too while nothing fills the leaf; else
 * the parameters that gave or could give it; else the mapping. It finds none if the file lacks the columns.
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

function compileChild(scope: DocumentScope, key: string, child: Node, parent: Spot): Writer | undefined {
  const path = [...parent.path, key];
  const keys = [...parent.keys, key];
  const node = resolveNode(scope.target, keys);
  const pointer = formatPointer(keys);
  if (node === undefined) {
    // Its base may have got a field that a target of its own has no place for.
    const isOfBase = scope.lint.inherits(path) && !scope.lint.inherits(['target']);
    if (scope.elsewhere(keys) || isOfBase) return undefined;
    const near = suggest(key, childKeys(parent.node), 1);
    scope.lint.report(path, 'mapping/unknown-target', {
      params: { pointer },
      value: key,
      suggestions: near,
      key: true,
    });
    return undefined;
  }
  if (scope.derived.has(pointer))
    scope.lint.report(path, 'mapping/total-mapped', { params: { pointer }, key: true });
  if (isFilledLater(node))
    scope.lint.report(path, 'mapping/series-mapped', { params: { pointer }, key: true });
  if (node.writeOnly === true)
    scope.lint.report(path, 'mapping/secret-mapped', { params: { pointer }, key: true });
  const partial = parent.partial || isDerived(node);
  const isNeeded = isRequired(parent.node, key);
  const spot: Spot = {
    ...parent,
    path,
    keys,
    node,
    parent: parent.keys.at(-1) === '*' ? parent.parent : parent.node,
    required: parent.required && isNeeded,
    everywhere: !partial && parent.everywhere && isNeeded,
    partial,
  };
  if (isList(node)) return compileList(scope, key, child, spot);
  const kind = leafKind(node);
  if (kind === undefined) {
    if (isObject(child)) return new ObjectWriter(key, compileBlock(scope, child as Block, spot));
    scope.lint.report(path, 'mapping/not-a-block', { params: { pointer } });
    return undefined;
  }
  if (!isObject(child) || !SOURCES.some((name) => name in child)) {
    scope.lint.report(path, 'mapping/no-source', { params: { pointer } });
    return undefined;
  }
  const sources = SOURCES.filter((name) => name in child);
  const faults =
    sources.length > 1 || scope.lint.shipped ? [] : checkPartShape('mapping', 'leaf', child as JsonObject);
  if (faults.length > 0) {
    reportShape(scope.lint, path, faults);
    return undefined;
  }
  return compileLeaf(scope, child as Leaf, key, spot, kind);
}

function compileList(scope: DocumentScope, key: string, child: Node, spot: Spot): Writer | undefined {
  if (!Array.isArray(child)) {
    scope.lint.report(spot.path, 'mapping/not-a-list', {
      params: { pointer: formatPointer(spot.keys) },
    });
    return undefined;
  }
  const { path, keys, node, required, partial } = spot;
  const item = [...keys, '*'];
  const inItem = { keys: item, node: requiredNode(scope.target, item), parent: node };
  const items = child.map((block, index) =>
    compileItems(
      scope,
      block,
      {
        ...inItem,
        path: [...path, index],
        required: true,
        listed: required,
        everywhere: false,
        partial,
        blocks: [],
      },
      spot,
    ),
  );
  return new ListWriter(key, items);
}

/** Compiled document of one kind: the writer of its records and its leaves. */
export interface DocumentPlan {
  readonly write: (context: Context, log: WriteLog, pointer: Pointer | undefined) => JsonObject;
  readonly fields: readonly Field[];
  readonly conditions: readonly Condition[];
  /** Returns the plan for files that lack columns. */
  readonly within: (present: Present) => Pick<DocumentPlan, 'write'>;
}

/** Compiles the `document` of a mapping against its target schema; what does not fit is a lint error. */
export function compileDocument(
  scope: Scope & Pick<DocumentScope, 'target' | 'derived' | 'elsewhere' | 'mapping'>,
  document: Block,
): DocumentPlan {
  const fields: Field[] = [];
  const conditions: Condition[] = [];
  const node = resolved(rootNode(scope.target));
  const maker = compileBlock({ ...scope, fields, conditions }, document, {
    path: ['document'],
    keys: [],
    node,
    parent: node,
    required: true,
    listed: true,
    everywhere: true,
    partial: false,
    blocks: [],
  });
  const writing =
    (part: ObjectMaker | undefined): DocumentPlan['write'] =>
    (context, log, pointer) =>
      (pointer === undefined ? part : maker)?.make(context, log, pointer) ?? {};
  return {
    write: writing(maker),
    fields,
    conditions,
    within: (present) => ({ write: writing(maker.within(present)) }),
  };
}

const TOO_MANY_DECIMALS = new CellFault('cell/too-many-decimals');

const NOT_WHOLE = new CellFault('cell/not-whole');

const DIGITS_WITHOUT_ZERO = /^[1-9]\d{0,14}$/;

const asIs: Conversion = (value) => value;

const twoDecimals: Conversion = (value) => toMoney(value as string) ?? TOO_MANY_DECIMALS;

const toInteger: Conversion = (value) => {
  const plain = toPlain(value as string);
  return plain.includes('.') ? NOT_WHOLE : Number(plain);
};

/** Leaves hold hours and minutes; seconds that say something are not cut off. */
const clock: Conversion = (value) =>
  typeof value === 'string' && value.length === 8
    ? value.endsWith(':00')
      ? value.slice(0, 5)
      : new CellFault('cell/not-a-time')
    : value;

/** A number when it is digits without a leading zero, else text (service.md 4.3). */
const workerDocument: Conversion = (value) =>
  DIGITS_WITHOUT_ZERO.test(value as string) ? Number(value) : value;

const FROM_DECIMAL: Partial<Record<LeafKind, Conversion>> = {
  money: twoDecimals,
  'two-decimals': twoDecimals,
  quantity: (value) => toPlain(value as string),
  integer: toInteger,
  number: (value) => Number(value),
  text: (value) => toPlain(value as string),
  'worker-document': (value) => workerDocument(toPlain(value as string)),
};

const FROM_TEXT: Partial<Record<LeafKind, Conversion>> = {
  text: asIs,
  'worker-document': workerDocument,
  time: clock,
};

const TABLE: Readonly<Record<FormulaType, Partial<Record<LeafKind, Conversion>>>> = {
  decimal: FROM_DECIMAL,
  text: FROM_TEXT,
  date: { date: asIs, text: asIs },
  datetime: { 'local-date-time': asIs, text: asIs, date: (value) => (value as string).slice(0, 10) },
  boolean: { boolean: asIs },
};

/** The conversion from a type to a kind of leaf; undefined when there is none, which is a lint error. */
const conversion = (from: FormulaType, kind: LeafKind): Conversion | undefined => TABLE[from][kind];

/** Catalogue cells are text; ids become the integers that leaves want. */
const catalogueConversion = (kind: LeafKind): Conversion | undefined =>
  kind === 'integer' || kind === 'number' ? (value) => Number(value) : FROM_TEXT[kind];
