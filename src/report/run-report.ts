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

/** List that the journal streams; tests pass an array. */
export type Rows<T> = Iterable<T> | AsyncIterable<T>;

/** Outcome of a document, or why it was not made: an error in the data, or an unfinished run that has it. */
export type ReportedState = OutcomeState | 'held-back' | 'elsewhere';

export interface ReportedDocument extends Omit<Outcome, 'state' | 'sequence'> {
  readonly state: ReportedState;
  /** Further details, for the columns of its family. */
  readonly about?: Readonly<Record<string, string>>;
}

export interface SkippedRecord {
  readonly place: Place;
  readonly note: string;
}

interface ReportedInput {
  /** Base name, as in places. */
  readonly file: string;
  /** Path at the time of the run; cells are linked if it is known. */
  readonly path?: string;
  readonly sha256: string;
}

export interface ReportCounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly outcomes: OutcomeCounts;
  /** Accounts of every filled column; undefined for runs of older versions. */
  readonly columns?: readonly ColumnAccount[];
  readonly errors: number;
  readonly warnings: number;
}

/** Totals by name, such as `net`, for each state of the documents. */
export type ReportedTotals = Readonly<Partial<Record<ReportedState, Readonly<Record<string, Decimal>>>>>;

/** Comparison of a run with the previous month. */
export interface MonthChange {
  /** Month, such as `2026-09`. */
  readonly month: string;
  /** Numbers of employees whose amount changed, who are new, and who are missing. */
  readonly changed: number;
  readonly fresh: number;
  readonly missing: number;
  /** Sum of all differences. */
  readonly amount: Decimal;
}

/** Facts about a run: what was sent, with what and where. */
export interface RunFacts {
  readonly run: string;
  readonly company: string;
  readonly companyName?: string;
  readonly nit?: string;
  /** Months, such as `2026-10`. */
  readonly months?: readonly string[];
  readonly environment?: 'test' | 'production';
  readonly url?: string;
  readonly testSet?: string;
  /** Start and end as ISO instants. */
  readonly started?: string;
  readonly ended?: string;
  /** SHA-256 of the confirmed plan. */
  readonly digest?: string;
  /** Account that started the run. */
  readonly by?: string;
  /** Account that approved a held run, and when. */
  readonly approval?: { readonly by: string; readonly at: string };
  /** Reason for which the run was abandoned, and when. */
  readonly abandonment?: { readonly reason: string; readonly at: string };
  /** Versions of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
  /** Legal tables used for the check. */
  readonly law?: LawUsed;
  readonly mapping?: string;
  /** Numbers of documents that were not accepted: `NOM7–NOM9, NOM12`. */
  readonly rejectedNumbers?: string;
  /** Gaps of every series of the journal between its first and last number. */
  readonly numberGaps?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Default constants that no file supplied. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly titles?: Readonly<Record<string, Text>>;
  readonly inputs: readonly ReportedInput[];
}
