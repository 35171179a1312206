import type { Text } from '../generated/issue-codes.js';
import type { Decimal } from '../toolkit/core/decimal.js';
import type { Place } from '../toolkit/core/issue.js';
import type {
  ColumnAccount,
  DocumentCounts,
  Outcome,
  OutcomeCounts,
  OutcomeState,
  RecordCounts,
} from '../toolkit/schema/document.js';
import type { LawUsed } from '../toolkit/schema/law-tables.js';

/** What a list may be: the journal streams, a test hands over an array. */
export type Rows<T> = Iterable<T> | AsyncIterable<T>;

/** A document that an error in the data, or an unfinished run that has it, held back was never made, so it has no outcome. */
export type ReportedState = OutcomeState | 'held-back' | 'elsewhere';

export interface ReportedDocument extends Omit<Outcome, 'state' | 'sequence'> {
  readonly state: ReportedState;
  /** More of it, for the columns of its family. */
  readonly about?: Readonly<Record<string, string>>;
}

export interface SkippedRecord {
  readonly place: Place;
  readonly note: string;
}

interface ReportedInput {
  /** Base name, as places call it. */
  readonly file: string;
  /** Where it lay at the time; cells are linked when it is known. */
  readonly path?: string;
  readonly sha256: string;
}

export interface ReportCounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly outcomes: OutcomeCounts;
  /** Every filled column; a run of an older version knows none. */
  readonly columns?: readonly ColumnAccount[];
  readonly errors: number;
  readonly warnings: number;
}

/** The figures of documents by name, such as `net`, by what became of the documents. */
export type ReportedTotals = Readonly<Partial<Record<ReportedState, Readonly<Record<string, Decimal>>>>>;

/** How the people of a run stand against the month before. */
export interface MonthChange {
  /** `2026-09` */
  readonly month: string;
  /** People whose amount is another, who were not there, and who are not there any more. */
  readonly changed: number;
  readonly fresh: number;
  readonly missing: number;
  /** What all of it comes to. */
  readonly amount: Decimal;
}

/** What was run, with what, against what. */
export interface RunFacts {
  readonly run: string;
  readonly company: string;
  readonly companyName?: string;
  readonly nit?: string;
  /** `2026-10` */
  readonly months?: readonly string[];
  readonly environment?: 'test' | 'production';
  readonly url?: string;
  readonly testSet?: string;
  /** ISO instants. */
  readonly started?: string;
  readonly ended?: string;
  /** SHA-256 of what was confirmed. */
  readonly digest?: string;
  /** Who began it, as the system calls them. */
  readonly by?: string;
  /** Who let a held run go, and when. */
  readonly approval?: { readonly by: string; readonly at: string };
  /** Why the run was given up, and when. */
  readonly abandonment?: { readonly reason: string; readonly at: string };
  /** Of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
  /** The tables of the law that it was checked by. */
  readonly law?: LawUsed;
  readonly mapping?: string;
  /** Spent on documents that were not accepted: `NOM7–NOM9, NOM12`. */
  readonly rejectedNumbers?: string;
  /** Of every series of the journal, between its first number and its last. */
  readonly numberGaps?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Constants that no file supplied. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** What people call the parameters. */
  readonly titles?: Readonly<Record<string, Text>>;
  readonly inputs: readonly ReportedInput[];
}
