import { OPERATIONS } from '../generated/operations.js';
import type { SchemaName } from '../generated/schema-types.js';
import {
  childKeys,
  isFilledLater,
  isList,
  leafKind,
  resolveNode,
  type SchemaNode,
  schemaJson,
} from './registry.js';

/** Documents that a mapping may make: what the operations with an effect take. */
const TARGETS: readonly SchemaName[] = [
  ...new Set(
    Object.values(OPERATIONS).flatMap(({ body, effect }) => (body !== null && effect ? [body] : [])),
  ),
];

const about = ({ title, description }: SchemaNode): string => [title, description].filter(Boolean).join('. ');

/** What may stand in the `document` of a mapping at a place of its target: leaves have a source, lists have blocks. */
function place(target: SchemaName, keys: readonly string[]): SchemaNode {
  const node = resolveNode(target, keys)!;
  if (isList(node)) return { type: 'array', description: about(node), items: place(target, [...keys, '*']) };
  if (leafKind(node) !== undefined) return { allOf: [{ $ref: '#/$defs/leaf' }], description: about(node) };
  const fields = childKeys(node).filter((key) => !isFilledLater(resolveNode(target, [...keys, key])!));
  const properties = Object.fromEntries(fields.map((key) => [key, place(target, [...keys, key])]));
  return {
    type: 'object',
    description: about(node),
    properties: { $when: { $ref: '#/$defs/formula' }, ...properties },
  };
}

/** The schema of mapping files with the fields of every target, so that an editor completes them too. */
export function mappingWithTargets(): SchemaNode {
  const branches = TARGETS.map((target) => ({
    if: { properties: { target: { const: target } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
    then: { properties: { document: place(target, []) } },
  }));
  return { ...schemaJson('mapping'), allOf: branches };
}
