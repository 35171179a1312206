import { parseRef, type SchemaFiles, type SchemaJson, typeName } from './schema-files.js';

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

/** The schemas that a document takes in, under the names of their types. Throws on a `$ref` to no file. */
class Components {
  private readonly schemas = new Map<string, unknown>();

  constructor(
    private readonly files: SchemaFiles,
    /** Where they stand in the document. */
    private readonly place: string,
    /** The schema that is the document itself. */
    private readonly root?: string,
  ) {}

  /** What a schema says, its `$ref`s leading into the document. */
  read(name: string): SchemaJson {
    const file = this.files.get(name);
    if (file === undefined) throw new Error(`no schema is called ${name}`);
    return this.within(file, name) as SchemaJson;
  }

  private within(value: unknown, from: string): unknown {
    return withRefs(value, (ref) => this.refTo(ref, from));
  }

  sorted(): SchemaJson {
    return Object.fromEntries([...this.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Where a `$ref` seen from a schema points to in the document; takes the schema in when it is new. */
  refTo(ref: string, from: string): string {
    const { name, keys } = parseRef(ref, from);
    if (name === this.root) return ['#', ...keys].join('/');
    const type = typeName(name);
    if (!this.schemas.has(type)) {
      this.schemas.set(type, undefined);
      const { $schema: _, ...schema } = this.read(name);
      this.schemas.set(type, schema);
    }
    return [this.place, type, ...keys].join('/');
  }
}

/** The OpenAPI file as one document that stands by itself: each schema that an operation reaches is a component. */
export function bundleOpenApi(openApi: SchemaJson, files: SchemaFiles): SchemaJson {
  const components = new Components(files, '#/components/schemas');
  const bundle = withRefs(openApi, (ref) =>
    ref.startsWith('#') ? ref : components.refTo(ref, ''),
  ) as SchemaJson;
  const schemas = components.sorted();
  return { ...bundle, components: { ...(bundle['components'] as SchemaJson), schemas } };
}

/** A schema as one file that stands by itself: all that it refers to is among its `$defs`. */
export function bundleSchema(name: string, files: SchemaFiles): SchemaJson {
  const components = new Components(files, '#/$defs', name);
  const { $defs, ...schema } = components.read(name);
  const taken = { ...($defs as SchemaJson | undefined), ...components.sorted() };
  return Object.keys(taken).length === 0 ? schema : { ...schema, $defs: taken };
}
