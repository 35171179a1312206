import type { SchemaName } from '../generated/schema-types.js';
import { isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import { getOrAdd } from '../toolkit/core/remember.js';
import type { Document } from '../toolkit/schema/document.js';
import { leafKind, markedLeaves, resolveNode } from '../toolkit/schema/registry.js';

function withValue(document: JsonObject, [key, ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (key === undefined) return document;
  const inner = document[key];
  const part = isObject(inner) ? inner : {};
  const next = rest.length === 0 ? value : withValue(part, rest, value);
  return value === null && rest.length === 0 ? { [key]: null, ...document } : { ...document, [key]: next };
}

/**
 * Creates a function that numbers documents for `convert`; sent ones get their numbers from the journal. Each prefix
 * starts at the parameter `first_<leaf>` or 1. A text series has `<leaf>_prefix` and the number in `<leaf>_width`
 * digits. IDs the service assigns are null.
 */
export function createNumbering(
  params: Readonly<Record<string, unknown>>,
): (document: Document) => JsonObject {
  const next = new Map<string, number>();
  const paths = new Map<SchemaName, Record<'x-series' | 'x-assigned', ReturnType<typeof markedLeaves>>>();
  const written = (schema: SchemaName, path: readonly string[], number: number): JsonValue => {
    const node = resolveNode(schema, path);
    if (node === undefined || leafKind(node) !== 'text') return number;
    const leaf = path.at(-1);
    const digits = String(number).padStart(Number(params[`${leaf}_width`] ?? 1), '0');
    return String(params[`${leaf}_prefix`] ?? '') + digits;
  };
  return ({ schema, body }) => {
    const known = getOrAdd(paths, schema, () => ({
      'x-series': markedLeaves(schema, 'x-series'),
      'x-assigned': markedLeaves(schema, 'x-assigned'),
    }));
    const withIds = known['x-assigned'].reduce((made, path) => withValue(made, path, null), body);
    return known['x-series'].reduce<JsonObject>((numbered, path) => {
      const series = `${path.join('/')} ${String(body['prefix'] ?? '')}`;
      const number = next.get(series) ?? Number(params[`first_${path.at(-1)}`] ?? 1);
      next.set(series, number + 1);
      return withValue(numbered, path, written(schema, path, number));
    }, withIds);
  };
}
