import type { Decimal } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import type { Hashed } from './proof.js';
import type { Fit, Shown } from './shown.js';
import type { Question, Stage } from './stage.js';
import type { Judge, Scope } from './standing.js';

/** A range of numbers that documents draw from. */
export interface Series {
  readonly typeDocumentId: number;
  readonly prefix: string;
}

/** Figures that the person sees before saying yes, by the name of their phrase. */
export type Totals = Readonly<Record<string, Decimal>>;

/** Where the numbers of documents come from, and how one is written into a body. */
export interface Numbers {
  series(body: JsonObject): Series;
  write(body: JsonObject, consecutive: number): JsonObject;
  /** The body as it was before it got its number. */
  clear(body: JsonObject, series: Series): JsonObject;
  /** The number as people read it. @default prefix and consecutive joined */
  text?(body: JsonObject): string;
}

/**
 * What the sender must know of a family of documents; journal, numbering and state machine know none.
 * Payroll with its notes is in payroll-kind.ts; events and RIPS describe themselves in the same way.
 */
export interface DocumentKind {
  /** How documents stand with what the journal holds, before anything is sent. */
  judge(scope: Scope): Judge;
  /** Absent where documents have no numbers. */
  readonly numbers?: Numbers;
  /** Added up over the planned documents; every document has the same names. */
  totals?(body: JsonObject): Totals;
  /** Asked once before anything is sent, where a wrong token must not be met by what cannot be asked about. */
  readonly probe?: Question;
  /** What only one document at a time may work on, from its first stage to its last. */
  alone?(body: JsonObject): string;
  /** At least one. */
  readonly stages: readonly Stage[];
  /** How what an answer shows of a document stands to this one; what is not shown is no objection. */
  fit(body: JsonObject, shown: Shown): Fit;
  /** What the code of a document is the hash of; absent where a code proves nothing. */
  hashed?(body: JsonObject): Hashed;
  /** Several documents may have one code. @default false */
  readonly sharesCodes?: true;
  /** Rules by which our own earlier attempt, if it landed, gets the next one rejected. */
  readonly echoRules: readonly string[];
  /** Rules that say only that a document came before its predecessor was there: it may be sent again, unchanged. */
  readonly tooEarlyRules: readonly string[];
  /** Rules about the set-up of the company: every other document would fail them too. */
  readonly setUpRules: readonly string[];
}
