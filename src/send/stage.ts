import type { Answer } from '../client/answer.js';
import type { CallRequest } from '../client/client.js';
import type { OperationId } from '../generated/operations.js';
import type { Issue } from '../issues/issue.js';
import { isDocumentCode } from '../values/document-code.js';
import type { Made, Manner, Position } from './transition.js';
import type { Verdict } from './verdict.js';

/** One call of the service, and how its answer is read. */
export interface Question {
  readonly operation: OperationId;
  readonly request: CallRequest;
  readonly read: (answer: Answer) => Verdict;
}

/** A document as a stage sees it. */
export interface Matter {
  /** Name of the schema that the body follows. */
  readonly schema: string;
  /** Exactly what the journal holds. */
  readonly body: string;
  readonly position: Position;
  readonly testSet: string | undefined;
  /** Stages before this one were passed in an earlier run: what they brought about may have been changed since. */
  readonly isLate: boolean;
  /** Whether this stage of another document made what has this id. */
  isTaken(id: number): boolean;
}

/**
 * One of the requests that take a document to its end. The last one is answered with a verdict, those before it with
 * `made`: the id is durable before the next stage begins. Payroll has a single stage.
 */
export interface Stage extends Manner {
  /** In the journal: never renamed. */
  readonly name: string;
  /** Sends or creates. */
  send(matter: Matter): Question;
  /** Asks for the verdict of what was received. */
  poll?(zipKey: string): Question;
  /** Asks what became of it, or what it builds upon; called as `asks` says. Nothing to be asked: undefined. */
  ask?(matter: Matter): Question | undefined;
  /** What a person is to do where an answer is lost and nobody can be asked; nothing is sent again. */
  lost?(matter: Matter): Issue;
  /** What the word of a person means who looked it up; undefined where the word cannot be meant. */
  byPerson?(word: string): Verdict | undefined;
}

/** A person has the code that proves it: `accepted:` and the code, or the code alone. */
export function personSaysCode(word: string): Verdict | undefined {
  const code = word.replace(/^accepted:/, '').toLowerCase();
  return isDocumentCode(code) ? { kind: 'accepted', documentCode: code, shown: {}, issues: [] } : undefined;
}

/** The first stage that has made nothing yet. */
export const stageAt = (stages: readonly Stage[], made: Made = {}): Stage =>
  stages.find(({ name }) => made[name] === undefined) ?? stages.at(-1)!;
