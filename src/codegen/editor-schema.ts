import type { SchemaJson } from './schema-files.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** Draft 07 does not look at what stands beside a `$ref`: the reference moves into an `allOf`. */
function withoutSiblings(node: SchemaJson): SchemaJson {
  const { $ref, ...rest } = node;
  return $ref === undefined || Object.keys(rest).length === 0 ? node : { ...rest, allOf: [{ $ref }] };
}

function asDraft07(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDraft07);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === '$ref') return [key, (inner as string).replace('#/$defs/', '#/definitions/')];
    return [key === '$defs' ? 'definitions' : key, asDraft07(inner)];
  });
  return withoutSiblings(Object.fromEntries(entries));
}

/** A schema of draft 2020-12 for editors that know draft 07 only, such as those of YAML. Takes keywords that both have. */
export const editorSchema = (schema: SchemaJson): SchemaJson => ({
  ...(asDraft07(schema) as SchemaJson),
  $schema: DRAFT_07,
});
