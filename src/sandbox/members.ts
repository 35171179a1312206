import type { JsonObject, JsonValue } from '../values/json.js';

/** The member at a path of keys, or undefined where a step is missing. */
export function member(body: JsonObject, ...keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

/** Its text, also when it comes as a number; empty when it is not there. */
export function text(body: JsonObject, ...keys: readonly string[]): string {
  const value = member(body, ...keys);
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** A boolean as the service's framework reads it. */
export const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1';
