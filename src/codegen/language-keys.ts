import { anchor, code } from './markdown.js';
import type { SchemaJson } from './schema-files.js';

/** A key of the mapping language, as its page shows it. */
export interface LanguageKey {
  /** `header.row` for a key of a key, `skip[].when` for one of each item, `repeated.*.columns` for one below names. */
  readonly key: string;
  readonly required: boolean;
  /** What may stand there, in Markdown. */
  readonly form: string;
  readonly about: string;
  /** Its place in the schema, as `SchemaUse` notes it. */
  readonly at: string;
}

type Definitions = Readonly<Record<string, SchemaJson>>;

const isMap = (value: unknown): value is SchemaJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const branches = (node: SchemaJson): readonly SchemaJson[] => (node['oneOf'] ?? []) as readonly SchemaJson[];

export const definitionsOf = (schema: SchemaJson): Definitions => schema['$defs'] as Definitions;

/** Name of the definition that a node refers to. */
export const refOf = ({ $ref }: SchemaJson): string | undefined =>
  typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;

/** Whether a definition has keys of its own, and so a section; the others are forms of values. */
export const hasKeys = (node: SchemaJson): boolean =>
  isMap(node['properties']) || branches(node).some(hasKeys);

/** What may stand at a node, in words; definitions are linked. */
export function formOf(node: SchemaJson): string {
  const name = refOf(node);
  if (name !== undefined) return `[${name}](#${anchor(name)})`;
  const { type, enum: choices, items, additionalProperties } = node;
  if ('const' in node) return code(String(node['const']));
  if (Array.isArray(choices)) return [...new Set(choices.map(String))].map(code).join(', ');
  if (branches(node).length > 0) return [...new Set(branches(node).map(formOf))].join(' or ');
  if (Array.isArray(type)) return type.join(', ').replace('string', 'text');
  if (type === 'array') return isMap(items) ? `list of ${formOf(items)}` : 'list';
  if (type === 'object')
    return isMap(additionalProperties) ? `map of ${formOf(additionalProperties)}` : 'keys';
  return type === 'string' ? 'text' : String(type ?? 'anything');
}

/** Every key of a node and of what stands inside it, definitions apart. */
export function keysOf(node: SchemaJson, definitions: Definitions, at: string, prefix = ''): LanguageKey[] {
  const required = (node['required'] ?? []) as readonly string[];
  const { properties, items, additionalProperties } = node;
  const own = Object.entries(isMap(properties) ? properties : {}).flatMap(([key, value]) => {
    const child = value as SchemaJson;
    const where = `${at}/properties/${key}`;
    const row: LanguageKey = {
      key: prefix + key,
      required: required.includes(key),
      form: formOf(child),
      about: aboutOf(child, definitions),
      at: where,
    };
    return [row, ...keysOf(child, definitions, where, `${prefix}${key}.`)];
  });
  const inside = (child: unknown, where: string, mark: string): LanguageKey[] =>
    isMap(child) ? keysOf(child, definitions, `${at}/${where}`, prefix.replace(/\.$/, mark)) : [];
  return [
    ...own,
    ...inside(items, 'items', '[].'),
    ...inside(additionalProperties, 'additionalProperties', '.*.'),
    ...branches(node).flatMap((branch, index) => keysOf(branch, definitions, `${at}/oneOf/${index}`, prefix)),
  ];
}

/** What a key means; one that says nothing means what its form does. */
function aboutOf(node: SchemaJson, definitions: Definitions): string {
  const form = definitions[refOf(node) ?? ''];
  return String(node['description'] ?? form?.['description'] ?? '');
}

/** Names of the definitions in the order in which a reader meets them, from the whole file down. */
export function definitionOrder(schema: SchemaJson): readonly string[] {
  const definitions = definitionsOf(schema);
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isMap(value)) return;
    const name = refOf(value);
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      visit(definitions[name]);
    }
    for (const [key, inner] of Object.entries(value)) if (key !== '$defs') visit(inner);
  };
  visit(schema);
  return [...seen];
}
