import type { Issue } from '../issues/issue.js';

/**
 * planned → sending → accepted | rejected | pending | unknown.
 * pending has a zip key to poll; unknown may or may not have landed and must be asked or sent again unchanged.
 */
export type DocumentState = 'planned' | 'sending' | 'accepted' | 'rejected' | 'pending' | 'unknown';

/** What a person sees of a document: states that carry no answer yet read `unsent`. */
export type OutcomeState = 'accepted' | 'rejected' | 'pending' | 'unknown' | 'unsent';

/** `held-back`: it has no answer and gets none, since what is known here kept it from leaving. */
export type DocumentFate = OutcomeState | 'held-back';

export interface Outcome {
  readonly sequence: number;
  readonly key: string;
  readonly name?: string;
  readonly state: DocumentFate;
  /** Prefix and consecutive as DIAN joins them: `NOM12`. */
  readonly number?: string;
  /** CUNE, CUV or CUDE. */
  readonly documentCode?: string;
  readonly zipKey?: string;
  readonly attempts: number;
  /** True when an earlier run had it accepted and this one sent nothing. */
  readonly earlier?: boolean;
  readonly issues: readonly Issue[];
  /** What a person said of it who had looked it up. */
  readonly settled?: Settled;
}

export interface Settled {
  readonly by: string;
  /** `none`, a code or an id, as it was said. */
  readonly word: string;
  /** ISO instant. */
  readonly at: string;
}
