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
import type { Complete, Derivation, Follow } from '../toolkit/documents/phases.js';
import type { LoadedMapping } from '../toolkit/mapping/load.js';
import type { ResolvedParams } from '../toolkit/mapping/params.js';
import type { Message, PlainPhrase } from '../toolkit/messages/texts.js';
import type { Document, Outcome } from '../toolkit/schema/document.js';
import type { InputFile } from '../toolkit/tables/table.js';

/** Reads a number that every version of the service has, whatever the company sends (service.md 4, P8). */
export const CURRENT_NUMBER: DocumentKind['greeting'] = {
  operation: 'getCurrentNumber',
  request: { path: { type: 9 } },
};

/** Parts that a family may have beside its documents, each loaded by the commands that need it; without one their verbs are lacking. */
export interface Capabilities {
  readonly delivery: Delivery;
  readonly report: ReportPart;
  readonly corrections: Corrections;
  readonly inquiry: Inquiry;
  readonly authority: Authority;
  readonly paper: Paper;
  readonly setup: Setup;
}

export type Loaders = { readonly [K in keyof Capabilities]?: () => Promise<Capabilities[K]> };

/** All that is peculiar to documents of one kind, so that nothing above has to know which kinds there are. */
export interface Family extends Loaders {
  /** Families of one name share their parameters. */
  readonly name: string;
  readonly documents: DocumentPart;
}

/** What reading and checking files has to know. */
interface DocumentPart {
  readonly schemas: readonly SchemaName[];
  /** Whether their keys are no numbers of persons: they may be shown. */
  readonly openKeys: boolean;
  /** How files tell whose documents they make: by a name above a table, by a parameter that is compared with them, or not. */
  readonly company: 'above' | { readonly param: string } | 'unsaid';
  readonly mappings: OwnMappings;
  /** Returns what follows from the mapped parts of a document, on the day of the run where it is known. */
  derive?(params: ResolvedParams, schema: SchemaName, today?: PlainDate): Derivation;
  /** How the good documents of a file follow each other. */
  follow?(site: FollowSite): Follow;
}

/** Ready-made mappings with a part of their own. */
interface OwnMappings {
  /** Reads files of a kind whose table is always the same. */
  readonly ready?: {
    readonly kind: InputFile['kind'];
    readonly mapping: string;
    /** Where the files are to be sent, or others lie beside them: their own list of what they lack. */
    readonly sending?: string;
  };
  /** Its empty workbook is handed out under a name of its own. */
  readonly template?: { readonly name: string; readonly mapping: string };
}

/** How documents are sent. */
export interface Delivery extends DocumentKind {
  /** The leaf that tells whom a document is about, where its key may be that. */
  readonly subjectLeaf: Pointer | undefined;
  /** How documents are laid out. */
  layOut(site: LayoutSite): Layout;
  /** What a person sees of documents before the yes. @default number, name and total, where somebody approves them */
  readonly decision?: Decision;
  /** Of documents that are sent only to be read: their ready-made mapping, and what was read. */
  readonly reading?: {
    readonly mapping: string;
    read(answer: JsonObject): Readonly<Record<'number' | 'seller' | 'total' | 'state', string>>;
  };
}

export interface Decision {
  /** Whether documents are shown that can be taken back. */
  readonly all: boolean;
  /** What an act is called that nobody can take back; undefined for any other document. */
  irreversible(body: JsonObject): string | undefined;
  /** As far as its file, the record or an earlier answer tell it. */
  decided(journal: Sql, document: PlannedDocument): Promise<Decided>;
}

/** What reports show of the documents of a run. */
export interface ReportPart {
  /** Of the sheet of documents, for a run with documents of these schemas. */
  columns(schemas: readonly SchemaName[]): DocumentLayout;
  /** More of a document than became of it, for those columns. */
  readonly about?: About;
  /** Sheets of its own in the report of a run; those with `register` only where that register is wanted. */
  sheets(
    journal: Sql,
    run: string,
    saying: ReportContext,
    testSet: string | undefined,
    register?: SheetRows['register'],
  ): readonly SheetRows[];
  /** What each person of a run comes to against the month before; nothing where the journal has none. */
  differences?(
    journal: Sql,
    run: string,
    testSet: string | undefined,
    which: PartOfRun,
  ): AsyncIterable<MonthDifference>;
}

/** How what was accepted is corrected. */
export interface Corrections {
  readonly notes?: Notes;
  /** The parameters with which `send` does so, where that is no matter of `adjust`. */
  readonly bySend?: Readonly<Record<string, string>>;
}

/** Files of the authority: its own form of documents, and what it answered. */
export interface Authority {
  /** For `convert --as`. */
  readonly form: DocumentForm;
  /** The leaves that people know where a rule speaks of others. */
  blame(rule: string): readonly Pointer[];
  /** What was answered, to be kept and forwarded, in the order of the documents. */
  results(journal: Sql, run: string): AsyncIterable<ResultFile>;
  /** The same read again, as the authority itself writes them; undefined where a text is none. */
  paperIn(text: string): AuthorityResult | undefined;
}

/** Documents as people get them. */
export interface Paper {
  /** The PDF that the service draws of a document, whatever became of it. */
  readonly preview?: Preview;
  /** How what was accepted is mailed to those whom it is about. */
  readonly mail?: Mail;
}

/** What the service has to be told or holds. */
export interface Setup {
  /** Before it takes documents. */
  readonly software?: SoftwareSetup;
  /** An access to the authority. */
  readonly access?: Access;
  /** The tables that it answers with: operation → member of the answer → our list. */
  readonly lists: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>>;
}

/** What is known of the documents of a run, read beside their outcomes. */
export interface About {
  /** A row for each document, by `pages`. */
  readonly page: string;
  of(row: { readonly sequence: number }, outcome: Outcome): ReportedDocument['about'];
}

/** A document as a person knows it who decides about it. */
export interface Decided {
  readonly number: string;
  /** What it does, where documents of a kind do different things. */
  readonly act?: string;
  /** Whom it is about: a worker, a patient, the seller of an invoice. */
  readonly name?: string;
  readonly total?: string;
}

/** The documents of a draft that are to leave, or all that a run has, whatever became of them. */
export type PartOfRun = 'planned' | 'made';

/** What becomes of the documents of a file before they are laid out. */
export interface Shaping {
  shape(reading: FileReading): AsyncIterable<readonly PlanInput[]>;
  /** Documents beside those of the file; known once all are shaped. */
  readonly added: number;
}

/** A file on its way to documents. */
export interface FileReading {
  /** Good documents, batch by batch. Read once. */
  readonly documents: AsyncIterable<readonly Document[]>;
  /** Complete when `documents` is at its end. `isPart`: a file has only rows to mend of another. */
  findings(): { readonly errors: number; readonly issues: readonly Issue[]; readonly isPart: boolean };
}

/** Notes correct: documents of a number series of their own, each of one that was accepted. */
export interface Notes {
  /** `typeDocumentId` of the notes. */
  readonly series: number;
  /** What a file is whose documents are of these schemas: a corrected whole, or notes; undefined for any other. */
  fileOf(schemas: readonly string[]): 'whole' | 'notes' | undefined;
  /** What a note may leave to the journal, and how it is filled in. */
  readonly known: readonly Pointer[];
  complete(scope: Omit<Scope, 'run'>): Complete;
  /** The documents that a corrected whole comes down to, against what was accepted. */
  compare(site: ComparisonSite): Shaping;
  /** What a run would change, or what it was to change, in order. */
  changes(journal: Sql, run: string, which: PartOfRun): AsyncIterable<PlannedChange>;
}

export interface ComparisonSite extends Pick<Scope, 'journal' | 'testSet'> {
  readonly mapping: LoadedMapping;
  readonly notes: NoteNumbers;
  /** Goes into every note. */
  readonly reason?: string | undefined;
  /** Whether who is not in the file is to be deleted, as it was asked for. */
  readonly deleteMissing?: boolean | undefined;
}

/** Where the numbers of notes come from, which are no business of a mapping of what they correct. */
export interface NoteNumbers {
  readonly prefix?: string;
  readonly resolution?: string;
  /** Used when the journal has no note of that prefix yet. */
  readonly first?: number;
}

/** What a document of a draft would change. */
export interface PlannedChange {
  readonly kind: 'replace' | 'delete' | 'new';
  readonly sequence: number;
  readonly key: string;
  readonly name?: string;
  readonly number: string;
  /** What a note corrects. */
  readonly predecessor?: { readonly number: string; readonly code: string };
  /** Number of the document of the same run that has to be accepted first. */
  readonly follows?: string;
  /** Number of the document of the same run that waits for this one. */
  readonly leads?: string;
  /** What the document of before said was removed from the journal. */
  readonly isForgotten?: boolean;
  /** Leaf by leaf where the document of before is known, else the totals. */
  readonly fields: readonly ChangedField[];
}

/** A person whose amount is not that of the month before; who is missing has no `is`, who is new no `was`. */
export interface MonthDifference {
  /** The month compared with, `YYYY-MM`. */
  readonly month: string;
  readonly key: string;
  readonly name?: string;
  readonly was?: Decimal;
  readonly is?: Decimal;
  /** is − was, of who is in both. */
  readonly difference?: Decimal;
}

/** A leaf that is not what it was. */
export interface ChangedField {
  readonly pointer: Pointer;
  /** From the outermost to the leaf. */
  readonly titles: readonly string[];
  /** An amount, a quantity or a span of time. */
  readonly isAmount: boolean;
  readonly isPersonal: boolean;
  readonly before?: string | number | boolean;
  readonly after?: string | number | boolean;
  /** after − before, of an amount; what is not there counts as zero. */
  readonly difference?: Decimal;
}

export interface SoftwareSetup {
  /** The member of a schema that holds the PIN of the software. */
  readonly pin: { readonly schema: SchemaName; readonly member: string };
  readonly settings: Readonly<Record<'software' | 'resolution', Setting>>;
  /** Resolutions that this machine told with their numbers. */
  resolutions(record: unknown): readonly KnownResolution[];
  /** The body with the number of its resolution, where it does not say it and one of these is of its prefix. */
  withResolution(body: JsonObject, known: readonly KnownResolution[]): JsonObject;
  /** Ranges of numbers that this machine told. */
  ranges(record: unknown): readonly KnownRange[];
  /** What this machine told last. */
  told(language: Language, record: unknown): SetupFact;
  /** What the service shows by itself. */
  shown(language: Language, record: unknown, client: Client): AsyncIterable<SetupFact>;
}

/** A range that documents name by the text of its resolution, where the company has several of a type. */
export interface KnownResolution {
  readonly documentType: 'payroll' | 'adjust';
  readonly prefix: string;
  readonly number: string;
}

export interface SetupFact {
  /** For programs. */
  readonly fact: { readonly what: 'software' | 'resolution' } & Readonly<Record<string, unknown>>;
  readonly says: readonly Message[];
}

/** What is told by one call. */
export interface Setting {
  readonly intro: PlainPhrase;
  readonly done: PlainPhrase;
  readonly operation: OperationId;
  readonly hasPin?: true;
  /** Whether the service is asked how it stands before the plan is shown. */
  readonly asksFirst?: true;
  /** Gets every value of the call but the PIN. */
  want(site: SettingSite): Promise<WantedSetting>;
}

export interface SettingSite {
  readonly language: Language;
  /** Of the call. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly now: Date;
  /** What this machine stored when it last told something. Someone else may have told otherwise since. */
  readonly record: unknown;
  ask<T>(wanted: SetupValue<T>): Promise<T>;
}

/** A value that comes from an option, from a person, or from what was told before. */
export interface SetupValue<T> {
  readonly option: string;
  readonly given: string | undefined;
  readonly question: PlainPhrase;
  /** Taken where nobody says anything else. */
  readonly known?: string;
  /** What the option takes, for who left it out. */
  readonly expected: string;
  readonly check: (text: string) => Checked<T>;
}

interface WantedSetting {
  /** Without a client nobody is asked. */
  plan(client?: Client): Promise<SetupPlan>;
  body(pin?: string): JsonObject;
  /** What the service says it stored: for the record, which holds nothing secret, and where it is not as wanted. */
  stored(answer: JsonObject): {
    readonly record: object;
    readonly told: object;
    readonly faults: readonly Issue[];
  };
}

export interface SetupPlan {
  readonly lines: readonly SetupLine[];
  readonly warnings: readonly Issue[];
  readonly graves: readonly Grave[];
}

/** One value that is set. */
export interface SetupLine {
  readonly name: PlainPhrase;
  readonly value: string;
  /** Where it was another before. */
  readonly before?: string;
}

/** A change that a yes to the whole does not cover. */
export interface Grave {
  /** What a person is asked by itself. */
  readonly question: Message;
  /** Whether an option said so already. */
  readonly allowed: boolean;
  /** Code of the refusal where `--yes` stands in for a person and no option allows it. */
  readonly needs: Coded;
}

export interface Mail {
  /** The leaf with the address. */
  readonly address: Pointer;
  /** Whether the service takes the address. */
  takes(address: string): boolean;
  /** Whether a document is mailed at all. */
  isMailed(body: JsonObject): boolean;
  /** Makes one request a call. */
  mailer(options: MailerOptions): (item: MailItem) => Promise<Reply<true>>;
}

export interface MailerOptions {
  readonly client: Client;
  readonly book: Mailbook;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Hangs up at once; what was under way may have left. */
  readonly abort?: AbortSignal;
}

export interface Preview {
  readonly schema: SchemaName;
  readonly operation: OperationId | Route;
  /** Whom a document is about, for the name of its file; undefined where a body is none of these. */
  subject(body: JsonObject): string | undefined;
  /** The PDF as base64. */
  read(answer: JsonObject): string | undefined;
}

export interface DocumentForm {
  /** Safe as the name of a file, without its ending. */
  name(document: JsonObject): string;
  text(document: JsonObject, params: ResolvedParams): string;
  /** Of a document that shares its file with those that follow it; undefined for one that is a file. */
  part?(document: JsonObject): FormPart | undefined;
}

/** A part of a file: what stands before the first, its own text, and what stands behind the last. */
export interface FormPart {
  /** From 1, and of how many. */
  readonly at: number;
  readonly of: number;
  readonly head: string;
  readonly text: string;
  readonly tail: string;
}

export interface Access {
  readonly schema: SchemaName;
  /** What a person is asked where neither file nor environment has the password, and the refusal where nobody is there. */
  readonly password: { readonly question: PlainPhrase; readonly needs: Coded };
  /** Refuses a file that cannot be read as an access. */
  readonly unreadable: (reason: string) => Coded;
  /** Said once the service has it. */
  readonly done: PlainPhrase;
  /** The service answers with what it was told: nothing of the answer is kept. */
  store(client: Client, access: JsonObject): Promise<Reply<true>>;
}

/** An answer of the authority as people keep and forward it. */
export interface ResultFile {
  readonly name: string;
  /** As the answer had it. */
  readonly text: string;
}

export interface FollowSite {
  readonly params: ResolvedParams;
  readonly today: PlainDate;
  /** What earlier runs brought about. */
  readonly journal?: Sql;
  /** What the service told of a thing, by its id. */
  readonly told?: ReadonlyMap<string, unknown>;
}

export interface LayoutSite {
  readonly params: ResolvedParams;
  /** Of the call. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Takes the documents of a file in their order. */
export interface Layout {
  take(document: Document): PlanInput;
  /** What is to be said once all are taken. */
  notices?(): readonly PlainPhrase[];
}

export const AS_IT_IS: Layout = { take: (document) => document };

/** What documents are about, such as an invoice. */
export interface Thing {
  readonly id: string;
  /** As people call it. */
  readonly name: string;
  /** What lists show beside that. */
  readonly details?: Readonly<Record<string, string>>;
}

/** A way to ask the service about a thing. */
export interface Query {
  readonly operation: OperationId | Route;
  /** Undefined where too little is known of the thing to ask. */
  request(thing: Thing, environment: 'production' | 'test'): CallRequest | undefined;
  read(answer: Answer): Reply<unknown>;
}

/** Others may have acted on the things that documents are about: what they did decides what is planned. */
export interface Inquiry {
  /** What stands beside the progress. */
  readonly phrase: PlainPhrase;
  about(document: Document): Thing;
  /** With what earlier answers in the journal say of it. */
  known(journal: Sql, thing: Thing): Promise<Thing>;
  /** The first one is asked where no other is named. */
  readonly queries: Readonly<Record<string, Query>>;
  /** Said of a thing that nobody told of. */
  untold(thing: Thing): Issue;
  /** The list of what is to be done with each thing. */
  worklist(language: Language, today: PlainDate): Worklist;
}

export interface Worklist {
  /** What was told of a thing, undefined where nobody told; returns how it stands and what `--json` shows. */
  add(thing: Thing, told: unknown): { readonly state: string; readonly shown: object };
  sheet(): SheetRows;
  /** What is to be done by a day. */
  deadlines(): readonly Deadline[];
}
