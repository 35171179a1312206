import type { JsonObject } from '../values/json.js';
import { type Refusal, readEventAsked, readEventSent } from './events/event-answer.js';
import { eventJudge } from './events/event-judge.js';
import { eventOf } from './events/event-subject.js';
import type { DocumentKind } from './kind.js';
import { type Matter, personSaysCode, type Question, type Stage } from './stage.js';
import type { Verdict } from './verdict.js';

/** A file goes by E1, a CUFE by E2: the wrong body on a path is a 422 (service.md 7.2). */
function send({ body: bodyText }: Matter): Question {
  const body = JSON.parse(bodyText) as JsonObject;
  const carriesFile = 'base64_attacheddocument' in body;
  const confirm = (refusal: Refusal): Verdict => ({
    kind: 'then',
    step: 'ask',
    question: askAbout(body, (verdict) => (verdict.kind === 'absent' ? refusal : verdict)),
    doubted: refusal.issues[0]!,
  });
  return {
    operation: carriesFile ? 'sendEvent' : 'sendEventData',
    request: { bodyText },
    read: (answer) => readEventSent(answer, confirm),
  };
}

/** E3, the list of DIAN: what is not there may be sent again. */
function askAbout(body: JsonObject, then: (verdict: Verdict) => Verdict): Question {
  const event = eventOf(body);
  return {
    operation: 'getInvoiceEvents',
    request: { path: { CUFE: event.cufe } },
    read: (answer) => then(readEventAsked(answer, event)),
  };
}

const ask = ({ body }: Matter): Question => askAbout(JSON.parse(body) as JsonObject, (verdict) => verdict);

const STAGE: Stage = { name: 'register', asks: 'always', send, ask, byPerson: personSaysCode };

/** Acquirer events on received invoices. They have no numbers of ours; those of one invoice wait for each other. */
export const EVENTS: DocumentKind = {
  judge: eventJudge,
  stages: [STAGE],
  fit: (body, { cufe }) =>
    cufe === undefined
      ? 'open'
      : cufe.toLowerCase() === eventOf(body).cufe.toLowerCase()
        ? 'ours'
        : 'other-number',
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: ['92'],
};
