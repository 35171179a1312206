import type { Answer } from '../../client/answer.js';
import type { CallRequest } from '../../client/client.js';
import { createIssue } from '../../send/create-issue.js';
import type { Stage, StageInput } from '../../send/stage.js';
import { type Question, textOf, type Verdict } from '../../send/verdict.js';
import { isObject, type JsonObject } from '../../toolkit/core/json.js';
import { compareRow, idOf, readHealth, readMade, readRow, unproven } from './answer.js';
import { attentionOf } from './attention.js';
import { absentBy, idFrom, noteNumber, partsOf, personSaysId } from './matter.js';

const PART = '/appointment';

const ask = (question: Question): Verdict => ({ kind: 'then', step: 'ask', question });

/** Returns the appointment to create: body of R13. */
const wantedOf = (matter: StageInput): JsonObject => ({
  ...partsOf(matter).appointment,
  patient_id: idFrom(matter, 'patient'),
});

const minute = (value: JsonObject[string] | undefined): string => (textOf(value) ?? '').slice(0, 5);

/** True if date and minute match; only the appointment itself shows whose it is. */
const isThen = (row: JsonObject, wanted: JsonObject): boolean =>
  (textOf(row['date']) ?? '').slice(0, 10) === wanted['date'] &&
  minute(row['time']) === minute(wanted['time']);

/** Returns the members that identify an appointment. */
export function keysOf(matter: StageInput): JsonObject {
  const { patient_id, user_id, date, time } = wantedOf(matter);
  return { patient_id, user_id, date, time } as JsonObject;
}

/** Max rows of the list, which has no pages; a full list may be incomplete. */
const MAX_LISTED = 20;

/** Queries the list by time: it contains all appointments of the professional at that time. */
const atTime = (
  appointment: JsonObject,
  read: (rows: readonly JsonObject[]) => Verdict | Promise<Verdict>,
): Question => ({
  operation: 'listAppointments',
  request: {
    query: { search: minute(appointment['time']), month: String(appointment['date']).slice(0, 7) },
  } as CallRequest,
  read: (answer) => listed(answer, read),
});

async function listed(
  answer: Answer,
  read: (rows: readonly JsonObject[]) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  let rows: readonly JsonObject[] = [];
  const verdict = readHealth(answer, PART, (data) => {
    if (!Array.isArray(data)) return undefined;
    rows = data.filter(isObject);
    if (rows.some((row) => idOf(row['id']) === undefined)) return undefined;
    return LISTED;
  });
  return verdict === LISTED ? read(rows) : verdict;
}

/**
 * Decides on an appointment missing from the list. It is absent only if the list is not full and shows another known
 * appointment of the same professional, since some lists have only the token's own user (service.md 6.4).
 */
async function missing(matter: StageInput, unknown: Verdict): Promise<Verdict> {
  const user = wantedOf(matter)['user_id'];
  for (const { body, made } of await matter.others()) {
    const { appointment } = attentionOf(JSON.parse(body) as JsonObject);
    if (idOf(appointment['user_id']) !== idOf(user)) continue;
    return ask(
      atTime(appointment, (rows) =>
        rows.some((row) => idOf(row['id']) === made) ? absentBy(matter, unknown) : unknown,
      ),
    );
  }
  return unknown;
}

/**
 * Looks up the appointment. The list shows twenty rows of the token's own user, and by time those of others
 * (service.md 6.4); only exactly one match counts.
 */
function lookup(matter: StageInput): Question {
  const wanted = wantedOf(matter);
  const keys = keysOf(matter);
  const month = String(wanted['date']).slice(0, 7);

  const conclude = ([id, ...others]: readonly number[]): Verdict =>
    id !== undefined && others.length === 0
      ? { kind: 'made', id }
      : { kind: 'unclear', issue: unknownIssue(matter, others.length + (id === undefined ? 0 : 1)) };

  /** Reads the appointments one by one; `none` is the verdict if none is ours. */
  function lookAt([id, ...rest]: readonly number[], none: Verdict, found: readonly number[] = []): Verdict {
    if (id === undefined) return found.length === 0 ? none : conclude(found);
    return ask({
      operation: 'getAppointment',
      request: { path: { id } },
      read: (answer) =>
        readRow(answer, PART, id, (data) => {
          const owner = isObject(data) ? compareRow(data, keys) : 'other';
          // A row of another kind may have the same ID.
          return owner === 'open' ? undefined : lookAt(rest, none, owner === 'ours' ? [...found, id] : found);
        }),
    });
  }

  /** Returns the IDs at that minute that no other document has. */
  async function idsIn(rows: readonly JsonObject[]): Promise<readonly number[]> {
    const then = rows.filter((row) => isThen(row, wanted)).flatMap((row) => idOf(row['id']) ?? []);
    const free = await Promise.all(then.map(async (id) => ((await matter.isTaken(id)) ? [] : [id])));
    return free.flat();
  }

  const list = (query: Readonly<Record<string, string>>, otherwise: Verdict): Question => ({
    operation: 'listAppointments',
    request: { query } as CallRequest,
    read: (answer) =>
      listed(answer, async (rows) => {
        const ids = await idsIn(rows);
        return ids.length === 0 ? otherwise : lookAt(ids, conclude([]));
      }),
  });
  const byDate = list({ search: String(wanted['date']), month }, ask(list({ month }, conclude([]))));
  if (matter.position.restored) return byDate;
  return atTime(wanted, async (rows) => {
    const ids = await idsIn(rows);
    const isComplete = rows.length < MAX_LISTED;
    const none = isComplete ? await missing(matter, ask(byDate)) : ask(byDate);
    return ids.length === 0 ? none : lookAt(ids, none);
  });
}

/** Verdict for a readable list; its rows are judged without other documents' IDs. */
const LISTED: Verdict = { kind: 'absent' };

function unknownIssue(matter: StageInput, found: number) {
  const { appointment, document } = partsOf(matter);
  return createIssue('send/appointment-unknown', {
    number: noteNumber({ document }),
    date: String(appointment['date']),
    time: String(appointment['time']),
    user: String(appointment['user_id']),
    found,
  });
}

/**
 * Reads back whose an appointment is. Two visits of a patient at one time have equal keys, so an ID of another
 * document is not ours. A user's ID is accepted if nothing shows whose it is.
 */
const readBack = (matter: StageInput, id: number): Question => ({
  operation: 'getAppointment',
  request: { path: { id } },
  read: async (answer) => {
    const verdict = readRow(answer, PART, id, (data) => {
      const owner = isObject(data) ? compareRow(data, keysOf(matter)) : 'other';
      const isOurs = owner === 'ours' || (owner === 'open' && matter.position.settledId === id);
      return isOurs ? { kind: 'made', id } : unproven(id);
    });
    return verdict.kind === 'made' && (await matter.isTaken(id)) ? unproven(id) : verdict;
  },
});

export const APPOINTMENT_STAGE: Stage = {
  name: 'appointment',
  asks: 'always',
  hasOwnIds: true,
  send: (matter) => ({
    operation: 'createAppointment',
    request: { bodyText: JSON.stringify(wantedOf(matter)) },
    read: (answer) =>
      readMade(answer, PART, {
        asked: 'createAppointment',
        wanted: keysOf(matter),
        claimed: (id) => ({ ...ask(readBack(matter, id)), unknownIssue: unproven(id).issue }),
      }),
  }),
  ask: lookup,
  readBack,
  byPerson: personSaysId,
};
