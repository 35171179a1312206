import type { Arranged } from './script.js';

/** A rule of DIAN that a document fails: it rejects, or is only notified. */
export interface Finding {
  readonly rule: string;
  readonly rejects: boolean;
}

/** What DIAN says of a document. */
export interface Verdict {
  /** `set-accepted`: an answer about the test set that says nothing of the document (service.md 5.3). */
  readonly state: 'accepted' | 'rejected' | 'set-accepted';
  readonly findings: readonly Finding[];
  /** Code of the document that the answer speaks of. */
  readonly documentKey: string;
}

/** A verdict decided by the person at the controls instead of the rules. */
export interface ChosenVerdict extends Arranged {
  /** `reject-200` and `reject-500` say in which form a RIPS package is refused. */
  readonly verdict: 'reject' | 'reject-200' | 'reject-500' | 'notify' | 'set-accepted';
  /** Ids of DIAN or the ministry: `NIE024`, `RVC061`. */
  readonly rules?: readonly string[];
}
