import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonValue } from '../values/json.js';
import { schemaJson } from './registry.js';

/** A fault in the shape of one of our own files, at a path of keys. */
export interface ShapeFault {
  readonly kind: 'unknown-key' | 'missing-key' | 'shape';
  readonly path: readonly string[];
  /** The key that is unknown or missing. */
  readonly key?: string;
  /** What ajv expected, in English. */
  readonly expected: string;
  /** Keys that may stand there. */
  readonly known: readonly string[];
}

const compiled = new Map<string, ValidateFunction>();

/** Our own schemas are right, and a file is looked at once: what is compiled for speed would only cost. */
const OPTIONS = {
  allErrors: true,
  strict: false,
  verbose: true,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
} as const;

function validator(name: string, except: readonly string[]): ValidateFunction {
  const key = [name, ...except].join(' ');
  let found = compiled.get(key);
  if (found === undefined) {
    const schema = schemaJson(name);
    const open = Object.fromEntries(except.map((property) => [property, true]));
    found = new Ajv2020(OPTIONS).compile({ ...schema, properties: { ...schema.properties, ...open } });
    compiled.set(key, found);
  }
  return found;
}

const keysOf = (instancePath: string): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

function toFault(error: ErrorObject): ShapeFault {
  const path = keysOf(error.instancePath);
  const properties = (error.parentSchema as { properties?: object } | undefined)?.properties ?? {};
  const known = Object.keys(properties);
  if (error.keyword === 'additionalProperties')
    return {
      kind: 'unknown-key',
      path,
      key: String(error.params['additionalProperty']),
      expected: '',
      known,
    };
  if (error.keyword === 'required')
    return { kind: 'missing-key', path, key: String(error.params['missingProperty']), expected: '', known };
  const choices =
    error.keyword === 'enum' ? `: ${(error.params['allowedValues'] as unknown[]).join(', ')}` : '';
  return { kind: 'shape', path, expected: `${error.message ?? error.keyword}${choices}`, known };
}

/** Faults of a part of a file against one of the definitions of `schemas/<name>.schema.json`. */
export function checkPartShape(name: string, definition: string, value: JsonValue): readonly ShapeFault[] {
  const key = `${name}#${definition}`;
  let validate = compiled.get(key);
  if (validate === undefined) {
    const { $defs } = schemaJson(name);
    validate = new Ajv2020(OPTIONS).compile({ $ref: `#/$defs/${definition}`, $defs });
    compiled.set(key, validate);
  }
  return faultsOf(validate, value);
}

/** Faults of a file against `schemas/<name>.schema.json`; those below a key in `except` are left to who knows better. */
export function checkFileShape(
  name: string,
  value: JsonValue,
  except: readonly string[] = [],
): readonly ShapeFault[] {
  return faultsOf(validator(name, except), value);
}

/** What they choose between says more than they do. */
const CHOICES: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'if']);

/** The keys of which exactly one must be there, where that is all that a choice is about. */
function oneOfKeys({ keyword, schema }: ErrorObject): readonly string[] | undefined {
  if (keyword !== 'oneOf' || !Array.isArray(schema)) return undefined;
  const options = schema as { readonly required?: readonly string[] }[];
  const isKeys = options.every((option) => option.required !== undefined && Object.keys(option).length === 1);
  return isKeys ? options.flatMap(({ required = [] }) => required) : undefined;
}

function faultsOf(validate: ValidateFunction, value: JsonValue): readonly ShapeFault[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).flatMap((error): ShapeFault[] => {
    const keys = oneOfKeys(error);
    const path = keysOf(error.instancePath);
    if (keys !== undefined)
      return [{ kind: 'shape', path, expected: `one of: ${keys.join(', ')}`, known: keys }];
    const isBranch =
      /\/oneOf\/\d+\/required$/.test(error.schemaPath) || error.params['missingProperty'] === 'undecided';
    return CHOICES.has(error.keyword) || isBranch ? [] : [toFault(error)];
  });
}
