import type { Reference, Scope } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { parsePointer } from '../values/pointer.js';
import { type LeafKind, leafKind, resolveNode } from './registry.js';

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

const asValue = (value: JsonValue | undefined): FormulaValue =>
  typeof value === 'number'
    ? String(value)
    : typeof value === 'string' || typeof value === 'boolean'
      ? value
      : undefined;

function collect(
  value: JsonValue | undefined,
  keys: readonly string[],
  depth: number,
  found: FormulaValue[],
): void {
  if (value === undefined || value === null) return;
  const key = keys[depth];
  if (key === undefined) {
    const leaf = asValue(value);
    if (leaf !== undefined) found.push(leaf);
  } else if (key === '*') {
    if (Array.isArray(value)) for (const item of value) collect(item, keys, depth + 1, found);
  } else if (typeof value === 'object' && !Array.isArray(value)) {
    collect(value[key], keys, depth + 1, found);
  }
}

function read(document: JsonValue, keys: readonly string[]): FormulaValue {
  let value: JsonValue | undefined = document;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as JsonObject)[key];
  }
  return asValue(value);
}

function reference(schema: SchemaName, pointer: string): Reference<JsonObject> | undefined {
  const keys = parsePointer(pointer);
  const node = resolveNode(schema, keys);
  const kind = node === undefined ? undefined : leafKind(node);
  if (kind === undefined) return undefined;
  const one = (document: JsonObject): FormulaValue => read(document, keys);
  if (!keys.includes('*')) return { type: formulaType(kind), one };
  const many = (document: JsonObject): FormulaValue[] => {
    const found: FormulaValue[] = [];
    collect(document, keys, 0, found);
    return found;
  };
  return { type: formulaType(kind), one, many };
}

/** Keys to follow; `leaf` where a pointer ends. */
interface Branch {
  leaf: boolean;
  readonly children: Map<string, Branch>;
}

function branches(pointers: readonly string[]): Branch {
  const root: Branch = { leaf: false, children: new Map() };
  for (const pointer of pointers) {
    let branch = root;
    for (const key of parsePointer(pointer)) {
      const next = branch.children.get(key) ?? { leaf: false, children: new Map<string, Branch>() };
      branch.children.set(key, next);
      branch = next;
    }
    branch.leaf = true;
  }
  return root;
}

/** Walks what the document has rather than what it might have: most concepts are absent. */
function gather(value: JsonValue, branch: Branch, found: FormulaValue[]): void {
  if (branch.leaf) {
    const leaf = asValue(value);
    if (leaf !== undefined) found.push(leaf);
  } else if (Array.isArray(value)) {
    const items = branch.children.get('*');
    if (items !== undefined) for (const item of value) gather(item, items, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      const next = branch.children.get(key);
      if (next !== undefined) gather(value[key]!, next, found);
    }
  }
}

/** Names of rule formulas: JSON pointers into a document, `*` for every item. */
export const documentScope = (schema: SchemaName): Scope<JsonObject> => ({
  resolve: (name) => (name.startsWith('/') ? reference(schema, name) : undefined),
  gather: (pointers) => {
    const root = branches(pointers);
    return (document) => {
      const found: FormulaValue[] = [];
      gather(document, root, found);
      return found;
    };
  },
  names: [],
});
