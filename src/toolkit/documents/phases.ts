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

/** The record of a JSON file that a document is made of, and where it stands. */
export interface JsonOrigin {
  readonly json: JsonRecord;
  readonly place: Place;
  /** Keys that the mapping leaves aside where nobody knows them, and why. */
  readonly ignored: ReadonlyMap<string, string>;
}

/** What follows from the mapped parts of a document, for kinds of documents that have such parts. */
export interface Derivation {
  /** Adds the derived part. */
  complete(document: JsonObject, from?: JsonOrigin): readonly Issue[];
  /** The faults of shape without those of derived leaves whose source has one. */
  shape(document: JsonObject, faults: readonly Issue[]): readonly Issue[];
  /** What rules say of the derived part, with pointers of the document; of a leaf whose shape is wrong they say nothing more. */
  rules(document: JsonObject, shape: readonly Issue[], options: RuleOptions): readonly Issue[];
  /** The rules over a file that the derived part has; they are asked of the document. */
  readonly batch: readonly BatchRule[];
  /** With the derived leaves, which come from where their sources do. */
  origins(document: JsonObject, origins: Origins, from?: JsonOrigin): Origins;
}

/** Changes the document it is given; `key` is what people know it by. */
export type Complete = (
  document: JsonObject,
  about: { readonly schema: SchemaName; readonly key: string },
) => Promise<void>;

/** The derivation that documents of a schema need, if any. */
export type Derive = (
  schema: SchemaName,
  params: ResolvedParams,
  today?: PlainDate,
) => Derivation | undefined;

/** What is known before a file is looked at. */
export interface Plan {
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
  /** Company whose documents are made, where a table may name its company above its header. */
  readonly company?: RunCompany | undefined;
  /** How texts are read where the mapping does not say: answers to what a vote left open. */
  readonly formats?: GivenFormats;
  /** Slips of form in JSON files that leave no doubt are read as what they mean. @default as the mapping says */
  readonly mendsJson?: boolean;
  /** Rows of headers that a person said. */
  readonly headers?: HeaderRows;
  /** Day of the run, for rules about it; they are silent without. */
  readonly today?: string;
  /** What follows from the mapped parts of documents of a schema. @default nothing */
  readonly derive?: Derive;
  /** The mapping was picked by itself: its name. Nobody has said that it knows every column of the files. */
  readonly chosen?: string;
}

/** What others do while documents are made. */
export interface Hooks {
  /** Fills in what the records leave blank and the caller knows, before a document is checked. */
  readonly complete?: Complete;
  /** Decides what becomes of a good document, given those before it; it then knows what is repeated, too. */
  readonly follow?: Follow;
  /** Is told of every row below a header as it is read, be it a record or not. */
  readonly onRow?: OnRow;
  /** Most documents that are checked together; what comes of them does not depend on it. */
  readonly atOnce?: number;
}

/** A document that is not made, and where its records are. */
interface HeldBackEvent {
  readonly kind: 'held-back';
  readonly key: string;
  readonly name?: string;
  readonly places: readonly Place[];
  /** Places of the records that it joins. */
  readonly beside: readonly Place[];
}

/** What happens on the way from files to documents, in order; `end` comes last. */
export type PrepareEvent =
  | { readonly kind: 'issue'; readonly issue: Issue }
  | { readonly kind: 'document'; readonly document: Document }
  | HeldBackEvent
  | {
      readonly kind: 'skipped';
      readonly place: Place;
      readonly note: Note;
      /** What it asks for is done already. */
      readonly done?: true;
    }
  | { readonly kind: 'formats'; readonly voted: VotedTable }
  | {
      readonly kind: 'end';
      readonly records: RecordCounts;
      readonly documents: DocumentCounts;
      /** Every filled column. */
      readonly columns: readonly ColumnAccount[];
      /** Parameters that the run did not give, with the values used. */
      readonly defaults: ParamValues;
    };

/** What becomes of a document that depends on those before it; issues point into the document. */
export type Followed =
  /** Made, after others that the record did not name. */
  | { readonly is: 'next'; readonly before: readonly JsonObject[]; readonly issues: readonly Issue[] }
  /** Done already: the record is skipped. */
  | { readonly is: 'done'; readonly issue: Issue }
  /** Held back. */
  | { readonly is: 'refused'; readonly issue: Issue };

/** Where a document comes from: the row of its first record, and what people call what it is about. */
export interface Followable {
  readonly row: number;
  readonly details?: Document['details'];
}

export interface Follow {
  /** Asked once for each document that is good by itself, in order. */
  next(document: JsonObject, from: Followable): Followed | Promise<Followed>;
  /** Told, in the same order, of each that is not; some of it may be missing. */
  heldBack?(document: JsonObject, from: Followable): void;
}

/** The records of one document, its own and those that it joins, and what is wrong with them before it is mapped. */
export interface Group {
  /** What people know the document by. */
  readonly key: string;
  /** Its own records, in order. */
  readonly records: NonEmpty<ReadRecord>;
  readonly joined: readonly JoinedRecords[];
  /** What the leaves of the document may read. */
  readonly context: Context;
  /** How many records it has, and joins. */
  readonly count: number;
  /** Why the records cannot be trusted at all: no document is mapped. */
  readonly untrusted: readonly Issue[];
  readonly keyIssue: Issue | undefined;
  /** The record below may be a part of it. */
  readonly belowIssue: Issue | undefined;
  /** What only all records of the run could tell. */
  readonly foreseen: readonly Issue[];
  /** Why no document of the run may be made: any may lack a record. */
  readonly lacks: readonly Issue[];
}

/** No worker's month and no visit has so many records; a document is made whole, in memory. */
export const MOST_RECORDS = 3_000;

export type OtherStep = Exclude<RowStep, { is: 'record' }>;

/** What comes of the rows of the main tables, in order. */
export type Step =
  | OtherStep
  | { readonly is: 'group'; readonly group: Group }
  /** A record of which no document can be made. */
  | {
      readonly is: 'refused';
      readonly place: Place;
      readonly key: string;
      readonly issues: readonly Issue[];
    }
  | { readonly is: 'issue'; readonly issue: Issue };
