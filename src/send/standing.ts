import type { Envelope } from '../document/envelope.js';
import type { Issue } from '../issues/issue.js';
import type { Journal } from './journal.js';
import { say } from './say.js';

/** How a document that is to be sent stands with what the journal holds. Issues point at leaves, not yet at cells. */
export type Standing =
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
export interface UnderWay {
  readonly run: string;
  /** As people know it. */
  readonly number: string;
  /** SQLite's word for whether nobody asks about it any more (`GIVEN_UP`). */
  readonly givenUp: number;
}

/** Its run is finished first; of one that was given up it is only said that the document may be there. */
export const behind = (
  { run, number, givenUp }: UnderWay,
  fresh: Omit<Extract<Standing, { is: 'new' }>, 'is' | 'remarks'>,
  issue: Issue = say('send/unfinished-run', { run }),
): Standing =>
  givenUp === 1
    ? { is: 'new', ...fresh, remarks: [], doubt: say('send/may-be-there', { run, number }) }
    : {
        is: 'refused',
        ...(fresh.subject !== undefined && { subject: fresh.subject }),
        issues: [issue],
        unfinished: run,
      };

/** Looks at the documents of one run, one after the other, before anything is sent. */
export interface Judge {
  standing(envelope: Envelope): Standing;
  /** Remarks on the run as a whole, after its last document. */
  remarks(): Iterable<Issue>;
}

/** What a judge looks at. */
export interface Scope {
  readonly journal: Journal;
  /** Id of the run that is being laid out. */
  readonly run: string;
  /** What was accepted under one test set says nothing for another, nor for production. */
  readonly testSet: string | undefined;
  /** Whether the key of a document is the worker's document number. */
  readonly keyIsWorker: boolean;
}
