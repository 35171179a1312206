import type { DocumentState } from '../document/outcome.js';
import type { Issue } from '../issues/issue.js';
import { say } from './say.js';
import type { Shown, Verdict } from './verdict.js';

/** Ids that the service gave, by the stage that found or made them. */
export type Made = Readonly<Record<string, number>>;

/** Where a document stands, as the journal keeps it. */
export interface Position {
  readonly state: DocumentState;
  /** An earlier attempt may have landed, so that "already received" can be our own echo. */
  readonly doubt: boolean;
  /** The journal was restored since: later stages may be over too, which it does not know. */
  readonly restored?: boolean;
  /** CUNE or the like; until the document is accepted it is only something to ask with. */
  readonly documentCode?: string;
  readonly zipKey?: string;
  /** Of the stages that are over; absent before the first. */
  readonly made?: Made;
}

export type Step = 'send' | 'poll' | 'ask';

/** How a stage finds out what became of a request whose answer is lost. */
export interface Manner {
  /**
   * Whether it can be asked about: with a code that an answer gave, always, or never; `first`: also before the first
   * send, so that nothing is made that is there already.
   */
  readonly asks: 'by-code' | 'always' | 'first' | 'never';
  /** Present: what cannot be asked is left to a person. Absent: the same bytes are sent again, which is the question. */
  readonly lost?: unknown;
}

/** What follows from an answer. */
export interface Change {
  /** Absent when nothing changes. */
  readonly to?: Position;
  readonly issues: readonly Issue[];
  /** Whether to go on with this document in the same run: as all went well, at once, after a pause, or not. */
  readonly again: 'on' | 'now' | 'later' | 'no';
  /** What comes next where the position alone does not say. */
  readonly step?: Step;
}

/** What the machine must know of the document itself. */
export interface Ours {
  /** Prefix and consecutive joined. */
  readonly number: string;
  readonly echoRules: readonly string[];
  fits(shown: Shown): boolean;
  /** @default 'by-code' */
  readonly asks?: Manner['asks'];
  /** The stage under way. */
  readonly stage?: string;
  /** What a person is to do when the answer is lost; nothing is sent again. */
  readonly lost?: Issue;
  /** Somebody else uses numbers of this run: that a number is there does not make the document ours. */
  readonly amongStrangers?: boolean;
}

const saysWhose = ({ employee, total }: Shown): boolean => employee !== undefined || total !== undefined;

/** What can be asked is asked; where nothing can, sending the same bytes again is the question (DESIGN.md 4), or a person is asked. */
export function nextStep(
  { state, documentCode, zipKey }: Position,
  { asks, lost }: Manner = { asks: 'by-code' },
): Step | undefined {
  if (zipKey !== undefined) return 'poll';
  if (asks === 'first') return 'ask';
  if (state !== 'unknown') return 'send';
  if (asks === 'always' || (asks === 'by-code' && documentCode !== undefined)) return 'ask';
  return lost === undefined ? 'send' : undefined;
}

/** What a person is to do, in place of the advice that a lost answer usually gets; `reason` is what was lost. */
const withCause = (steps: Issue, { params }: Issue): Issue => ({
  ...steps,
  params: { ...steps.params, reason: String(params['text'] ?? '') || String(params['reason'] ?? '—') },
});

const stay = (again: Change['again']): Change => ({ issues: [], again });

/** The state machine: pure, one answer at a time. Ids of earlier stages, and the doubt of a restored journal, are never lost. */
export function after(from: Position, step: Step, verdict: Verdict, ours: Ours): Change {
  const change = changeOf(from, step, verdict, ours);
  if (change.to === undefined) return change;
  const made = from.made === undefined ? change.to.made : { ...from.made, ...change.to.made };
  const to = { ...change.to, ...(made !== undefined && { made }) };
  return { ...change, to: from.restored ? stillDoubted(to) : to };
}

function stillDoubted(to: Position): Position {
  if (to.state === 'accepted' || to.state === 'rejected') return to;
  return { ...to, state: to.state === 'planned' ? 'unknown' : to.state, doubt: true, restored: true };
}

function changeOf(from: Position, step: Step, verdict: Verdict, ours: Ours): Change {
  const { doubt, documentCode, zipKey } = from;
  const kept = zipKey === undefined ? {} : { zipKey };
  const canAsk = ours.asks === 'always' || ours.asks === 'first';
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
      if (step === 'ask' && ours.amongStrangers === true && !saysWhose(verdict.shown))
        return unconfirmed('no', code === undefined ? {} : { documentCode: code });
      const to = {
        state: 'accepted',
        doubt,
        ...kept,
        ...(code !== undefined && { documentCode: code }),
      } as const;
      return { to, issues: verdict.issues, again: 'no' };
    }

    case 'made':
      return {
        to: { state: 'planned', doubt: false, made: { [ours.stage ?? '']: verdict.id } },
        issues: [],
        again: 'on',
      };

    case 'then':
      return stay('on');

    case 'absent':
      return { ...stay('on'), step: 'send' };

    case 'unclear':
      return unknown(verdict.issue, 'no');

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
      // What can be asked about without a code may be anybody's work: asking shows it.
      if (!canAsk && (!doubt || !ours.fits(verdict.shown))) return taken();
      const code = verdict.documentCode ?? documentCode;
      if (step === 'ask' || (code === undefined && !canAsk)) return unconfirmed('no');
      return unconfirmed('now', code === undefined ? {} : { documentCode: code });
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
      if (step === 'send') {
        if (ours.lost !== undefined) return unknown(withCause(ours.lost, verdict.issue), 'no');
        return unknown(
          verdict.issue,
          again,
          verdict.documentCode === undefined ? {} : { documentCode: verdict.documentCode },
        );
      }
      if (step === 'poll' && verdict.issue.code === 'remote/test-set')
        return unknown(verdict.issue, 'no', kept);
      if (step === 'poll') return stay('no');
      return from.state === 'planned' ? { to: from, issues: [verdict.issue], again } : stay(again);
    }
  }
}
