import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OPERATIONS, type OperationId } from '../generated/operations.js';
import type { SchemaName } from '../generated/schema-types.js';
import { foreignObject } from '../toolkit/core/foreign-json.js';
import type { Issue } from '../toolkit/core/issue.js';
import { type JsonObject, type JsonValue, parsePointer } from '../toolkit/core/json.js';
import { SANDBOX_JSON } from '../toolkit/core/limits.js';
import { follow } from '../toolkit/schema/rule-scope.js';
import { validate } from '../toolkit/schema/validate.js';
import type { ErrorStyle } from './options.js';
import type { Company } from './store.js';

export const required = (field: string): FieldFault => ({ field, text: `The ${field} field is required.` });

const faultOf = (issue: Issue): FieldFault => {
  const field = parsePointer(issue.place.pointer ?? '').join('.');
  return issue.code === 'document/required'
    ? required(field)
    : { field, text: `The ${field} format is invalid.` };
};

/** Returns the shape errors of a body by the tolerant view of a schema. */
export const schemaFaults = (schema: SchemaName, body: JsonObject): FieldFault[] =>
  validate(schema, 'tolerant', withoutNulls(body)).map(faultOf);

export function shapeFaults(call: Call): FieldFault[] {
  const { body: schema } = OPERATIONS[call.operation];
  return schema === null ? [] : schemaFaults(schema, call.body);
}

/** Rule of DIAN that a document violates: a rejection, or only a notification. */
export interface Finding {
  readonly rule: string;
  readonly rejects: boolean;
}

export interface Verdict {
  /** `set-accepted` is a response about the test set that says nothing of the document (service.md 5.3). */
  readonly state: 'accepted' | 'rejected' | 'set-accepted';
  readonly findings: readonly Finding[];
  /** Code of the document in the response. */
  readonly documentKey: string;
}

/** Verdict set by the test instead of the rules. */
export interface ChosenVerdict extends Scripted {
  /** `reject-200` and `reject-500` are forms in which a RIPS package is refused. */
  readonly verdict: 'reject' | 'reject-200' | 'reject-500' | 'notify' | 'set-accepted';
  /** Ids of DIAN or the ministry: `NIE024`, `RVC061`. */
  readonly rules?: readonly string[];
}

/** Field of the request that the service's validator refuses; nested fields are joined by dots. */
export interface FieldFault {
  readonly field: string;
  readonly text: string;
}

/** Error responses of one version of the service (service.md 8, 13.11). */
export interface Refusals {
  invalid(faults: readonly FieldFault[]): Answer;
  unauthenticated(): Answer;
  unknownRoute(path: string): Answer;
  /** @param retryAfter in seconds */
  throttled(retryAfter: number): Answer;
  crash(reason: string, kind?: 'date'): Answer;
}

const refusal = (status: number, body: Answer['body'], headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  body,
  effect: 'refused',
});

const STOCK: Refusals = {
  invalid: (faults) => {
    const errors: Record<string, string[]> = {};
    for (const { field, text } of faults) {
      errors[field] ??= [];
      errors[field].push(text);
    }
    return refusal(422, { message: 'The given data was invalid.', errors });
  },
  unauthenticated: () => refusal(401, { message: 'Unauthenticated.' }),
  unknownRoute: (path) => refusal(404, { message: `The route ${path} could not be found.` }),
  throttled: (retryAfter) =>
    refusal(
      429,
      { message: 'Too Many Attempts.' },
      { 'retry-after': String(retryAfter), 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' },
    ),
  crash: () => refusal(500, { message: 'Server Error' }),
};

const explained = (status: number, error: string): Answer =>
  refusal(status, { success: false, message: 'Ha ocurrido un error', error: error.slice(0, 1000) });

const LINE_2026: Refusals = {
  invalid: (faults) => explained(500, faults[0]?.text ?? ''),
  unauthenticated: () => explained(500, 'Unauthenticated.'),
  unknownRoute: (path) => explained(404, `The route ${path} could not be found.`),
  throttled: () => explained(429, 'Too Many Attempts.'),
  crash: (reason, kind) => explained(kind === 'date' ? 400 : 500, reason),
};

export const refusalsOf = (style: ErrorStyle): Refusals => (style === 'stock' ? STOCK : LINE_2026);

/** Body as received: `{}` if it is not a JSON object, or too deep for the service's framework. */
interface Received {
  readonly json: JsonObject;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const NOTHING: Received = { json: {}, hash: sha256(Buffer.alloc(0)) };

function read(bytes: Buffer): Received {
  const hash = sha256(bytes);
  return { json: foreignObject(bytes.toString('utf8'), SANDBOX_JSON) ?? {}, hash };
}

/** Accepts bodies of any type; the validator reports errors. */
export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, read(bytes as Buffer));
  });
}

export const received = (request: FastifyRequest): Received =>
  (request.body as Received | undefined) ?? NOTHING;

const mapMembers = (value: object, change: (member: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));

/**
 * Normalises a body as the service does before validation: trims texts, and makes empty ones null (service.md 3.3a).
 */
export function prepared(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.trim() || null;
  if (Array.isArray(value)) return value.map(prepared);
  return typeof value === 'object' && value !== null ? mapMembers(value, prepared) : value;
}

/** Removes members that are null, which rules treat as absent. */
export function withoutNulls<T extends JsonValue>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as unknown as T;
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return mapMembers(Object.fromEntries(given), withoutNulls) as T;
}

/** Returns the member at a path of keys, or undefined if a step is missing or null. */
export function member(body: JsonObject, ...keys: readonly string[]): JsonValue | undefined {
  return follow(body, keys) ?? undefined;
}

/** Returns a member as text, also from a number; '' if it is missing. */
export function text(body: JsonObject, ...keys: readonly string[]): string {
  const value = member(body, ...keys);
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Converts a boolean as the service's framework does. */
export const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1';

/** Requests that an entry applies to: every given member must be equal. */
export type Match = Partial<Pick<Subject, 'operation' | 'route' | 'company' | 'number' | 'worker' | 'key'>>;

/** Entry arranged by a test. */
export interface Scripted {
  readonly match: Match;
  /** Number of requests it catches. @default unlimited with a probability, else that of the kind */
  readonly times?: number;
  /** Number of requests it skips first. @default 0 */
  readonly skip?: number;
  /** Probability from 0 to 1 of catching a request. @default 1 */
  readonly probability?: number;
}

export type Entry<T extends Scripted> = T & { readonly id: string; readonly left: number };

/** Arranged entries, the earliest first. */
export type Script<T extends Scripted> = ReturnType<typeof createScript<T>>;

/** True if a text fits a pattern in which `*` is any text. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

export const matches = (match: Match, subject: Partial<Record<keyof Match, string>>): boolean =>
  Object.entries(match).every(([member, value]) => {
    const found = subject[member as keyof Match];
    return found === value || (member === 'route' && found !== undefined && isLike(found, value));
  });

export function createScript<T extends Scripted>(defaultTimes: number, random: () => number) {
  const entries = new Map<string, T & { id: string; left: number }>();
  const passed = new Map<string, number>();
  let last = 0;
  const letsBy = ({ id, skip = 0, probability }: Entry<T>): boolean => {
    const before = passed.get(id) ?? 0;
    passed.set(id, before + 1);
    return before < skip || (probability !== undefined && random() >= probability);
  };
  return {
    add: (arranged: T): Entry<T> => {
      const usual = arranged.probability === undefined ? defaultTimes : Number.POSITIVE_INFINITY;
      const entry = { ...arranged, id: String(++last), left: arranged.times ?? usual };
      entries.set(entry.id, entry);
      return entry;
    },
    remove: (id: string) => entries.delete(id),
    list: (): readonly Entry<T>[] => [...entries.values()],
    /** Takes the first entry that fits a request, and uses up one of its turns. */
    take: (subject: Subject, fits: (entry: T) => boolean = () => true): T | undefined => {
      for (const entry of entries.values()) {
        if (!matches(entry.match, subject) || !fits(entry) || letsBy(entry)) continue;
        entry.left -= 1;
        if (entry.left <= 0) entries.delete(entry.id);
        return entry;
      }
      return undefined;
    },
  };
}

/** Conversion of DIAN's SOAP to JSON by the service (service.md 5.1). */
export const NIL: JsonObject = { _attributes: { nil: 'true' } };
export const EMPTY: JsonObject = {};

/** Converts children: one is a scalar, several are an array, none is nil. */
const strings = (texts: readonly string[]): JsonObject =>
  texts.length === 0 ? NIL : { string: texts.length === 1 ? (texts[0] ?? '') : [...texts] };

export const envelope = (body: JsonObject): JsonObject => ({ Envelope: { Body: body } });

/** Nests a value at a path: `{a: {b: {c: value}}}` for a, b, c. */
export const nested = (path: readonly string[], value: JsonValue): JsonObject =>
  path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value) as JsonObject;

/** Texts of a family for the common members of DIAN's verdicts. */
interface ResultWording {
  readonly fileName: string;
  /** `StatusMessage` of an accepted document. */
  readonly authorised: string;
  /** Texts of DIAN by rule. */
  readonly ruleTexts: Readonly<Record<string, string>>;
}

/** Returns the members of every verdict (service.md 5.2, 13.5–13.7). */
export function verdictResult(verdict: Verdict, wording: ResultWording): JsonObject {
  const sentence = ({ rule, rejects }: Finding): string =>
    `Regla: ${rule}, ${rejects ? 'Rechazo' : 'Notificación'}: ${wording.ruleTexts[rule] ?? 'el documento no cumple la regla'}`;
  const subject = { XmlDocumentKey: verdict.documentKey, XmlFileName: wording.fileName };
  switch (verdict.state) {
    case 'accepted':
      return {
        ErrorMessage: strings(verdict.findings.map(sentence)),
        IsValid: 'true',
        StatusCode: '00',
        StatusDescription: 'Procesado Correctamente.',
        StatusMessage: wording.authorised,
        ...subject,
      };
    case 'rejected':
      return {
        ErrorMessage: strings(verdict.findings.map(sentence)),
        IsValid: 'false',
        StatusCode: '99',
        StatusDescription: 'Validación contiene errores en campos mandatorios.',
        StatusMessage: NIL,
        ...subject,
      };
    case 'set-accepted':
      return {
        ErrorMessage: NIL,
        IsValid: 'false',
        StatusCode: '2',
        StatusDescription: 'Set de prueba se encuentra Aceptado.',
        StatusMessage: NIL,
        ...subject,
      };
  }
}

/** Effect of a request on the state, for the request log. */
export type Effect =
  | 'none'
  | 'refused'
  | 'received'
  | 'accepted'
  | 'rejected'
  | 'already-sent'
  | 'pending'
  | 'configured'
  | 'stored'
  | 'mailed'
  | 'answered';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonValue;
  readonly effect: Effect;
}

export interface Call {
  readonly operation: OperationId;
  readonly route: string;
  readonly company: Company;
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Body as the rules see it, with null for empty texts. */
  readonly body: JsonObject;
}

/** Subject of a call, as far as it tells: arranged entries and the request log use it. */
export interface Topic {
  /** Prefix and consecutive joined. */
  readonly number?: string;
  readonly worker?: string;
  /** ZipKey, CUNE or CUFE of the path; for an event its CUFE and code, joined by a hyphen. */
  readonly key?: string;
  /** Free text of the document, which may contain a wish (see `readWish`). */
  readonly note?: string;
}

export interface Subject extends Topic {
  readonly operation: OperationId;
  /** Method and path: `POST /api/ubl2.1/payroll`. */
  readonly route: string;
  /** NIT. */
  readonly company: string;
}

export interface Handler {
  /** Further path templates of the operation. */
  readonly alsoAt?: readonly string[];
  about(call: Call): Topic;
  answer(call: Call, subject: Subject): Answer;
}

export const subjectOf = (call: Call, topic: Topic): Subject => ({
  ...topic,
  operation: call.operation,
  route: call.route,
  company: call.company.nit,
});

export const ok = (body: JsonObject, effect: Effect): Answer => ({ status: 200, body, effect });

/** Returns a refusal of the service itself, which has status 200 (service.md 5.4). */
export const declined = (message: string, more: JsonObject = {}, effect: Effect = 'refused'): Answer =>
  ok({ success: false, message, ...more }, effect);
