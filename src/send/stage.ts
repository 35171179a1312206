import type { Issue } from '../toolkit/core/issue.js';
import { isDocumentCode } from '../toolkit/core/json.js';
import type { Ids, Position, RecoveryStrategy } from './state-machine.js';
import type { Question, Verdict } from './verdict.js';

/** A document as a stage sees it. */
export interface StageInput {
  /** Name of the schema that the body follows. */
  readonly schema: string;
  /** Exactly what the journal holds. */
  readonly body: string;
  readonly position: Position;
  readonly testSet: string | undefined;
  /** Stages before this one were passed in an earlier run: what they brought about may have been changed since. */
  readonly isLate: boolean;
  /** What is not there by now will not come any more: the request in doubt left long ago. */
  readonly isOver: boolean;
  /** Whether this stage of another document made what has this id. */
  isTaken(id: number): Promise<boolean>;
  /** Other documents for which this stage is over, the latest first: what is known to be there. */
  others(): Promise<readonly CompletedStage[]>;
}

/** A document for which a stage is over. */
export interface CompletedStage {
  readonly body: string;
  /** The id that the stage gave. */
  readonly made: number;
}

/**
 * One of the requests that take a document to its end. The last one is answered with a verdict, those before it with
 * `made`: the id is durable before the next stage begins. Payroll has a single stage.
 */
export interface Stage extends RecoveryStrategy {
  /** In the journal: never renamed. */
  readonly name: string;
  /** Sends or creates. */
  send(matter: StageInput): Question;
  /** True if an id of this stage belongs to one document alone. @default false */
  readonly hasOwnIds?: true;
  /** Asks whose an id is that was only claimed: by a user, or in a journal that kept no evidence. `made` or `unproven`. */
  readBack?(matter: StageInput, id: number): Question;
  /** The earlier stage whose id the request is made under: after an answer about something else never again under the same one. */
  readonly under?: string;
  /** What it finds or makes, for other documents of the run that want the very same: they do not ask again. */
  resource?(matter: StageInput): SharedResource;
  /** Asks for the verdict of what was received. */
  poll?(zipKey: string): Question;
  /** Asks what became of it, or what it builds upon; called as `asks` says. Nothing to be asked: undefined. */
  ask?(matter: StageInput): Question | undefined;
  /** Asks what the authority has under a code. */
  look?(documentCode: string): Question;
  /** What a person is to do where an answer is lost and nobody can be asked; nothing is sent again. */
  lost?(matter: StageInput): Issue;
  /** What the word of a person means who looked it up; undefined where the word cannot be meant. */
  byPerson?(word: string): Verdict | undefined;
}

/** Something that documents share: which it is, and as what they want it. */
interface SharedResource {
  readonly name: string;
  readonly form: string;
}

/** A person has the code that proves it: `accepted:` and the code, or the code alone. */
export function personSaysCode(word: string): Verdict | undefined {
  const code = word.replace(/^accepted:/, '').toLowerCase();
  return isDocumentCode(code) ? { kind: 'accepted', documentCode: code, shown: {}, issues: [] } : undefined;
}

/**
 * Returns the stage under way: the first whose id is missing, or is only claimed. While a request of a later stage is in
 * doubt, that one goes first.
 */
export function stageAt(stages: readonly Stage[], { state, made = {}, shownStages = [] }: Position): Stage {
  const isClaimed = ({ name, readBack }: Stage): boolean =>
    state === 'planned' && readBack !== undefined && !shownStages.includes(name);
  return stages.find((stage) => made[stage.name] === undefined || isClaimed(stage)) ?? stages.at(-1)!;
}

/** The id that a request of a stage is made under, if any. */
export const idUnder = ({ under }: Stage, { made = {} }: Ids): number | undefined =>
  under === undefined ? undefined : made[under];

/** Returns ids with the one spent that the request of a stage was made under. */
export function withSpent<T extends Ids>(ids: T, stage: Stage | undefined): T {
  const id = stage && idUnder(stage, ids);
  return id === undefined ? ids : { ...ids, spentIds: [...new Set([...(ids.spentIds ?? []), id])] };
}
