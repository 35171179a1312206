import type { Decimal } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import type { Stage } from './stage.js';
import type { Judge, Scope } from './standing.js';
import type { Shown } from './verdict.js';

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
  /** At least one. */
  readonly stages: readonly Stage[];
  /** Whether what an answer shows of a document can be ours; what is not shown is no objection. */
  fits(body: JsonObject, shown: Shown): boolean;
  /** Rules by which our own earlier attempt, if it landed, gets the next one rejected. */
  readonly echoRules: readonly string[];
  /** Rules that say only that a document came before its predecessor was there: it may be sent again, unchanged. */
  readonly tooEarlyRules: readonly string[];
  /** Rules about the set-up of the company: every other document would fail them too. */
  readonly setUpRules: readonly string[];
}
