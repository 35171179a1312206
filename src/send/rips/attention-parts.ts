import type { JsonObject } from '../../values/json.js';
import type { Matter } from '../stage.js';
import type { Verdict } from '../verdict.js';
import { idOf } from './health-answer.js';

/** An attention as the journal holds it (schemas/rips/attention); its parts are bodies of R9, R13 and R18. */
export interface AttentionParts {
  readonly patient: JsonObject;
  readonly appointment: JsonObject;
  readonly document: JsonObject & { readonly services: JsonObject[] };
  /** The same services in the ministry's form. */
  readonly national?: { readonly usuario?: JsonObject };
}

export const partsOf = ({ body }: Pick<Matter, 'body'>): AttentionParts =>
  JSON.parse(body) as unknown as AttentionParts;

/** The number of the package, by which people and the ministry know it. */
export const noteNumber = ({ document }: Pick<AttentionParts, 'document'>): string =>
  String(document['note_number'] ?? '');

/** The id that an earlier stage found or made. */
export function idFrom({ position }: Matter, stage: string): number {
  const id = position.made?.[stage];
  if (id === undefined) throw new Error(`Stage ${stage} has made nothing`);
  return id;
}

/** A person looked it up in the service: its id. */
export function personSaysId(word: string): Verdict | undefined {
  const id = idOf(word);
  return id === undefined ? undefined : { kind: 'made', id };
}
