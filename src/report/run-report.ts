import type { ColumnAccount, DocumentCounts, OutcomeCounts, RecordCounts } from '../document/accounting.js';
import type { Outcome, OutcomeState } from '../document/outcome.js';
import type { Issue, Place } from '../issues/issue.js';
import type { CareReport } from './care-report.js';

/** What a list may be: the journal streams, a test hands over an array. */
export type Rows<T> = Iterable<T> | AsyncIterable<T>;

/** A document that an error in the data, or an unfinished run that has it, held back was never made, so it has no outcome. */
export type ReportedState = OutcomeState | 'held-back' | 'elsewhere';

/** What the documents of a run are: columns, and the name of the code that proves one, follow from it. */
export type DocumentFamily = 'payroll' | 'care' | 'events' | 'reception' | 'other';

/** Of a document that is an event: the invoice that it is about, and which one it is. */
export interface ReportedEvent {
  readonly invoice: string;
  readonly cufe: string;
  /** `030` */
  readonly code: string;
  readonly name: string;
}

export interface ReportedDocument extends Omit<Outcome, 'state' | 'sequence'> {
  readonly state: ReportedState;
  /** The first cell of its record. */
  readonly place?: Place;
  readonly event?: ReportedEvent;
}

export interface SkippedRecord {
  readonly place: Place;
  readonly note: string;
}

export interface ReportedInput {
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

/** What was run, with what, against what. */
export interface RunFacts {
  readonly run: string;
  readonly company: string;
  readonly url?: string;
  readonly testSet?: string;
  /** ISO instants. */
  readonly started?: string;
  readonly ended?: string;
  /** SHA-256 of what was confirmed. */
  readonly digest?: string;
  /** Who let a held run go, and when. */
  readonly approval?: string;
  /** Why the run was given up, and when. */
  readonly abandonment?: string;
  /** Of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
  readonly mapping?: string;
  /** Spent on documents that were not accepted: `NOM7–NOM9, NOM12`. */
  readonly rejectedNumbers?: string;
  /** Of every series of the journal, between its first number and its last. */
  readonly numberGaps?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Constants that no file supplied. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly inputs: readonly ReportedInput[];
}

/** All that the workbook shows. Lists are functions, since a sheet may read them again. */
export interface RunReport {
  readonly facts: RunFacts;
  readonly counts: ReportCounts;
  /** @default 'other' */
  readonly family?: DocumentFamily;
  /** Of a run of RIPS packages. */
  readonly care?: CareReport;
  documents(): Rows<ReportedDocument>;
  /** Issues of the data and of the outcomes together. */
  issues(): Rows<Issue>;
  skipped(): Rows<SkippedRecord>;
}
