import type { Route } from '../client/address.js';
import type { Answer } from '../client/answer.js';
import type { CallRequest, Client } from '../client/client.js';
import type { Issue, Language } from '../core/issue.js';
import type { JsonObject, Pointer } from '../core/json.js';
import type { PlainDate } from '../core/plain-date.js';
import type { Derivation } from '../documents/check-document.js';
import type { Follow } from '../documents/prepare.js';
import type { OperationId } from '../generated/operations.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { ResolvedParams } from '../mapping/params.js';
import type { Phrase } from '../messages/texts.js';
import type { DocumentLayout, Saying, SheetRows } from '../report/rows.js';
import type { ReportedDocument } from '../report/run-report.js';
import type { Draft } from '../schema/document.js';
import type { Sql } from '../send/database.js';
import type { JournalOutcome, Spoolable } from '../send/documents.js';
import type { DocumentKind } from '../send/kind.js';
import type { Reply } from '../send/verdict.js';
import type { InputFile } from '../tables/table.js';

/** All that is peculiar to documents of one kind, so that nothing above has to know which kinds there are. */
export interface Family extends DocumentKind {
  /** Of its documents. */
  readonly schemas: readonly SchemaName[];
  /** Their keys are no numbers of persons: they may be shown. */
  readonly openKeys?: true;
  /** The leaf that tells whom a document is about. */
  readonly subjectLeaf?: Pointer;
  /** What follows from the mapped parts of a document. */
  derive?(params: ResolvedParams): Derivation;
  /** How the good documents of a file follow each other. */
  follow?(site: FollowSite): Follow;
  /** What the service is asked before documents are planned. */
  readonly inquiry?: Inquiry;
  /** How documents are laid out. @default as they are */
  layOut?(site: LayoutSite): Layout;
  /** The leaves that people know where a rule of the authority speaks of others. @default those of the rule */
  blame?(rule: string): readonly Pointer[];
  /** Of the report's sheet of documents. @default those of documents of any kind */
  readonly columns?: DocumentLayout;
  /** More of a document than became of it, for those columns. */
  about?(journal: Sql, run: string, outcome: JournalOutcome): Promise<ReportedDocument['about']>;
  /** Sheets of its own in the report of a run. */
  sheets?(journal: Sql, run: string, saying: Saying): readonly SheetRows[];
  /** The authority's own form of its documents, for `convert --as`. */
  readonly form?: DocumentForm;
  /** An access to the authority that the service has to hold. */
  readonly access?: Access;
  /** The tables that the service answers with: operation → member of the answer → our list; '' where the answer is the list itself. */
  readonly lists?: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>>;
  /** The ready-made mapping of files of a kind whose table is always the same. */
  readonly ready?: { readonly kind: InputFile['kind']; readonly mapping: string };
  /** Of documents that are sent only to be read: their ready-made mapping, and what was read. */
  readonly reading?: {
    readonly mapping: string;
    read(answer: JsonObject): Readonly<Record<'number' | 'seller' | 'total' | 'state', string>>;
  };
  /** What the authority answered, to be kept and forwarded, in the order of the documents. */
  results?(journal: Sql, run: string): AsyncIterable<ResultFile>;
}

export interface DocumentForm {
  /** Safe as the name of a file, without its ending. */
  name(document: JsonObject): string;
  text(document: JsonObject, params: ResolvedParams): string;
}

export interface Access {
  readonly schema: SchemaName;
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
  take(draft: Draft): Spoolable;
  /** What is to be said once all are taken. */
  notices?(): readonly Phrase[];
}

/** What documents are about, such as an invoice. */
export interface Thing {
  readonly id: string;
  /** As people call it. */
  readonly name: string;
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
  readonly phrase: Phrase;
  about(draft: Draft): Thing;
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
}
