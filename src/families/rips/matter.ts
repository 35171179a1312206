import { createIssue } from '../../send/create-issue.js';
import type { StageInput } from '../../send/stage.js';
import type { Verdict } from '../../send/verdict.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { idOf } from './answer.js';
import { type AttentionParts, attentionOf } from './attention.js';

export const partsOf = ({ body }: Pick<StageInput, 'body'>): AttentionParts =>
  attentionOf(JSON.parse(body) as JsonObject);

/** The number of the package, by which people and the ministry know it. */
export const noteNumber = ({ document }: Pick<AttentionParts, 'document'>): string =>
  String(document['note_number'] ?? '');

/** The id that an earlier stage found or made. */
export function idFrom({ position }: StageInput, stage: string): number {
  const id = position.made?.[stage];
  if (id === undefined) throw new Error(`Stage ${stage} has made nothing`);
  return id;
}

/** A person looked it up in the service: its id. */
export function personSaysId(word: string): Verdict | undefined {
  const id = idOf(word);
  return id === undefined ? undefined : { kind: 'made', id };
}

/** What is not there may still be on its way; a restored journal does not know what left since. */
export function absentBy(matter: StageInput, unknown: Verdict): Verdict {
  if (matter.position.restored) return unknown;
  return matter.isOver
    ? { kind: 'absent' }
    : { kind: 'unclear', issue: createIssue('send/may-arrive', { number: noteNumber(partsOf(matter)) }) };
}
