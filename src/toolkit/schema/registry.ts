import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Text } from '../../generated/issue-codes.js';
import { FILE_SCHEMAS, SCHEMA_NAMES, type SchemaName } from '../../generated/schema-types.js';
import { SHAPES, VALUE_TYPES } from '../../generated/texts-issue.js';
import type { Language } from '../core/issue.js';
import { isObject, type JsonObject, type JsonValue, parsePointer } from '../core/json.js';
import { packageFile } from '../core/package-file.js';
import { unreachable } from '../core/required.js';
import { filled, NO_TEXT } from '../messages/texts.js';
import { loadAjv } from './ajv.js';
import { builtValidator } from './built.js';

/** A schema or a part of one; schemas/README.md explains the annotations. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly writeOnly?: boolean;
  readonly 'x-description-es'?: string;
  readonly 'x-layer'?: 'contract' | 'observed' | 'national';
  readonly 'x-catalogue'?: string;
  readonly 'x-catalogue-column'?: string;
  readonly 'x-series'?: boolean;
  readonly 'x-assigned'?: boolean;
  readonly 'x-derived'?: boolean;
  readonly 'x-total'?: boolean;
  readonly 'x-salary'?: boolean;
  readonly 'x-no-zero'?: boolean;
  readonly 'x-xml'?: string;
  readonly 'x-xml-column'?: string;
  readonly 'x-outside-hash'?: boolean;
  readonly 'x-personal'?: boolean;
  /** Identifier or name in the leaf, for checks whatever its source. */
  readonly 'x-role'?: 'person-name' | 'nit' | 'invoice-number' | 'account' | 'bank' | 'address';
  readonly 'x-discriminator'?: string;
  readonly 'x-tolerates'?: SchemaNode;
  readonly 'x-tolerates-absence'?: boolean;
  readonly 'x-file'?: JsonFileForm;
  readonly [keyword: string]: unknown;
}

/** Form of JSON files with records: objects with a list, or lists of such objects. */
export interface JsonFileForm {
  readonly list: string;
  /** Member of an envelope that may contain the object. */
  readonly within: string;
  /** Members that identify the object; the first filled one counts. */
  readonly numbers: readonly string[];
  /** Members of the object, and of a record, that are columns of its table. */
  readonly head: readonly string[];
  readonly item: readonly string[];
  /** Schemas of the whole object; members that they know are read. */
  readonly shapes: readonly SchemaName[];
  /** Members that identify result files without records. */
  readonly answers: readonly string[];
}

/** Canonical form of a leaf, which decides how a mapping reads its cell. */
export type LeafKind =
  | 'money'
  | 'quantity'
  | 'two-decimals'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'local-date-time'
  | 'time'
  | 'worker-document'
  | 'text';

const BASE = 'cargue:///';
const SUFFIX = '.schema.json';

const readJson = <T>(...segments: readonly string[]): T =>
  JSON.parse(readFileSync(packageFile('schemas', ...segments), 'utf8')) as T;

/** Returns every schema of the service, in order of name. */
export const schemaNames = (): readonly SchemaName[] => SCHEMA_NAMES;

let fileForm: JsonFileForm | undefined;

/** Returns the form of JSON files that can be read; there is only one. */
export function jsonFileForm(): JsonFileForm {
  fileForm ??=
    FILE_SCHEMAS.map((name) => rootNode(name)['x-file']).find((form) => form !== undefined) ??
    unreachable('form of JSON files');
  return fileForm;
}

/** Schemas of the program's own files. */
export const OWN_SCHEMAS: readonly string[] = [
  'mapping',
  'layout',
  'profile',
  'project',
  'server',
  'sandbox',
  'output',
  'rules/rule',
];

/** True for a schema file next to a mapping, known by its URL. */
const isFile = (name: string): boolean => name.startsWith('file:');

/** Returns the name of a schema file that a mapping in `folder` refers to by path. */
export const fileSchema = (folder: string, path: string): string => pathToFileURL(resolve(folder, path)).href;

export const isSchemaName = (name: string): name is SchemaName =>
  SCHEMA_NAMES.includes(name as SchemaName) || (isFile(name) && existsSync(fileURLToPath(name)));

/** Returns the id of a schema: `cargue:///payroll/payroll.schema.json`. */
export const schemaId = (name: string): string => (isFile(name) ? name : BASE + name + SUFFIX);

const files = new Map<string, SchemaNode>();

/** Reads a schema, of the service or one of the program's own. Throws on an unknown name. */
export function schemaJson(name: string): SchemaNode {
  const known = files.get(name);
  if (known !== undefined) return known;
  const json = isFile(name)
    ? (JSON.parse(readFileSync(fileURLToPath(name), 'utf8')) as SchemaNode)
    : readJson<SchemaNode>(...`${name}${SUFFIX}`.split('/'));
  files.set(name, json);
  return json;
}

/** Returns the operations of the service as OpenAPI 3.1, `$ref`s relative to `schemas/`. */
export const openApi = (): Readonly<Record<string, unknown>> => readJson('service.openapi.json');

function withAbsoluteRefs(value: unknown, base: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withAbsoluteRefs(item, base));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? new URL(inner, base).href : withAbsoluteRefs(inner, base),
    ]),
  );
}

const roots = new Map<string, SchemaNode>();

/** Returns a schema with absolute `$ref`s, so that its parts can be read alone. */
export function rootNode(name: string): SchemaNode {
  const known = roots.get(name);
  if (known !== undefined) return known;
  const root = withAbsoluteRefs(schemaJson(name), schemaId(name)) as SchemaNode;
  roots.set(name, root);
  return root;
}

/** Returns the name of the schema that an absolute `$ref` points into. */
export function refName(ref: string): string {
  const [id = ''] = ref.split('#');
  return isFile(id) ? id : id.slice(BASE.length, -SUFFIX.length);
}

function target(ref: string): SchemaNode {
  const keys = (ref.split('#')[1] ?? '').split('/').slice(1);
  return keys.reduce<SchemaNode>((node, key) => node[key] as SchemaNode, rootNode(refName(ref)));
}

const union = <T>(a: readonly T[] = [], b: readonly T[] = []): readonly T[] => [...new Set([...a, ...b])];

function merge(base: SchemaNode, over: SchemaNode): SchemaNode {
  const merged = { ...base, ...over };
  if (base.required === undefined && over.required === undefined) return merged;
  return {
    ...merged,
    required: union(base.required, over.required),
    properties: { ...base.properties, ...over.properties },
  };
}

const resolvedNodes = new WeakMap<SchemaNode, SchemaNode>();

/** Merges a node with the targets of its `$ref` and `allOf`; the nearer value wins, requirements add up. */
export function resolved(node: SchemaNode): SchemaNode {
  const known = resolvedNodes.get(node);
  if (known !== undefined) return known;
  const { $ref, allOf, ...rest } = node;
  let merged: SchemaNode = $ref === undefined ? {} : resolved(target($ref));
  for (const part of allOf ?? []) merged = merge(merged, resolved(part));
  const found = merge(merged, rest);
  resolvedNodes.set(node, found);
  return found;
}

const branches = (node: SchemaNode): readonly SchemaNode[] =>
  [...(node.oneOf ?? []), ...(node.anyOf ?? [])].map(resolved);

function child(node: SchemaNode, key: string | number): SchemaNode | undefined {
  const asItem = typeof key === 'number' || key === '*' || /^\d+$/.test(key);
  const found = asItem && node.items !== undefined ? node.items : node.properties?.[key];
  if (found !== undefined) return resolved(found);
  for (const branch of branches(node)) {
    const inside = child(branch, key);
    if (inside !== undefined) return inside;
  }
  return typeof node.additionalProperties === 'object' ? resolved(node.additionalProperties) : undefined;
}

/** Returns the alternative that a value's discriminator selects, else the node. */
function alternativeOf(node: SchemaNode, value: unknown): SchemaNode {
  const tag = node['x-discriminator'];
  const kind = tag === undefined || !isObject(value) ? undefined : value[tag];
  if (tag === undefined || kind === undefined) return node;
  return branches(node).find(({ properties }) => properties?.[tag]?.const === kind) ?? node;
}

/**
 * Finds the node below a schema at `keys`, annotations merged. `'*'` or a number steps into a list; any branch
 * of a `oneOf` may supply a key, or only the one selected by `document`. Undefined if the schema has no such
 * place.
 */
export function resolveNode(
  name: string,
  keys: readonly (string | number)[],
  document?: unknown,
): SchemaNode | undefined {
  let node: SchemaNode | undefined = resolved(rootNode(name));
  let value = document;
  for (const key of keys) {
    if (node === undefined) return undefined;
    node = child(alternativeOf(node, value), key);
    value = (value as Readonly<Record<string, unknown>> | undefined | null)?.[key];
  }
  return node;
}

/** Finds a node that the schema has. @throws Error a programming error, if it has not */
export const requiredNode = (name: string, keys: readonly (string | number)[]): SchemaNode =>
  resolveNode(name, keys) ?? unreachable(`${name} ${keys.join('/')}`);

/** True if the schema marks the pointer or a container of it as `x-personal`. */
export function isPersonal(schema: string, pointer: string): boolean {
  const keys = parsePointer(pointer);
  return keys.some((_, last) => resolveNode(schema, keys.slice(0, last + 1))?.['x-personal'] === true);
}

/** Returns the keys allowed directly below a node, in file order. */
export const childKeys = (node: SchemaNode): readonly string[] =>
  union(Object.keys(node.properties ?? {}), branches(node).flatMap(childKeys));

export const isList = (node: SchemaNode): boolean => node.items !== undefined;

/**
 * Returns the key paths of leaves below `above` that have an annotation, in file order; `*` steps into a list.
 */
export function markedLeaves(
  schema: string,
  mark: string,
  above: readonly string[] = [],
): readonly (readonly string[])[] {
  const node = resolveNode(schema, above);
  if (node?.[mark] === true) return [above];
  if (node === undefined || leafKind(node) !== undefined) return [];
  const keys = isList(node) ? ['*'] : childKeys(node);
  return keys.flatMap((key) => markedLeaves(schema, mark, [...above, key]));
}

/** True if every document must have the key; of alternatives, if each demands it. */
export function isRequired(parent: SchemaNode, key: string): boolean {
  if (parent.required?.includes(key)) return true;
  const alternatives = branches(parent);
  return alternatives.length > 0 && alternatives.every((branch) => isRequired(branch, key));
}

const KIND_OF_FORMAT: Readonly<Record<string, LeafKind>> = {
  money: 'money',
  decimal: 'quantity',
  'two-decimals': 'two-decimals',
  date: 'date',
  'local-date-time': 'local-date-time',
  'clock-time': 'time',
  'worker-document': 'worker-document',
};

/** Returns the types that a value may have, with `null`. */
export const typesOf = ({ type }: SchemaNode): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

/** Returns the only type besides null, or undefined if there is none or a choice. */
export function soleType(node: SchemaNode): string | undefined {
  const [type, ...others] = typesOf(node).filter((name) => name !== 'null');
  return others.length > 0 ? undefined : type;
}

/** True if a mapping leaves the leaf empty: a number of a series, or an id that the service assigns. */
export const isFilledLater = (node: SchemaNode): boolean =>
  node['x-series'] === true || node['x-assigned'] === true;

/** True if the part is computed from the rest of the document. */
export const isDerived = (node: SchemaNode): boolean => node['x-derived'] === true;

const KIND_OF_TYPE: Readonly<Record<string, LeafKind>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

/** Returns the kind of a leaf, null aside; undefined for objects and lists. */
export function leafKind(node: SchemaNode): LeafKind | undefined {
  const kind = KIND_OF_FORMAT[node.format ?? ''];
  if (kind !== undefined) return kind;
  return KIND_OF_TYPE[soleType(node) ?? ''];
}

/** Error in the shape of one of the program's own files, at a path of keys. */
export type ShapeFault = (
  | {
      readonly kind: 'unknown-key' | 'missing-key';
      /** Key that is unknown or missing. */
      readonly key: string;
    }
  | { readonly kind: 'shape'; readonly key?: undefined }
) & {
  readonly path: readonly string[];
  /** Text that is not one of a list. */
  readonly value?: string;
  /** Expectation of ajv, in words. */
  readonly expected: Text;
  /** Keys allowed there, or values if one of a list is expected. */
  readonly known: readonly string[];
};

const compiled = new Map<string, ValidateFunction>();

/**
 * Options for schemas that are known to be right and files that are checked once: optimising would only cost.
 */
const OPTIONS = {
  allErrors: true,
  strict: false,
  verbose: true,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
} as const;

/** Shape of one of the program's own files, or of a definition; properties in `except` are not checked. */
interface Shape {
  readonly name: string;
  readonly definition?: string;
  readonly except?: readonly string[];
}

/** Shapes that the build compiles. */
export const OWN_SHAPES: readonly Shape[] = [
  { name: 'mapping', except: ['document'] },
  { name: 'mapping', definition: 'block' },
  { name: 'mapping', definition: 'leaf' },
  { name: 'layout', definition: 'concept' },
  { name: 'layout', definition: 'field' },
  { name: 'layout', definition: 'layout' },
  { name: 'layout', definition: 'layout_table' },
  { name: 'profile' },
  { name: 'project' },
  { name: 'server' },
];

export const shapeKey = ({ name, definition, except = [] }: Shape): string =>
  [name, definition, ...except].filter((part) => part !== undefined).join('-');

export function compileShape({ name, definition, except = [] }: Shape, code: object = {}) {
  const ajv = new (loadAjv())({ ...OPTIONS, code: { ...OPTIONS.code, ...code } });
  const { $defs, properties, ...schema } = schemaJson(name);
  const open = Object.fromEntries(except.map((property) => [property, true]));
  const complete = { ...schema, $defs, properties: { ...properties, ...open } };
  return {
    ajv,
    validate: ajv.compile(definition === undefined ? complete : { $ref: `#/$defs/${definition}`, $defs }),
  };
}

function validator(shape: Shape): ValidateFunction {
  const key = shapeKey(shape);
  const found = compiled.get(key) ?? builtValidator(key, 'own', {}) ?? compileShape(shape).validate;
  compiled.set(key, found);
  return found;
}

const shapeText = (keyword: string, value: string | Text): Text => {
  const text: Text = Object.hasOwn(SHAPES, keyword) ? SHAPES[keyword as keyof typeof SHAPES] : SHAPES.other;
  const said = typeof value === 'string' ? { es: value, en: value } : value;
  return { es: filled(text, 'es', { value: said.es }), en: filled(text, 'en', { value: said.en }) };
};

/** Formats the demand of a keyword. */
function shapeInWords({ keyword, params }: ErrorObject): Text {
  const said = Object.values(params as Readonly<Record<string, unknown>>).at(-1);
  if (keyword !== 'type') return shapeText(keyword, [said].flat().join(', '));
  const types = [said]
    .flat()
    .map((type) => VALUE_TYPES[type as keyof typeof VALUE_TYPES] as Text | undefined);
  const joined = (language: Language): string => types.map((type) => type?.[language] ?? '').join(', ');
  return shapeText(keyword, { es: joined('es'), en: joined('en') });
}

/** Returns the params with which an issue says what was expected. */
export const expectedIn = ({ es, en }: Text) => ({ expected_es: es, expected_en: en });

function toFault(error: ErrorObject, root: JsonValue): ShapeFault {
  const path = parsePointer(error.instancePath);
  const properties = (error.parentSchema as { properties?: object } | undefined)?.properties ?? {};
  const known = Object.keys(properties);
  if (error.keyword === 'additionalProperties')
    return {
      kind: 'unknown-key',
      path,
      key: String(error.params['additionalProperty']),
      expected: NO_TEXT,
      known,
    };
  if (error.keyword === 'required')
    return {
      kind: 'missing-key',
      path,
      key: String(error.params['missingProperty']),
      expected: NO_TEXT,
      known,
    };
  const fault = { kind: 'shape', path, expected: shapeInWords(error), known } as const;
  const { allowedValues } = error.params as { readonly allowedValues?: readonly unknown[] };
  const value = path.reduce<unknown>((node, key) => (node as JsonObject | undefined)?.[key], root);
  return allowedValues !== undefined && typeof value === 'string'
    ? { ...fault, value, known: allowedValues.map(String) }
    : fault;
}

/** Checks a value against one of the definitions of `schemas/<name>.schema.json`. */
export const checkPartShape = (name: string, definition: string, value: JsonValue): readonly ShapeFault[] =>
  faultsOf(validator({ name, definition }), value);

/** Checks a file against `schemas/<name>.schema.json`, except below the keys in `except`. */
export const checkFileShape = (
  name: string,
  value: JsonValue,
  except: readonly string[] = [],
): readonly ShapeFault[] => faultsOf(validator({ name, except }), value);

/** Keywords that only sum up the errors of their branches. */
const CHOICES: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'if']);

/** Returns the keys of a choice that demands exactly one of them. */
function oneOfKeys({ keyword, schema }: ErrorObject): readonly string[] | undefined {
  if (keyword !== 'oneOf' || !Array.isArray(schema)) return undefined;
  const options = schema as { readonly required?: readonly string[] }[];
  const isKeys = options.every((option) => option.required !== undefined && Object.keys(option).length === 1);
  return isKeys ? options.flatMap(({ required = [] }) => required) : undefined;
}

function faultsOf(validate: ValidateFunction, value: JsonValue): readonly ShapeFault[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).flatMap((error): ShapeFault[] => {
    const keys = oneOfKeys(error);
    const path = parsePointer(error.instancePath);
    if (keys !== undefined)
      return [{ kind: 'shape', path, expected: shapeText('oneOfKeys', keys.join(', ')), known: keys }];
    const isBranch =
      /\/oneOf\/\d+\/required$/.test(error.schemaPath) || error.params['missingProperty'] === 'undecided';
    return CHOICES.has(error.keyword) || isBranch ? [] : [toFault(error, value)];
  });
}
