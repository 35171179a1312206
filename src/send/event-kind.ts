import type { JsonObject } from '../values/json.js';
import { readEventAsked, readEventSent } from './events/event-answer.js';
import { eventJudge } from './events/event-judge.js';
import { eventOf } from './events/event-subject.js';
import type { DocumentKind } from './kind.js';
import { type Matter, personSaysCode, type Question, type Stage } from './stage.js';

/** A file goes by E1, a CUFE by E2: the wrong body on a path is a 422 (service.md 7.2). */
function send({ body: bodyText }: Matter): Question {
  const carriesFile = 'base64_attacheddocument' in (JSON.parse(bodyText) as JsonObject);
  return {
    operation: carriesFile ? 'sendEvent' : 'sendEventData',
    request: { bodyText },
    read: readEventSent,
  };
}

/** E3, the list of DIAN: what is not there may be sent again. */
function ask({ body }: Matter): Question {
  const { cufe, code } = eventOf(JSON.parse(body) as JsonObject);
  return {
    operation: 'getInvoiceEvents',
    request: { path: { CUFE: cufe } },
    read: (answer) => readEventAsked(answer, code),
  };
}

const STAGE: Stage = { name: 'register', asks: 'always', send, ask, byPerson: personSaysCode };

/** Acquirer events on received invoices. They have no numbers of ours; those of one invoice wait for each other. */
export const EVENTS: DocumentKind = {
  judge: eventJudge,
  stages: [STAGE],
  fits: () => true,
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: ['92'],
};
