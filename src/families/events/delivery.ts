import { createIssue } from '../../send/create-issue.js';
import { detailsOf } from '../../send/documents.js';
import {
  type Admission,
  behind,
  type Claim,
  type ConflictingDocument,
  type Judge,
  type Scope,
} from '../../send/kind.js';
import { GIVEN_UP, NOT_HELD } from '../../send/runs.js';
import { personSaysCode, type Stage, type StageInput } from '../../send/stage.js';
import { type Fit, type Question, type Shown, textOf, type Verdict } from '../../send/verdict.js';
import type { Issue } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { dateInBogota } from '../../toolkit/core/plain-date.js';
import { unreachable } from '../../toolkit/core/required.js';
import { type DocumentState, documentWith } from '../../toolkit/schema/document.js';
import { type Hashed, proofBy, type Secret } from '../code-proof.js';
import { CURRENT_NUMBER, type Decision, type Delivery, type Planner } from '../family.js';
import { confirmAccepted, type Refusal, readEventAsked, readEventSent } from './answer.js';
import { cudeInput } from './cude.js';
import { answersAbout, invoiceDetails, invoiceMembers } from './event.js';
import { type EventCode, eventCode, eventName, eventOf, eventSubject, invoiceOfEvent } from './sequence.js';

/** Claim and express acceptance bind the company (events.md 3). */
const IRREVERSIBLE: ReadonlySet<EventCode> = new Set(['031', '033']);

interface Holder extends ConflictingDocument {
  readonly id: number;
  readonly key: string;
  readonly state: DocumentState;
  readonly document_code: string | null;
}

const HOLDER = `
  SELECT d.id, d.run, d.key, d.key AS number, d.state, d.document_code, ${GIVEN_UP} AS "givenUp" FROM document d
  WHERE d.subject = ? AND d.state <> 'rejected' AND d.earlier IS NULL AND ${NOT_HELD}
  ORDER BY d.state = 'accepted' DESC, ${GIVEN_UP}, d.id DESC LIMIT 1`;

/** Checks events against the journal: an event of an invoice is registered once, for any receiver. */
const eventJudge = ({ journal, run }: Scope): Judge => ({
  async admit({ body }): Promise<Admission> {
    const { cufe, code } = eventOf(body);
    const subject = eventSubject(cufe, code);
    const holder = await journal.first<Holder>(HOLDER, subject);
    if (holder === undefined) return { is: 'new', subject, remarks: [] };
    if (holder.state === 'accepted')
      return { is: 'earlier', subject, id: holder.id, documentCode: holder.document_code };
    if (holder.run !== run) return behind(holder, { subject });
    return { is: 'refused', subject, issues: [createIssue('send/unfinished-run', { run })] };
  },
  remarks: () => [],
});

const UNCONFIRMED: Issue = {
  code: 'events/not-listed',
  level: 'error',
  params: {},
  place: { pointer: '/event_id' },
};

/** Creates the request: E1 for a file, E2 for a CUFE; a wrong pair is a 422 (service.md 7.2). */
function send({ body: bodyText }: StageInput): Question {
  const body = JSON.parse(bodyText) as JsonObject;
  const carriesFile = 'base64_attacheddocument' in body;
  const confirm = (unknownIssue: Issue, then: (listed: Verdict) => Verdict): Verdict => ({
    kind: 'then',
    step: 'ask',
    question: askAbout(body, then),
    unknownIssue,
  });
  const confirmRefusal = (refusal: Refusal): Verdict =>
    confirm(refusal.issues[0] ?? unreachable('reason of a refusal'), (listed) =>
      listed.kind === 'absent' ? refusal : listed,
    );
  return {
    operation: carriesFile ? 'sendEvent' : 'sendEventData',
    request: { bodyText },
    read: (answer) => {
      const verdict = readEventSent(answer, confirmRefusal);
      return verdict.kind === 'accepted'
        ? confirm(UNCONFIRMED, (listed) => confirmAccepted(verdict, listed))
        : verdict;
    },
  };
}

/** Creates the query of DIAN's list (E3); an event that is not there may be sent again. */
function askAbout(body: JsonObject, then: (verdict: Verdict) => Verdict): Question {
  const event = eventOf(body);
  return {
    operation: 'getInvoiceEvents',
    request: { path: { CUFE: event.cufe } },
    read: (answer) => then(readEventAsked(answer, event)),
  };
}

const STAGE: Stage = {
  name: 'register',
  asks: 'always',
  send,
  ask: ({ body }) => askAbout(JSON.parse(body) as JsonObject, (verdict) => verdict),
  byPerson: personSaysCode,
};

/** Possible InvoiceTypeCodes of an event's invoice; a CUFE alone does not tell. */
const INVOICE_TYPES = ['01', '02', '03', '04'];
/** Time around midnight in which either date is possible, in ms. */
const MIDNIGHT_TOLERANCE_MS = 15 * 60_000;

/** Invoice parts of a CUDE: number, types and the other party. */
interface InvoiceParts {
  readonly seller: string;
  readonly number: string;
  readonly other: string;
  readonly types: readonly string[];
}

/** Splits an event number, which starts with seller NIT and invoice number without a separator (service.md 7.3). */
function splitNumber(eventNumber: string, code: EventCode): readonly InvoiceParts[] {
  const [, joined = ''] = new RegExp(`^(.+)${code}\\d?$`).exec(eventNumber) ?? [];
  return [5, 6, 7, 8, 9, 10].flatMap((length) => {
    const [seller, number] = [joined.slice(0, length), joined.slice(length)];
    return /^\d+$/.test(seller) && number !== ''
      ? [{ seller, number, other: seller, types: INVOICE_TYPES }]
      : [];
  });
}

/** Returns the invoice parts from the file, the response, or the event number. */
function partsOf(body: JsonObject, code: EventCode, kept: JsonObject): readonly InvoiceParts[] {
  const { invoice } = invoiceOfEvent(body) ?? {};
  const isTacit = code === '034';
  if (invoice !== undefined) {
    const [seller, buyer] = [invoice.seller.id, invoice.buyer.id];
    return [{ seller, number: invoice.number, other: isTacit ? buyer : seller, types: [invoice.type] }];
  }
  const seller = textOf(kept['transmitter_id'] ?? kept['seller_id']);
  const other = isTacit ? textOf(kept['receiver_id']) : seller;
  const number = textOf(kept['invoice_number']);
  if (seller !== undefined && other !== undefined && number !== undefined)
    return [{ seller, number, other, types: INVOICE_TYPES }];
  // A tacit acceptance goes to the buyer, who is not in the number.
  return isTacit ? [] : splitNumber(textOf(kept['event_number']) ?? '', code);
}

/** Returns the texts a CUDE may be the hash of (events.md 10), from body and response; the rest is in DIAN's list. */
export function hashed({ body, shown, moments }: Claim, { nit, pin }: Secret): Hashed {
  const { code } = eventOf(body);
  const { kept = {} } = shown;
  const {
    date,
    time,
    event_number: listed,
  } = Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, textOf(value)]));
  const dates =
    date === undefined
      ? moments.flatMap((at) => [at - MIDNIGHT_TOLERANCE_MS, at + MIDNIGHT_TOLERANCE_MS])
      : [];
  const days = date === undefined ? [...new Set(dates.map((at) => dateInBogota(new Date(at))))] : [date];
  const resent = body['resend_consecutive'] === true ? [...'0123456789'] : [];
  const texts = partsOf(body, code, kept).flatMap(({ seller, number, other, types }) =>
    (listed === undefined
      ? ['', ...resent].map((digit) => `${seller}${number}${code}${digit}`)
      : [listed]
    ).flatMap((eventNumber) =>
      days.flatMap((issueDate) =>
        types.map((invoiceType) => {
          const [before = '', after = ''] = cudeInput({
            eventNumber,
            issueDate,
            issueTime: '\n',
            sender: nit,
            receiver: other.replace(/[.\s]|-\d$/g, ''),
            eventCode: code,
            invoiceNumber: number,
            invoiceType,
            softwarePin: pin,
          }).split('\n');
          return { before, after };
        }),
      ),
    ),
  );
  return { texts, ...(time !== undefined && { time }), isPlain: true, isAskedAgain: true };
}

/** Compares the CUFE of a response with the event's. In DIAN's list, events of any sender count. */
function fit(body: JsonObject, { cufe }: Shown): Fit {
  if (cufe === undefined) return 'open';
  return cufe.toLowerCase() === eventOf(body).cufe.toLowerCase() ? 'ours' : 'other-number';
}

/** Creates a planner that makes the events of one invoice wait for each other; invoices are independent. */
function createPlanner(): Planner {
  const last = new Map<string, number>();
  return {
    take(document) {
      const { cufe } = eventOf(document.body);
      const after = last.get(cufe);
      last.set(cufe, document.sequence);
      return after === undefined ? document : documentWith(document, { after });
    },
  };
}

/** Returns invoice details from the event's file, else from the record and earlier responses. */
const eventDetails: Decision['decided'] = async (journal, { id, key, body }) => {
  const event = JSON.parse(body) as JsonObject;
  const { cufe, invoice } = invoiceOfEvent(event) ?? {};
  const code = eventCode(event['event_id']);
  const act = code && eventName(code);
  if (invoice !== undefined) return { ...invoiceDetails(invoice), ...(act && { act }) };
  const details = await detailsOf(journal, id);
  const answered = cufe === undefined ? {} : invoiceMembers(await answersAbout(journal, cufe));
  const { invoice: number = key, seller: name, total } = { ...answered, ...details };
  return {
    number,
    ...(act && { act }),
    ...(name !== undefined && { name }),
    ...(total !== undefined && { total }),
  };
};

/** Acquirer events on received invoices. They have no numbers of ours; events of one invoice wait for each other. */
export const EVENTS: Delivery = {
  greeting: CURRENT_NUMBER,
  subjectLeaf: undefined,
  createPlanner,
  decision: {
    all: false,
    irreversible(body) {
      const code = eventCode(body['event_id']);
      return code !== undefined && IRREVERSIBLE.has(code) ? eventName(code) : undefined;
    },
    decided: eventDetails,
  },
  judge: eventJudge,
  stages: [STAGE],
  fit,
  proof: proofBy(hashed),
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: ['92'],
};
