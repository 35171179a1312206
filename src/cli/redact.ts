import { schemaJson, schemaNames } from '../schema/registry.js';
import type { JsonValue } from '../values/json.js';

const HIDDEN = '•••';

/** Names that some schema marks `writeOnly`: PIN, passwords. */
function secretNames(): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties')
        for (const [name, property] of Object.entries(value as Record<string, { writeOnly?: boolean }>))
          if (property.writeOnly) names.add(name);
      visit(value);
    }
  };
  for (const name of schemaNames()) visit(schemaJson(name));
  return names;
}

/** A copy in which the value of every `writeOnly` name is hidden, however deep: the service may echo what it was told. */
export function redact(value: JsonValue, secrets: ReadonlySet<string> = secretNames()): JsonValue {
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, secrets.has(key) ? HIDDEN : redact(inner, secrets)]),
  );
}
