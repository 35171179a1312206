import type { JsonValue } from '../values/json.js';
import { isFilledLater, resolved, type SchemaNode } from './registry.js';
import { tolerantNode } from './tolerant.js';

/**
 * strict: closed, canonical types, what goes over the wire ·
 * draft: strict, but for numbers and ids that are filled after validation ·
 * tolerant: open, what the service takes and answers.
 */
export type View = 'strict' | 'draft' | 'tolerant';

const NODE_KEYWORDS: readonly string[] = [
  'items',
  'additionalProperties',
  'if',
  'then',
  'else',
  'not',
  'propertyNames',
];
const LIST_KEYWORDS: readonly string[] = ['oneOf', 'anyOf', 'allOf'];
const MAP_KEYWORDS: readonly string[] = ['properties', 'patternProperties', '$defs'];

const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Applies `change` to each node, the outermost first. */
function mapNodes(node: SchemaNode, change: (node: SchemaNode) => SchemaNode): SchemaNode {
  const inner = (value: unknown): unknown => (isNode(value) ? mapNodes(value, change) : value);
  const entries = Object.entries(change(node)).map(([keyword, value]): [string, unknown] => {
    if (NODE_KEYWORDS.includes(keyword)) return [keyword, inner(value)];
    if (LIST_KEYWORDS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(inner)];
    if (MAP_KEYWORDS.includes(keyword) && isNode(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inner(part)]))];
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

const constOf = (branch: SchemaNode, tag: string): JsonValue | undefined =>
  resolved(resolved(branch).properties?.[tag] ?? {}).const;

/**
 * Alternatives told apart by a member: only the branch that it names is tried, so that only its faults are told.
 * It names a branch by its `const`; without one, by being there at all: the first branch has it, the second has not.
 */
function dispatched(node: SchemaNode): SchemaNode {
  const { 'x-discriminator': tag, oneOf, ...rest } = node;
  if (tag === undefined || oneOf === undefined) return node;
  const values = oneOf.map((branch) => constOf(branch, tag)).filter((value) => value !== undefined);
  if (values.length === 0) {
    const [present, absent] = oneOf;
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { ...rest, type: 'object', if: { required: [tag] }, then: present, else: absent };
  }
  const cases = oneOf.map((branch, at) => ({
    if: { properties: { [tag]: { const: values[at]! } }, required: [tag] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: branch,
  }));
  return { ...rest, type: 'object', required: [tag], properties: { [tag]: { enum: values } }, allOf: cases };
}

function withoutFilledLater(node: SchemaNode): SchemaNode {
  const { required, properties } = node;
  if (required === undefined) return node;
  return { ...node, required: required.filter((key) => !isFilledLater(properties?.[key] ?? {})) };
}

const CHANGES: Readonly<Record<View, (node: SchemaNode) => SchemaNode>> = {
  strict: dispatched,
  draft: (node) => withoutFilledLater(dispatched(node)),
  tolerant: (node) => tolerantNode(dispatched(node)),
};

/** A whole schema file as one of its views. */
export const viewOf = (root: SchemaNode, view: View): SchemaNode => mapNodes(root, CHANGES[view]);
