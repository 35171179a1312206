import type { Issue } from '../toolkit/core/issue.js';
import { isDocumentCode } from '../toolkit/core/json.js';
import { unreachable } from '../toolkit/core/required.js';
import type { Ids, Position, RecoveryStrategy } from './state-machine.js';
import type { Question, Verdict } from './verdict.js';

/** Document as a stage sees it. */
export interface StageInput {
  readonly schema: string;
  /** Body exactly as the journal holds it. */
  readonly body: string;
  readonly position: Position;
  readonly testSet: string | undefined;
  /** True if earlier stages were completed in an earlier run: their results may have been changed since. */
  readonly isLate: boolean;
  /** True if the request with unknown outcome is old enough that its result exists by now, or never will. */
  readonly isOver: boolean;
  /** True if this stage of another document created the object with this id. */
  isTaken(id: number): Promise<boolean>;
  /** Returns other documents for which this stage is over, the latest first. */
  others(): Promise<readonly CompletedStage[]>;
}

export interface CompletedStage {
  readonly body: string;
  /** Id that the stage gave. */
  readonly made: number;
}

/**
 * Request that takes a document towards its end. The last stage is answered with a verdict, earlier ones with `made`:
 * their id is durable before the next stage begins. Payroll has a single stage.
 */
export interface Stage extends RecoveryStrategy {
  /** Stored in the journal: never renamed. */
  readonly name: string;
  /** Returns the request that sends or creates. */
  send(input: StageInput): Question;
  /** True if an id of this stage belongs to one document alone. @default false */
  readonly hasOwnIds?: true;
  /**
   * Asks who owns an id that was only claimed, by a user or in a journal without evidence. Verdict: `made` or
   * `unproven`.
   */
  readBack?(input: StageInput, id: number): Question;
  /**
   * Earlier stage whose id the request is made under; after an answer about another document, never again under the
   * same id.
   */
  readonly under?: string;
  /**
   * Identifies what the stage finds or makes, so that other documents of the run with the same content do not ask
   * again.
   */
  resource?(input: StageInput): { readonly name: string; readonly form: string };
  /** Asks for the verdict of what was received. */
  poll?(zipKey: string): Question;
  /**
   * Asks for the outcome of the request, or for what it builds upon, as `asks` says; undefined if there is nothing to
   * ask.
   */
  ask?(input: StageInput): Question | undefined;
  /** Asks the authority for the document of a code. */
  look?(documentCode: string): Question;
  /** Returns instructions for a user if an answer is lost and cannot be asked for; nothing is sent again. */
  lost?(input: StageInput): Issue;
  /** Returns the verdict that a user's decision means; undefined if the words cannot be meant. */
  byPerson?(word: string): Verdict | undefined;
}

/** Reads the code that a user has as evidence: `accepted:` and the code, or the code alone. */
export function personSaysCode(word: string): Verdict | undefined {
  const code = word.replace(/^accepted:/, '').toLowerCase();
  return isDocumentCode(code) ? { kind: 'accepted', documentCode: code, shown: {}, issues: [] } : undefined;
}

/**
 * Returns the stage under way: the first whose id is missing or only claimed. An unknown request of a later stage
 * goes first.
 */
export function stageAt(stages: readonly Stage[], { state, made = {}, shownStages = [] }: Position): Stage {
  const isClaimed = ({ name, readBack }: Stage): boolean =>
    state === 'planned' && readBack !== undefined && !shownStages.includes(name);
  return stages.find((stage) => made[stage.name] === undefined || isClaimed(stage)) ?? lastStage(stages);
}

/** Returns the last of the stages of a kind of documents, which has at least one. */
export const lastStage = (stages: readonly Stage[]): Stage => stages.at(-1) ?? unreachable('last stage');

export const idUnder = ({ under }: Stage, { made = {} }: Ids): number | undefined =>
  under === undefined ? undefined : made[under];

/** Adds the id that a request of a stage was made under to the spent ones. */
export function withSpent<T extends Ids>(ids: T, stage: Stage | undefined): T {
  const id = stage && idUnder(stage, ids);
  return id === undefined ? ids : { ...ids, spentIds: [...new Set([...(ids.spentIds ?? []), id])] };
}
