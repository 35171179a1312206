import type { ErrorObject } from 'ajv';
import { DOCUMENT_CODES } from '../issues/codes/document.js';
import type { Issue, IssueParams } from '../issues/issue.js';
import type { JsonValue } from '../values/json.js';
import { childPointer, type Pointer, parsePointer, valueAt } from '../values/pointer.js';
import { resolveNode, type SchemaNode, typesOf } from './registry.js';

/** Turns what Ajv says into issues that a person can act on. */

interface Fault {
  readonly code: string;
  readonly pointer: Pointer;
  readonly params: IssueParams;
}

const FORM_OF_TYPE: Readonly<Record<string, string>> = {
  string: '"…"',
  integer: '30',
  number: '1.5',
  boolean: 'true, false',
  object: '{…}',
  array: '[…]',
  null: 'null',
};

/** The wrong type or form of a leaf is one fault: what it should have looked like. */
function formFault(pointer: Pointer, node: SchemaNode): Fault {
  if (node.format === undefined) {
    return {
      code: 'document/type',
      pointer,
      params: {
        expected: typesOf(node)
          .map((type) => FORM_OF_TYPE[type])
          .join(' | '),
      },
    };
  }
  const code = `document/format-${node.format}`;
  if (code in DOCUMENT_CODES) return { code, pointer, params: {} };
  return { code: 'document/format', pointer, params: { expected: node.format } };
}

const shown = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The allowed values; the tolerant view names each number twice, as number and as text. */
function choices({ params }: ErrorObject): string {
  const values: readonly JsonValue[] = params['allowedValues'] ?? [params['allowedValue']];
  return [...new Set(values.map(shown))].join(', ');
}

const LIMIT_CODES: Readonly<Record<string, string>> = {
  minLength: 'document/too-short',
  maxLength: 'document/too-long',
  minimum: 'document/too-small',
  maximum: 'document/too-large',
  exclusiveMinimum: 'document/too-small',
  exclusiveMaximum: 'document/too-large',
  minItems: 'document/too-few',
  minProperties: 'document/too-few',
  maxItems: 'document/too-many',
};

function faultOf(error: ErrorObject, node: SchemaNode): Fault {
  const { keyword, instancePath: pointer, params } = error;
  const limit = LIMIT_CODES[keyword];
  if (keyword === 'minLength' && params['limit'] === 1)
    return { code: 'document/blank', pointer, params: {} };
  if (limit !== undefined) return { code: limit, pointer, params: { limit: params['limit'] } };
  switch (keyword) {
    case 'required':
      return {
        code: 'document/required',
        pointer: childPointer(pointer, params['missingProperty']),
        params: {},
      };
    case 'additionalProperties':
      return {
        code: 'document/not-allowed',
        pointer: childPointer(pointer, params['additionalProperty']),
        params: {},
      };
    case 'type':
    case 'format':
      return formFault(pointer, node);
    case 'enum':
    case 'const':
      if (node.type === 'boolean' && node.const === undefined) return formFault(pointer, node);
      return { code: 'document/choice', pointer, params: { allowed: choices(error) } };
    case 'pattern':
      return { code: 'document/pattern', pointer, params: { pattern: params['pattern'] } };
    case 'uniqueItems':
      return { code: 'document/repeated', pointer, params: {} };
    default:
      return { code: 'document/no-variant', pointer, params: { rule: keyword } };
  }
}

const FIXED: readonly string[] = ['const', 'enum'];
const COMPOSED: readonly string[] = ['oneOf', 'anyOf'];

const placesOf = (errors: readonly ErrorObject[], keywords: readonly string[]): ReadonlySet<Pointer> =>
  new Set(errors.filter((error) => keywords.includes(error.keyword)).map((error) => error.instancePath));

/** A value that is none of the allowed ones need not be told its type as well. */
function withoutDoubles(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const fixed = placesOf(errors, FIXED);
  return errors.filter(
    (error) => error.keyword !== 'if' && !(error.keyword === 'type' && fixed.has(error.instancePath)),
  );
}

/**
 * Of alternatives without a discriminator, branches of another type are not the ones that were meant;
 * when nothing else is left to say, the composed fault speaks for all of them.
 */
function withoutNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const composed = placesOf(errors, COMPOSED);
  if (composed.size === 0) return errors;
  const isMeant = ({ keyword, instancePath }: ErrorObject): boolean =>
    !composed.has(instancePath) || !['type', ...FIXED, ...COMPOSED].includes(keyword);
  const meant = errors.filter(isMeant);
  const isSpokenFor = (place: Pointer): boolean =>
    meant.some(({ instancePath }) => instancePath === place || instancePath.startsWith(`${place}/`));
  return errors.filter(
    (error) => isMeant(error) || (COMPOSED.includes(error.keyword) && !isSpokenFor(error.instancePath)),
  );
}

const LONGEST_VALUE = 80;

/** What stands there, as a person would write it; never a secret. */
function foundAt(document: unknown, pointer: Pointer, node: SchemaNode | undefined): string | undefined {
  const value = valueAt(document, pointer) as JsonValue | undefined;
  if (value === undefined || node?.writeOnly === true) return undefined;
  if (Array.isArray(value)) return FORM_OF_TYPE['array'];
  if (typeof value === 'object' && value !== null) return FORM_OF_TYPE['object'];
  return shown(value).slice(0, LONGEST_VALUE);
}

/** The issues behind the errors of one document; each place and code once. */
export function issuesOf(name: string, document: unknown, errors: readonly ErrorObject[]): readonly Issue[] {
  const issues = new Map<string, Issue>();
  for (const error of withoutNoise(withoutDoubles(errors))) {
    const { code, pointer, params } = faultOf(
      error,
      resolveNode(name, parsePointer(error.instancePath)) ?? {},
    );
    const keys = parsePointer(pointer);
    const field = keys.at(-1) ?? '';
    const place = resolveNode(name, keys);
    const value = foundAt(document, pointer, place);
    issues.set(`${code} ${pointer}`, {
      code,
      level: 'error',
      params: { field, title: place?.title ?? field, ...params },
      place: { pointer },
      ...(value !== undefined && { value }),
    });
  }
  return [...issues.values()];
}
