import { isObject } from '../../core/json.js';
import { say } from '../../send/say.js';
import { type Matter, personSaysCode, type Stage } from '../../send/stage.js';
import { type Question, textOf, type Verdict } from '../../send/verdict.js';
import { idOf, readGenerated, readMade, readRow, unlessTaken } from './answer.js';
import { absentBy, idFrom, noteNumber, partsOf, personSaysId } from './matter.js';
import { patientAsWanted } from './patient.js';

/** R14 shows the documents of an appointment (service.md 6.4), which is this package's alone; of a restored journal it may be another's. */
const documentThere = (matter: Matter): Question => {
  const id = idFrom(matter, 'appointment');
  const number = noteNumber(partsOf(matter));
  const unclear = (found: number | undefined): Verdict => ({
    kind: 'unclear',
    issue: say('send/rips-document-unknown', { number, reason: found ?? '—' }),
  });
  return {
    operation: 'getAppointment',
    request: { path: { id } },
    read: (answer) =>
      unlessTaken(
        readRow(answer, '/document', id, (data) => {
          const documents = isObject(data) ? data['documents'] : undefined;
          if (matter.position.restored || !Array.isArray(documents)) return unclear(undefined);
          const rows = documents.filter(isObject);
          const own = rows
            .filter((row) => textOf(row['note_number']) === number)
            .map((row) => idOf(row['id']));
          const [made, ...others] = own;
          if (made !== undefined && others.length === 0) return { kind: 'made', id: made };
          return rows.length === 0 ? absentBy(matter, unclear(0)) : unclear(own.length);
        }),
        matter.isTaken,
      ),
  };
};

/** R18. */
export const DOCUMENT_STAGE: Stage = {
  name: 'document',
  asks: 'always',
  ask: documentThere,
  send: (matter) => {
    const { document } = partsOf(matter);
    const body = { ...document, appointment_id: idFrom(matter, 'appointment') };
    return {
      operation: 'createRipsDocument',
      request: { bodyText: JSON.stringify(body) },
      read: (answer) =>
        unlessTaken(
          readMade(answer, '/document', {
            asked: 'createRipsDocument',
            wanted: { appointment_id: body.appointment_id, note_number: document['note_number'] ?? null },
          }),
          matter.isTaken,
        ),
    };
  },
  byPerson: personSaysId,
};

/** R19: the one request that reaches the ministry. After a lost answer it is never sent again by itself. */
export const GENERATE_STAGE: Stage = {
  name: 'generate',
  asks: 'before',
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
