import { compile } from 'json-schema-to-typescript';
import { parseRef, type SchemaFiles, type SchemaJson } from './schema-files.js';
import { typeName } from './type-name.js';

/** Keywords that decide a type; the others check values, which is the validator's business. */
const TYPE_KEYWORDS: readonly string[] = [
  'type',
  'const',
  'enum',
  'required',
  'additionalProperties',
  'description',
];

const isSchema = (value: unknown): value is SchemaJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A schema as the compiler wants it. A `$ref` to a file becomes the name of that file's type, so that each
 * type is declared once; a `$ref` into a file becomes a copy of what it points at, with what stands beside it on top.
 */
function typeSource(files: SchemaFiles, from: string, schema: SchemaJson): SchemaJson {
  if (typeof schema['$ref'] === 'string') return refSource(files, from, schema['$ref'], schema);
  const source: SchemaJson = {};
  for (const keyword of TYPE_KEYWORDS) if (keyword in schema) source[keyword] = schema[keyword];
  const inner = (value: unknown): unknown => (isSchema(value) ? typeSource(files, from, value) : value);
  for (const keyword of ['items', 'additionalProperties']) {
    if (keyword in schema) source[keyword] = inner(schema[keyword]);
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    if (Array.isArray(schema[keyword])) source[keyword] = schema[keyword].map(inner);
  }
  if (isSchema(schema['properties'])) {
    const entries = Object.entries(schema['properties']).map(([key, value]) => [key, inner(value)]);
    source['properties'] = Object.fromEntries(entries);
  }
  return source;
}

function refSource(files: SchemaFiles, from: string, ref: string, siblings: SchemaJson): SchemaJson {
  const { name, keys } = parseRef(ref, from);
  const target = keys.reduce<unknown>(
    (node, key) => (isSchema(node) ? node[key] : undefined),
    files.get(name),
  );
  if (!isSchema(target)) throw new Error(`${from}: nothing stands at ${ref}`);
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

const closing = (names: readonly string[]): string => `
/** Path of a schema file below \`schemas/\`, without \`.schema.json\`. */
export type SchemaName = keyof SchemaTypes;

export const SCHEMA_NAMES: readonly SchemaName[] = [
${names.map((name) => `  '${name}',`).join('\n')}
];
`;

/** TypeScript of every schema, and the map from schema name to type, by one compile of one synthetic root. */
export async function schemaTypes(files: SchemaFiles): Promise<string> {
  const names = [...files.keys()];
  checkUnique(names);
  const root = {
    description: 'The type of each schema.',
    type: 'object',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(
      names.map((name) => [name, { title: typeName(name), ...typeSource(files, name, files.get(name)!) }]),
    ),
  };
  const types = await compile(root as Parameters<typeof compile>[0], 'SchemaTypes', {
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return `${types.trim()}\n${closing(names)}`;
}
