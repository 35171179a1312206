import { say } from '../say.js';
import type { Stage } from '../stage.js';
import { idFrom, noteNumber, partsOf, personSaysId } from './attention-parts.js';
import { readMade } from './health-answer.js';

/** R18. No operation shows whether a document is there: a lost answer is a person's matter. */
export const DOCUMENT_STAGE: Stage = {
  name: 'document',
  asks: 'never',
  send: (matter) => {
    const { document } = partsOf(matter);
    const body = { ...document, appointment_id: idFrom(matter, 'appointment') };
    return {
      operation: 'createRipsDocument',
      request: { body: body as never },
      read: (answer) =>
        readMade(answer, '/document', {
          asked: 'createRipsDocument',
          wanted: { appointment_id: body.appointment_id, note_number: document['note_number'] ?? null },
          isTaken: matter.isTaken,
        }),
    };
  },
  lost: (matter) => say('send/rips-document-unknown', { number: noteNumber(partsOf(matter)), reason: '—' }),
  byPerson: personSaysId,
};
