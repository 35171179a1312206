import type { Answer } from '../../client/answer.js';
import type { Issue } from '../../issues/issue.js';
import type { JsonObject, JsonValue } from '../../values/json.js';
import type { Pointer } from '../../values/pointer.js';
import type { Asked } from '../refusal.js';
import { say } from '../say.js';
import { isObject, textOf } from '../soap-json.js';
import { readVerdict, type Verdict } from '../verdict.js';

/** Answers of the health module: `{success, data, message}`, and all the ways of refusing that payroll knows (service.md 6, 8). */

/** Ids come as numbers or as text. */
export function idOf(value: JsonValue | undefined): number | undefined {
  const id = Number(textOf(value) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

const cannotRead = (status: number): Verdict => ({
  kind: 'unknown',
  issue: say('send/unreadable-answer', { status, text: '' }),
});

/** A complaint about a member of the body, at its place in the attention. */
const inPart =
  (part: Pointer) =>
  (issue: Issue): Issue =>
    issue.place.pointer === undefined
      ? issue
      : { ...issue, place: { ...issue.place, pointer: `${part}${issue.place.pointer}` } };

/**
 * What `read` makes of the data of a success, undefined where it cannot read it. Else what the answer says in its place;
 * `part` is where the body that was sent stands in the attention.
 */
export function readHealth(
  answer: Answer,
  part: Pointer,
  read: (data: JsonValue | undefined) => Verdict | undefined,
  asked: Asked = 'query',
): Verdict {
  if (answer.kind === 'json' && answer.status < 300 && isObject(answer.body)) {
    const { success, data } = answer.body as JsonObject;
    if (success !== false) return read(data) ?? cannotRead(answer.status);
  }
  const verdict = readVerdict(answer, asked);
  return verdict.kind === 'refused' ? { ...verdict, issues: verdict.issues.map(inPart(part)) } : verdict;
}

/** The row that was asked for by its id. One with another id is the answer to somebody else's question, and says nothing of this. */
export const readRow = (
  answer: Answer,
  part: Pointer,
  id: number,
  read: (data: JsonValue | undefined) => Verdict | undefined,
): Verdict =>
  readHealth(answer, part, (data) => {
    const shown = isObject(data) ? idOf(data['id']) : undefined;
    return shown === undefined || shown === id ? read(data) : undefined;
  });

/**
 * The answer to a creation: the id of what was made. `wanted` is what the row must show, where it shows it: the answer
 * may be another's, and so may the id.
 */
export const readMade = (
  answer: Answer,
  part: Pointer,
  { asked, wanted, isTaken = () => false }: Creation,
): Verdict =>
  readHealth(
    answer,
    part,
    (data) => {
      const id = isObject(data) ? idOf(data['id']) : undefined;
      if (id === undefined) return undefined;
      const isOther = Object.entries(wanted).some(
        ([name, value]) => !agrees((data as JsonObject)[name], value),
      );
      return isOther || isTaken(id)
        ? { kind: 'unknown', issue: say('send/unreadable-answer', { status: 200, text: `id ${id}` }) }
        : { kind: 'made', id };
    },
    asked,
  );

/** What a creation asked for. */
export interface Creation {
  readonly asked: Asked;
  readonly wanted: JsonObject;
  /** Whether another document has it already. */
  readonly isTaken?: (id: number) => boolean;
}

/** The service may add a time to a date, or seconds to a time. */
const agrees = (shown: JsonValue | undefined, wanted: JsonValue | undefined): boolean => {
  const [text, own] = [textOf(shown)?.toLowerCase(), textOf(wanted)?.toLowerCase()];
  return text === undefined || own === undefined || text.startsWith(own);
};
