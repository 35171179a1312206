import type { ErrorObject } from 'ajv';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { CODES } from '../../generated/codes.js';
import { FORMS } from '../../generated/forms.js';
import type { OwnCode, OwnParams } from '../../generated/issue-codes.js';
import type { SchemaName, SchemaTypes } from '../../generated/schema-types.js';
import { type Checked, hasErrors, type Issue, issueOf, type Language, withParams } from '../core/issue.js';
import {
  childPointer,
  isObject,
  type JsonObject,
  type JsonValue,
  type Pointer,
  parentOf,
  parsePointer,
  valueAt,
} from '../core/json.js';
import { isPlainDate } from '../core/plain-date.js';
import { getOrAdd } from '../core/remember.js';
import { unreachable } from '../core/required.js';
import { nameMeant } from '../core/text.js';
import { type Worded, word } from '../messages/wording.js';
import { loadAjv, loadFormats } from './ajv.js';
import { builtValidator } from './built.js';
import {
  childKeys,
  refName,
  resolveNode,
  rootNode,
  type SchemaNode,
  schemaId,
  schemaNames,
  typesOf,
} from './registry.js';
import { roleFaults } from './roles.js';
import { ruleEntry } from './rule-data.js';
import { checkRules } from './rules.js';
import { ANNOTATIONS, type View, viewOf } from './views.js';

/** Codes of shape errors; all name the field. */
type ShapeCode = Extract<OwnCode, `document/${string}`>;

type FaultAs<C extends ShapeCode> = C extends ShapeCode
  ? {
      readonly code: C;
      readonly pointer: Pointer;
      readonly params: Omit<OwnParams[C], 'field' | 'title'>;
    }
  : never;
type Fault = FaultAs<ShapeCode>;

const FORM_OF_TYPE: Readonly<Record<string, string>> = {
  string: '"…"',
  integer: '30',
  number: '1.5',
  boolean: 'true, false',
  object: '{…}',
  array: '[…]',
  null: 'null',
};

/** Codes by renamed format: RFC 3339 uses `time` for another form, but codes stay. */
const CODE_OF_FORMAT: Readonly<Record<string, string>> = { 'clock-time': 'time' };

const WHOLE = /^(?:0|[1-9]\d{0,14})$/;

/** Returns a number written as text, or a text as number, with lost zeros; undefined if it is neither. */
function inItsType(value: unknown, node: SchemaNode): string | undefined {
  const { minLength, maxLength } = node as { readonly minLength?: number; readonly maxLength?: number };
  const types = typesOf(node);
  if (typeof value === 'string')
    return WHOLE.test(value) && ['integer', 'number'].some((type) => types.includes(type))
      ? value
      : undefined;
  // A number with more digits than JavaScript holds has lost some.
  if (!Number.isSafeInteger(value) || !types.includes('string') || node.writeOnly === true) return undefined;
  const text = String(value).padStart(minLength === maxLength ? (maxLength ?? 0) : 0, '0');
  return text.length > (maxLength ?? text.length) ? undefined : JSON.stringify(text);
}

/** Returns the error of a wrong type or form, with the expected one. */
function formFault(pointer: Pointer, node: SchemaNode, value?: unknown): Fault {
  if (node.format === undefined) {
    const forms = typesOf(node).map((type) => FORM_OF_TYPE[type]);
    const expected = inItsType(value, node) ?? forms.join(' | ');
    return { code: 'document/type', pointer, params: { expected } };
  }
  const code = `document/format-${CODE_OF_FORMAT[node.format] ?? node.format}`;
  if (code in CODES) return { code, pointer, params: {} } as Fault;
  return { code: 'document/format', pointer, params: { expected: node.format } };
}

const shown = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Lists the allowed values; the tolerant view names each number twice, as number and as text. */
function choices({ params }: ErrorObject): string {
  const values: readonly JsonValue[] = params['allowedValues'] ?? [params['allowedValue']];
  return [...new Set(values.map(shown))].join(', ');
}

type LimitCode = Extract<
  ShapeCode,
  `document/too-${'short' | 'long' | 'small' | 'large' | 'few' | 'many'}` | 'document/not-above'
>;

const LIMIT_CODES: Readonly<Record<string, LimitCode>> = {
  minLength: 'document/too-short',
  maxLength: 'document/too-long',
  minimum: 'document/too-small',
  maximum: 'document/too-large',
  exclusiveMinimum: 'document/not-above',
  exclusiveMaximum: 'document/too-large',
  minItems: 'document/too-few',
  minProperties: 'document/too-few',
  maxItems: 'document/too-many',
};

function faultOf(error: ErrorObject, node: SchemaNode, document: unknown): Fault {
  const { keyword, instancePath: pointer, params } = error;
  const limit = LIMIT_CODES[keyword];
  if (keyword === 'minLength' && params['limit'] === 1)
    return { code: 'document/blank', pointer, params: {} };
  if (limit !== undefined) return { code: limit, pointer, params: { limit: params['limit'] } };
  switch (keyword) {
    case 'additionalProperties':
      return {
        code: 'document/not-allowed',
        pointer: childPointer(pointer, params['additionalProperty']),
        params: {},
      };
    case 'type':
    case 'format':
      return formFault(pointer, node, valueAt(document, pointer));
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

/** Drops the type error of a value that is not among the allowed ones. */
function withoutDoubles(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const fixed = placesOf(errors, FIXED);
  return errors.filter(
    (error) => error.keyword !== 'if' && !(error.keyword === 'type' && fixed.has(error.instancePath)),
  );
}

/**
 * Drops errors of branches that were not meant, those of another type; the error of the choice remains if no
 * other does.
 */
function withoutNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const composed = placesOf(errors, COMPOSED);
  if (composed.size === 0) return errors;
  const isMeant = ({ keyword, instancePath }: ErrorObject): boolean =>
    !composed.has(instancePath) || !['type', ...FIXED, ...COMPOSED].includes(keyword);
  const meant = errors.filter(isMeant);
  const isCovered = (place: Pointer): boolean =>
    meant.some(({ instancePath }) => instancePath === place || instancePath.startsWith(`${place}/`));
  return errors.filter(
    (error) => isMeant(error) || (COMPOSED.includes(error.keyword) && !isCovered(error.instancePath)),
  );
}

const MAX_VALUE_LENGTH = 80;

/** Formats the value at a pointer; never a secret. */
function foundAt(document: unknown, pointer: Pointer, node: SchemaNode | undefined): string | undefined {
  const value = valueAt(document, pointer) as JsonValue | undefined;
  if (value === undefined || node?.writeOnly === true) return undefined;
  if (Array.isArray(value)) return FORM_OF_TYPE['array'];
  if (typeof value === 'object' && value !== null) return FORM_OF_TYPE['object'];
  return shown(value);
}

const shortened = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;

/** Issues of missing leaves by schema, pointer and title: one object for all documents. */
const missing = new Map<string, Issue>();
const MAX_CACHED_ISSUES = 10_000;
function missingIssue(name: string, pointer: Pointer, document: unknown): Issue {
  const key = [name, pointer, resolveNode(name, parsePointer(pointer), document)?.title].join(' ');
  const known = missing.get(key);
  if (known !== undefined) return known;
  const issue = issueAt(name, { code: 'document/required', pointer, params: {} }, document);
  if (missing.size < MAX_CACHED_ISSUES) missing.set(key, issue);
  return issue;
}

function issueAt(name: string, { code, pointer, params }: Fault, document: unknown): Issue {
  const keys = parsePointer(pointer);
  const field = keys.at(-1) ?? '';
  const place = resolveNode(name, keys, document);
  const found = foundAt(document, pointer, place);
  const length = found?.length ?? 0;
  const words = { field, title: place?.title ?? field, length, ...params } as OwnParams[ShapeCode];
  return {
    ...issueOf(code, 'error', words, { pointer }),
    ...(found !== undefined && { value: shortened(found) }),
  };
}

/** Returns misspelt keys with the absent ones that were meant: those that look the same, or nearly. */
function meantKeys(
  name: string,
  document: unknown,
  errors: readonly ErrorObject[],
): ReadonlyMap<Pointer, string> {
  const found = new Map<Pointer, string>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'additionalProperties') continue;
    const node = resolveNode(name, parsePointer(instancePath), document);
    const object = valueAt(document, instancePath);
    if (node === undefined || !isObject(object)) continue;
    const key = String(params['additionalProperty']);
    const meant = nameMeant(
      key,
      childKeys(node).filter((absent) => !Object.hasOwn(object, absent)),
    );
    if (meant !== undefined) found.set(childPointer(instancePath, key), meant);
  }
  return found;
}

/** Returns the issues of ajv's errors, each place and code once. */
function issuesOf(name: string, document: unknown, errors: readonly ErrorObject[]): readonly Issue[] {
  const issues = new Map<string, Issue>();
  const meant = meantKeys(name, document, errors);
  const lacking = new Set([...meant].map(([pointer, key]) => childPointer(parentOf(pointer), key)));
  for (const error of withoutNoise(withoutDoubles(errors))) {
    const { keyword, instancePath, params } = error;
    if (keyword === 'required' && lacking.has(childPointer(instancePath, params['missingProperty'])))
      continue;
    const misspelt = childPointer(instancePath, String(params['additionalProperty'] ?? ''));
    const right = keyword === 'additionalProperties' ? meant.get(misspelt) : undefined;
    if (right !== undefined) {
      const fault = { code: 'document/key-like', pointer: misspelt, params: {} } as const;
      const suggestions = [{ value: right, score: 1 }];
      issues.set(misspelt, {
        ...issueAt(name, fault, document),
        value: String(params['additionalProperty']),
        suggestions,
      });
      continue;
    }
    const place = (): SchemaNode => resolveNode(name, parsePointer(instancePath), document) ?? {};
    const issue =
      keyword === 'required'
        ? missingIssue(name, childPointer(instancePath, params['missingProperty']), document)
        : issueAt(name, faultOf(error, place(), document), document);
    issues.set(`${issue.code} ${issue.place.pointer}`, issue);
  }
  return [...issues.values()];
}

/** Checks the calendar for 29 February; patterns cover the other days. */
const existsInYear = (text: string): boolean =>
  !text.startsWith('02-29', 5) || isPlainDate(text.slice(0, 10));

/** Constraints of a form that its pattern cannot express. */
const BEYOND_PATTERN: Readonly<Record<string, (text: string) => boolean>> = {
  date: existsInYear,
  'local-date-time': existsInYear,
  'national-date-time': existsInYear,
  'worker-document': (text) => text.length <= FORMS['worker-document'].maxLength,
};

/** Standard formats, taken from ajv-formats. */
const STANDARD = ['email', 'uri'] as const;

type Check = RegExp | ((text: string) => boolean);

function standard(format: (typeof STANDARD)[number]): Check {
  let check: Check | undefined;
  return (text) => {
    check ??= loadFormats().get(format) as Check;
    return typeof check === 'function' ? check(text) : check.test(text);
  };
}

const NO_BASE64 = /[^0-9A-Za-z+/]/;

/**
 * Checks a base64 file; one pattern over megabytes overflowed the stack, searching for a wrong character does
 * not.
 */
const isBase64 = (text: string, form: RegExp): boolean =>
  text.length % 4 === 0 && form.test(text.slice(-4)) && !NO_BASE64.test(text.slice(0, -4));

/**
 * Returns the check of a form; it runs some twenty times per document, and V8 compiles plain regular
 * expressions.
 */
function checkOf(format: string, { pattern }: { readonly pattern: string }): Check {
  const form = new RegExp(pattern);
  if (format === 'base64') return (text) => isBase64(text, form);
  const beyond = BEYOND_PATTERN[format];
  return beyond === undefined ? form : (text) => form.test(text) && beyond(text);
}

/** Checks of leaf forms (schemas/README.md) by format name. Formats apply to text only, so numbers pass. */
export const FORMATS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(Object.entries(FORMS).map(([format, form]) => [format, checkOf(format, form)])),
  ...Object.fromEntries(STANDARD.map((format) => [format, standard(format)])),
  // Forms of the tolerant view only.
  'number-text': /^[+-]?\d+(?:\.\d+)?$/,
  'integer-text': /^[+-]?\d+$/,
  alphanumeric: /^[0-9A-Za-z]{1,15}$/,
};

/** Members of an Ajv of any version that `addKeywords` uses. */
interface AnyAjv {
  readonly formats: object;
  addVocabulary(names: string[]): unknown;
  addFormat(name: string, check: Check): unknown;
}

/** Adds the annotations of our schemas, and formats still unknown, to an Ajv in strict mode. */
export function addKeywords<Instance extends AnyAjv>(ajv: Instance): Instance {
  ajv.addVocabulary([...ANNOTATIONS]);
  for (const [format, check] of Object.entries(FORMATS))
    if (!(format in ajv.formats)) ajv.addFormat(format, check);
  return ajv;
}

/** @param code options of the generated code */
export function newAjv(code: object = {}): Ajv2020 {
  const ajv = new (loadAjv())({
    allErrors: true,
    strictTypes: false,
    strictRequired: false,
    // Tests validate our schemas; optimising the code had no measurable effect.
    validateSchema: false,
    code: { optimize: false, ...code },
  });
  addKeywords(ajv);
  return ajv;
}

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  );
}

/** Returns a schema and all that it refers to. */
function closure(name: string, found = new Map<string, SchemaNode>()): ReadonlyMap<string, SchemaNode> {
  if (found.has(name)) return found;
  const root = rootNode(name);
  found.set(name, root);
  for (const ref of refsIn(root)) closure(refName(ref), found);
  return found;
}

interface Compiler {
  readonly ajv: Ajv2020;
  readonly added: Set<string>;
}

/** Compilers by view, so that views do not see each other's schemas. */
const compilers = new Map<View, Compiler>();
const validators = new Map<View, Map<string, ValidateFunction>>();

export function compileWith({ ajv, added }: Compiler, name: string, view: View): ValidateFunction {
  for (const [part, root] of closure(name)) {
    if (!added.has(part)) ajv.addSchema(viewOf(root, view), schemaId(part));
    added.add(part);
  }
  return ajv.getSchema(schemaId(name)) ?? unreachable(`schema ${name}`);
}

function compile(name: string, view: View): ValidateFunction {
  const compiler = getOrAdd(compilers, view, () => ({ ajv: newAjv(), added: new Set<string>() }));
  return compileWith(compiler, name, view);
}

/** Returns the validator of a schema in a view, compiled on first use. Throws on an unknown name. */
function validatorOf(name: string, view: View): ValidateFunction {
  const byName = getOrAdd(validators, view, () => new Map());
  return getOrAdd(byName, name, () => builtValidator(name, view, FORMATS) ?? compile(name, view));
}

const NO_ISSUES: readonly Issue[] = Object.freeze([]);

/**
 * Validates a document against a schema in one of its views (schemas/README.md). Each issue has `place.pointer`
 * (of a missing member: its expected place), `params.field` (the wire name) and `params.title` (its Spanish
 * title). A valid document costs no allocation. Throws on an unknown schema name.
 */
export function validate(name: string, view: View, document: unknown): readonly Issue[] {
  const validator = validatorOf(name, view);
  const shape = validator(document)
    ? NO_ISSUES
    : issuesOf(name, document, validator.errors ?? unreachable('errors of a validator'));
  const roles = roleFaults(name, document);
  if (roles.length === 0) return shape;
  const wrong = new Set(roles.map(({ pointer }) => pointer));
  return [
    ...shape.filter(({ place }) => !wrong.has(place.pointer ?? '')),
    ...roles.map(({ code, pointer, rule, right }) => ({
      ...withParams(issueAt(name, { code, pointer, params: {} }, document), { rule }),
      ...(right !== undefined && { suggestions: [{ value: right, score: 1 }] }),
    })),
  ];
}

/** Validates a document; `value` is the document, present only if no issue is an error. */
export type Validator<Name extends SchemaName> = (document: unknown) => Checked<SchemaTypes[Name]>;

/**
 * Creates the full check of a document before it is sent: shape, then totals and other rules of its schema.
 * Each issue has `place.pointer`; `wordIssue` formats it.
 * @throws an error that lists the schemas on an unknown name
 */
export function validator<Name extends SchemaName>(name: Name): Validator<Name> {
  if (!schemaNames().includes(name))
    throw new Error(`There is no schema "${name}". The schemas are: ${schemaNames().join(', ')}.`);
  validatorOf(name, 'strict'); // compiled here, so that checking is fast from the first document on
  return (document) => {
    const shape = validate(name, 'strict', document);
    if (shape.length > 0) return { issues: shape };
    const issues = checkRules(name, document as JsonObject);
    return hasErrors(issues) ? { issues } : { value: document as SchemaTypes[Name], issues };
  };
}

/** Formats an issue: title, value and fix, without the place (`formatPlace`). */
export const wordIssue = (issue: Issue, language: Language = 'es'): Worded =>
  word(issue, language, ruleEntry);

/** Validates one field of a body, ignoring the others. */
export const fieldIssues = (schema: SchemaName, field: string, value: JsonValue): readonly Issue[] =>
  validate(schema, 'strict', { [field]: value })
    .filter(({ place }) => place.pointer === `/${field}`)
    .map((issue) => withParams({ ...issue, place: {} }, { field }));
