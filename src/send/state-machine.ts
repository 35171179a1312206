import { type Issue, paramOf, withParams } from '../toolkit/core/issue.js';
import type { DocumentState } from '../toolkit/schema/document.js';
import { createIssue } from './create-issue.js';
import { bothShown, type Fit, type Shown, type Verdict } from './verdict.js';

/** Ids that the service gave, by the stage that found or made them. */
export type Made = Readonly<Record<string, number>>;

export interface Position {
  readonly state: DocumentState;
  /** True if an earlier attempt may have landed, so that "already received" can be our own echo. */
  readonly doubt: boolean;
  /** True if the journal was restored since: later stages may be over as well without its knowing. */
  readonly restored?: boolean;
  /** CUNE, CUV or CUDE; until the document is accepted it serves only to ask with. */
  readonly documentCode?: string;
  readonly zipKey?: string;
  /** Ids of the stages that are over; undefined before the first. */
  readonly made?: Made;
  /** Stages whose id was shown together with the document's own number or keys; other ids are only claimed. */
  readonly shownStages?: readonly string[];
  /** Last id that a user gave; only an answer that shows another owner overrides it. */
  readonly settledId?: number;
  /** Ids under which the last stage was answered about another document; it is never requested under them again. */
  readonly spentIds?: readonly number[];
  /**
   * Content that "already received" showed of the document. Like `claimed` and `isAccepted` it is kept in memory
   * only.
   */
  readonly shown?: Shown;
  /** True if the code came in an answer to these very bytes, not from what DIAN has under the number. */
  readonly claimed?: true;
  /** True if an answer accepted the document, but only the service named the code. */
  readonly isAccepted?: true;
}

export type Step = 'send' | 'poll' | 'ask';

/** Rules by which a stage resolves a request whose answer was lost. */
export interface RecoveryStrategy {
  /**
   * Time at which a request can be asked about: with a code that an answer gave, always, or never; `first`: also before the
   * first send, so that nothing is made twice; `before`: only before the send, for what the request builds upon.
   */
  readonly asks: 'by-code' | 'always' | 'first' | 'before' | 'never';
  /**
   * Set if a document that cannot be asked about is left to a user; otherwise the same bytes are sent again, which is
   * the question.
   */
  readonly lost?: unknown;
}

/** Result of an answer: the next position, its issues and how to go on. */
export interface Change {
  /** Undefined if nothing changes. */
  readonly to?: Position;
  readonly issues: readonly Issue[];
  /** Continuation with this document in the same run: as all went well, at once, after a pause, or not. */
  readonly again: 'on' | 'now' | 'later' | 'no';
  /** Next step, if the position alone does not decide it. */
  readonly step?: Step;
}

/** Secrets and facts that a code is proven with; `nit` is that of the employer. */
export type ProofNeed = 'pin' | 'nit';

/** Facts about the document that answers are compared with. */
export interface ExpectedDocument {
  /** Prefix and consecutive joined. */
  readonly number: string;
  readonly echoRules: readonly string[];
  /** Compares by what is shown, or by the proof that the code itself is. */
  fit(shown: Shown, documentCode?: string): Fit;
  /** True if another document of the journal has this code. @default never */
  isOfAnother?(documentCode: string): boolean;
  /** @default 'by-code' */
  readonly asks?: RecoveryStrategy['asks'];
  /** Facts that are missing before the code can be proven ours. @default not reported */
  readonly lacks?: readonly ProofNeed[];
  readonly stage?: string;
  /** True if the stage can read back the id that it gave. @default false */
  readonly canReadBack?: boolean;
  /** Id that the request of the stage is made under, if any. */
  readonly under?: number;
  /** Instructions for a user if the answer is lost; nothing is sent again. */
  readonly lost?: Issue;
}

/**
 * Returns the next step: ask if possible, else send the same bytes again, which is the question (DESIGN.md 4).
 * Undefined if a user has to decide.
 */
export function nextStep(
  { state, documentCode, zipKey }: Position,
  { asks, lost }: RecoveryStrategy = { asks: 'by-code' },
): Step | undefined {
  if (zipKey !== undefined) return 'poll';
  if (asks === 'first' || (asks === 'before' && state !== 'unknown')) return 'ask';
  if (state !== 'unknown') return 'send';
  if (asks === 'always' || (asks === 'by-code' && documentCode !== undefined)) return 'ask';
  return lost === undefined ? 'send' : undefined;
}

/** Fills in why an answer is unknown; `reason` is what was lost. */
const withCause = (steps: Issue, cause: Issue): Issue =>
  withParams(steps, { reason: paramOf(cause, 'text') || (paramOf(cause, 'reason') ?? 'no-result') });

/** Fills in which document an answer was about. */
const aboutOther = (steps: Issue, reason: string, { under }: ExpectedDocument): Issue =>
  withParams(steps, under === undefined ? { reason } : { reason, case: 'of-another' });

function landed({ number, lacks = ['pin'] }: ExpectedDocument, cune: string | undefined): Issue {
  if (cune === undefined) return createIssue('send/landed-unconfirmed', { number });
  const [first, second] = lacks;
  const which =
    first === undefined
      ? 'undecided'
      : second !== undefined
        ? 'needs-both'
        : first === 'nit'
          ? 'needs-nit'
          : 'with-code';
  return createIssue('send/landed-unconfirmed', { number, cune, case: which });
}

const stay = (again: Change['again']): Change => ({ issues: [], again });

/**
 * Returns what follows from one answer, without side effects. Ids of earlier stages and the unknown state of a
 * restored journal are never lost.
 */
export function transition(from: Position, step: Step, verdict: Verdict, expected: ExpectedDocument): Change {
  const change = computeTransition(from, step, verdict, expected);
  if (change.to === undefined) return change;
  const known = verdict.kind === 'unproven' ? idsBefore(from, verdict.stage ?? expected.stage) : from;
  const spent = [...(from.spentIds ?? []), ...(change.to.spentIds ?? [])];
  const to = {
    ...change.to,
    ...withIds(known, change.to),
    ...(spent.length > 0 && { spentIds: [...new Set(spent)] }),
  };
  return { ...change, to: from.restored ? stillUnknown(to) : to };
}

/** Ids of a document, with their evidence. */
export type Ids = Pick<Position, 'made' | 'shownStages' | 'settledId' | 'spentIds'>;

/** Returns the ids of the stages before this one; a position holds them in the order of the stages. */
export function idsBefore({ made = {}, shownStages = [] }: Position, stage: string | undefined): Ids {
  const ids = Object.entries(made);
  const end = ids.findIndex(([name]) => name === stage);
  const earlier = Object.fromEntries(end < 0 ? ids : ids.slice(0, end));
  const shown = shownStages.filter((name) => name in earlier);
  return {
    ...(Object.keys(earlier).length > 0 && { made: earlier }),
    ...(shown.length > 0 && { shownStages: shown }),
  };
}

/** Adds the ids of an answer to the known ones. A user's id is kept until a stage gives another one. */
function withIds({ made, shownStages = [], settledId }: Ids, added: Ids): Ids {
  const shown = [...new Set([...shownStages, ...(added.shownStages ?? [])])];
  return {
    ...((made ?? added.made) !== undefined && { made: { ...made, ...added.made } }),
    ...(shown.length > 0 && { shownStages: shown }),
    ...(settledId !== undefined &&
      (added.made === undefined || Object.values(added.made).includes(settledId)) && { settledId }),
  };
}

function stillUnknown(to: Position): Position {
  if (to.state === 'accepted' || to.state === 'rejected') return to;
  return { ...to, state: to.state === 'planned' ? 'unknown' : to.state, doubt: true, restored: true };
}

function computeTransition(from: Position, step: Step, verdict: Verdict, expected: ExpectedDocument): Change {
  const { doubt, documentCode, zipKey } = from;
  const sameKey = zipKey === undefined ? {} : { zipKey };
  const canAsk = expected.asks === 'always' || expected.asks === 'first';
  const rejected = (issues: readonly Issue[]): Change => ({
    to: { state: 'rejected', doubt, ...sameKey },
    issues,
    again: 'no',
  });
  const { under } = expected;
  /** The answer was about another document: the request may have been carried out for that one. */
  const spent = under === undefined ? {} : { spentIds: [under] };
  const unknown = (
    issue: Issue,
    again: Change['again'],
    keys: Partial<Omit<Position, 'state' | 'doubt' | 'made'>> = {},
  ): Change => ({
    to: { state: 'unknown', doubt: true, ...keys },
    issues: [issue],
    again,
  });
  const unsent = (issues: readonly Issue[], again: Change['again']): Change =>
    step === 'send' ? { to: { state: doubt ? 'unknown' : 'planned', doubt }, issues, again } : stay(again);
  const unconfirmed = (again: Change['again'], keys?: Parameters<typeof unknown>[2]): Change =>
    unknown(landed(expected, keys?.documentCode), again, keys);
  /** Returns the change for an answer about another document: neither it nor its keys say anything of ours. */
  const ofAnother = (shown: Shown): Change => {
    const others = shown.numbers?.filter((number) => number !== expected.number) ?? [];
    const issue = createIssue('send/answer-of-another', { number: expected.number, shown: others[0] ?? '—' });
    if (step === 'send' && expected.lost !== undefined)
      return unknown(aboutOther(expected.lost, others[0] ?? '—', expected), 'no', spent);
    const asksAgain = step === 'poll' && from.state === 'pending';
    return unknown(
      issue,
      canAsk ? 'later' : 'now',
      asksAgain ? keysOf(from) : from.isAccepted ? sameKey : {},
    );
  };
  const isOfAnother = (code: string | undefined): boolean =>
    code !== undefined && expected.isOfAnother?.(code) === true;

  switch (verdict.kind) {
    case 'accepted': {
      const asked = step === 'ask' && !canAsk ? documentCode : undefined;
      const isOtherQuestion = asked !== undefined && (verdict.documentCode ?? asked) !== asked;
      if (isOtherQuestion) return stay('later');
      const code = verdict.documentCode ?? verdict.claimed ?? documentCode;
      const shown = bothShown(from.shown, verdict.shown);
      const fit = expected.fit(shown, code);
      if (fit === 'other-content' && step === 'ask' && !canAsk && from.isAccepted !== true)
        return rejected([createIssue('send/number-taken', { number: expected.number })]);
      if (fit === 'other-number' || fit === 'other-content' || isOfAnother(code)) return ofAnother(shown);
      // DIAN may have anybody's document under a number; an answer to our own bytes, or about an event, is ours.
      if (step === 'ask' && !canAsk && fit === 'open' && from.claimed !== true) {
        const keys = code === undefined ? {} : { documentCode: code };
        // Sent again once, the service may show the owner.
        return from.shown === undefined
          ? { ...unconfirmed('now', keys), step: 'send' }
          : unconfirmed('no', keys);
      }
      // A list that does not name its document may be another's.
      if (step === 'ask' && canAsk && fit === 'open' && verdict.isConfirmed !== true) return stay('later');
      // The service computes a code for every request; only the authority knows if it has a document of that code.
      const asksByCode = (expected.asks ?? 'by-code') === 'by-code';
      if (asksByCode && step !== 'ask' && verdict.documentCode === undefined) {
        if (code !== undefined)
          return {
            ...unconfirmed('now', { ...sameKey, documentCode: code, claimed: true, isAccepted: true }),
            step: 'ask',
          };
        // Nothing can be asked with: poll again, or send the same bytes once more.
        return step === 'poll' ? stay('no') : unconfirmed('now');
      }
      const to = {
        state: 'accepted',
        doubt: doubt && verdict.isConfirmed !== true,
        ...sameKey,
        ...(code !== undefined && { documentCode: code }),
      } as const;
      return { to, issues: verdict.issues, again: 'no' };
    }

    case 'made':
      return {
        to: {
          state: 'planned',
          doubt: false,
          made: { [expected.stage ?? '']: verdict.id },
          ...(expected.canReadBack === true && { shownStages: [expected.stage ?? ''] }),
        },
        issues: [],
        again: 'on',
      };

    case 'unproven':
      return { ...unknown(verdict.issue, 'on'), step: 'ask' };

    case 'then':
      // A refusal that has to be confirmed leaves the request unknown meanwhile.
      return step === 'send' && verdict.unknownIssue !== undefined
        ? unknown(verdict.unknownIssue, 'on')
        : stay('on');

    case 'absent':
      return { ...stay('on'), step: 'send' };

    case 'unclear':
      return unknown(verdict.issue, 'no');

    case 'rejected': {
      if (expected.fit(verdict.shown) === 'other-number') return ofAnother(verdict.shown);
      const echo =
        verdict.rules.length > 0 && verdict.rules.every((rule) => expected.echoRules.includes(rule));
      if (!doubt || !echo || step === 'ask') return rejected(verdict.issues);
      const [rule = ''] = verdict.rules;
      return unknown(createIssue('send/echo-unconfirmed', { number: expected.number, rule }), 'no');
    }

    case 'refused':
      // A refused question says nothing of the document.
      if (step === 'send' || verdict.confirmed === true) return rejected(verdict.issues);
      return stay(step === 'ask' ? 'later' : 'no');

    case 'pending': {
      const { documentCode: code, shown } = verdict;
      if (expected.fit(shown) === 'other-number' || isOfAnother(code)) return ofAnother(shown);
      // A receipt shows number and code of the document; without them nothing says that its key is ours.
      if (code === undefined && shown.numbers === undefined && shown.xml === undefined)
        return unconfirmed('now');
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
      const shown = bothShown(from.shown, verdict.shown);
      const code = verdict.documentCode ?? documentCode;
      if (canAsk)
        return unconfirmed(step === 'ask' ? 'no' : 'now', code === undefined ? {} : { documentCode: code });
      if (expected.fit(verdict.shown) === 'other-number' || isOfAnother(code))
        return ofAnother(verdict.shown);
      const isAnswered = code === undefined || (step === 'ask' && code === documentCode);
      return unconfirmed(isAnswered ? 'no' : 'now', {
        ...(code !== undefined && { documentCode: code }),
        shown,
      });
    }

    case 'waiting':
      return from.state === 'unknown' && step === 'poll'
        ? { to: { ...from, state: 'pending' }, issues: [], again: 'no' }
        : stay(step === 'ask' ? 'later' : 'no');

    case 'not-found':
      // A batch may not be in DIAN's queue yet; a document that is not there was never taken.
      return step === 'ask' ? unconfirmed('later', sameKey) : stay('no');

    case 'refused-for-all':
      return unsent([verdict.issue], step === 'poll' ? 'no' : 'now');

    case 'throttled':
      return unsent([], step === 'poll' ? 'no' : 'now');

    case 'not-sent':
      return unsent([], 'no');

    case 'unknown': {
      const { issue, documentCode: code, cause } = verdict;
      const again = issue.code === 'send/interrupted' ? 'no' : cause === undefined ? 'later' : 'now';
      if (step === 'send') {
        if (expected.lost !== undefined && verdict.isAboutOther === true)
          return unknown(aboutOther(expected.lost, '—', expected), 'no', spent);
        if (expected.lost !== undefined) return unknown(withCause(expected.lost, issue), 'no');
        return unknown(issue, again, code === undefined ? {} : { documentCode: code, claimed: true });
      }
      if (step === 'poll' && issue.code === 'remote/test-set') return unknown(issue, 'no', sameKey);
      if (step === 'poll' && issue.code === 'remote/contradictory') return unknown(issue, 'no', keysOf(from));
      if (step === 'poll') return stay('no');
      return from.state === 'planned' ? { to: from, issues: [issue], again } : stay(again);
    }
  }
}

const keysOf = ({ documentCode, zipKey }: Position): Pick<Position, 'documentCode' | 'zipKey'> => ({
  ...(documentCode !== undefined && { documentCode }),
  ...(zipKey !== undefined && { zipKey }),
});
