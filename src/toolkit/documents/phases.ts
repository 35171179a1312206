import type { SchemaName } from '../../generated/schema-types.js';
import type { Issue, Place } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import type { NonEmpty } from '../core/non-empty.js';
import type { PlainDate } from '../core/plain-date.js';
import type { Origins } from '../mapping/apply.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { ParamValues, ResolvedParams } from '../mapping/params.js';
import type { Context, ReadRecord } from '../mapping/record.js';
import type { Note } from '../messages/wording.js';
import type { BatchRule } from '../schema/batch-rules.js';
import type { ColumnAccount, Document, DocumentCounts, RecordCounts } from '../schema/document.js';
import type { RuleOptions } from '../schema/rules.js';
import type { JsonRecord } from '../tables/table.js';
import type { GivenFormats, VotedTable } from './decide.js';
import type { JoinedRecords } from './gather.js';
import type { RunCompany } from './other-company.js';
import type { OnRow, RowStep } from './read.js';
import type { HeaderRows } from './table-fit.js';

/** Record of a JSON file from which a document is made, with its place. */
export interface JsonOrigin {
  readonly json: JsonRecord;
  readonly place: Place;
  /** Ignored keys with reasons, unless they are known fields. */
  readonly ignored: ReadonlyMap<string, string>;
}

/** Derives parts of a document from its mapped parts, for schemas that have such parts. */
export interface Derivation {
  /** Adds the derived part. */
  complete(document: JsonObject, from?: JsonOrigin): readonly Issue[];
  /** Returns the shape errors without those of derived leaves whose source has one. */
  shape(document: JsonObject, faults: readonly Issue[]): readonly Issue[];
  /** Checks the rules of the derived part, with pointers of the document; skips leaves of wrong shape. */
  rules(document: JsonObject, shape: readonly Issue[], options: RuleOptions): readonly Issue[];
  /** Rules of the derived part over a file; their keys are computed from the document. */
  readonly batch: readonly BatchRule[];
  /** Adds the origins of derived leaves, which are those of their sources. */
  origins(document: JsonObject, origins: Origins, from?: JsonOrigin): Origins;
}

/** Completes a document in place; `key` identifies it to users. */
export type Complete = (
  document: JsonObject,
  about: { readonly schema: SchemaName; readonly key: string },
) => Promise<void>;

export type Derive = (
  schema: SchemaName,
  params: ResolvedParams,
  today?: PlainDate,
) => Derivation | undefined;

/** Facts known before a file is read. */
export interface Plan {
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
  /** Company of the documents, to be compared with names above headers. */
  readonly company?: RunCompany | undefined;
  /** Formats that the mapping does not declare, as answers to ambiguous cells. */
  readonly formats?: GivenFormats;
  /** Corrects unambiguous slips in JSON files. @default as the mapping says */
  readonly mendsJson?: boolean;
  /** Header rows given by the user. */
  readonly headers?: HeaderRows;
  /** Day of the run; rules that need it are silent without it. */
  readonly today?: string;
  /** Returns derived parts of documents by schema. @default none */
  readonly derive?: Derive;
  /** Name of the mapping if the program chose it, so that no user confirmed that it knows every column. */
  readonly chosen?: string;
}

/** Callbacks while documents are made. */
export interface Hooks {
  /** Fills in leaves that the records leave blank and the caller knows, before the check. */
  readonly complete?: Complete;
  /** Decides about a good document, given the earlier ones; it then also detects repetitions. */
  readonly follow?: DocumentSequence;
  /** Receives every row below a header as it is read, record or not. */
  readonly onRow?: OnRow;
  /** Max documents checked together; the results do not depend on it. */
  readonly atOnce?: number;
}

/** Document that is not made, with the places of its records. */
interface HeldBackEvent {
  readonly kind: 'held-back';
  readonly key: string;
  readonly name?: string;
  readonly places: readonly Place[];
  /** Places of joined records. */
  readonly beside: readonly Place[];
}

/** Events from files to documents, in order; `end` comes last. */
export type PrepareEvent =
  | { readonly kind: 'issue'; readonly issue: Issue }
  | { readonly kind: 'document'; readonly document: Document }
  | HeldBackEvent
  | {
      readonly kind: 'skipped';
      readonly place: Place;
      readonly note: Note;
      /** True if the record's task is already done. */
      readonly done?: true;
    }
  | { readonly kind: 'formats'; readonly voted: VotedTable }
  | {
      readonly kind: 'end';
      readonly records: RecordCounts;
      readonly documents: DocumentCounts;
      /** Every filled column. */
      readonly columns: readonly ColumnAccount[];
      /** Parameters that the run did not set, with their values. */
      readonly defaults: ParamValues;
    };

/** Decision about a document that depends on earlier ones; issues have pointers of the document. */
export type SequenceDecision =
  /** Made, after other documents that the record did not name; the sources in `frees` are to be asked again. */
  | {
      readonly is: 'next';
      readonly before: readonly JsonObject[];
      readonly issues: readonly Issue[];
      readonly frees?: readonly SequenceSource[];
    }
  /** Done already: the record is skipped. */
  | { readonly is: 'done'; readonly issue: Issue }
  /** Held back. */
  | { readonly is: 'refused'; readonly issue: Issue }
  /** Undecided until its source is in `frees` or `rest`. */
  | { readonly is: 'waits' };

/** Source of a document: the row of its first record, and display texts. */
export interface SequenceSource {
  readonly row: number;
  readonly details?: Document['details'];
}

export interface DocumentSequence {
  /**
   * Decides about each good document, in order, and again about those that wait.
   * @param mayWait true while what it needs may still come
   */
  next(
    document: JsonObject,
    from: SequenceSource,
    mayWait?: boolean,
  ): SequenceDecision | Promise<SequenceDecision>;
  /** Receives each other document, in the same order; it may be incomplete. */
  heldBack?(document: JsonObject, from: SequenceSource): void;
  /** Returns the sources that still wait after the last document, in the order to decide about them. */
  rest?(): readonly SequenceSource[];
}

/** Records of one document, its own and joined ones, with issues found before mapping. */
export interface Group {
  /** Key of the document for users. */
  readonly key: string;
  /** Records of the main tables, in order. */
  readonly records: NonEmpty<ReadRecord>;
  readonly joined: readonly JoinedRecords[];
  /** Records that the leaves of the document may read. */
  readonly context: Context;
  /** Number of records, with joined ones. */
  readonly count: number;
  /** Reasons not to trust the records; no document is mapped then. */
  readonly untrusted: readonly Issue[];
  readonly keyIssue: Issue | undefined;
  /** Issue of a record below that may belong to it. */
  readonly belowIssue: Issue | undefined;
  /** Issues that depend on all records of the run. */
  readonly foreseen: readonly Issue[];
  /** Reasons to make no document of the run: any may lack a record. */
  readonly lacks: readonly Issue[];
}

/** Max records of a document, which is held in memory; no worker's month and no visit has as many. */
export const MAX_RECORDS = 3_000;

export type OtherStep = Exclude<RowStep, { is: 'record' }>;

/** Results of the rows of the main tables, in order. */
export type Step =
  | OtherStep
  | { readonly is: 'group'; readonly group: Group }
  /** Record of which no document can be made. */
  | {
      readonly is: 'refused';
      readonly place: Place;
      readonly key: string;
      readonly issues: readonly Issue[];
    }
  | { readonly is: 'issue'; readonly issue: Issue };
