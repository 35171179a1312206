import type { Route } from '../client/address.js';
import type { Answer } from '../client/answer.js';
import type { CallRequest, Client } from '../client/client.js';
import type { OperationId } from '../generated/operations.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Deadline } from '../report/ics.js';
import type { DocumentLayout, ReportContext, SheetRows } from '../report/rows.js';
import type { ReportedDocument } from '../report/run-report.js';
import type { Sql } from '../send/database.js';
import type { PlanInput } from '../send/documents.js';
import type { DocumentKind, KnownRange, Scope } from '../send/kind.js';
import type { Mailbook, MailItem } from '../send/mailbook.js';
import type { PlannedDocument } from '../send/planned-document.js';
import type { AuthorityResult } from '../send/read-back.js';
import type { Reply } from '../send/verdict.js';
import type { Decimal } from '../toolkit/core/decimal.js';
import type { Checked, Coded, Issue, Language } from '../toolkit/core/issue.js';
import type { JsonObject, Pointer } from '../toolkit/core/json.js';
import type { PlainDate } from '../toolkit/core/plain-date.js';
import type { Complete, Derivation, DocumentSequence } from '../toolkit/documents/phases.js';
import type { LoadedMapping } from '../toolkit/mapping/load.js';
import type { ResolvedParams } from '../toolkit/mapping/params.js';
import type { Message, PlainPhrase } from '../toolkit/messages/texts.js';
import type { Document, DocumentState, Outcome } from '../toolkit/schema/document.js';
import type { InputFile } from '../toolkit/tables/table.js';

/** Request for the current number, which every version of the service accepts (service.md 4, P8). */
export const CURRENT_NUMBER: DocumentKind['greeting'] = {
  operation: 'getCurrentNumber',
  request: { path: { type: 9 } },
};

/** Optional parts of a family, each loaded by the commands that need it; without one those commands are refused. */
export interface Capabilities {
  readonly delivery: Delivery;
  readonly report: ReportPart;
  readonly corrections: Corrections;
  readonly inquiry: Inquiry;
  readonly authority: Authority;
  readonly paper: PaperDocuments;
  readonly setup: Setup;
}

export type Loaders = { readonly [K in keyof Capabilities]?: () => Promise<Capabilities[K]> };

/** Documents of one kind. Code outside the families knows kinds only by this interface. */
export interface Family extends Loaders {
  /** Families with the same name share their parameters. */
  readonly name: string;
  readonly documents: DocumentPart;
}

/** Properties for reading and checking files. */
interface DocumentPart {
  readonly schemas: readonly SchemaName[];
  /** True if document keys are not personal IDs and may be printed unmasked. */
  readonly hasPublicKeys: boolean;
  /** Source of the company in files: a name above a table, a parameter to compare with, or none. */
  readonly company: 'above' | { readonly param: string } | 'unsaid';
  readonly mappings: SpecialMappings;
  /** Computes fields from the mapped ones; `today` is the day of the run, if known. */
  derive?(params: ResolvedParams, schema: SchemaName, today?: PlainDate): Derivation;
  /** Returns the last days by law to send a month, a day for each reading of the law; none if there is no term. */
  deadlines(month: string): readonly PlainDate[];
  /** Creates the order rules for the good documents of a file. */
  follow?(site: FollowSite): DocumentSequence;
}

/** Ready-made mappings with special uses. */
interface SpecialMappings {
  /** Mapping for files of a kind whose table is always the same. */
  readonly ready?: {
    readonly kind: InputFile['kind'];
    readonly mapping: string;
    /** Mapping if the files are sent or come with others; it lists what they lack. */
    readonly sending?: string;
    /** Act proposed for files that no person has said anything about: the authority's code, and the parameters that make it. */
    readonly proposed?: { readonly code: string; readonly params: JsonObject };
    /** Lists the acts that accepted ones make possible: the names of files, and their text. */
    following?(journal: Sql, today: PlainDate): Promise<ReadonlyMap<string, string>>;
  };
  /** Mapping whose empty workbook has a special name. */
  readonly template?: { readonly name: string; readonly mapping: string };
}

/** Rules for sending documents. */
export interface Delivery extends DocumentKind {
  /** Field of the subject, if the document key may be it. */
  readonly subjectLeaf: Pointer | undefined;
  /** Creates the planner of a run's documents. */
  createPlanner(site: PlannerSite): Planner;
  /** Details shown before confirmation. @default number, name and total, for approval only */
  readonly decision?: Decision;
  /** Mapping and result of documents that are sent only to be read. */
  readonly reading?: {
    readonly mapping: string;
    read(answer: JsonObject): Readonly<Record<'number' | 'seller' | 'total' | 'state', string>>;
  };
}

export interface Decision {
  /** True to show reversible documents too. */
  readonly all: boolean;
  /** Returns the name of an irreversible action; undefined for other documents. */
  irreversible(body: JsonObject): string | undefined;
  /** Returns the details of a document from its file, the record or an earlier response. */
  decided(journal: Sql, document: PlannedDocument): Promise<ApprovalDetails>;
}

/** Parts of the report that are specific to a family. */
export interface ReportPart {
  /** Returns the columns of the documents sheet, for a run with these schemas. */
  columns(schemas: readonly SchemaName[]): DocumentLayout;
  /** Details of documents, for those columns. */
  readonly about?: DocumentDetails;
  /** Creates further sheets of a run's report; with `register` only that one. */
  sheets(
    journal: Sql,
    run: string,
    saying: ReportContext,
    testSet: string | undefined,
    register?: SheetRows['register'],
  ): readonly SheetRows[];
  /** Comparison of months. @default a month has the documents of the runs that were planned in it */
  readonly months?: Months;
}

/** Months of documents that belong to one. */
interface Months {
  /** Yields the amount differences per employee from the month before; none if the journal has no such month. */
  differences(
    journal: Sql,
    run: string,
    testSet: string | undefined,
    which: PartOfRun,
  ): AsyncIterable<MonthDifference>;
  /** Yields the documents of a month (`2026-10`). */
  documents(journal: Sql, month: string, testSet: string | undefined): AsyncIterable<MonthDocument>;
}

/** Document that counts for a month of its company. */
export interface MonthDocument {
  readonly run: string;
  readonly key: string;
  readonly name: string | null;
  /** Identity of which a month counts one document: a later one replaces an earlier one. */
  readonly subject: string;
  /** Person of whom every month is expected to have a document; absent if there is none. */
  readonly person?: string;
  readonly state: DocumentState;
  /** Amount that people know an accepted document by; absent if it was removed, or there is none. */
  readonly total?: Decimal;
}

/** Ways to correct accepted documents. */
export interface Corrections {
  readonly notes?: Notes;
  /** Parameters by which `send` corrects documents, if `adjust` does not apply. */
  readonly bySend?: Readonly<Record<string, string>>;
}

/** Files of the authority: its form of documents, and its results. */
export interface Authority {
  /** Form for `convert --as`. */
  readonly form: DocumentForm;
  /** Returns the fields users know, for a rule that names others. */
  blame(rule: string): readonly Pointer[];
  /** Yields results to store and forward, in the order of the documents. */
  results(journal: Sql, run: string): AsyncIterable<ResultFile>;
  /** Parses a result file of the authority; undefined if the text is none. */
  resultIn(text: string): AuthorityResult | undefined;
}

/** Documents for their recipients. */
export interface PaperDocuments {
  /** PDF the service draws of a document, in any state. */
  readonly preview?: Preview;
  /** Mail of accepted documents to their subjects. */
  readonly mail?: Mail;
}

export interface Setup {
  /** Settings needed before it takes documents. */
  readonly software?: SoftwareSetup;
  /** Login at the authority. */
  readonly access?: Access;
  /** Tables of the service: operation → member of the response → our list. */
  readonly lists: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>>;
}

/** Details of a run's documents, read together with their outcomes. */
export interface DocumentDetails {
  /** Query with a row per document, for `pages`. */
  readonly page: string;
  of(row: { readonly sequence: number }, outcome: Outcome): ReportedDocument['about'];
}

/** Document details for the user who decides. */
export interface ApprovalDetails {
  readonly number: string;
  /** Action, if documents of the kind perform different ones. */
  readonly act?: string;
  /** Subject: an employee, a patient, the seller of an invoice. */
  readonly name?: string;
  readonly total?: string;
}

/** Documents of a draft that will be sent, or all documents of a run. */
export type PartOfRun = 'planned' | 'made';

/** Transforms the documents of a file before they are planned. */
export interface DocumentTransform {
  shape(reading: FileReading): AsyncIterable<readonly PlanInput[]>;
  /** Number of documents added to those of the file; complete after all are transformed. */
  readonly added: number;
}

export interface FileReading {
  /** Good documents in batches; can be read once. */
  readonly documents: AsyncIterable<readonly Document[]>;
  /** Complete after `documents` ended. `isPart`: a file has only rows to fix of another. */
  findings(): { readonly errors: number; readonly issues: readonly Issue[]; readonly isPart: boolean };
}

/** Adjust notes: documents of their own number series, each correcting an accepted one. */
export interface Notes {
  /** `typeDocumentId` of the notes. */
  readonly series: number;
  /** Returns what files with these schemas are: a complete corrected month, or notes; undefined for others. */
  fileOf(schemas: readonly string[]): 'whole' | 'notes' | undefined;
  /** Fields a note may leave to the journal. */
  readonly known: readonly Pointer[];
  complete(scope: Omit<Scope, 'run'>): Complete;
  /** Creates the notes for a corrected month, compared with the accepted documents. */
  compare(site: ComparisonSite): DocumentTransform;
  /** Yields the changes of a run, in order. */
  changes(journal: Sql, run: string, which: PartOfRun): AsyncIterable<PlannedChange>;
}

export interface ComparisonSite extends Pick<Scope, 'journal' | 'testSet'> {
  readonly mapping: LoadedMapping;
  readonly notes: NoteNumbers;
  readonly reason?: string | undefined;
  /** True to delete documents that are not in the file. */
  readonly deleteMissing?: boolean | undefined;
}

/** Numbering of notes, for mappings of the documents they correct. */
export interface NoteNumbers {
  readonly prefix?: string;
  readonly resolution?: string;
  /** First number if the journal has no note with this prefix. */
  readonly first?: number;
}

/** Change made by a document of a draft. */
export interface PlannedChange {
  readonly kind: 'replace' | 'delete' | 'new';
  readonly sequence: number;
  readonly key: string;
  readonly name?: string;
  readonly number: string;
  /** Document that the note corrects. */
  readonly predecessor?: { readonly number: string; readonly code: string };
  /** Number of the document of this run that must be accepted first. */
  readonly follows?: string;
  /** Number of the document of this run that waits for this one. */
  readonly leads?: string;
  /** True if the predecessor's content was purged from the journal. */
  readonly isForgotten?: boolean;
  /** Changed fields if the predecessor's content is known, else totals. */
  readonly fields: readonly ChangedField[];
}

/**
 * Difference of an employee's amount from the month before; `is` is absent for missing employees, `was` for new ones.
 */
export interface MonthDifference {
  /** The month compared with, `YYYY-MM`. */
  readonly month: string;
  readonly key: string;
  readonly name?: string;
  readonly was?: Decimal;
  readonly is?: Decimal;
  /** is − was, if the employee is in both months. */
  readonly difference?: Decimal;
}

export interface ChangedField {
  readonly pointer: Pointer;
  /** Titles from the outermost object to the field. */
  readonly titles: readonly string[];
  /** True for an amount, a quantity or a duration. */
  readonly isAmount: boolean;
  readonly isPersonal: boolean;
  readonly before?: string | number | boolean;
  readonly after?: string | number | boolean;
  /** after − before of an amount; a missing one counts as zero. */
  readonly difference?: Decimal;
}

export interface SoftwareSetup {
  /** Schema member that holds the software PIN. */
  readonly pin: { readonly schema: SchemaName; readonly member: string };
  readonly settings: Readonly<Record<'software' | 'resolution', Setting>>;
  /** Returns the resolutions sent from here, from the stored record. */
  resolutions(record: unknown): readonly KnownResolution[];
  /** Returns the body with the number of its resolution, if it has none and one of these has its prefix. */
  withResolution(body: JsonObject, known: readonly KnownResolution[]): JsonObject;
  /** Returns the number ranges sent from here. */
  ranges(record: unknown): readonly KnownRange[];
  /** Returns the values last sent from here. */
  sent(language: Language, record: unknown): SetupFact;
  /** Yields the settings the service shows. */
  shown(language: Language, record: unknown, client: Client): AsyncIterable<SetupFact>;
}

/** Numbering resolution; documents name it if the company has several of a type. */
export interface KnownResolution {
  readonly documentType: 'payroll' | 'adjust';
  readonly prefix: string;
  readonly number: string;
}

export interface SetupFact {
  /** Object for `--json`. */
  readonly fact: { readonly what: 'software' | 'resolution' } & Readonly<Record<string, unknown>>;
  readonly says: readonly Message[];
}

/** Setting stored by one request. */
export interface Setting {
  readonly intro: PlainPhrase;
  readonly done: PlainPhrase;
  readonly operation: OperationId;
  readonly hasPin?: true;
  /** True to query the service before the plan is shown. */
  readonly asksFirst?: true;
  /** Collects all values of the request except the PIN. */
  want(site: SettingSite): Promise<WantedSetting>;
}

export interface SettingSite {
  readonly language: Language;
  readonly options: Readonly<Record<string, unknown>>;
  readonly now: Date;
  /** Record of the values last sent from here; others may have changed them since. */
  readonly record: unknown;
  ask<T>(wanted: SetupValue<T>): Promise<T>;
}

/** Value from an option, the user, or an earlier call. */
export interface SetupValue<T> {
  readonly option: string;
  readonly given: string | undefined;
  readonly question: PlainPhrase;
  /** Value taken if none is given. */
  readonly known?: string;
  /** Expected form of the option, for messages. */
  readonly expected: string;
  readonly check: (text: string) => Checked<T>;
}

interface WantedSetting {
  /** Creates the plan; without a client the service is not queried. */
  plan(client?: Client): Promise<SetupPlan>;
  body(pin?: string): JsonObject;
  /** Reads what the service says it stored: the record to store, without secrets, and issues for differences. */
  stored(answer: JsonObject): {
    readonly record: object;
    readonly fact: object;
    readonly faults: readonly Issue[];
  };
}

export interface SetupPlan {
  readonly lines: readonly SetupLine[];
  readonly warnings: readonly Issue[];
  readonly graves: readonly IrreversibleChange[];
}

/** Value to set. */
export interface SetupLine {
  readonly name: PlainPhrase;
  readonly value: string;
  /** Earlier value, if it differs. */
  readonly before?: string;
}

/** Change that needs a separate confirmation. */
export interface IrreversibleChange {
  readonly question: Message;
  /** True if an option confirmed it. */
  readonly allowed: boolean;
  /** Issue if `--yes` is given without that option. */
  readonly needs: Coded;
}

export interface Mail {
  readonly address: Pointer;
  /** Returns true if the service accepts the address. */
  takes(address: string): boolean;
  isMailed(body: JsonObject): boolean;
  /** Creates a function that makes one request per mail. */
  mailer(options: MailerOptions): (item: MailItem) => Promise<Reply<true>>;
}

export interface MailerOptions {
  readonly client: Client;
  readonly book: Mailbook;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
  /** Aborts at once; an open request may have been sent. */
  readonly abort?: AbortSignal;
}

export interface Preview {
  readonly schema: SchemaName;
  readonly operation: OperationId | Route;
  /** Returns the subject of a document for its file name; undefined if the body is of another kind. */
  subject(body: JsonObject): string | undefined;
  /** Returns the PDF as base64. */
  read(answer: JsonObject): string | undefined;
}

export interface DocumentForm {
  /** Returns a safe file name without ending. */
  name(document: JsonObject): string;
  text(document: JsonObject, params: ResolvedParams): string;
  /** Returns the part of a document that shares its file with the next ones; undefined if it is a file. */
  part?(document: JsonObject): FormPart | undefined;
}

/** Part of a file, with the text before the first part and after the last. */
export interface FormPart {
  /** Position from 1, and number of parts. */
  readonly at: number;
  readonly of: number;
  readonly head: string;
  readonly text: string;
  readonly tail: string;
}

export interface Access {
  readonly schema: SchemaName;
  /** Prompt for a missing password, and the issue if there is no user. */
  readonly password: { readonly question: PlainPhrase; readonly needs: Coded };
  /** Creates the issue of an unreadable login file. */
  readonly unreadable: (reason: string) => Coded;
  /** Message after it was stored. */
  readonly done: PlainPhrase;
  /** Stores the login. The response repeats it, so nothing of the response is stored. */
  store(client: Client, access: JsonObject): Promise<Reply<true>>;
}

/** Result of the authority, to store and forward. */
export interface ResultFile {
  readonly name: string;
  /** Text of the response, unchanged. */
  readonly text: string;
}

export interface FollowSite {
  readonly params: ResolvedParams;
  readonly today: PlainDate;
  /** Journal with the results of earlier runs. */
  readonly journal?: Sql;
  /** States returned by the service, by subject ID. */
  readonly registered?: ReadonlyMap<string, unknown>;
}

export interface PlannerSite {
  readonly params: ResolvedParams;
  readonly options: Readonly<Record<string, unknown>>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Makes the documents of a file ready for the journal, one after the other. */
export interface Planner {
  take(document: Document): PlanInput;
  /** Returns messages after all documents were taken. */
  notices?(): readonly PlainPhrase[];
}

export const AS_IT_IS: Planner = { take: (document) => document };

/** Subject of documents, such as an invoice. */
export interface Subject {
  readonly id: string;
  /** Name for users. */
  readonly name: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** Query of the service for a subject. */
export interface Query {
  readonly operation: OperationId | Route;
  /** Creates the request; undefined if too little is known of the subject. */
  request(subject: Subject, environment: 'production' | 'test'): CallRequest | undefined;
  read(answer: Answer): Reply<unknown>;
}

/** Queries about subjects: events registered by others decide what is planned. */
export interface Inquiry {
  /** Message shown with the progress. */
  readonly phrase: PlainPhrase;
  about(document: Document): Subject;
  /** Returns the subject with details from earlier responses in the journal. */
  known(journal: Sql, subject: Subject): Promise<Subject>;
  /** Queries by name; the first is the default. */
  readonly queries: Readonly<Record<string, Query>>;
  /** Creates the issue of a subject without a response. */
  unanswered(subject: Subject): Issue;
  /** Creates the list of actions due. */
  worklist(language: Language, today: PlainDate): Worklist;
}

export interface Worklist {
  /**
   * Adds a subject with its state, undefined if the service returned none; returns the state's text and the `--json`
   * object.
   */
  add(subject: Subject, state: unknown): { readonly state: string; readonly shown: object };
  sheet(): SheetRows;
  deadlines(): readonly Deadline[];
}
