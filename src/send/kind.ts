import type { Answer } from '../client/answer.js';
import type { CallRequest } from '../client/client.js';
import type { OperationId } from '../generated/operations.js';
import type { Decimal } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import type { Judge, Scope } from './standing.js';
import type { Shown, Verdict } from './verdict.js';

/** A range of numbers that documents draw from. */
export interface Series {
  readonly typeDocumentId: number;
  readonly prefix: string;
}

/** One call of the service, and how its answer is read. */
export interface Question {
  readonly operation: OperationId;
  readonly request: CallRequest;
  readonly read: (answer: Answer) => Verdict;
}

export interface Totals {
  readonly accrued: Decimal;
  readonly deductions: Decimal;
  readonly net: Decimal;
}

/**
 * What the sender must know of a family of documents; journal, numbering and state machine know none.
 * Payroll with its notes is in payroll-kind.ts; events and RIPS describe themselves in the same way.
 */
export interface DocumentKind {
  /** How documents stand with what the journal holds, before anything is sent. */
  judge(scope: Scope): Judge;
  series(body: JsonObject): Series;
  totals(body: JsonObject): Totals;
  /** Sends a body exactly as the journal holds it. */
  send(bodyText: string, testSet: string | undefined): Question;
  /** Asks for the verdict of a received document. */
  poll(zipKey: string): Question;
  /** Asks what became of the document with this code. */
  ask(documentCode: string): Question;
  /** Whether what an answer shows of a document can be ours; what is not shown is no objection. */
  fits(body: JsonObject, shown: Shown): boolean;
  /** Rules by which our own earlier attempt, if it landed, gets the next one rejected. */
  readonly echoRules: readonly string[];
  /** Rules that say only that a document came before its predecessor was there: it may be sent again, unchanged. */
  readonly tooEarlyRules: readonly string[];
  /** Rules about the set-up of the company: every other document would fail them too. */
  readonly setUpRules: readonly string[];
}
