import type { DocumentKind } from './kind.js';
import { retryAfterMs } from './policy.js';
import { say } from './say.js';
import type { Traffic, Trouble } from './traffic.js';
import type { Verdict } from './verdict.js';

/** What a verdict says about the run as a whole. */
export function troubleOf(
  verdict: Verdict,
  kind: Pick<DocumentKind, 'setUpRules'>,
  now: number,
): Parameters<Traffic['leave']>[1] {
  switch (verdict.kind) {
    case 'refused-for-all':
      return trouble(verdict.issue, 0, verdict.passing ? 5 : 1);
    case 'throttled': {
      const waitMs = retryAfterMs(verdict.retryAfter, now);
      return { ...trouble(say('send/throttled'), 0, 9), ...(waitMs !== undefined && { waitMs }) };
    }
    case 'unknown':
      return trouble(verdict.issue, UNKNOWN_ALLOWED, 2);
    case 'refused': {
      const [cause] = verdict.issues;
      return cause === undefined
        ? 'fine'
        : { cause, key: String(cause.params['text']), allowed: EQUAL_REFUSALS, rounds: 0 };
    }
    case 'rejected': {
      const rule = verdict.rules.find((id) => kind.setUpRules.includes(id));
      const cause = verdict.issues.find((issue) => issue.params['rule'] === rule);
      return rule === undefined || cause === undefined
        ? 'fine'
        : { cause, key: rule, allowed: SET_UP_REJECTIONS, rounds: 0 };
    }
    case 'not-sent':
      return undefined;
    default:
      return 'fine';
  }
}

/** Lost answers in a row that may still be bad luck. */
const UNKNOWN_ALLOWED = 15;
/** The same validation text for every document so far is no fault of the documents. */
const EQUAL_REFUSALS = 25;
const SET_UP_REJECTIONS = 2;

const trouble = (cause: Trouble['cause'], allowed: number, rounds: number): Trouble => ({
  cause,
  key: 'service',
  allowed,
  rounds,
});
