import type { SchemaJson } from './schema-files.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** Moves a `$ref` with siblings into an `allOf`, since draft 07 ignores the siblings. */
function withoutSiblings(node: SchemaJson): SchemaJson {
  const { $ref, ...rest } = node;
  return $ref === undefined || Object.keys(rest).length === 0 ? node : { ...rest, allOf: [{ $ref }] };
}

/** Converts `dependentRequired` and `dependentSchemas` to the `dependencies` of draft 07. */
function withDependencies({ dependentRequired, dependentSchemas, ...rest }: SchemaJson): SchemaJson {
  if (dependentRequired === undefined && dependentSchemas === undefined) return rest;
  const dependencies: SchemaJson = { ...(dependentSchemas as SchemaJson | undefined) };
  for (const [key, required] of Object.entries(dependentRequired ?? {}))
    dependencies[key] = key in dependencies ? { required, allOf: [dependencies[key]] } : required;
  return { ...rest, dependencies };
}

function asDraft07(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDraft07);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === '$ref') return [key, (inner as string).replaceAll('/$defs/', '/definitions/')];
    return [key === '$defs' ? 'definitions' : key, asDraft07(inner)];
  });
  return withoutSiblings(withDependencies(Object.fromEntries(entries)));
}

/**
 * Converts a schema of draft 2020-12 for editors that know draft 07 only, such as those of YAML. Accepts keywords that
 * both have, or that have a counterpart.
 */
export const editorSchema = (schema: SchemaJson): SchemaJson => ({
  ...(asDraft07(schema) as SchemaJson),
  $schema: DRAFT_07,
});
