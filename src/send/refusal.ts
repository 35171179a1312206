import type { Answer } from '../client/answer.js';
import type { OperationId } from '../generated/operations.js';
import type { Issue } from '../issues/issue.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { formatPointer } from '../values/pointer.js';
import { say } from './say.js';
import { isObject, textOf, textsOf } from './soap-json.js';
import type { Verdict } from './verdict.js';

/** Answers that carry no word of DIAN (service.md 5.4, 6, 8, 13.11). */

/** An answer as a refusal is told by: its status and the members of its body. */
interface Said {
  readonly status: number;
  readonly body: JsonObject;
}

/** A shape in which the service itself says no before it does anything; undefined where the answer has another. */
type OwnRefusal = (said: Said) => Verdict | undefined;

/** The 2026 line says everything with a 500, or a 400, of this shape. */
const inNewLine = ({ status, body }: Said, statuses: readonly number[]): string | undefined =>
  statuses.includes(status) && body['success'] === false ? textOf(body['error']) : undefined;

const forAll = (issue: Issue, passing = false): Verdict => ({ kind: 'refused-for-all', issue, passing });

const OWN_REFUSALS = {
  /** The fields of this request that will not do, each with its texts. */
  validation: ({ status, body }) => {
    const issues = status === 422 && typeof body['message'] === 'string' ? validationIssues(body) : [];
    return issues.length > 0 ? { kind: 'refused', issues } : undefined;
  },
  'validation, in words': (said) => {
    const text = inNewLine(said, [400, 500]);
    return text !== undefined && VALIDATION.some((form) => form.test(text))
      ? { kind: 'refused', issues: [say('remote/refused', { text })] }
      : undefined;
  },
  unauthenticated: (said) => {
    const { status, body } = said;
    const text = inNewLine(said, [500]) ?? (status === 401 ? textOf(body['message']) : undefined);
    return text !== undefined && UNAUTHENTICATED.test(text)
      ? forAll(say('send/unauthenticated', { status }))
      : undefined;
  },
  /** Business refusals come as 200 (service.md 5.4). */
  'signing certificate': ({ status, body }) =>
    isDeclined(status, body) && Number(textOf(body['certificate_days_left']) ?? 1) <= 0
      ? forAll(say('send/certificate-expired', { text: textOf(body['message']) ?? '' }))
      : undefined,
  'out of service': ({ status, body }) => {
    const text = textOf(body['message']) ?? '';
    return isDeclined(status, body) && OUT_OF_SERVICE.some((form) => form.test(text))
      ? forAll(say('send/not-in-service', { text }), true)
      : undefined;
  },
} as const satisfies Readonly<Record<string, OwnRefusal>>;

type RefusalName = keyof typeof OWN_REFUSALS;

const ALL = Object.keys(OWN_REFUSALS) as readonly RefusalName[];
const VALIDATIONS: readonly RefusalName[] = ['validation', 'validation, in words'];

/**
 * The requests that must not be made twice, and the refusals that end the doubt whether one was taken: those that cannot
 * follow acceptance. Whatever else refuses may have been written by something in between after the service took it.
 * A payroll or event that is sent again asks by that; a creation of the health module makes another one.
 */
export const ENDS_DOUBT = {
  sendPayroll: ALL,
  sendPayrollTestSet: ALL,
  sendAdjustNote: ALL,
  sendAdjustNoteTestSet: ALL,
  sendEvent: ALL,
  sendEventData: ALL,
  createPatient: VALIDATIONS,
  createAppointment: VALIDATIONS,
  createRipsDocument: VALIDATIONS,
  // It has no body whose fields could be refused, and answers in the ministry's words (rips/generated-answer.ts).
  generateRips: [],
} as const satisfies Partial<Record<OperationId, readonly RefusalName[]>>;

/** What a request is to the service: one of those above, or anything that may be asked as often as one likes. */
export type Asked = keyof typeof ENDS_DOUBT | 'query';

export function readFailure({ reason, sent }: Extract<Answer, { kind: 'failure' }>): Verdict {
  if (reason === 'aborted')
    return sent ? { kind: 'unknown', issue: say('send/interrupted') } : { kind: 'not-sent' };
  if (sent) return { kind: 'unknown', issue: say('send/no-answer', { reason }) };
  return CERTIFICATE_REASONS.has(reason)
    ? forAll(say('send/untrusted-certificate', { reason }))
    : forAll(say('send/unreachable', { reason }), true);
}

/** Reasons that no waiting takes away. */
const CERTIFICATE_REASONS: ReadonlySet<string> = new Set([
  'untrusted-certificate',
  'expired-certificate',
  'certificate-of-another-host',
]);

/** What a body says that is no object of JSON, or a throttle. */
export function readForeign(
  {
    status,
    text,
    retryAfter,
  }: { readonly status: number; readonly text: string; readonly retryAfter?: string },
  asked: Asked,
): Verdict {
  const cause = causeOf(status, retryAfter);
  return asked === 'query' && cause !== undefined ? cause : unreadable(status, text, cause);
}

export function readRefusal(
  {
    status,
    body,
    retryAfter,
  }: { readonly status: number; readonly body: JsonValue; readonly retryAfter?: string },
  asked: Asked,
): Verdict {
  const more = retryAfter === undefined ? {} : { retryAfter };
  if (!isObject(body) || status === 429)
    return readForeign({ status, text: isObject(body) ? '' : (textOf(body) ?? ''), ...more }, asked);
  const said = { status, body };
  if (isDeclined(status, body)) {
    const sent = sentBefore(body);
    if (sent !== undefined) return sent;
  }
  const names = asked === 'query' ? ALL : (ENDS_DOUBT[asked] as readonly RefusalName[]);
  for (const name of names) {
    const verdict = OWN_REFUSALS[name](said);
    if (verdict !== undefined) return verdict;
  }
  const text = textOf(body['error']) ?? textOf(body['message']) ?? '';
  // The run hears of a wrong token also where the document stays in doubt.
  const cause = OWN_REFUSALS.unauthenticated(said) ?? causeOf(status, retryAfter) ?? declined(said);
  if (asked !== 'query') return unreadable(status, text, cause);
  if (cause !== undefined) return cause;
  // A question is not asked for nothing: a clear no of any wording is an answer.
  return status >= 400 && status < 500
    ? { kind: 'refused', issues: [say('remote/refused', { text })] }
    : unreadable(status, text);
}

/** "Already sent" (service.md 5.4). */
function sentBefore(body: JsonObject): Verdict | undefined {
  const documentCode = textOf(body['cune']);
  const employee = textOf(body['employee']);
  const total = textOf(body['total_payroll']);
  if (documentCode === undefined && total === undefined) return undefined;
  return {
    kind: 'received-before',
    shown: { ...(employee !== undefined && { employee }), ...(total !== undefined && { total }) },
    text: textOf(body['message']) ?? '',
    ...(documentCode !== undefined && { documentCode }),
  };
}

const isDeclined = (status: number, body: JsonObject): boolean => status < 300 && body['success'] === false;

const declined = ({ status, body }: Said): Verdict | undefined =>
  isDeclined(status, body)
    ? forAll(say('send/not-in-service', { text: textOf(body['message']) ?? '' }), true)
    : undefined;

type Cause = Extract<Verdict, { kind: 'refused-for-all' | 'throttled' }>;

/** It may have been taken all the same; `cause` is what the run as a whole is told. */
const unreadable = (status: number, text: string, cause?: Verdict): Verdict => ({
  kind: 'unknown',
  issue: say('send/unreadable-answer', {
    status,
    text: text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 160),
  }),
  ...(cause !== undefined && { cause: cause as Cause }),
});

/** Statuses that mean the same whatever the body says. A redirect is no service: it was not followed. */
function causeOf(status: number, retryAfter?: string): Verdict | undefined {
  if (status === 429) return { kind: 'throttled', ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 401 || status === 403) return forAll(say('send/unauthenticated', { status }));
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return forAll(say('send/wrong-address', { status }));
  return undefined;
}

/** The 2026 line says this with a 500. */
const UNAUTHENTICATED = /^unauthenticated\.?$/i;

/** What the service says of the company or of DIAN before it sends (service.md 5.4). */
const OUT_OF_SERVICE = [
  /\bDIAN\b.*\bno (se encuentra |est[aá] )?disponible\b/i,
  /\bcertificado\b.*\b(venc|expir)/i,
  /\bplan\b.*\b(inactiv|agotad|venc|consumid)/i,
  /\bempresa\b.*\binactiv/i,
];

/**
 * The forms of the framework's validation texts; the 2026 line quotes the first one in a 500 (service.md 13.11).
 * Narrow on purpose: what is not recognised is merely unknown, what is recognised wrongly would be called final.
 */
const VALIDATION = [
  /^the [\w. -]+ field (is required|is prohibited|must (be|have|not)|has a)/i,
  /^the [\w. -]+ (must (be|have|contain|not|match|start|end)|may (not|only)|has already been taken|format is invalid|is not a valid|does not match)/i,
  /^the selected [\w. -]+ is invalid/i,
  /^the given data was invalid/i,
  /^(el|la) (campo|valor|atributo|formato)\b.* (es|no es|debe|no debe|ya ha sido|ya existe)\b/i,
  /^(el|la) [\w. -]+ seleccionad[oa] /i,
  // A bad date (service.md 8).
  /^(failed to parse time string|could not parse|datetime::__construct)/i,
];

/** Fields of requests, as the framework names them. */
const FIELD = /^[a-z]\w*(\.[\w*]+)*$/i;

/** `{"worker.address": [text, …]}`: one issue a text, at the field's pointer. */
function validationIssues(body: JsonObject): readonly Issue[] {
  const errors = body['errors'];
  if (!isObject(errors) || !Object.keys(errors).every((field) => FIELD.test(field))) return [];
  return Object.entries(errors).flatMap(([field, texts]) => {
    const pointer = formatPointer(field.split('.'));
    return textsOf(texts).map((text) => say('remote/refused', { field, text }, { pointer }));
  });
}
