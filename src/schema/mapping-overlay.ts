import type { SchemaNode } from './registry.js';

const OVER = '_over';

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = (map: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));

/** A part may be said in part, or be taken away. */
const orNull = (value: unknown): unknown =>
  isMap(value) ? { anyOf: [laid(value), { type: 'null' }] } : value;

/** Alternatives that only say which key must be there. */
const isRequirement = (value: unknown): boolean =>
  Array.isArray(value) && value.every((choice) => Object.keys(choice as object).join() === 'required');

/** What a whole must have; a part need not. */
const OF_WHOLES: readonly string[] = [
  'required',
  'minProperties',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'then',
  'else',
];

/** A schema of what is laid over something that already fits it: nothing is required, and null takes away. */
function laid(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(laid);
  if (!isMap(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => !OF_WHOLES.includes(key) && !(key === 'oneOf' && isRequirement(inner)),
  );
  return Object.fromEntries(
    kept.map(([key, inner]): [string, unknown] => {
      if (key === '$ref') return [key, `${inner}${OVER}`];
      if (key === 'oneOf') return ['anyOf', laid(inner)]; // a part may fit several
      if (key === 'properties' && isMap(inner)) return [key, mapValues(inner, orNull)];
      if (key === 'additionalProperties') return [key, orNull(inner)];
      return [key, key === 'anyOf' ? laid(inner) : inner]; // a list takes the place of another, so its items are whole
    }),
  );
}

/** The `properties` of a file that extends another one, and the `$defs` that they need beside those of whole files. */
export function overlayOf({ properties = {}, $defs = {} }: SchemaNode): {
  readonly properties: object;
  readonly $defs: object;
} {
  return {
    properties: mapValues(properties, orNull),
    $defs: Object.fromEntries(
      Object.entries($defs as object).map(([name, node]) => [name + OVER, laid(node)]),
    ),
  };
}
