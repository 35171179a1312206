import type { Answer } from '../client/answer.js';
import type { Issue } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import { isObject, textOf } from './soap-json.js';
import { readVerdict, type Verdict } from './verdict.js';

/** What came of a request that no authority judges: a preview, a mail, a setting. */
export type Reply<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** This step did its work; the next one follows in its turn. */
  | { readonly kind: 'next' }
  | Extract<Verdict, { kind: 'refused' | 'refused-for-all' | 'throttled' | 'not-sent' | 'unknown' }>;

/** The same trouble, said to someone who cannot `resume`. */
const OWN_CODE: Readonly<Record<string, string>> = {
  'send/unreachable': 'service/unreachable',
  'send/untrusted-certificate': 'service/untrusted-certificate',
  'send/no-answer': 'service/no-answer',
  'send/interrupted': 'service/no-answer',
  'send/unreadable-answer': 'service/unreadable-answer',
  'remote/no-verdict': 'service/unreadable-answer',
  'send/unauthenticated': 'service/unauthenticated',
  'send/wrong-address': 'service/wrong-address',
  'send/throttled': 'service/throttled',
};

/** An issue of the sender in the words of `service/…`. */
export const asService = (issue: Issue): Issue => ({ ...issue, code: OWN_CODE[issue.code] ?? issue.code });

/**
 * Reads an answer. `done` picks out of a body what was wanted, undefined when it is not there; `refused` is the code of
 * a no to this one request. `{success: false}` says here that it will not do, whatever the cause (service.md 4.10).
 */
export function readReply<T>(
  answer: Answer,
  done: (body: JsonObject) => T | undefined,
  refused: string,
): Reply<T> {
  if (answer.kind === 'json' && answer.status < 300 && isObject(answer.body)) {
    const { body } = answer;
    const value = done(body);
    if (value !== undefined) return { kind: 'done', value };
    if (body['success'] === false && body['errors'] === undefined) {
      const params = { text: textOf(body['message']) ?? '' };
      return { kind: 'refused', issues: [{ code: refused, level: 'error', params, place: {} }] };
    }
  }
  const verdict = readVerdict(answer, 'query');
  switch (verdict.kind) {
    case 'refused':
      return { kind: 'refused', issues: verdict.issues.map((issue) => ({ ...issue, code: refused })) };
    case 'refused-for-all':
      return { ...verdict, issue: asService(verdict.issue) };
    case 'unknown':
      return { kind: 'unknown', issue: asService(verdict.issue) };
    case 'throttled':
    case 'not-sent':
      return verdict;
    default:
      return {
        kind: 'unknown',
        issue: {
          code: 'service/unreadable-answer',
          level: 'error',
          params: { status: 200, text: '' },
          place: {},
        },
      };
  }
}
