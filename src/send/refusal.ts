import type { Answer } from '../client/answer.js';
import type { Issue } from '../issues/issue.js';
import type { JsonObject, JsonValue } from '../values/json.js';
import { formatPointer } from '../values/pointer.js';
import { say } from './say.js';
import { isObject, textOf, textsOf } from './soap-json.js';
import type { Verdict } from './verdict.js';

/** Reasons that no waiting takes away. */
const CERTIFICATE_REASONS: ReadonlySet<string> = new Set([
  'untrusted-certificate',
  'expired-certificate',
  'certificate-of-another-host',
]);

/** Answers that carry no word of DIAN (service.md 5.4, 8). */

export function readFailure({ reason, sent }: Extract<Answer, { kind: 'failure' }>): Verdict {
  if (reason === 'aborted')
    return sent ? { kind: 'unknown', issue: say('send/interrupted') } : { kind: 'not-sent' };
  if (CERTIFICATE_REASONS.has(reason)) return forAll(say('send/untrusted-certificate', { reason }));
  return sent
    ? { kind: 'unknown', issue: say('send/no-answer', { reason }) }
    : { kind: 'refused-for-all', issue: say('send/unreachable', { reason }), passing: true };
}

export const readText = ({ status, text }: Extract<Answer, { kind: 'text' }>): Verdict =>
  ofStatus(status) ?? unreadable(status, text);

export function readRefusal(status: number, body: JsonValue): Verdict {
  if (!isObject(body)) return ofStatus(status) ?? unreadable(status, textOf(body) ?? '');
  if (status < 300)
    return body['success'] === false ? ofService(body) : unreadable(status, textOf(body['message']) ?? '');
  const texts = [textOf(body['error']), textOf(body['message'])].filter((text) => text !== undefined);
  if (texts.some((text) => UNAUTHENTICATED.test(text)))
    return forAll(say('send/unauthenticated', { status }));
  const known = ofStatus(status);
  if (known !== undefined) return known;
  const issues = validationIssues(body);
  if (issues.length > 0) return { kind: 'refused', issues };
  const text = texts[0] ?? '';
  if (status < 500 || VALIDATION.some((form) => form.test(text)))
    return { kind: 'refused', issues: [say('remote/refused', { text })] };
  return unreadable(status, text);
}

const forAll = (issue: Issue, passing = false): Verdict => ({ kind: 'refused-for-all', issue, passing });

const unreadable = (status: number, text: string): Verdict => ({
  kind: 'unknown',
  issue: say('send/unreadable-answer', {
    status,
    text: text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 160),
  }),
});

/** Statuses that mean the same whatever the body says. A redirect is no service: it was not followed. */
function ofStatus(status: number): Verdict | undefined {
  if (status === 401 || status === 403) return forAll(say('send/unauthenticated', { status }));
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return forAll(say('send/wrong-address', { status }));
  return undefined;
}

/** Business refusals come as 200 (service.md 5.4): already sent, or something that concerns the whole company. */
function ofService(body: JsonObject): Verdict {
  const text = textOf(body['message']) ?? '';
  const documentCode = textOf(body['cune']);
  const employee = textOf(body['employee']);
  const total = textOf(body['total_payroll']);
  if (documentCode !== undefined || total !== undefined) {
    const shown = { ...(employee !== undefined && { employee }), ...(total !== undefined && { total }) };
    return { kind: 'received-before', shown, text, ...(documentCode !== undefined && { documentCode }) };
  }
  const issues = validationIssues(body);
  if (issues.length > 0) return { kind: 'refused', issues };
  if (Number(textOf(body['certificate_days_left']) ?? 1) <= 0)
    return forAll(say('send/certificate-expired', { text }));
  return forAll(say('send/not-in-service', { text }), true);
}

/** The 2026 line says this with a 500. */
const UNAUTHENTICATED = /^unauthenticated\.?$/i;

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
];

/** `{"worker.address": [text, …]}`: one issue a text, at the field's pointer. */
function validationIssues(body: JsonObject): readonly Issue[] {
  const errors = body['errors'];
  if (!isObject(errors)) return [];
  return Object.entries(errors).flatMap(([field, texts]) => {
    const pointer = formatPointer(field.split('.'));
    return textsOf(texts).map((text) => say('remote/refused', { field, text }, { pointer }));
  });
}
