import type { Reference } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { isPlainDate, isPlainDateTime } from '../values/plain-date.js';
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

/** The formula type of a place in a schema; undefined for objects and lists. */
export function nodeType(node: SchemaNode | undefined): FormulaType | undefined {
  const kind = node === undefined ? undefined : leafKind(node);
  return kind === undefined ? undefined : formulaType(kind);
}

const asValue = (value: JsonValue | undefined): FormulaValue =>
  typeof value === 'string' || typeof value === 'boolean'
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined;

const dated = (isOne: (text: string) => boolean) => (value: JsonValue | undefined) =>
  typeof value === 'string' && isOne(value) ? value : undefined;

const READ: Partial<Record<FormulaType, (value: JsonValue | undefined) => FormulaValue>> = {
  date: dated(isPlainDate),
  datetime: dated(isPlainDateTime),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** Reads a JSON value as one of a type. What is none counts as blank: the shape fault says it. */
export const readAs = (type: FormulaType): ((value: JsonValue | undefined) => FormulaValue) =>
  READ[type] ?? asValue;

/** The value below `value` at `keys`, or undefined where a step is missing. */
export function follow(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

/** The expression that follows keys below another, blank where a step is missing. */
export const inlineRead = (from: string, keys: readonly string[]): string =>
  from + keys.map((key) => `?.[${JSON.stringify(key)}]`).join('');

/** What a pointer of a formula stands for in documents of a schema; undefined where they have no such leaf. */
export function pointerReference(schema: SchemaName, pointer: string): Reference<RuleContext> | undefined {
  const keys = parsePointer(pointer);
  const type = nodeType(resolveNode(schema, keys));
  if (type === undefined) return undefined;
  const read = readAs(type);
  const one = ({ document }: RuleContext): FormulaValue => read(follow(document, keys));
  if (keys.includes('*')) return { type, one, many: gatherer([pointer]) };
  return { type, one, inline: { code: inlineRead('c.document', keys), as: read } };
}

/** Every value at many pointers, in one pass over the document. */
export function gatherer(pointers: readonly string[]): (context: RuleContext) => FormulaValue[] {
  const tree = new PointerTree<true>();
  for (const pointer of pointers) tree.add(pointer, true);
  return ({ document, path }) => {
    const found: FormulaValue[] = [];
    tree.walk(document, path, (value) => {
      const leaf = asValue(value);
      if (leaf !== undefined) found.push(leaf);
    });
    return found;
  };
}
