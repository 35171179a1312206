import type { SchemaJson } from './schema-files.js';

const isMap = (value: unknown): value is SchemaJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly SchemaJson[] => (Array.isArray(value) ? value : []);

/** Which keys and choices of a schema some values use. Knows the keywords that schemas of our own files have. */
export class SchemaUse {
  /** `/$defs/table/properties/sheet` of every key used, and `/$defs/take=sum` of every choice. */
  readonly used = new Set<string>();

  constructor(private readonly root: SchemaJson) {}

  /** The schema that a `$ref` inside the file points at, with its place. */
  follow(node: SchemaJson, at: string): readonly [SchemaJson, string] {
    const { $ref } = node;
    if (typeof $ref !== 'string') return [node, at];
    const keys = $ref.slice(2).split('/');
    const found = keys.reduce<SchemaJson>((inner, key) => inner[key] as SchemaJson, this.root);
    return this.follow(found, $ref.slice(1));
  }

  /** Notes what a value that fits the schema uses. */
  note(value: unknown, schema: SchemaJson = this.root, where = ''): void {
    const [node, at] = this.follow(schema, where);
    for (const [index, branch] of listOf(node['oneOf']).entries())
      if (this.fits(value, branch)) this.note(value, branch, `${at}/oneOf/${index}`);
    if (listOf(node['enum']).includes(value as SchemaJson)) this.used.add(`${at}=${value}`);
    if (Array.isArray(value))
      for (const item of value) this.note(item, (node['items'] ?? {}) as SchemaJson, `${at}/items`);
    if (!isMap(value)) return;
    const { properties, additionalProperties } = node;
    for (const [key, inner] of Object.entries(value)) {
      const known = isMap(properties) ? properties[key] : undefined;
      if (isMap(known)) {
        this.used.add(`${at}/properties/${key}`);
        this.note(inner, known, `${at}/properties/${key}`);
      } else if (isMap(additionalProperties))
        this.note(inner, additionalProperties, `${at}/additionalProperties`);
    }
  }

  /** Whether a value has the form of a branch, as far as it takes to tell branches apart. */
  private fits(value: unknown, schema: SchemaJson): boolean {
    const [node] = this.follow(schema, '');
    const { type, not } = node;
    if ('const' in node && node['const'] !== value) return false;
    if ('enum' in node && !listOf(node['enum']).includes(value as SchemaJson)) return false;
    if (type !== undefined && ![type].flat().some((name) => isOfType(value, name))) return false;
    if (isMap(not) && listOf(not['anyOf'] ?? [not]).some((no) => this.fits(value, no))) return false;
    if ('oneOf' in node && !listOf(node['oneOf']).some((branch) => this.fits(value, branch))) return false;
    if (!isMap(value)) return true;
    const keys = Object.keys(value);
    const known = isMap(node['properties']) ? Object.keys(node['properties']) : [];
    const required = (node['required'] ?? []) as readonly string[];
    if (!required.every((key) => keys.includes(key))) return false;
    return node['additionalProperties'] !== false || keys.every((key) => known.includes(key));
  }
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isMap(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** Keywords that restrict what stands together, and declare nothing. */
const RESTRICTIONS: readonly string[] = ['not', 'if', 'then', 'else', 'dependentSchemas'];

/** Every key and every choice that a schema declares, as `SchemaUse` notes them. */
export function declared(schema: SchemaJson): string[] {
  const found = new Set<string>();
  const visit = (node: unknown, at: string): void => {
    if (Array.isArray(node)) for (const [index, inner] of node.entries()) visit(inner, `${at}/${index}`);
    if (!isMap(node)) return;
    for (const choice of listOf(node['enum'])) found.add(`${at}=${choice}`);
    const { properties } = node;
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'properties' && isMap(properties)) {
        for (const [name, one] of Object.entries(properties)) {
          found.add(`${at}/properties/${name}`);
          visit(one, `${at}/properties/${name}`);
        }
      } else if (!RESTRICTIONS.includes(key)) visit(inner, `${at}/${key}`);
    }
  };
  visit(schema, '');
  return [...found];
}
