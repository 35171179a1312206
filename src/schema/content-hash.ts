import { createHash } from 'node:crypto';
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

/** JSON with sorted keys and no white space: equal content gives equal text, whatever the order of its making. */
function canonical(value: unknown, outside: Outside): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((item) => canonical(item, inside(outside, '*'))).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const key of Object.keys(members).sort()) {
    if (outside[key] === true || members[key] === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(members[key], inside(outside, key))}`;
  }
  return `{${text}}`;
}

/**
 * SHA-256 in hexadecimal of a document without what its schema marks `x-outside-hash`: number and issue date.
 * The same content has the same hash, so that a journal knows it again. Throws on an unknown schema name.
 */
export const contentHash = (name: string, document: unknown): string =>
  createHash('sha256')
    .update(canonical(document, outsideOfSchema(name)))
    .digest('hex');
