import { say } from '../say.js';
import type { Stage } from '../stage.js';
import { idFrom, noteNumber, partsOf, personSaysId } from './attention-parts.js';
import { readMade } from './health-answer.js';

/** R18. No operation shows whether a document is there: a lost answer is a person's matter. */
export const DOCUMENT_STAGE: Stage = {
  name: 'document',
  asks: 'never',
  send: (matter) => {
    const body = { ...partsOf(matter).document, appointment_id: idFrom(matter, 'appointment') };
    return {
      operation: 'createRipsDocument',
      request: { body: body as never },
      read: (answer) => readMade(answer, '/document'),
    };
  },
  lost: (matter) => say('send/rips-document-unknown', { number: noteNumber(partsOf(matter)), reason: '—' }),
  byPerson: personSaysId,
};
