import { createIssue } from '../../send/create-issue.js';
import type { StageInput } from '../../send/stage.js';
import type { Verdict } from '../../send/verdict.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { idOf } from './answer.js';
import { type AttentionParts, attentionOf } from './attention.js';

export const partsOf = ({ body }: Pick<StageInput, 'body'>): AttentionParts =>
  attentionOf(JSON.parse(body) as JsonObject);

/** Returns the package number, which users and the ministry know it by. */
export const noteNumber = ({ document }: Pick<AttentionParts, 'document'>): string =>
  String(document['note_number'] ?? '');

/** Returns the ID an earlier stage found or created. */
export function idFrom({ position }: StageInput, stage: string): number {
  const id = position.made?.[stage];
  if (id === undefined) throw new Error(`Stage ${stage} has made nothing`);
  return id;
}

/** Accepts an ID that the user found in the service. */
export function personSaysId(word: string): Verdict | undefined {
  const id = idOf(word);
  return id === undefined ? undefined : { kind: 'made', id };
}

/** Returns the verdict for a missing row: it may still arrive; a restored journal does not know what was sent since. */
export function absentBy(matter: StageInput, unknown: Verdict): Verdict {
  if (matter.position.restored) return unknown;
  return matter.isOver
    ? { kind: 'absent' }
    : { kind: 'unclear', issue: createIssue('send/may-arrive', { number: noteNumber(partsOf(matter)) }) };
}
