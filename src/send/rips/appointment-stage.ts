import type { CallRequest } from '../../client/client.js';
import type { JsonObject } from '../../values/json.js';
import { say } from '../say.js';
import { isObject, textOf } from '../soap-json.js';
import type { Matter, Question, Stage } from '../stage.js';
import type { Verdict } from '../verdict.js';
import { idFrom, noteNumber, partsOf, personSaysId } from './attention-parts.js';
import { idOf, readHealth, readMade, readRow } from './health-answer.js';

const PART = '/appointment';
const STAGE = 'appointment';

const ask = (question: Question): Verdict => ({ kind: 'then', step: 'ask', question });

/** The appointment that was asked for: body of R13. */
const wantedOf = (matter: Matter): JsonObject => ({
  ...partsOf(matter).appointment,
  patient_id: idFrom(matter, 'patient'),
});

const minute = (value: JsonObject[string] | undefined): string => (textOf(value) ?? '').slice(0, 5);

/** Date and minute are what a list shows; whose it is says only the appointment itself. */
const isThen = (row: JsonObject, wanted: JsonObject): boolean =>
  (textOf(row['date']) ?? '').slice(0, 10) === wanted['date'] &&
  minute(row['time']) === minute(wanted['time']);

const isWanted = (row: JsonObject, wanted: JsonObject): boolean =>
  isThen(row, wanted) &&
  idOf(row['patient_id']) === idOf(wanted['patient_id']) &&
  idOf(row['user_id']) === idOf(wanted['user_id']);

/**
 * The list shows twenty rows of the token's own user (service.md 6.4): one that is found is there, one that is not found
 * may be there all the same. So only exactly one is an answer.
 */
function lookup(matter: Matter): Question {
  const wanted = wantedOf(matter);
  const month = String(wanted['date']).slice(0, 7);
  const number = String(partsOf(matter).patient['document_number']);

  const conclude = ([id, ...others]: readonly number[]): Verdict =>
    id !== undefined && others.length === 0
      ? { kind: 'made', id }
      : { kind: 'unclear', issue: unknownIssue(matter, others.length + (id === undefined ? 0 : 1)) };

  function lookAt([id, ...rest]: readonly number[], found: readonly number[]): Verdict {
    if (id === undefined) return conclude(found);
    return ask({
      operation: 'getAppointment',
      request: { path: { id } },
      read: (answer) =>
        readRow(answer, PART, id, (data) =>
          lookAt(rest, isObject(data) && isWanted(data, wanted) ? [...found, id] : found),
        ),
    });
  }

  const list = (query: Readonly<Record<string, string>>, wider: Question | undefined): Question => ({
    operation: 'listAppointments',
    request: { query } as CallRequest,
    read: (answer) =>
      readHealth(answer, PART, (data) => {
        if (!Array.isArray(data)) return undefined;
        const rows = data.filter(isObject).filter((row) => isThen(row, wanted));
        const ids = rows.flatMap((row) => idOf(row['id']) ?? []).filter((id) => !matter.isTaken(id));
        return ids.length === 0 && wider !== undefined ? ask(wider) : lookAt(ids, []);
      }),
  });
  return list({ search: number, month }, list({ month }, undefined));
}

function unknownIssue(matter: Matter, found: number) {
  const { appointment, document } = partsOf(matter);
  return say('send/appointment-unknown', {
    number: noteNumber({ document }),
    date: String(appointment['date']),
    time: String(appointment['time']),
    user: String(appointment['user_id']),
    found,
  });
}

export const APPOINTMENT_STAGE: Stage = {
  name: STAGE,
  asks: 'always',
  send: (matter) => ({
    operation: 'createAppointment',
    request: { body: wantedOf(matter) as never },
    read: (answer) => {
      const { patient_id, user_id, date, time } = wantedOf(matter);
      const wanted = { patient_id, user_id, date, time } as JsonObject;
      return readMade(answer, PART, { asked: 'createAppointment', wanted, isTaken: matter.isTaken });
    },
  }),
  ask: lookup,
  byPerson: personSaysId,
};
