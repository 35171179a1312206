import { FORMS } from '../../generated/forms.js';
import { OPERATIONS } from '../../generated/operations.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { formatPointer, isObject, type JsonValue } from '../core/json.js';
import { derivedLeaves } from './derived-totals.js';
import {
  childKeys,
  isFilledLater,
  isList,
  leafKind,
  requiredNode,
  resolved,
  type SchemaNode,
  schemaJson,
  soleType,
  typesOf,
} from './registry.js';

/**
 * Derivation of the tolerant view: what the service accepts and returns (service.md 4, "num" and 4.7).
 * `x-tolerates` replaces a node that the rules below cannot guess.
 */

type Rule = (node: SchemaNode) => Partial<SchemaNode> | undefined;

const NUMBER_FORMATS: readonly string[] = ['money', 'decimal', 'two-decimals'];

/** Formats of codes that the service does not check. */
const CODE_FORMATS: readonly string[] = ['cie10', 'cups'];

const isInteger = (node: SchemaNode): boolean => soleType(node) === 'integer';
/** Adds to each value its text. */
const withTexts = (values: readonly JsonValue[]): readonly JsonValue[] =>
  values.flatMap((value) => (typeof value === 'string' ? [value] : [value, String(value)]));

const RULES: Readonly<Record<string, Rule>> = {
  'objects are open': (node) =>
    node.additionalProperties === false ? { additionalProperties: true } : undefined,
  'amounts and quantities are numbers or numeric text': (node) =>
    NUMBER_FORMATS.includes(node.format ?? '')
      ? { type: ['number', 'string'], format: 'number-text' }
      : undefined,
  'numbers may be numeric text': (node) =>
    isInteger(node) || soleType(node) === 'number'
      ? {
          type: [...typesOf(node), 'string'],
          format: isInteger(node) ? 'integer-text' : 'number-text',
        }
      : undefined,
  'booleans may be 0, 1 or their texts': (node) =>
    node.type === 'boolean' ? { type: undefined, enum: [true, false, 0, 1, '0', '1'] } : undefined,
  'fixed values may be text': (node) => {
    const values = node.const === undefined ? node.enum : [node.const];
    if (values === undefined) return undefined;
    const accepted = values.includes(true) ? [...values, 1, '1'] : withTexts(values);
    return { type: undefined, format: undefined, const: undefined, enum: accepted };
  },
  'codes are any text': (node) =>
    CODE_FORMATS.includes(node.format ?? '') ? { format: undefined } : undefined,
  'text has no pattern': (node) => (node.pattern === undefined ? undefined : { pattern: undefined }),
  'what the service can do without may be absent': ({ required, properties }) =>
    required === undefined
      ? undefined
      : { required: required.filter((key) => properties?.[key]?.['x-tolerates-absence'] !== true) },
};

/** Applies the rules to one node, without its children. */
function tolerantNode(node: SchemaNode): SchemaNode {
  if (node['x-tolerates'] !== undefined) return node['x-tolerates'];
  const changes = Object.values(RULES).map((rule) => rule(node));
  const merged: SchemaNode = Object.assign({}, node, ...changes);
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** Allows null for optional members (service.md 3.3a). */
function withNullables(node: SchemaNode): SchemaNode {
  const { type, properties, required = [] } = node;
  if (type !== 'object' || properties === undefined) return node;
  const nullable = Object.entries(properties).map(([name, member]): [string, SchemaNode] => [
    name,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    required.includes(name) ? member : { if: { not: { type: 'null' } }, then: member },
  ]);
  return { ...node, properties: Object.fromEntries(nullable) };
}

const OVER = '_over';

const mapValues = (map: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));

const orNull = (value: unknown): unknown =>
  isObject(value) ? { anyOf: [partial(value), { type: 'null' }] } : value;

/** True for alternatives that only require a key. */
const isRequirement = (value: unknown): boolean =>
  Array.isArray(value) && value.every((choice) => Object.keys(choice as object).join() === 'required');

/** Keywords that only a complete object must satisfy. */
const COMPLETENESS: readonly string[] = [
  'required',
  'minProperties',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'then',
  'else',
];

/** Returns the schema of an overlay on a valid value: nothing is required, and null removes. */
function partial(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(partial);
  if (!isObject(value)) return value;
  const remaining = Object.entries(value).filter(
    ([key, inner]) => !COMPLETENESS.includes(key) && !(key === 'oneOf' && isRequirement(inner)),
  );
  return Object.fromEntries(
    remaining.map(([key, inner]): [string, unknown] => {
      if (key === '$ref') return [key, `${inner}${OVER}`];
      if (key === 'oneOf') return ['anyOf', partial(inner)]; // a part may fit several
      if (key === 'properties' && isObject(inner)) return [key, mapValues(inner, orNull)];
      if (key === 'additionalProperties') return [key, orNull(inner)];
      return [key, key === 'anyOf' ? partial(inner) : inner]; // a list replaces the other, so its items are complete
    }),
  );
}

/** Returns the `properties` of a file that extends another one, and the additional `$defs` that they need. */
function overlayOf({ properties = {}, $defs = {} }: SchemaNode): {
  readonly properties: object;
  readonly $defs: object;
} {
  return {
    properties: mapValues(properties, orNull),
    $defs: Object.fromEntries(
      Object.entries($defs as object).map(([name, node]) => [name + OVER, partial(node)]),
    ),
  };
}

/**
 * strict: closed, canonical types, as sent · draft: strict, except for numbers and ids that are filled after
 * validation · tolerant: open, as the service accepts and returns it.
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

/** Applies `change` to each node, the outermost first. */
function mapNodes(node: SchemaNode, change: (node: SchemaNode) => SchemaNode): SchemaNode {
  const inner = (value: unknown): unknown => (isObject(value) ? mapNodes(value, change) : value);
  const entries = Object.entries(change(node)).map(([keyword, value]): [string, unknown] => {
    if (NODE_KEYWORDS.includes(keyword)) return [keyword, inner(value)];
    if (LIST_KEYWORDS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(inner)];
    if (MAP_KEYWORDS.includes(keyword) && isObject(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inner(part)]))];
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

const constOf = (branch: SchemaNode, tag: string): JsonValue | undefined =>
  resolved(resolved(branch).properties?.[tag] ?? {}).const;

/**
 * Tries only the branch that the discriminator selects, so that only its errors are reported.
 * It selects by `const`; without one by presence: the first branch has the member, the second has not.
 */
function dispatched(node: SchemaNode): SchemaNode {
  const { 'x-discriminator': tag, oneOf, ...rest } = node;
  if (tag === undefined || oneOf === undefined) return node;
  const cases = oneOf.flatMap((then) => {
    const value = constOf(then, tag);
    return value === undefined ? [] : [{ value, then }];
  });
  if (cases.length === 0) {
    const [present, absent] = oneOf;
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return { ...rest, type: 'object', if: { required: [tag] }, then: present, else: absent };
  }
  const allOf = cases.map(({ value, then }) => ({
    if: { properties: { [tag]: { const: value } }, required: [tag] },
    then,
  }));
  const properties = { [tag]: { enum: cases.map(({ value }) => value) } };
  return { ...rest, type: 'object', required: [tag], properties, allOf };
}

function withoutFilledLater(node: SchemaNode): SchemaNode {
  const { required, properties } = node;
  if (required === undefined) return node;
  return { ...node, required: required.filter((key) => !isFilledLater(properties?.[key] ?? {})) };
}

/** Drops patterns of formats that our own checks cover, so that one error is one issue. */
function withoutCoveredPattern(node: SchemaNode): SchemaNode {
  if (!(`${node.format}` in FORMS)) return node;
  const { pattern: _, maxLength: __, ...rest } = node;
  return rest;
}

const CHANGES: Readonly<Record<View, (node: SchemaNode) => SchemaNode>> = {
  strict: dispatched,
  draft: (node) => withoutFilledLater(dispatched(node)),
  tolerant: (node) => withNullables(tolerantNode(dispatched(node))),
};

/**
 * Annotations without effect on validation (schemas/README.md); any other unknown keyword is an error in a
 * schema.
 */
export const ANNOTATIONS: readonly string[] = [
  'x-description-es',
  'x-layer',
  'x-catalogue',
  'x-catalogue-column',
  'x-series',
  'x-assigned',
  'x-derived',
  'x-total',
  'x-salary',
  'x-no-zero',
  'x-xml',
  'x-xml-column',
  'x-outside-hash',
  'x-personal',
  'x-role',
  'x-discriminator',
  'x-tolerates',
  'x-tolerates-absence',
  'x-file',
];

const READ_ALONE = new Set(['title', 'description', ...ANNOTATIONS]);

/** Drops annotations: a validator would include them and take a third longer to load. */
const withoutNotes = (node: SchemaNode): SchemaNode =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => !READ_ALONE.has(keyword)));

/** Returns a schema file as one of its views, without annotations. */
export const viewOf = (root: SchemaNode, view: View): SchemaNode =>
  mapNodes(root, (node) => withoutNotes(CHANGES[view](withoutCoveredPattern(node))));

/** Schemas beyond those of families that a mapping may target: bodies of operations with an effect. */
const BODIES: readonly SchemaName[] = Object.values(OPERATIONS).flatMap(({ body, effect }) =>
  body !== null && effect ? [body] : [],
);

const about = ({ title, description }: SchemaNode): string => [title, description].filter(Boolean).join('. ');

const structure = (...keys: readonly string[]): Readonly<Record<string, SchemaNode>> =>
  Object.fromEntries(keys.map((key) => [key, { $ref: `#/$defs/block/properties/${key}` }]));

/** Keys of objects; items of a list may also repeat for each record. */
const OF_OBJECTS = structure('$when');
const OF_ITEMS = structure('$when', '$each', '$where', '$sort', '$distinct');

/**
 * Returns the schema of the `document` of a mapping at a place of its target: leaves have a source, lists
 * have blocks.
 */
function place(target: SchemaName, keys: readonly string[], closed: boolean): SchemaNode {
  const node = requiredNode(target, keys);
  if (isList(node))
    return { type: 'array', description: about(node), items: place(target, [...keys, '*'], closed) };
  if (leafKind(node) !== undefined) return { allOf: [{ $ref: '#/$defs/leaf' }], description: about(node) };
  const derived = new Set(derivedLeaves(target).values());
  const fields = childKeys(node).filter(
    (key) =>
      !isFilledLater(requiredNode(target, [...keys, key])) && !derived.has(formatPointer([...keys, key])),
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

/**
 * Returns the branches for one target: alone it allows its own fields only, among several also those of others.
 */
function branchesFor(target: SchemaName): SchemaNode[] {
  const branch = (of: SchemaNode, closed: boolean): SchemaNode => ({
    if: { required: ['target'], properties: { target: of } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
    then: { properties: { document: place(target, [], closed) } },
  });
  const among = { required: ['schema'], properties: { schema: { const: target } } };
  return [branch({ const: target }, true), branch({ type: 'array', contains: among }, false)];
}

/** Returns the schema of mapping files with the keys of layouts. */
function withLayouts({ properties = {}, $defs = {}, ...rest }: SchemaNode): SchemaNode {
  const parts = schemaJson('layout').$defs as Readonly<Record<string, SchemaNode>>;
  const { table, check, ...others } = $defs as Readonly<Record<string, SchemaNode>>;
  const { skip, ignore, ...keys } = table?.properties ?? {};
  const { required: needed, oneOf, ...shape } = check ?? {};
  const or = (name: string, node: SchemaNode = {}): SchemaNode => ({
    anyOf: [{ $ref: `#/$defs/${name}` }, node],
  });
  const about = (key: string): SchemaNode => ({ description: properties[key]?.description ?? '' });
  const { columns, ...places } = parts['layout_table']?.properties ?? {};
  return {
    ...rest,
    properties: {
      ...properties,
      ...parts['layout']?.properties,
      cargue: { enum: [1, 2], ...about('cargue') },
      concepts: {
        type: 'object',
        additionalProperties: or('concept', { $ref: '#/$defs/field' }),
        ...about('concepts'),
      },
    },
    $defs: {
      ...others,
      ...parts,
      table: {
        ...table,
        properties: {
          ...keys,
          ...places,
          columns: { ...columns, additionalProperties: { $ref: '#/$defs/column' } },
          skip: { ...skip, items: or('fragment', skip?.items) },
          ignore: or('fragment', ignore),
        },
      },
      check: {
        ...shape,
        properties: {
          ...check?.properties,
          use: { $ref: '#/$defs/use' },
          once: or('once', check?.properties?.['once']),
        },
        // A fragment may say what else a check must have.
        if: { not: { required: ['use'] } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
        then: { ...(needed && { required: needed }), ...(oneOf && { oneOf }) },
      },
    },
  };
}

/**
 * Creates the schema of mapping files with the fields of every target, for completion in editors. A file that
 * extends another may contain any part; without a target its fields are free.
 */
export function mappingWithTargets(ofFamilies: readonly SchemaName[]): SchemaNode {
  const schema = withLayouts(schemaJson('mapping'));
  const { required, properties = {}, $defs, ...rest } = schema;
  const over = overlayOf(schema);
  const known = Object.entries(properties).map(([key, { description }]) => [key, { description }]);
  return {
    ...rest,
    properties: Object.fromEntries(known),
    $defs: { ...($defs as object), ...over.$defs },
    if: { required: ['extends'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, never awaited
    then: { properties: over.properties },
    else: { required: required ?? [], properties },
    allOf: [...new Set([...ofFamilies.filter((name) => !BODIES.includes(name)), ...BODIES])].flatMap(
      branchesFor,
    ),
  };
}
