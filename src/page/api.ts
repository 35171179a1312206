import type { Cure } from '../generated/issue-codes.js';

/** What page and server say to each other: types alone, so that neither can drift from the other. */

/** What a person can have done with the files of an upload, or with a run: a use case each. */
export type ActName =
  | 'inspect'
  | 'check'
  | 'send'
  | 'adjust'
  | 'events'
  | 'reception'
  | 'resume'
  | 'approve'
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

/** An event of a use case, as `--json` has it, or in words. */
export type PageEvent = { readonly event: string } & Readonly<Record<string, unknown>>;

/** An issue as the page shows it. */
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
  /** Of a text file; of a JSON file with the pointer of what stands there. */
  readonly line: number | null;
  readonly json: string | null;
  readonly value: string | null;
  readonly param: string | null;
  readonly documentKey: string | null;
  readonly documents: number | null;
  readonly message: string;
  readonly fix: string;
  readonly suggestions: readonly { readonly value: string }[];
  /** Where it is cured, beside its own cell: a step of the upload, a screen. */
  readonly cure: Cure | null;
  /** The run that it names, as its address has it. */
  readonly run: string | null;
  /** Where a parameter says what an old code is: by its list and the code. */
  readonly answer: {
    readonly param: string;
    readonly table: string;
    readonly code: string;
    readonly choices: readonly string[];
  } | null;
  /** Answers that say for all files how such a cell is read. */
  readonly readings: readonly (readonly [id: string, value: string])[];
}

/** What became of a document. */
export interface OutcomeEvent extends PageEvent {
  readonly sequence: number;
  readonly key: string;
  readonly name: string | null;
  readonly state: string;
  readonly number: string | null;
  readonly documentCode: string | null;
  /** Number of the note by which it stands no more. */
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

/** What a rule of the authority says. */
export interface RuleView {
  readonly family: string | null;
  readonly field: string | null;
  readonly meaning: string;
  readonly fix: string;
}

/** A document that a run did not make. */
export type LeftOutEvent = PageEvent &
  Pick<OutcomeEvent, 'key' | 'name' | 'state' | 'file' | 'sheet' | 'row' | 'reasons'>;

/** The accounts at the end of a use case. */
export interface Summary extends PageEvent {
  readonly records: {
    readonly read: number;
    readonly used: number;
    readonly skipped: number;
    readonly heldBack: number;
  };
  readonly documents: Readonly<Record<string, number>>;
  readonly columns?: Readonly<Record<string, number>>;
  /** What can be done with the documents of the run. */
  readonly can?: readonly string[];
  readonly issues: { readonly errors: number; readonly warnings: number };
}

/** A sum in the reader's words. */
export interface Amount {
  readonly key: string;
  readonly name: string;
  readonly amount: string;
}

/** What a use case asks while it runs. */
export interface Pending {
  readonly id: number;
  readonly kind: 'confirm' | 'text' | 'secret';
  /** What is to be typed for a yes that cannot be taken back. */
  readonly typed: string | null;
  /** The phrase that asks it. */
  readonly key: string;
  readonly text: string;
}

/** How far a long piece of work has come. */
export interface Progress {
  readonly text: string;
  readonly done: number;
  readonly total: number | null;
  /** What was done before it began. */
  readonly before: number;
  /** When it began, in milliseconds of the epoch. */
  readonly since: number;
}

/** A use case at work, or done. */
export interface ActView {
  readonly id: string;
  readonly name: ActName;
  readonly state: 'running' | 'ended';
  /** How it ended: of the use case, or `failed` when it was stopped by what `failure` says. */
  readonly outcome: string | null;
  readonly failure: readonly PageIssue[];
  readonly pending: Pending | null;
  readonly progress: Progress | null;
  /** The run that it made or went on with. */
  readonly run: string | null;
  /** Revision of the upload that it was made from; null if it works on no upload. */
  readonly revision: number | null;
  /** When it was started, as an ISO instant. */
  readonly startedAt: string;
  /** True if documents left, or went to the workers. */
  readonly hasBegunToSend: boolean;
}

/** One turn of an act's stream: what is new. */
export interface ActTurn {
  readonly act: ActView;
  readonly events: readonly PageEvent[];
}

export interface UploadedFile {
  readonly name: string;
  readonly bytes: number;
}

/** Files on their way to accepted documents. */
export interface UploadView {
  readonly id: string;
  /** Counts the changes of files, cells, answers, params and company; what was made from an earlier one is outdated. */
  readonly revision: number;
  /** True if it is known where the documents go: to the service of a company, or to that of the environment. */
  readonly hasService: boolean;
  /** True if documents were sent for the company, so that it cannot be changed any more. */
  readonly hasFixedCompany: boolean;
  /** Of the demonstration: files of invented people, sent to the sandbox of this program. */
  readonly demo: boolean;
  readonly profile: string | null;
  readonly files: readonly UploadedFile[];
  readonly answers: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** What was given for the company's files before. */
  readonly before: Readonly<Record<string, unknown>>;
  /** How many months later that is offered. */
  readonly monthsLater: number;
  /** The latest of each kind. */
  readonly acts: readonly ActView[];
}

export interface ProfileView {
  readonly name: string;
  readonly environment: string;
  readonly url: string;
  readonly company: string | null;
}

export interface HomeView {
  readonly version: string;
  readonly profiles: readonly ProfileView[];
  /** The one chosen last, or the only one there is; empty if none. */
  readonly profile: string;
  readonly uploads: readonly UploadView[];
}

export interface RunView {
  readonly run: string;
  readonly state: string;
  readonly created: string;
  readonly files: readonly string[];
  readonly documents: Readonly<Record<string, number>>;
  readonly digest?: string;
  readonly approval?: { readonly by: string; readonly at: string };
}

/** A sheet of a file, a table in text (sheet null), or one of a zip (`zip/part`). */
export interface TableName {
  readonly file: string;
  readonly sheet: string | null;
}

/** Where a person mends a file. */
export interface EditedRow extends TableName {
  readonly row: number;
}

/** What a person changes: the text of a cell, or whether a row is a record at all. */
export type Change = EditedRow &
  ({ readonly column: string; readonly text: string } | { readonly leftOut: boolean });

/** One act of a person, undone as one. */
export interface LoggedEdit {
  readonly at: string;
  /** The account at this machine. */
  readonly by: string | null;
  /** Of a cell with the text that it had; `own`: it is as the file has it again. */
  readonly changes: readonly (Change & { readonly before?: string; readonly own?: boolean })[];
}

/** What was mended in the files of an upload, and what the rows concerned come to. */
export interface EditsView {
  readonly log: readonly LoggedEdit[];
  /** Of the rows that were checked again at once; null where only a check of the whole can tell. */
  readonly checked: {
    readonly rows: readonly EditedRow[];
    readonly issues: readonly PageIssue[];
  } | null;
}

/** The first rows of a table, as they stand in the file. */
export interface TablePreview extends TableName {
  readonly hidden: boolean;
  /** As Excel shows them. */
  readonly rows: readonly { readonly number: number; readonly texts: readonly (string | null)[] }[];
}

/** The beginning of the tables of some files. */
export interface FilePreviews {
  readonly tables: readonly TablePreview[];
  /** Tables beyond those. */
  readonly more: number;
}

/** A part of a table, for the grid. */
export interface TableRows {
  /** Of the table; null until it was read to its end. */
  readonly total: number;
  /** Columns that have a text somewhere. */
  readonly width: number;
  /** Columns that stay where they are while the others scroll. */
  readonly frozen: number;
  readonly rows: readonly GridRow[];
  /** Of the first sheet where none was named. */
  readonly sheet: string | null;
  /** Where the row that was looked for is, from 0. */
  readonly index?: number;
  /** What the file calls its columns, once it was checked. */
  readonly header?: { readonly row: number; readonly labels: readonly (string | null)[] };
}

/** A row as it was mended. */
export interface GridRow {
  readonly number: number;
  readonly texts: readonly (string | null)[];
  /** The columns that were mended, from 0. */
  readonly edited?: readonly number[];
  /** A person said that it is no record. */
  readonly leftOut?: true;
}

/** What went wrong with a request itself. */
export interface Refusal {
  readonly issues: readonly PageIssue[];
}

/** A profile as a form shows it: that it has secrets, never which. */
export interface ProfileSettings {
  readonly name: string;
  readonly url: string;
  readonly environment: string;
  readonly company: string;
  readonly companyName: string;
  readonly testSet: string;
  readonly hasToken: boolean;
  /** What the access to SISPRO says beside its password; null where none is kept. */
  readonly access: Readonly<Record<string, string | number>> | null;
}

/** A table of the ministry, and which of it is in force. */
export interface TableSettings {
  readonly name: string;
  readonly title: string;
  /** What the ministry calls it. */
  readonly published: string;
  readonly origin: 'shipped' | 'sample' | 'file' | 'service' | 'pack' | 'absent';
  readonly rows: number;
  readonly source?: string;
  readonly at?: string;
}

/** A table of the law, and what of it is in force. */
export interface LawSettings {
  readonly name: string;
  readonly title: string;
  /** First and last day, `2027-12-31`, or blank where it has no end. */
  readonly first: string;
  readonly last: string;
  /** SHA-256 of its rows. */
  readonly hash: string;
  /** Where it comes from, in words. */
  readonly made: string;
}

export interface SettingsView {
  readonly profiles: readonly ProfileSettings[];
  /** Why a profile cannot be used. */
  readonly issues: readonly PageIssue[];
  readonly tables: readonly TableSettings[];
  readonly law: readonly LawSettings[];
  /** Names of the files that were taken for the law. */
  readonly lawSources: readonly string[];
  /** Identity documents that SISPRO knows. */
  readonly identities: readonly { readonly id: number; readonly name: string }[];
}
