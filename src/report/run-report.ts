import type { DocumentCounts, OutcomeCounts, RecordCounts } from '../document/accounting.js';
import type { Outcome, OutcomeState } from '../document/outcome.js';
import type { Issue, Place } from '../issues/issue.js';

/** What a list may be: the journal streams, a test hands over an array. */
export type Rows<T> = Iterable<T> | AsyncIterable<T>;

/** A document that an error in the data held back was never made, so it has no outcome. */
export type ReportedState = OutcomeState | 'held-back';

export interface ReportedDocument extends Omit<Outcome, 'state' | 'sequence'> {
  readonly state: ReportedState;
  /** The first cell of its record. */
  readonly place?: Place;
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
  /** Of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
  readonly mapping?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Constants that no file supplied. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly inputs: readonly ReportedInput[];
}

/** All that the workbook shows. Lists are functions, since a sheet may read them again. */
export interface RunReport {
  readonly facts: RunFacts;
  readonly counts: ReportCounts;
  documents(): Rows<ReportedDocument>;
  /** Issues of the data and of the outcomes together. */
  issues(): Rows<Issue>;
  skipped(): Rows<SkippedRecord>;
}
