import type { JsonObject, JsonValue } from '../values/json.js';

/** How the service turns DIAN's SOAP into JSON (service.md 5.1). */
export const NIL: JsonObject = { _attributes: { nil: 'true' } };
export const EMPTY: JsonObject = {};

/** One child is a scalar, several are an array, none is nil. */
export const strings = (texts: readonly string[]): JsonObject =>
  texts.length === 0 ? NIL : { string: texts.length === 1 ? texts[0]! : [...texts] };

export const envelope = (body: JsonObject): JsonObject => ({ Envelope: { Body: body } });

/** `{a: {b: {c: value}}}` for the path a, b, c. */
export const nested = (path: readonly string[], value: JsonValue): JsonObject =>
  path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value) as JsonObject;
