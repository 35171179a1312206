import { hash } from 'node:crypto';
import { resolved, rootNode, type SchemaNode } from './registry.js';

/** Members that do not count, as a tree of keys; `true` leaves the whole value out, `*` stands for the items of a list. */
interface Outside {
  readonly [key: string]: true | Outside;
}

const NOTHING: Outside = {};

function outsideOf(node: SchemaNode, above: readonly string[]): Outside {
  if (node.$ref !== undefined && above.includes(node.$ref)) return NOTHING;
  const path = node.$ref === undefined ? above : [...above, node.$ref];
  const { properties, items, oneOf, anyOf } = resolved(node);
  const outside: Record<string, true | Outside> = {};
  const add = (key: string, child: SchemaNode): void => {
    const below = resolved(child)['x-outside-hash'] === true ? true : outsideOf(child, path);
    if (below !== NOTHING) outside[key] = below;
  };
  for (const [key, child] of Object.entries(properties ?? {})) add(key, child);
  if (items !== undefined) add('*', items);
  for (const branch of [...(oneOf ?? []), ...(anyOf ?? [])]) Object.assign(outside, outsideOf(branch, path));
  return Object.keys(outside).length === 0 ? NOTHING : outside;
}

const known = new Map<string, Outside>();

function outsideOfSchema(name: string): Outside {
  const found = known.get(name) ?? outsideOf(rootNode(name), []);
  known.set(name, found);
  return found;
}

const inside = (outside: Outside, key: string): Outside => (outside[key] as Outside | undefined) ?? NOTHING;

/** The same content with keys in order and without what does not count: equal content gives equal JSON. */
function canonical(value: unknown, outside: Outside): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => canonical(item, inside(outside, '*')));
  const members = value as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(members).sort()) {
    if (outside[key] !== true) kept[key] = canonical(members[key], inside(outside, key));
  }
  return kept;
}

/**
 * SHA-256 in hexadecimal of a document without what its schema marks `x-outside-hash`: number and issue date.
 * The same content has the same hash, so that a journal knows it again. Throws on an unknown schema name.
 */
export const contentHash = (name: string, document: unknown): string =>
  hash('sha256', JSON.stringify(canonical(document, outsideOfSchema(name))));
