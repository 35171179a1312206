import type { Client } from '../client/client.js';
import { add, type Decimal } from '../toolkit/core/decimal.js';
import type { Issue } from '../toolkit/core/issue.js';
import type { JsonObject, Pointer } from '../toolkit/core/json.js';
import type { Document } from '../toolkit/schema/document.js';
import { createIssue } from './create-issue.js';
import type { Sql } from './database.js';
import type { Stage } from './stage.js';
import type { ProofNeed } from './state-machine.js';
import type { Fit, Question, Shown } from './verdict.js';

/** Document type and prefix that share one sequence of numbers. */
export interface Series {
  readonly typeDocumentId: number;
  readonly prefix: string;
}

export interface KnownRange extends Series {
  readonly first: number;
  readonly last: number;
}

/**
 * Asks the service for its next number. The result is advice, since two senders may get the same one. `no-range`: the
 * service has no range for the series. An issue says why it answers no question.
 */
export type Advice = (series: Series) => Promise<number | 'no-range' | Issue | undefined>;

/** Figures that the user sees before the confirmation, by the key of their phrase. */
export type Totals = Readonly<Record<string, Decimal>>;

export const addTotals = (a: Totals, b: Totals): Totals => ({
  ...a,
  ...Object.fromEntries(Object.entries(b).map(([name, amount]) => [name, add(a[name] ?? '0.00', amount)])),
});

/** Rules for the numbers of documents: their series, their source and their place in a body. */
export interface Numbers {
  /** Name of the run parameter with the first number. */
  readonly firstParam: string;
  /** True if the parameter counts only for an empty series; one in use continues. */
  readonly goesOn?: true;
  series(body: JsonObject): Series;
  write(body: JsonObject, consecutive: number): JsonObject;
  /** Returns the body as it was before it got its number. */
  clear(body: JsonObject, series: Series): JsonObject;
  /** Returns the number as users read it. @default prefix and consecutive joined */
  text?(body: JsonObject): string;
  advice?(client: Client, testSet: string | undefined): Advice;
}

/** Document and the code that is claimed to be its own. */
export interface Claim {
  readonly body: JsonObject;
  readonly documentCode: string;
  readonly shown: Shown;
  /** Times in ms at which its request most likely left, by the journal and by the clock. */
  readonly moments: readonly number[];
}

/** Proves by the software PIN which document a code belongs to. The PIN is in no journal, log or issue. */
export interface Proof {
  compare(claim: Claim): Promise<Extract<Fit, 'ours' | 'open' | 'other-content'>>;
  /** True if the PIN has been confirmed; only then does "no match" mean another document. */
  readonly isSure: boolean;
  /** Reason why the PIN proves nothing. */
  readonly issue: Issue | undefined;
}

/** Returns what is missing before codes can be proven. */
export const missingForProof = (proof: Proof | undefined, nit: string | undefined): readonly ProofNeed[] => [
  ...(proof === undefined ? (['pin'] as const) : []),
  ...(nit === undefined ? (['nit'] as const) : []),
];

export interface ProofOptions {
  readonly journal: Sql;
  readonly run: string;
  readonly employer: { readonly nit: string | undefined };
  readonly pin: string;
}

/** Parts of a body that later runs need after its personal data were removed. */
export interface RetainedContent {
  /** Structure of the body without its leaves. */
  readonly bare: JsonObject;
  /** Pointers of dates, kinds and numbers. */
  readonly leaves: readonly Pointer[];
}

/** Rules of one family of documents for the sender; journal, numbering and state machine know no family. */
export interface DocumentKind {
  /** Opens the check of a run's documents against the journal, before anything is sent. */
  judge(scope: Scope): Judge;
  /** Parts of a body that stay when a journal is purged. @default nothing */
  readonly kept?: RetainedContent;
  /** Undefined if documents have no numbers. */
  readonly numbers?: Numbers;
  /** Returns figures that are added up over the planned documents; every document has the same keys. */
  totals?(body: JsonObject): Totals;
  /**
   * Question asked once before anything is sent, if a wrong token would otherwise hit a request that cannot be asked
   * about.
   */
  readonly probe?: Question;
  /**
   * Harmless question that the service answers for every company; the address is recognised by it. @default `probe`,
   * else nothing is asked
   */
  readonly greeting?: Pick<Question, 'operation' | 'request'>;
  /** Returns the key of what only one document at a time may work on, from its first stage to its last. */
  alone?(body: JsonObject): string;
  /** Stages in order, at least one. */
  readonly stages: readonly Stage[];
  /**
   * Compares what an answer shows with this document; what is not shown does not count. Not called if nothing is
   * shown, which leaves it open.
   */
  fit(body: JsonObject, shown: Shown): Fit;
  /** Creates the proof by a secret of the company; undefined if codes prove nothing. */
  proof?(options: ProofOptions): Proof;
  /** True if several documents may have one code. @default false */
  readonly sharesCodes?: true;
  /** Rules that reject a document because our own earlier attempt landed. */
  readonly echoRules: readonly string[];
  /** Rules that reject a document only because its predecessor was not there yet; it may be sent again, unchanged. */
  readonly tooEarlyRules: readonly string[];
  /** Rules about the set-up of the company: every other document would fail them too. */
  readonly setUpRules: readonly string[];
  /**
   * Number of documents in a row, rejected for the same reasons, that ends the run until a user resumes it. @default
   * never
   */
  readonly equalRejections?: number;
}

/** Decision about a document before it is planned. Issues point at leaves, not yet at cells. */
export type Admission =
  | {
      readonly is: 'new';
      /** Key of person and period: at most one document of a subject is on its way. */
      readonly subject?: string;
      readonly period?: string;
      /** Id of the document that an adjust note corrects. */
      readonly predecessor?: number;
      readonly remarks: readonly Issue[];
      /** Reason why it may be at the service already; it is sent only after a separate confirmation. */
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
      /** Unfinished run that has the document; the document was not rejected. */
      readonly unfinished?: string;
    };

/** Document of another run that is neither accepted nor rejected. */
export interface ConflictingDocument {
  readonly run: string;
  readonly number: string;
  /** Result of the SQL condition `GIVEN_UP`: true if its run was abandoned. */
  readonly givenUp: unknown;
}

/**
 * Refuses a document until the run of another one is finished; if that run was given up, warns that the other
 * document may be at the service.
 */
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

/** Checks the documents of one run, one after the other, before anything is sent. */
export interface Judge {
  /**
   * Decides about a document. `renumbered`: its maker compares it with what the journal has of the person under
   * another number.
   */
  admit(document: Document, renumbered?: boolean): Promise<Admission>;
  /**
   * Returns documents that cannot be sent after all, known after the last one, each with its reason at its cell; by
   * sequence. `unmade`: keys of documents of the file that were not made. @default none
   */
  refusals?(unmade: Iterable<string>): Promise<ReadonlyMap<number, Issue>>;
  /** Returns warnings about the run, after its last document and `refusals`. */
  remarks(): AsyncIterable<Issue> | Iterable<Issue>;
}

export interface Scope {
  readonly journal: Sql;
  readonly run: string;
  /** Documents accepted under one test set do not count for another, nor for production. */
  readonly testSet: string | undefined;
  /** True if the key of a document is the employee's document number. */
  readonly keyIsWorker: boolean;
}
