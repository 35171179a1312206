import { isObject } from '../toolkit/core/json.js';
import type { SchemaJson } from './schema-files.js';

/** Keywords that hold for values of one type alone, by type. */
const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'minProperties'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

/** Returns the node with a list of types as one branch a type, each with the keywords of its type. */
function withSingleTypes(node: SchemaJson): SchemaJson {
  const { type: types, ...rest } = node;
  if (!Array.isArray(types)) return node;
  const names = types.map(String);
  const moved = new Set(names.flatMap((name) => KEYWORDS_OF[name] ?? []));
  const branchOf = (type: string): SchemaJson => {
    const keywords = (KEYWORDS_OF[type] ?? []).filter((keyword) => keyword in rest);
    return { type, ...Object.fromEntries(keywords.map((keyword) => [keyword, rest[keyword]])) };
  };
  const kept = Object.entries(rest).filter(([keyword]) => !moved.has(keyword));
  return { ...Object.fromEntries(kept), anyOf: names.map(branchOf) };
}

/** Returns the node with every required member named among its properties, as strict validators want. */
function withRequiredNamed(node: SchemaJson): SchemaJson {
  const { required, properties = {} } = node;
  if (!Array.isArray(required) || !isObject(properties)) return node;
  const missing = required.map(String).filter((name) => !(name in properties));
  if (missing.length === 0) return node;
  return {
    ...node,
    properties: { ...properties, ...Object.fromEntries(missing.map((name) => [name, true])) },
  };
}

function plainNode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainNode);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    // A property may be called `format`; the keyword is a text.
    ([key, inner]) => !key.startsWith('x-') && !(key === 'format' && typeof inner === 'string'),
  );
  const node = Object.fromEntries(entries.map(([key, inner]) => [key, plainNode(inner)]));
  return withSingleTypes(withRequiredNamed(node));
}

/**
 * Returns a schema, or an OpenAPI document, in standard keywords alone: without `x-` extensions and without formats, whose
 * shapes the patterns say. Strict validators take it as it is (`new Ajv({ strict: true })`).
 */
export const plainSchema = (schema: SchemaJson): SchemaJson => plainNode(schema) as SchemaJson;
