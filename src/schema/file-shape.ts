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

function validator(name: string): ValidateFunction {
  let found = compiled.get(name);
  if (found === undefined) {
    const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
    found = ajv.compile(schemaJson(name));
    compiled.set(name, found);
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

/** Faults of a file against `schemas/<name>.schema.json`; those below a key in `except` are left to who knows better. */
export function checkFileShape(
  name: string,
  value: JsonValue,
  except: readonly string[] = [],
): readonly ShapeFault[] {
  const validate = validator(name);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .filter((error) => !except.includes(keysOf(error.instancePath)[0] ?? ''))
    .filter((error) => error.keyword !== 'oneOf' && error.keyword !== 'anyOf' && error.keyword !== 'if')
    .map(toFault);
}
