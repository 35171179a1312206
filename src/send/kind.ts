import type { Client } from '../client/client.js';
import type { Decimal } from '../toolkit/core/decimal.js';
import type { Issue } from '../toolkit/core/issue.js';
import type { JsonObject, Pointer } from '../toolkit/core/json.js';
import type { Document } from '../toolkit/schema/document.js';
import { createIssue } from './create-issue.js';
import type { Sql } from './database.js';
import type { Stage } from './stage.js';
import type { ProofNeed } from './state-machine.js';
import type { Fit, Question, Shown } from './verdict.js';

/** A range of numbers that documents draw from. */
export interface Series {
  readonly typeDocumentId: number;
  readonly prefix: string;
}

/** The numbers that a series may have. */
export interface KnownRange extends Series {
  readonly first: number;
  readonly last: number;
}

/**
 * What the service thinks comes next: advice, since two senders are told the same. `no-range`: it answers as where it has
 * none. An issue says why it answers no question.
 */
export type Advice = (series: Series) => Promise<number | 'no-range' | Issue | undefined>;

/** Figures that the person sees before saying yes, by the name of their phrase. */
export type Totals = Readonly<Record<string, Decimal>>;

/** Where the numbers of documents come from, and how one is written into a body. */
export interface Numbers {
  /** The parameter of a run that says where numbers begin. */
  readonly firstParam: string;
  /** It says so only of an empty series: one in use goes on. */
  readonly goesOn?: true;
  series(body: JsonObject): Series;
  write(body: JsonObject, consecutive: number): JsonObject;
  /** The body as it was before it got its number. */
  clear(body: JsonObject, series: Series): JsonObject;
  /** The number as people read it. @default prefix and consecutive joined */
  text?(body: JsonObject): string;
  /** What the service thinks comes next. */
  advice?(client: Client, testSet: string | undefined): Advice;
}

/** A document and the code that is said to be its own. */
export interface Claim {
  readonly body: JsonObject;
  readonly documentCode: string;
  readonly shown: Shown;
  /** Milliseconds: when its request most likely left, by the journal and by the clock. */
  readonly moments: readonly number[];
}

/** Tells by the PIN of the software whose a code is. It is in no journal, log or issue. */
export interface Proof {
  says(claim: Claim): Promise<Extract<Fit, 'ours' | 'open' | 'other-content'>>;
  /** Whether the PIN has shown itself right: only then "no match" means another's document. */
  readonly isSure: boolean;
  /** Why the PIN proves nothing. */
  readonly issue: Issue | undefined;
}

/** Returns what is missing before codes can be proven. */
export const lackingFor = (proof: Proof | undefined, nit: string | undefined): readonly ProofNeed[] => [
  ...(proof === undefined ? (['pin'] as const) : []),
  ...(nit === undefined ? (['nit'] as const) : []),
];

export interface ProofOptions {
  readonly journal: Sql;
  readonly run: string;
  readonly employer: { readonly nit: string | undefined };
  readonly pin: string;
}

/** What later runs ask of a document whose personal data were removed. */
export interface Kept {
  /** What is left of a body, without its leaves. */
  readonly bare: JsonObject;
  /** Dates, kinds and numbers. */
  readonly leaves: readonly Pointer[];
}

/** What the sender must know of a family of documents; journal, numbering and state machine know none. */
export interface DocumentKind {
  /** How documents stand with what the journal holds, before anything is sent. */
  judge(scope: Scope): Judge;
  /** What stays of a body when a journal is purged. @default nothing */
  readonly kept?: Kept;
  /** Absent where documents have no numbers. */
  readonly numbers?: Numbers;
  /** Added up over the planned documents; every document has the same names. */
  totals?(body: JsonObject): Totals;
  /** Asked once before anything is sent, where a wrong token must not be met by what cannot be asked about. */
  readonly probe?: Question;
  /** A harmless question that the service answers whatever the company sends; the address is known by it. @default `probe`, else nothing is asked */
  readonly greeting?: Pick<Question, 'operation' | 'request'>;
  /** What only one document at a time may work on, from its first stage to its last. */
  alone?(body: JsonObject): string;
  /** At least one. */
  readonly stages: readonly Stage[];
  /** How what an answer shows of a document stands to this one; what is not shown is no objection. Not asked where nothing is shown: that leaves it open. */
  fit(body: JsonObject, shown: Shown): Fit;
  /** Tells by a secret of the company whose a code is; absent where a code proves nothing. */
  proof?(options: ProofOptions): Proof;
  /** Several documents may have one code. @default false */
  readonly sharesCodes?: true;
  /** Rules by which our own earlier attempt, if it landed, gets the next one rejected. */
  readonly echoRules: readonly string[];
  /** Rules that say only that a document came before its predecessor was there: it may be sent again, unchanged. */
  readonly tooEarlyRules: readonly string[];
  /** Rules about the set-up of the company: every other document would fail them too. */
  readonly setUpRules: readonly string[];
  /** So many documents in a row that are rejected for the same reasons end the run, until a person goes on with it. @default never */
  readonly equalRejections?: number;
}

/** How a document that is to be sent stands with what the journal holds. Issues point at leaves, not yet at cells. */
export type Admission =
  | {
      readonly is: 'new';
      /** Who and when: at most one document of a subject is on its way. */
      readonly subject?: string;
      /** The month that it belongs to. */
      readonly period?: string;
      /** Id of what a note corrects. */
      readonly predecessor?: number;
      /** Warnings. */
      readonly remarks: readonly Issue[];
      /** Why it may be at the service already: it leaves only by a yes of its own. */
      readonly doubt?: Issue;
    }
  /** Accepted before with the same content. */
  | {
      readonly is: 'earlier';
      readonly subject?: string;
      readonly id: number;
      readonly documentCode: string | null;
    }
  | {
      readonly is: 'refused';
      readonly subject?: string;
      readonly issues: readonly Issue[];
      /** The run that has the document and is not finished: nobody rejected it. */
      readonly unfinished?: string;
    };

/** A document of another run that is neither accepted nor rejected. */
interface ConflictingDocument {
  readonly run: string;
  /** As people know it. */
  readonly number: string;
  /** The database's word for whether nobody asks about it any more (`GIVEN_UP`). */
  readonly givenUp: unknown;
}

/** Its run is finished first; of one that was given up it is only said that the document may be there. */
export const behind = (
  { run, number, givenUp }: ConflictingDocument,
  fresh: Omit<Extract<Admission, { is: 'new' }>, 'is' | 'remarks'>,
  issue: Issue = createIssue('send/unfinished-run', { run }),
): Admission =>
  givenUp
    ? { is: 'new', ...fresh, remarks: [], doubt: createIssue('send/may-be-there', { run, number }) }
    : {
        is: 'refused',
        ...(fresh.subject !== undefined && { subject: fresh.subject }),
        issues: [issue],
        unfinished: run,
      };

/** Looks at the documents of one run, one after the other, before anything is sent. */
export interface Judge {
  /** `renumbered`: its maker looks after what the journal has of the person under another number. */
  admit(document: Document, renumbered?: boolean): Promise<Admission>;
  /**
   * Documents that cannot be sent after all, as is plain after the last one, each with its reason at its cell; by sequence.
   * `unmade`: keys of documents of the file that were not made. @default none
   */
  refusals?(unmade: Iterable<string>): Promise<ReadonlyMap<number, Issue>>;
  /** Remarks on the run as a whole, after its last document and `refusals`. */
  remarks(): AsyncIterable<Issue> | Iterable<Issue>;
}

/** What a judge looks at. */
export interface Scope {
  readonly journal: Sql;
  /** Id of the run that is being laid out. */
  readonly run: string;
  /** What was accepted under one test set says nothing for another, nor for production. */
  readonly testSet: string | undefined;
  /** Whether the key of a document is the worker's document number. */
  readonly keyIsWorker: boolean;
}
