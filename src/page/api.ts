import type { Cure } from '../generated/issue-codes.js';

/** Types of the requests, responses and events between the page and its server; types only. */

/** Use cases that the page can start on the files of an upload, on a run, or in the settings. */
export type TaskName =
  | 'inspect'
  | 'check'
  | 'send'
  | 'adjust'
  | 'events'
  | 'reception'
  | 'resume'
  | 'approve'
  | 'giveBack'
  | 'withdraw'
  | 'status'
  | 'report'
  | 'preview'
  | 'email'
  | 'setup'
  | 'profileAdd'
  | 'profileChange'
  | 'setupSoftware'
  | 'setupResolution'
  | 'catalogueImport'
  | 'lawImport'
  | 'lawRemove';

/** Event of a use case as `--json` has it, with texts in the user's language. */
export type PageEvent = { readonly event: string } & Readonly<Record<string, unknown>>;

/** Issue as the page shows it. */
export interface PageIssue {
  readonly event: 'issue';
  readonly code: string;
  readonly level: 'error' | 'warning';
  readonly file: string | null;
  readonly sheet: string | null;
  readonly cell: string | null;
  readonly row: number | null;
  readonly column: string | null;
  readonly label: string | null;
  /** Line of a text or JSON file; for JSON, `json` holds the pointer. */
  readonly line: number | null;
  readonly json: string | null;
  readonly value: string | null;
  readonly param: string | null;
  readonly documentKey: string | null;
  readonly documents: number | null;
  readonly message: string;
  readonly fix: string;
  readonly suggestions: readonly { readonly value: string }[];
  /** Computed total, if the cell states another one. */
  readonly computed: string | null;
  /** Step of an upload or screen where the issue can be fixed, apart from its own cell. */
  readonly cure: Cure | null;
  /** Run that the issue names, as used in the address of its screen. */
  readonly run: string | null;
  /** Parameter that says what an old code means: its table and the code. */
  readonly answer: {
    readonly param: string;
    readonly table: string;
    readonly code: string;
    readonly choices: readonly string[];
  } | null;
  /** Answers that set for all files how such a cell is read. */
  readonly readings: readonly (readonly [id: string, value: string])[];
}

/** Outcome of one document. */
export interface OutcomeEvent extends PageEvent {
  readonly sequence: number;
  readonly key: string;
  readonly name: string | null;
  readonly state: string;
  readonly number: string | null;
  readonly documentCode: string | null;
  /** Number of the adjust note that replaced or deleted it. */
  readonly correctedBy?: string;
  readonly file: string | null;
  readonly sheet: string | null;
  readonly row: number | null;
  readonly reasons: readonly {
    readonly message: string;
    readonly fix: string;
    readonly rule: string | null;
  }[];
}

/** Explanation of a rule of the authority. */
export interface RuleView {
  readonly family: string | null;
  readonly field: string | null;
  readonly meaning: string;
  readonly fix: string;
}

/** Document that a run did not make. */
export type LeftOutEvent = PageEvent &
  Pick<OutcomeEvent, 'key' | 'name' | 'state' | 'file' | 'sheet' | 'row' | 'reasons'>;

/** Accounts of records, documents and columns at the end of a use case. */
export interface Summary extends PageEvent {
  readonly records: {
    readonly read: number;
    readonly used: number;
    readonly skipped: number;
    readonly heldBack: number;
  };
  readonly documents: Readonly<Record<string, number>>;
  readonly columns?: Readonly<Record<string, number>>;
  /** Actions that the run's documents support, such as `preview`. */
  readonly can?: readonly string[];
  readonly issues: { readonly errors: number; readonly warnings: number };
}

/** Sum, formatted in the user's language. */
export interface Amount {
  readonly key: string;
  readonly name: string;
  readonly amount: string;
}

/** Question that a running use case waits for. */
export interface Pending {
  readonly id: number;
  readonly kind: 'confirm' | 'text' | 'secret';
  /** Text that must be typed to confirm an irreversible action; null if a click is enough. */
  readonly typed: string | null;
  /** Key of the phrase that asks. */
  readonly key: string;
  readonly text: string;
}

/** Progress of a long step. */
export interface Progress {
  readonly text: string;
  readonly done: number;
  readonly total: number | null;
  /** Items done before this step began, which do not count for its speed. */
  readonly before: number;
  /** Start of the step, in ms since the epoch. */
  readonly since: number;
}

/** State of a use case that the page started. */
export interface TaskView {
  readonly id: string;
  readonly name: TaskName;
  readonly state: 'running' | 'ended';
  /** Command result, or `failed` if `failure` holds the issues that stopped it; null while it runs. */
  readonly outcome: string | null;
  readonly failure: readonly PageIssue[];
  readonly pending: Pending | null;
  readonly progress: Progress | null;
  /** Run that it created or continued. */
  readonly run: string | null;
  /** Revision of the upload that it works on; null if it works on no upload. */
  readonly revision: number | null;
  /** ISO instant of the start. */
  readonly startedAt: string;
  /** True once documents were sent or handed to the queue workers. */
  readonly hasBegunToSend: boolean;
}

/** One event of a task's stream: its state and the events since the previous one. */
export interface TaskUpdate {
  readonly task: TaskView;
  readonly events: readonly PageEvent[];
}

export interface UploadedFile {
  readonly name: string;
  readonly bytes: number;
}

/** Files on the way to accepted documents. */
export interface UploadView {
  readonly id: string;
  /**
   * Number of changes of files, cells, answers, params and company; tasks of an earlier revision are
   * outdated.
   */
  readonly revision: number;
  /** True if a service is known, from the company's profile or the environment. */
  readonly hasService: boolean;
  /** True once documents were sent for the company, which then cannot be changed. */
  readonly hasFixedCompany: boolean;
  /** True for the demonstration: invented people, sent to a sandbox of this server. */
  readonly demo: boolean;
  readonly profile: string | null;
  readonly files: readonly UploadedFile[];
  /** Findings of the inbox or of the latest check in the files as they are; null before one. */
  readonly found: UploadFindings | null;
  readonly answers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Latest task of each name. */
  readonly tasks: readonly TaskView[];
}

/** Result of reading the files of an upload. */
export interface UploadFindings {
  readonly state: 'ready' | 'doubts' | 'errors';
  readonly doubts: number;
  readonly errors: number;
  readonly documents: number;
}

export interface ProfileView {
  readonly name: string;
  readonly environment: string;
  readonly url: string;
  readonly company: string | null;
  /** Acts that the person may do; absent on one computer, where everything is allowed. */
  readonly acts?: readonly ('see' | 'prepare' | 'send' | 'approve')[];
  /** True if the person who prepares may not approve. */
  readonly needsTwo?: boolean;
}

export interface HomeView {
  /** Name of the person who logged in; absent on one computer. */
  readonly person?: string;
  /** Id by which runs and edits name the person. */
  readonly personId?: string;
  readonly version: string;
  readonly profiles: readonly ProfileView[];
  /** Name of the company chosen last, or of the only one; empty if there is none. */
  readonly profile: string;
  readonly uploads: readonly UploadView[];
  /** Companies whose folders are watched, with what could not be taken. */
  readonly inboxes: readonly { readonly profile: string; readonly issues: readonly PageIssue[] }[];
}

export interface RunView {
  readonly run: string;
  readonly state: string;
  readonly created: string;
  readonly files: readonly string[];
  readonly documents: Readonly<Record<string, number>>;
  readonly digest?: string;
  readonly approval?: { readonly by: string; readonly at: string };
  /** Person who asks for the approval of a held run, with everyone who worked on its files. */
  readonly by?: string;
  readonly preparers?: readonly string[];
  readonly note?: string;
  /** Person and reason of its return, unless it was approved since. */
  readonly returned?: { readonly by: string; readonly note: string | null };
}

/** Sheet of a file, a table in text (sheet null), or a part of a zip (`zip/part`). */
export interface TableName {
  readonly file: string;
  readonly sheet: string | null;
}

/** Table that the latest check read. */
export interface ReadTable extends TableName {
  /** Number of the header row, and its labels. */
  readonly headerRow: number;
  readonly labels: readonly (string | null)[];
  /** Columns of the name that people know a document by, from 0. */
  readonly name: readonly number[];
  /** Words of the columns that take no others, by column. */
  readonly words: Readonly<Record<number, readonly string[]>>;
  /** Columns of amounts of money, from 0. */
  readonly money: readonly number[];
}

/** Tables that the latest check read, and the totals of the documents that it made. */
export interface CheckView {
  readonly tables: readonly ReadTable[];
  readonly totals: readonly Amount[];
}

/** Cells of a column in the order of the file, with their edits. */
export interface ColumnView {
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
}

/** Row of a file that is edited. */
export interface EditedRow extends TableName {
  readonly row: number;
}

/** Edit by the user: the text of a cell, or whether the row is left out. */
export type Change = EditedRow &
  ({ readonly column: string; readonly text: string } | { readonly leftOut: boolean });

/** Entry of the edit log; undone as a whole. */
export interface LoggedEdit {
  readonly at: string;
  /** Account of the user on this computer. */
  readonly by: string | null;
  /** Edits of the entry; for a cell with its previous text, and `isFileText` if it equals the file again. */
  readonly changes: readonly (Change & { readonly before?: string; readonly isFileText?: boolean })[];
}

/** Edit log of an upload, and the issues of the rows that changed last. */
export interface EditsView {
  readonly log: readonly LoggedEdit[];
  /** Number of undone entries that can be done again. */
  readonly undone: number;
  /** Edits of the entry that was added, undone or done again. */
  readonly changes: readonly Change[];
  /** Rows that were checked again at once; null if only a full check can tell. */
  readonly checked: {
    readonly rows: readonly EditedRow[];
    readonly issues: readonly PageIssue[];
  } | null;
}

/** First rows of a table, unchanged. */
export interface TablePreview extends TableName {
  readonly hidden: boolean;
  /** Rows with the numbers that Excel shows. */
  readonly rows: readonly { readonly number: number; readonly texts: readonly (string | null)[] }[];
}

/** First rows of the tables of an upload. */
export interface FilePreviews {
  readonly tables: readonly TablePreview[];
  /** Number of tables that are not shown. */
  readonly more: number;
}

/** Part of a table for the grid. */
export interface TableRows {
  /** Number of rows; null until the table is read to its end. */
  readonly total: number;
  /** Number of columns up to the last one with a text. */
  readonly width: number;
  /** Number of columns that stay in place while the others scroll. */
  readonly frozen: number;
  readonly rows: readonly GridRow[];
  /** Sheet that the rows are from; the first one if the request named none. */
  readonly sheet: string | null;
  /** Index of the row that the request asked for, from 0. */
  readonly index?: number;
  /** Header row and labels, once a check has found them. */
  readonly header?: { readonly row: number; readonly labels: readonly (string | null)[] };
}

/** Row with its edits. */
export interface GridRow {
  readonly number: number;
  readonly texts: readonly (string | null)[];
  /** Indexes of the edited columns, from 0. */
  readonly edited?: readonly number[];
  /** Set if the user left the row out. */
  readonly leftOut?: true;
}

/** Body of a failed response. */
export interface Refusal {
  readonly issues: readonly PageIssue[];
}

/** Profile as a form shows it; it says which secrets exist, never their values. */
export interface ProfileSettings {
  readonly name: string;
  readonly url: string;
  readonly environment: string;
  readonly company: string;
  readonly companyName: string;
  readonly testSet: string;
  readonly hasToken: boolean;
  /** Folder that is watched; blank if none is. */
  readonly inbox: string;
  /** True if the receipt of an invoice is sent without a question. */
  readonly sendsReceipts: boolean;
  /** SISPRO login without its password; null if none is stored. */
  readonly access: Readonly<Record<string, string | number>> | null;
}

/** Reference table of the ministry, and which version is in force. */
export interface TableSettings {
  readonly name: string;
  readonly title: string;
  /** Name that the ministry uses. */
  readonly published: string;
  readonly origin: 'shipped' | 'sample' | 'file' | 'service' | 'pack' | 'absent';
  readonly rows: number;
  readonly source?: string;
  readonly at?: string;
}

/** Legal table, and which version is in force. */
export interface LawSettings {
  readonly name: string;
  readonly title: string;
  /** SHA-256 of the rows. */
  readonly first: string;
  readonly last: string;
  /** SHA-256 of its rows. */
  readonly hash: string;
  /** Origin of the version, as text. */
  readonly made: string;
}

export interface SettingsView {
  readonly profiles: readonly ProfileSettings[];
  /** Problems that make a profile unusable. */
  readonly issues: readonly PageIssue[];
  readonly tables: readonly TableSettings[];
  readonly law: readonly LawSettings[];
  /** Names of the files imported as legal tables. */
  readonly lawSources: readonly string[];
  /** Types of identity document that SISPRO accepts. */
  readonly identities: readonly { readonly id: number; readonly name: string }[];
}
