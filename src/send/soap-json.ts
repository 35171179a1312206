import type { JsonObject, JsonValue } from '../values/json.js';

/** SOAP as the service turns it into JSON (service.md 5.1). */

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The text of an element; nil and empty elements have none, an element with attributes keeps it in `_value`. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return textOf(value[0]);
  return isObject(value) ? textOf(value['_value']) : undefined;
}

/** One child is a scalar, several of one name are an array. */
export const textsOf = (value: JsonValue | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined => {
  const one = Array.isArray(value) ? value[0] : value;
  return isObject(one) ? one[key] : undefined;
};

/** The value under a chain of element names, where each step exists. */
export const under = (value: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined =>
  keys.reduce(member, value);

const childEnding = (value: JsonValue | undefined, ending: string): JsonValue | undefined => {
  const key = isObject(value) ? Object.keys(value).find((name) => name.endsWith(ending)) : undefined;
  return key === undefined ? undefined : under(value, key);
};

/** The element that holds the verdict: `…Response / …Result`, for a zip one step deeper (service.md 5.2). */
export function resultOf(answer: JsonObject): JsonObject | undefined {
  const body = under(answer, 'ResponseDian', 'Envelope', 'Body');
  const result = childEnding(childEnding(body, 'Response'), 'Result');
  const inner = under(result, 'DianResponse') ?? result;
  const one = Array.isArray(inner) ? inner[0] : inner;
  return isObject(one) ? one : undefined;
}

/** What a SOAP fault says. */
export const faultOf = (answer: JsonObject): string | undefined =>
  textOf(under(answer, 'ResponseDian', 'Envelope', 'Body', 'Fault', 'Reason', 'Text'));
