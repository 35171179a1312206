import { say } from '../say.js';
import { personSaysCode, type Stage } from '../stage.js';
import { idFrom, noteNumber, partsOf } from './attention-parts.js';
import { readGenerated } from './generated-answer.js';
import { patientAsWanted } from './patient-stage.js';

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
  lost: (matter) => say('send/cuv-unknown', { number: noteNumber(partsOf(matter)), reason: '—' }),
  byPerson: personSaysCode,
};
