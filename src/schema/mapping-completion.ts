import { OPERATIONS } from '../generated/operations.js';
import type { SchemaName } from '../generated/schema-types.js';
import { formatPointer } from '../values/pointer.js';
import { overlayOf } from './mapping-overlay.js';
import {
  childKeys,
  isFilledLater,
  isList,
  leafKind,
  resolveNode,
  type SchemaNode,
  schemaJson,
} from './registry.js';
import { derivedLeaves } from './rules.js';

/** Documents that a mapping may make: what the operations with an effect take. */
const TARGETS: readonly SchemaName[] = [
  'rips/attention', // sent in three operations
  ...new Set(
    Object.values(OPERATIONS).flatMap(({ body, effect }) => (body !== null && effect ? [body] : [])),
  ),
];

const about = ({ title, description }: SchemaNode): string => [title, description].filter(Boolean).join('. ');

const structure = (...keys: readonly string[]): Readonly<Record<string, SchemaNode>> =>
  Object.fromEntries(keys.map((key) => [key, { $ref: `#/$defs/block/properties/${key}` }]));

/** What says whether an object is there; the items of a list may also be one for each record. */
const OF_OBJECTS = structure('$when');
const OF_ITEMS = structure('$when', '$each', '$where', '$sort', '$distinct');

/** What may stand in the `document` of a mapping at a place of its target: leaves have a source, lists have blocks. */
function place(target: SchemaName, keys: readonly string[], closed: boolean): SchemaNode {
  const node = resolveNode(target, keys)!;
  if (isList(node))
    return { type: 'array', description: about(node), items: place(target, [...keys, '*'], closed) };
  if (leafKind(node) !== undefined) return { allOf: [{ $ref: '#/$defs/leaf' }], description: about(node) };
  const derived = new Set(derivedLeaves(target).values());
  const fields = childKeys(node).filter(
    (key) =>
      !isFilledLater(resolveNode(target, [...keys, key])!) && !derived.has(formatPointer([...keys, key])),
  );
  return {
    type: 'object',
    description: about(node),
    properties: {
      ...(keys.at(-1) === '*' ? OF_ITEMS : OF_OBJECTS),
      ...Object.fromEntries(fields.map((key) => [key, place(target, [...keys, key], closed)])),
    },
    ...(closed && { additionalProperties: false }),
  };
}

/** The document of a mapping that makes one kind of documents has its fields alone; one of several has also those of others. */
function branchesFor(target: SchemaName): SchemaNode[] {
  const branch = (of: SchemaNode, closed: boolean): SchemaNode => ({
    if: { required: ['target'], properties: { target: of } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
    then: { properties: { document: place(target, [], closed) } },
  });
  const among = { required: ['schema'], properties: { schema: { const: target } } };
  return [branch({ const: target }, true), branch({ type: 'array', contains: among }, false)];
}

/**
 * The schema of mapping files with the fields of every target, so that an editor completes them too. A file that
 * extends another one may say any part alone; where it names no target its fields are left free.
 */
export function mappingWithTargets(): SchemaNode {
  const { required, properties = {}, $defs, ...whole } = schemaJson('mapping');
  const over = overlayOf(schemaJson('mapping'));
  const known = Object.entries(properties).map(([key, { description }]) => [key, { description }]);
  return {
    ...whole,
    properties: Object.fromEntries(known),
    $defs: { ...($defs as object), ...over.$defs },
    if: { required: ['extends'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
    then: { properties: over.properties },
    else: { required: required ?? [], properties },
    allOf: TARGETS.flatMap(branchesFor),
  };
}
