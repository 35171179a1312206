import { type SchemaNode, schemaJson, schemaNames } from '../schema/registry.js';
import type { JsonValue } from '../values/json.js';
import { type Hider, secretHider } from '../values/secret-hider.js';

const HIDDEN = '•••';

/** Whether a member of that name is a secret. */
export type IsSecret = (name: string) => boolean;

/** By the names, and patterns of names, that some schema marks `writeOnly`: PIN, passwords. */
export function secretNames(): IsSecret {
  const names = new Set<string>();
  const patterns = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties = {}, patternProperties = {} } = node as SchemaNode;
    for (const [name, property] of Object.entries(properties)) if (property.writeOnly) names.add(name);
    for (const [pattern, property] of Object.entries(patternProperties as Record<string, SchemaNode>))
      if (property.writeOnly) patterns.add(pattern);
    for (const inner of Object.values(node)) visit(inner);
  };
  for (const name of schemaNames()) visit(schemaJson(name));
  const forms = [...patterns].map((pattern) => new RegExp(pattern, 'u'));
  return (name) => names.has(name) || forms.some((form) => form.test(name));
}

/** The secrets that a body holds, as text, longest first. */
export function secretsIn(value: JsonValue, isSecret: IsSecret): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).flatMap(([name, inner]) =>
    isSecret(name) && ['string', 'number'].includes(typeof inner)
      ? [String(inner)]
      : secretsIn(inner, isSecret),
  );
  return found.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
}

/** Of the secrets of one call; made once, since every text of an answer is looked through. */
const hiders = new WeakMap<readonly string[], readonly Hider[]>();

/** Text without the secrets that it repeats, however it writes them. */
export function redactText(text: string, secrets: readonly string[]): string {
  const known = hiders.get(secrets) ?? secrets.map(secretHider);
  hiders.set(secrets, known);
  return known.reduce((clean, hide) => hide(clean, HIDDEN), text);
}

/** The same for the beginning of a longer text, which may have been cut in the middle of a secret. */
export function redactExcerpt(text: string, secrets: readonly string[]): string {
  const clean = redactText(text, secrets);
  for (const secret of secrets)
    for (let length = secret.length - 1; length >= 2; length--)
      if (clean.endsWith(secret.slice(0, length))) return clean.slice(0, -length) + HIDDEN;
  return clean;
}

/**
 * A copy in which the value of every secret name is hidden, however deep, and the given secrets wherever they
 * stand: the service echoes what it was told, under names of its own and in sentences.
 */
export function redact(value: JsonValue, isSecret: IsSecret, secrets: readonly string[] = []): JsonValue {
  if (Array.isArray(value)) return value.map((item) => redact(item, isSecret, secrets));
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'number') return secrets.includes(String(value)) ? HIDDEN : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecret(key) && inner !== null ? HIDDEN : redact(inner, isSecret, secrets),
    ]),
  );
}
