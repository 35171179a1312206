import { parseRef, type SchemaFiles, type SchemaJson } from './schema-files.js';
import { typeName } from './type-name.js';

const isObject = (value: unknown): value is SchemaJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy in which each `$ref` is what `rewrite` makes of it. */
function withRefs(value: unknown, rewrite: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withRefs(item, rewrite));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? rewrite(inner) : withRefs(inner, rewrite),
    ]),
  );
}

/**
 * The OpenAPI file as one document that stands by itself: each schema that an operation reaches is a component
 * under the name of its type. Throws on a `$ref` to no file.
 */
export function bundleOpenApi(openApi: SchemaJson, files: SchemaFiles): SchemaJson {
  const schemas = new Map<string, unknown>();

  /** Where a `$ref` seen from a schema points to in the bundle; takes the schema in when it is new. */
  const component = (ref: string, from: string): string => {
    const { name, keys } = parseRef(ref, from);
    if (!schemas.has(typeName(name))) add(name);
    return ['#/components/schemas', typeName(name), ...keys].join('/');
  };

  const add = (name: string): void => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no schema is called ${name}`);
    const { $schema: _, ...schema } = file;
    schemas.set(typeName(name), undefined);
    schemas.set(
      typeName(name),
      withRefs(schema, (ref) => component(ref, name)),
    );
  };

  const bundle = withRefs(openApi, (ref) => (ref.startsWith('#') ? ref : component(ref, ''))) as SchemaJson;
  const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...bundle,
    components: { ...(bundle['components'] as SchemaJson), schemas: Object.fromEntries(sorted) },
  };
}
