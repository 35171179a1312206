import type { Reference } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { isNationalDateTime, isPlainDate, isPlainDateTime } from '../values/plain-date.js';
import { parsePointer } from '../values/pointer.js';
import { PointerTree } from './pointer-tree.js';
import { type LeafKind, leafKind, resolveNode, type SchemaNode } from './registry.js';
import type { RuleContext } from './rule-context.js';

const TYPES: Partial<Record<LeafKind, FormulaType>> = {
  date: 'date',
  'local-date-time': 'datetime',
  boolean: 'boolean',
  text: 'text',
  time: 'text',
  'worker-document': 'text',
};

/** The formula type of a leaf; amounts, quantities and integers are all exact decimals. */
export const formulaType = (kind: LeafKind): FormulaType => TYPES[kind] ?? 'decimal';

type Read = (value: JsonValue | undefined) => FormulaValue;

/** What formulas make of a leaf: its type, and how its JSON value is read as one. */
export interface LeafReading {
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

const READ: Partial<Record<FormulaType, Read>> = {
  date: dated(isPlainDate),
  datetime: dated(isPlainDateTime),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** How formulas read a place of a schema; what is none of its type counts as blank: the shape fault says it. Undefined for objects and lists. */
export function leafReading(node: SchemaNode | undefined): LeafReading | undefined {
  if (node?.format === 'national-date-time') return NATIONAL;
  const kind = node === undefined ? undefined : leafKind(node);
  if (kind === undefined) return undefined;
  const type = formulaType(kind);
  return { type, read: READ[type] ?? asValue };
}

/** The value below `value` at `keys`, or undefined where a step is missing. */
export function follow(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

/** The expression that follows keys below another, blank where a step is missing; `^` is the index on the item's path. */
export const inlineRead = (from: string, keys: readonly string[]): string =>
  from + keys.map((key, at) => (key === '^' ? `?.[c.path[${at}]]` : `?.[${JSON.stringify(key)}]`)).join('');

/** The place in a schema that a pointer of a formula or of a check leads to. */
export const placeOf = (schema: SchemaName, pointer: string): SchemaNode | undefined =>
  resolveNode(
    schema,
    parsePointer(pointer).map((key) => (key === '^' ? '*' : key)),
  );

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
export function pointerReference(
  schema: SchemaName,
  pointer: string,
  each: readonly string[] = [],
): Reference<RuleContext> | undefined {
  const keys = parsePointer(pointer);
  const reading = leafReading(placeOf(schema, pointer));
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
export function gatherer(
  schema: SchemaName,
  pointers: readonly string[],
): (context: RuleContext) => readonly FormulaValue[] {
  const tree = new PointerTree<Read>();
  for (const pointer of pointers) tree.add(pointer, leafReading(placeOf(schema, pointer))?.read ?? asValue);
  return ({ document, path }) => {
    const found: FormulaValue[] = [];
    tree.each(document, path, (value, reads) => {
      const leaf = reads[0]!(value);
      if (leaf !== undefined) found.push(leaf);
    });
    return found;
  };
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
export function remembered(
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
