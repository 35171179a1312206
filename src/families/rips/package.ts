import { createIssue } from '../../send/create-issue.js';
import { personSaysCode, type Stage, type StageInput } from '../../send/stage.js';
import { type Question, textOf, type Verdict } from '../../send/verdict.js';
import { isObject, type JsonObject } from '../../toolkit/core/json.js';
import { compareRow, idOf, readGenerated, readMade, readRow, unproven } from './answer.js';
import { APPOINTMENT_STAGE, keysOf } from './appointment.js';
import { absentBy, idFrom, noteNumber, partsOf, personSaysId } from './matter.js';
import { patientAsWanted } from './patient.js';

/**
 * Queries R14, which shows the owner of an appointment and its documents (service.md 6.4); in a restored journal they
 * may be another's. An appointment of another sender is dropped and searched for again.
 */
const documentsThere = (
  matter: StageInput,
  read: (rows: readonly JsonObject[] | undefined, ours: readonly number[]) => Verdict,
): Question => {
  const id = idFrom(matter, 'appointment');
  const number = noteNumber(partsOf(matter));
  const { spentIds = [] } = matter.position;
  return {
    operation: 'getAppointment',
    request: { path: { id } },
    read: (answer) =>
      readRow(answer, '/document', id, (data) => {
        if (isObject(data) && compareRow(data, keysOf(matter)) === 'other')
          return unproven(id, APPOINTMENT_STAGE.name);
        const documents = isObject(data) ? data['documents'] : undefined;
        if (!Array.isArray(documents)) return read(undefined, []);
        const rows = documents.filter(isObject).filter((row) => !spentIds.includes(idOf(row['id']) ?? 0));
        return read(
          rows,
          rows.filter((row) => textOf(row['note_number']) === number).flatMap((row) => idOf(row['id']) ?? []),
        );
      }),
  };
};

const lookup = (matter: StageInput): Question =>
  documentsThere(matter, (rows, [made, ...others]) => {
    const unclear = (found: number | undefined): Verdict => ({
      kind: 'unclear',
      issue: createIssue('send/rips-document-unknown', {
        number: noteNumber(partsOf(matter)),
        reason: found ?? '—',
      }),
    });
    if (matter.position.restored || rows === undefined) return unclear(undefined);
    if (made !== undefined && others.length === 0) return { kind: 'made', id: made };
    return rows.length === 0
      ? absentBy(matter, unclear(0))
      : unclear(made === undefined ? 0 : others.length + 1);
  });

/**
 * Reads back whether an ID is our document's; `then` is the verdict if it is. A user's ID is accepted if nothing
 * shows whose it is.
 */
const readBack = (matter: StageInput, id: number, then: Verdict = { kind: 'made', id }): Question =>
  documentsThere(matter, (rows, ours) => {
    const shown = rows?.find((row) => idOf(row['id']) === id);
    const isOpen = rows === undefined || (shown !== undefined && textOf(shown['note_number']) === undefined);
    const isOurs = ours.includes(id) || (isOpen && matter.position.settledId === id);
    return isOurs ? then : unproven(id, DOCUMENT_STAGE.name);
  });

/** Creates the document (R18). */
export const DOCUMENT_STAGE: Stage = {
  name: 'document',
  asks: 'always',
  hasOwnIds: true,
  ask: lookup,
  readBack: (matter, id) => readBack(matter, id),
  send: (matter) => {
    const { document } = partsOf(matter);
    const wanted = {
      appointment_id: idFrom(matter, 'appointment'),
      note_number: document['note_number'] ?? null,
    };
    return {
      operation: 'createRipsDocument',
      request: { bodyText: JSON.stringify({ ...document, appointment_id: wanted.appointment_id }) },
      read: (answer) => readMade(answer, '/document', { asked: 'createRipsDocument', wanted }),
    };
  },
  byPerson: personSaysId,
};

/**
 * Sends the package to the ministry (R19), the only such request. After a lost response it is never repeated
 * automatically. Creations may show our number with another's ID, so it waits until R14 has shown the document in our
 * appointment.
 */
export const GENERATE_STAGE: Stage = {
  name: 'generate',
  asks: 'before',
  under: 'document',
  ask: (matter) =>
    readBack(
      matter,
      idFrom(matter, DOCUMENT_STAGE.name),
      matter.isLate ? { kind: 'then', step: 'ask', question: patientAsWanted(matter) } : { kind: 'absent' },
    ),
  send: (matter) => {
    const { document } = partsOf(matter);
    return {
      operation: 'generateRips',
      request: { path: { id: idFrom(matter, 'document') } },
      read: (answer) => readGenerated(answer, document.services),
    };
  },
  lost: (matter) =>
    createIssue('send/cuv-unknown', { number: noteNumber(partsOf(matter)), reason: 'aborted' }),
  byPerson: personSaysCode,
};
