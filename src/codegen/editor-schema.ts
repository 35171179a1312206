import type { SchemaJson } from './schema-files.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** Draft 07 does not look at what stands beside a `$ref`: the reference moves into an `allOf`. */
function withoutSiblings(node: SchemaJson): SchemaJson {
  const { $ref, ...rest } = node;
  return $ref === undefined || Object.keys(rest).length === 0 ? node : { ...rest, allOf: [{ $ref }] };
}

/** What draft 07 says in one keyword: what must be there, and what must hold, once a key is there. */
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

/** A schema of draft 2020-12 for editors that know draft 07 only, such as those of YAML. Takes keywords that both have, or that have a like one there. */
export const editorSchema = (schema: SchemaJson): SchemaJson => ({
  ...(asDraft07(schema) as SchemaJson),
  $schema: DRAFT_07,
});
