import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { isObject, type JsonObject, type JsonValue } from '../../src/toolkit/core/json.js';

export const yaml = (file: string): JsonObject => parse(readFileSync(file, 'utf8')) as JsonObject;

/** Paths at which two trees differ; what is empty is as what is absent. */
function differences(
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

/** Paths that differ on purpose from an earlier form, each with its reason. */
export type Decided = readonly (readonly [path: RegExp, reason: string])[];

/** Expects a form to differ from the one before only as was decided, and in each of these ways. */
export function expectDecided(before: JsonObject, now: JsonObject, decided: Decided): void {
  const found = differences(before, now);
  expect(found.filter((path) => !decided.some(([pattern]) => pattern.test(path)))).toEqual([]);
  for (const [pattern, reason] of decided)
    expect(
      found.some((path) => pattern.test(path)),
      reason,
    ).toBe(true);
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
