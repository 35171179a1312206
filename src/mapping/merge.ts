import type { JsonValue } from '../values/json.js';

type JsonMap = { readonly [key: string]: JsonValue };

const isMap = (value: JsonValue | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys that say where a value comes from: a node that names another one stands by itself. */
const SOURCES = [
  'from',
  'const',
  'param',
  'lookup',
  'formula',
  'parts',
  'sequence',
  'read',
  'classify',
  'record',
  'of',
  'undecided',
];

const sourceOf = (node: JsonMap): string | undefined => SOURCES.find((key) => key in node);

/** One mapping over another: maps are laid over each other, null takes a key away, anything else replaces. */
export function laidOver(base: JsonValue, over: JsonValue): JsonValue {
  if (!isMap(base) || !isMap(over)) return over;
  const source = sourceOf(over);
  if (source !== undefined && source !== sourceOf(base)) return over;
  const merged: Record<string, JsonValue> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === null) delete merged[key];
    else merged[key] = key in base ? laidOver(base[key]!, value) : value;
  }
  return merged;
}
