import type { DocumentState } from '../document/outcome.js';
import type { Issue } from '../issues/issue.js';
import { say } from './say.js';
import type { Shown, Verdict } from './verdict.js';

/** Where a document stands, as the journal keeps it. */
export interface Position {
  readonly state: DocumentState;
  /** An earlier attempt may have landed, so that "already received" can be our own echo. */
  readonly doubt: boolean;
  /** CUNE or the like; until the document is accepted it is only something to ask with. */
  readonly documentCode?: string;
  readonly zipKey?: string;
}

export type Step = 'send' | 'poll' | 'ask';

/** What follows from an answer. */
export interface Change {
  /** Absent when nothing changes. */
  readonly to?: Position;
  readonly issues: readonly Issue[];
  /** Whether to go on with this document in the same run: at once, after a pause, or not. */
  readonly again: 'now' | 'later' | 'no';
}

/** What the machine must know of the document itself. */
export interface Ours {
  /** Prefix and consecutive joined. */
  readonly number: string;
  readonly echoRules: readonly string[];
  fits(shown: Shown): boolean;
}

/** What can be asked is asked; where nothing can, sending the same bytes again is the question (DESIGN.md 4). */
export function nextStep({ state, documentCode, zipKey }: Position): Step {
  if (zipKey !== undefined) return 'poll';
  return state === 'unknown' && documentCode !== undefined ? 'ask' : 'send';
}

const stay = (again: Change['again']): Change => ({ issues: [], again });

/** The state machine: pure, one answer at a time. */
export function after(from: Position, step: Step, verdict: Verdict, ours: Ours): Change {
  const { doubt, documentCode, zipKey } = from;
  const kept = zipKey === undefined ? {} : { zipKey };
  const rejected = (issues: readonly Issue[]): Change => ({
    to: { state: 'rejected', doubt, ...kept },
    issues,
    again: 'no',
  });
  const unknown = (
    issue: Issue,
    again: Change['again'],
    keys: Pick<Position, 'documentCode' | 'zipKey'> = {},
  ): Change => ({
    to: { state: 'unknown', doubt: true, ...keys },
    issues: [issue],
    again,
  });
  const unsent = (issues: readonly Issue[], again: Change['again']): Change =>
    step === 'send' ? { to: { state: doubt ? 'unknown' : 'planned', doubt }, issues, again } : stay(again);
  const taken = (): Change => rejected([say('send/number-taken', { number: ours.number })]);
  const unconfirmed = (again: Change['again'], keys?: Pick<Position, 'documentCode'>): Change =>
    unknown(say('send/landed-unconfirmed', { number: ours.number }), again, keys);

  switch (verdict.kind) {
    case 'accepted': {
      if (step === 'ask' && !ours.fits(verdict.shown)) return taken();
      const code = verdict.documentCode ?? documentCode;
      const to = {
        state: 'accepted',
        doubt,
        ...kept,
        ...(code !== undefined && { documentCode: code }),
      } as const;
      return { to, issues: verdict.issues, again: 'no' };
    }

    case 'rejected': {
      const echo = verdict.rules.length > 0 && verdict.rules.every((rule) => ours.echoRules.includes(rule));
      return doubt && echo && step !== 'ask' ? unconfirmed('no') : rejected(verdict.issues);
    }

    case 'refused':
      // A question that is refused says nothing of the document.
      if (step === 'send') return rejected(verdict.issues);
      return stay(step === 'ask' ? 'later' : 'no');

    case 'pending': {
      const code = verdict.documentCode;
      return {
        to: {
          state: 'pending',
          doubt,
          zipKey: verdict.zipKey,
          ...(code !== undefined && { documentCode: code }),
        },
        issues: [],
        again: 'no',
      };
    }

    case 'received-before': {
      if (!doubt || !ours.fits(verdict.shown)) return taken();
      const code = verdict.documentCode ?? documentCode;
      if (step === 'ask' || code === undefined) return unconfirmed('no');
      return unconfirmed('now', { documentCode: code });
    }

    case 'waiting':
      return from.state === 'unknown' && step === 'poll'
        ? { to: { ...from, state: 'pending' }, issues: [], again: 'no' }
        : stay(step === 'ask' ? 'later' : 'no');

    case 'not-found':
      // A batch may not be in DIAN's queue yet; a document that is not there was never taken.
      return step === 'ask' ? unconfirmed('later') : stay('no');

    case 'refused-for-all':
      return unsent([verdict.issue], step === 'poll' ? 'no' : 'now');

    case 'throttled':
      return unsent([], step === 'poll' ? 'no' : 'now');

    case 'not-sent':
      return unsent([], 'no');

    case 'unknown': {
      const again = verdict.issue.code === 'send/interrupted' ? 'no' : 'later';
      if (step === 'send')
        return unknown(
          verdict.issue,
          again,
          verdict.documentCode === undefined ? {} : { documentCode: verdict.documentCode },
        );
      if (step === 'poll' && verdict.issue.code === 'remote/test-set')
        return unknown(verdict.issue, 'no', kept);
      return stay(step === 'ask' ? again : 'no');
    }
  }
}
