import type { DocumentKind } from './kind.js';
import { type Policy, pauseOf, retryAfterMs } from './policy.js';
import { say } from './say.js';
import { bogotaTime, type World } from './time.js';
import type { Trouble } from './traffic.js';
import type { Verdict } from './verdict.js';

/** What decides how much a trouble weighs. */
export interface Weights {
  readonly kind: Pick<DocumentKind, 'setUpRules'>;
  readonly policy: Policy;
  readonly world: World;
}

/** What a verdict says about the run as a whole. */
export function troubleOf(verdict: Verdict, weights: Weights): Trouble | 'fine' | undefined {
  switch (verdict.kind) {
    case 'refused-for-all':
      return verdict.passing ? outage(verdict.issue, 0, weights) : lasting(verdict.issue, weights);
    case 'throttled':
      return haste(verdict.retryAfter, weights);
    case 'unknown':
      // What the answer says of the run counts, whatever became of the document.
      if (verdict.cause !== undefined) return troubleOf(verdict.cause, weights);
      return outage(verdict.issue, weights.policy.outage.chance, weights);
    case 'refused': {
      const [cause] = verdict.issues;
      return cause === undefined
        ? 'fine'
        : { cause, key: String(cause.params['text']), allowed: EQUAL_REFUSALS, pauses: [] };
    }
    case 'rejected': {
      const rule = verdict.rules.find((id) => weights.kind.setUpRules.includes(id));
      const cause = verdict.issues.find((issue) => issue.params['rule'] === rule);
      return rule === undefined || cause === undefined
        ? 'fine'
        : { cause, key: rule, allowed: SET_UP_REJECTIONS, pauses: [] };
    }
    case 'not-sent':
      return undefined;
    default:
      return 'fine';
  }
}

/** The same validation text for every document so far is no fault of the documents. */
const EQUAL_REFUSALS = 25;
const SET_UP_REJECTIONS = 2;
/** Pauses that are granted to a service that finds us too fast. */
const HASTE_PAUSES = 9;

const SERVICE = 'service';

/** It may pass by itself. */
const outage = (cause: Trouble['cause'], allowed: number, { policy }: Weights): Trouble => ({
  cause,
  key: SERVICE,
  allowed,
  ...policy.outage,
});

/** It hardly passes by itself: one more try, no more. */
const lasting = (cause: Trouble['cause'], { policy, world }: Weights): Trouble => ({
  cause,
  key: SERVICE,
  allowed: 0,
  pauses: [pauseOf(policy, 1, world.random)],
});

/** Longer, nobody waits for a service: the run stops and says until when. */
const LONGEST_WAIT = 15 * 60_000;

function haste(retryAfter: string | undefined, { policy, world }: Weights): Trouble {
  const asked = retryAfterMs(retryAfter, world.clock());
  if (asked !== undefined && asked > LONGEST_WAIT) {
    const cause = say('send/throttled-until', { until: bogotaTime(world.clock() + asked) });
    return { cause, key: SERVICE, allowed: 0, pauses: [] };
  }
  const pauses = Array.from(
    { length: HASTE_PAUSES },
    (_, index) => asked ?? pauseOf(policy, index + 1, world.random),
  );
  return { cause: say('send/throttled'), key: SERVICE, allowed: 0, pauses, haste: true };
}
