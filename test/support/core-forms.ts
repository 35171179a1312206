import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject, type JsonObject, type JsonValue } from '../../src/toolkit/core/json.js';

export const yaml = (file: string): JsonObject => parse(readFileSync(file, 'utf8')) as JsonObject;

/** Paths at which two trees differ; what is empty is as what is absent. */
export function differences(
  before: JsonValue | undefined,
  now: JsonValue | undefined,
  path = '',
): readonly string[] {
  const isEmpty = (value: JsonValue | undefined): boolean =>
    value === undefined || value === null || Object.keys(Object(value)).length === 0;
  if (isObject(before ?? null) && isObject(now ?? null)) {
    const keys = new Set([...Object.keys(before as object), ...Object.keys(now as object)]);
    return [...keys].flatMap((key) =>
      differences((before as JsonObject)[key], (now as JsonObject)[key], `${path}/${key}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length)
    return before.flatMap((item, at) => differences(item, now[at], `${path}/${at}`));
  return JSON.stringify(before) === JSON.stringify(now) ||
    (typeof now === 'object' && typeof before !== 'string' && isEmpty(before) && isEmpty(now))
    ? []
    : [path];
}

/** Columns of templates, in their order. */
export const shownColumns = (tables: JsonObject): unknown =>
  Object.entries(tables as Record<string, { columns?: Record<string, JsonObject> }>).map(
    ([id, { columns = {} }]) => [
      id,
      Object.keys(columns).filter(
        (column) => 'read' in columns[column]! && columns[column]!['template'] !== false,
      ),
    ],
  );
