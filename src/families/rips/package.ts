import { isObject, type JsonObject } from '../../core/json.js';
import { say } from '../../send/say.js';
import { type Matter, personSaysCode, type Stage } from '../../send/stage.js';
import { type Question, textOf, type Verdict } from '../../send/verdict.js';
import { idOf, readGenerated, readMade, readRow, unproven } from './answer.js';
import { absentBy, idFrom, noteNumber, partsOf, personSaysId } from './matter.js';
import { patientAsWanted } from './patient.js';

/**
 * R14 shows the documents of an appointment (service.md 6.4), which is this package's alone; of a restored journal it may be
 * another's. Nothing is asked for under an id that it does not show with our number.
 */
const documentsThere = (
  matter: Matter,
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

const lookup = (matter: Matter): Question =>
  documentsThere(matter, (rows, [made, ...others]) => {
    const unclear = (found: number | undefined): Verdict => ({
      kind: 'unclear',
      issue: say('send/rips-document-unknown', {
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

/** Who looked it up is believed where nothing shows whose it is. */
const readBack = (matter: Matter, id: number): Question =>
  documentsThere(matter, (rows, ours) => {
    const shown = rows?.find((row) => idOf(row['id']) === id);
    const isOpen = rows === undefined || (shown !== undefined && textOf(shown['note_number']) === undefined);
    const isOurs = ours.includes(id) || (isOpen && matter.position.settledId === id);
    return isOurs ? { kind: 'made', id } : unproven(id);
  });

/** R18. */
export const DOCUMENT_STAGE: Stage = {
  name: 'document',
  asks: 'always',
  hasOwnIds: true,
  ask: lookup,
  readBack,
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

/** R19: the one request that reaches the ministry. After a lost answer it is never sent again by itself. */
export const GENERATE_STAGE: Stage = {
  name: 'generate',
  asks: 'before',
  under: 'document',
  ask: (matter) => (matter.isLate ? patientAsWanted(matter) : undefined),
  send: (matter) => {
    const { document } = partsOf(matter);
    return {
      operation: 'generateRips',
      request: { path: { id: idFrom(matter, 'document') } },
      read: (answer) => readGenerated(answer, document.services),
    };
  },
  lost: (matter) => say('send/cuv-unknown', { number: noteNumber(partsOf(matter)), reason: 'aborted' }),
  byPerson: personSaysCode,
};
