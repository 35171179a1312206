import { isObject } from '../toolkit/core/json.js';
import { parseRef, type SchemaFiles, type SchemaJson, typeName } from './schema-files.js';

type Place = ReturnType<typeof parseRef>;

/**
 * Returns a copy in which each node with a `$ref` is replaced by the result of `follow`, overlaid with its siblings.
 */
function withRefs(value: unknown, follow: (ref: string) => SchemaJson): unknown {
  if (Array.isArray(value)) return value.map((item) => withRefs(item, follow));
  if (!isObject(value)) return value;
  const { $ref, ...siblings } = value;
  const entries = Object.entries(siblings).map(([key, inner]) => [key, withRefs(inner, follow)]);
  return { ...(typeof $ref === 'string' && follow($ref)), ...Object.fromEntries(entries) };
}

/**
 * Schemas that a document includes, under the names of their types. A reference into a schema becomes a copy of its
 * target, as not every tool follows one. Throws on a `$ref` to nothing.
 */
class Components {
  private readonly schemas = new Map<string, unknown>();

  constructor(
    private readonly files: SchemaFiles,
    /** Pointer of the schemas in the document. */
    private readonly place: string,
  ) {}

  /** Returns a schema whose references point into the document. */
  read(name: string): SchemaJson {
    return this.copy({ name, keys: [] });
  }

  /** Returns the replacement of a reference in the schema `from`. */
  follow(ref: string, from: string): SchemaJson {
    const place = parseRef(ref, from);
    if (place.keys.length > 0) return this.copy(place);
    const type = typeName(place.name);
    if (!this.schemas.has(type)) {
      this.schemas.set(type, undefined);
      const { $schema: _, ...schema } = this.read(place.name);
      this.schemas.set(type, schema);
    }
    return { $ref: `${this.place}/${type}` };
  }

  sorted(): SchemaJson {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private copy({ name, keys }: Place): SchemaJson {
    const file = this.files.get(name);
    if (file === undefined) throw new Error(`no schema is called ${name}`);
    const node = keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), file);
    if (!isObject(node)) throw new Error(`nothing stands at ${keys.join('/')} of ${name}`);
    return withRefs(node, (ref) => this.follow(ref, name)) as SchemaJson;
  }
}

/** Bundles the OpenAPI file: each schema that an operation reaches becomes a component. */
export function bundleOpenApi(openApi: SchemaJson, files: SchemaFiles): SchemaJson {
  const components = new Components(files, '#/components/schemas');
  const bundle = withRefs(openApi, (ref) =>
    ref.startsWith('#') ? { $ref: ref } : components.follow(ref, ''),
  ) as SchemaJson;
  const schemas = components.sorted();
  return { ...bundle, components: { ...(bundle['components'] as SchemaJson), schemas } };
}

/** Bundles a schema: all that it refers to is among its `$defs`. */
export function bundleSchema(name: string, files: SchemaFiles): SchemaJson {
  const components = new Components(files, '#/$defs');
  const schema = components.read(name);
  const $defs = components.sorted();
  return Object.keys($defs).length === 0 ? schema : { ...schema, $defs };
}
