import { compile } from 'json-schema-to-typescript';
import { isObject } from '../toolkit/core/json.js';
import { required } from '../toolkit/core/required.js';
import { parseRef, type SchemaFiles, type SchemaJson, typeName } from './schema-files.js';

/** Keywords that decide a type; the others only check values. */
const TYPE_KEYWORDS: readonly string[] = [
  'type',
  'const',
  'enum',
  'required',
  'additionalProperties',
  'description',
];

/**
 * Converts a schema for the compiler. A `$ref` to a file becomes the name of its type, so that each type is declared
 * once; a `$ref` into a file becomes a copy of its target, overlaid with its siblings.
 */
function typeSource(files: SchemaFiles, from: string, schema: SchemaJson): SchemaJson {
  if (typeof schema['$ref'] === 'string') return refSource(files, from, schema['$ref'], schema);
  const source: SchemaJson = {};
  for (const keyword of TYPE_KEYWORDS) if (keyword in schema) source[keyword] = schema[keyword];
  const inner = (value: unknown): unknown => (isObject(value) ? typeSource(files, from, value) : value);
  for (const keyword of ['items', 'additionalProperties']) {
    if (keyword in schema) source[keyword] = inner(schema[keyword]);
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    if (Array.isArray(schema[keyword])) source[keyword] = schema[keyword].map(inner);
  }
  if (isObject(schema['properties'])) {
    const entries = Object.entries(schema['properties']).map(([key, value]) => [key, inner(value)]);
    source['properties'] = Object.fromEntries(entries);
  }
  return source;
}

function refSource(files: SchemaFiles, from: string, ref: string, siblings: SchemaJson): SchemaJson {
  const { name, keys } = parseRef(ref, from);
  const target = keys.reduce<unknown>(
    (node, key) => (isObject(node) ? node[key] : undefined),
    files.get(name),
  );
  if (!isObject(target)) throw new Error(`${from}: nothing stands at ${ref}`);
  if (keys.length > 0) {
    const { $ref: _, ...nearer } = siblings;
    return typeSource(files, name, { ...target, ...nearer });
  }
  const { description } = siblings;
  return { tsType: typeName(name), ...(description !== undefined && { description }) };
}

function checkUnique(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const other = seen.get(typeName(name));
    if (other !== undefined) throw new Error(`${other} and ${name} would both be type ${typeName(name)}`);
    seen.set(typeName(name), name);
  }
}

const listed = (names: readonly string[]): string => names.map((name) => `  '${name}',`).join('\n');

const closing = (names: readonly string[], ofFiles: readonly string[]): string => `
/** Path of a schema file below \`schemas/\`, without \`.schema.json\`. */
export type SchemaName = keyof SchemaTypes;

export const SCHEMA_NAMES: readonly SchemaName[] = [
${listed(names)}
];

/** Schemas that say how a JSON file holds their records. */
export const FILE_SCHEMAS: readonly SchemaName[] = [
${listed(ofFiles)}
];
`;

/** Writes the types of every schema, and the map from schema name to type, by one compilation of a synthetic root. */
export async function schemaTypes(files: SchemaFiles): Promise<string> {
  const names = [...files.keys()];
  checkUnique(names);
  const root = {
    description: 'The type of each schema.',
    type: 'object',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(
      names.map((name) => [
        name,
        { title: typeName(name), ...typeSource(files, name, required(files, name)) },
      ]),
    ),
  };
  const ofFiles = names.filter((name) => files.get(name)?.['x-file'] !== undefined);
  return (await compiled(root, 'SchemaTypes')) + closing(names, ofFiles);
}

/** True for keywords that restrict values without naming a shape, and would only blur the types. */
const isRestriction = (keyword: string, value: unknown): boolean =>
  keyword === 'not' ||
  (keyword === 'oneOf' &&
    Array.isArray(value) &&
    value.every((choice) => Object.keys(choice as object).join() === 'required'));

function fileTypeSource(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fileTypeSource);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([keyword, inner]) => !isRestriction(keyword, inner));
  return Object.fromEntries(entries.map(([keyword, inner]) => [keyword, fileTypeSource(inner)]));
}

/** Writes the types of one of the program's own file formats: a self-contained schema with its `$defs`. */
export async function fileTypes(schema: SchemaJson, name: string): Promise<string> {
  const { title: _, ...source } = fileTypeSource(schema) as SchemaJson;
  return compiled(source, name);
}

async function compiled(schema: SchemaJson, name: string): Promise<string> {
  const types = await compile(schema as Parameters<typeof compile>[0], name, {
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return `${types.trim()}\n`;
}

const listOf = (value: unknown): readonly SchemaJson[] => (Array.isArray(value) ? value : []);

/** Collects which keys and choices of a schema some values use. Supports the keywords of the program's own schemas. */
export class SchemaUse {
  /** `/$defs/table/properties/sheet` of every used key, and `/$defs/take=sum` of every used choice. */
  readonly used = new Set<string>();

  constructor(private readonly root: SchemaJson) {}

  /** Resolves a `$ref` inside the file, with its place. */
  follow(node: SchemaJson, at: string): readonly [SchemaJson, string] {
    const { $ref } = node;
    if (typeof $ref !== 'string') return [node, at];
    const keys = $ref.slice(2).split('/');
    const found = keys.reduce<SchemaJson>((inner, key) => inner[key] as SchemaJson, this.root);
    return this.follow(found, $ref.slice(1));
  }

  /** Records the keys and choices of a value that fits the schema. */
  note(value: unknown, schema: SchemaJson = this.root, where = ''): void {
    const [node, at] = this.follow(schema, where);
    for (const [index, branch] of listOf(node['oneOf']).entries())
      if (this.fits(value, branch)) this.note(value, branch, `${at}/oneOf/${index}`);
    if (listOf(node['enum']).includes(value as SchemaJson)) this.used.add(`${at}=${value}`);
    if (Array.isArray(value))
      for (const item of value) this.note(item, (node['items'] ?? {}) as SchemaJson, `${at}/items`);
    if (!isObject(value)) return;
    const { properties, additionalProperties } = node;
    for (const [key, inner] of Object.entries(value)) {
      const known = isObject(properties) ? properties[key] : undefined;
      if (isObject(known)) {
        this.used.add(`${at}/properties/${key}`);
        this.note(inner, known, `${at}/properties/${key}`);
      } else if (isObject(additionalProperties))
        this.note(inner, additionalProperties, `${at}/additionalProperties`);
    }
  }

  /** True if a value fits a branch, as far as needed to distinguish branches. */
  private fits(value: unknown, schema: SchemaJson): boolean {
    const [node] = this.follow(schema, '');
    const { type, not } = node;
    if ('const' in node && node['const'] !== value) return false;
    if ('enum' in node && !listOf(node['enum']).includes(value as SchemaJson)) return false;
    if (type !== undefined && ![type].flat().some((name) => isOfType(value, name))) return false;
    if (isObject(not) && listOf(not['anyOf'] ?? [not]).some((no) => this.fits(value, no))) return false;
    if ('oneOf' in node && !listOf(node['oneOf']).some((branch) => this.fits(value, branch))) return false;
    if (!isObject(value)) return true;
    const keys = Object.keys(value);
    const known = isObject(node['properties']) ? Object.keys(node['properties']) : [];
    const required = (node['required'] ?? []) as readonly string[];
    if (!required.every((key) => keys.includes(key))) return false;
    return node['additionalProperties'] !== false || keys.every((key) => known.includes(key));
  }
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
