import type { JsonValue } from '../values/json.js';
import type { YamlPath } from './yaml-source.js';

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

/** Lists of what is left aside: one's own come before those of the base. */
const ADDED: ReadonlySet<string | number | undefined> = new Set(['ignore', 'ignore_sheets']);

/** Where an entry of such a list stood in the base. */
export const inBase = (own: JsonValue, path: YamlPath): YamlPath =>
  path.map((key, at) => {
    if (typeof key !== 'number' || !ADDED.has(path[at - 1])) return key;
    const list = valueAt(own, path.slice(0, at));
    return Array.isArray(list) ? key - list.length : key;
  });

const valueAt = (value: JsonValue | undefined, path: YamlPath): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((one, key) => (isMap(one) ? one[key] : undefined), value);

/**
 * One mapping over another: maps are laid over each other, what is left aside is added, null takes a key away, anything else
 * replaces.
 */
export function laidOver(base: JsonValue, over: JsonValue): JsonValue {
  if (!isMap(base) || !isMap(over)) return over;
  const source = sourceOf(over);
  if (source !== undefined && source !== sourceOf(base)) return over;
  const merged: Record<string, JsonValue> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === null) delete merged[key];
    else if (!(key in base)) merged[key] = value;
    else {
      const below = base[key]!;
      const added = ADDED.has(key) && Array.isArray(below) && Array.isArray(value);
      merged[key] = added ? [...value, ...below] : laidOver(below, value);
    }
  }
  return merged;
}
