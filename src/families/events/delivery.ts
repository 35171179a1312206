import { createIssue } from '../../send/create-issue.js';
import { detailsOf } from '../../send/documents.js';
import { type Admission, behind, type Claim, type Judge, type Scope } from '../../send/kind.js';
import { GIVEN_UP, NOT_HELD } from '../../send/runs.js';
import { personSaysCode, type Stage, type StageInput } from '../../send/stage.js';
import { type Fit, type Question, type Shown, textOf, type Verdict } from '../../send/verdict.js';
import type { Issue } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { dateInBogota } from '../../toolkit/core/plain-date.js';
import { type DocumentState, documentWith } from '../../toolkit/schema/document.js';
import { type Hashed, proofBy, type Secret } from '../code-proof.js';
import { CURRENT_NUMBER, type Decision, type Delivery, type Layout } from '../family.js';
import { confirmAccepted, type Refusal, readEventAsked, readEventSent } from './answer.js';
import { cudeInput } from './cude.js';
import { answeredOf, decidedBy, shownIn } from './event.js';
import { type EventCode, eventCode, eventName, eventOf, eventSubject, invoiceOfEvent } from './sequence.js';

/** Claim and express acceptance bind the company (events.md 3). */
const IRREVERSIBLE: ReadonlySet<EventCode> = new Set(['031', '033']);

interface Holder {
  readonly id: number;
  readonly run: string;
  readonly key: string;
  readonly state: DocumentState;
  readonly document_code: string | null;
  readonly number: string;
  readonly givenUp: unknown;
}

const HOLDER = `
  SELECT d.id, d.run, d.key, d.key AS number, d.state, d.document_code, ${GIVEN_UP} AS "givenUp" FROM document d
  WHERE d.subject = ? AND d.state <> 'rejected' AND d.earlier IS NULL AND ${NOT_HELD}
  ORDER BY d.state = 'accepted' DESC, ${GIVEN_UP}, d.id DESC LIMIT 1`;

/** Events against the journal: an event of an invoice is registered once, whoever is named as its receiver. */
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

/** A file goes by E1, a CUFE by E2: the wrong body on a path is a 422 (service.md 7.2). */
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
    confirm(refusal.issues[0]!, (listed) => (listed.kind === 'absent' ? refusal : listed));
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

/** E3, the list of DIAN: what is not there may be sent again. */
function askAbout(body: JsonObject, then: (verdict: Verdict) => Verdict): Question {
  const event = eventOf(body);
  return {
    operation: 'getInvoiceEvents',
    request: { path: { CUFE: event.cufe } },
    read: (answer) => then(readEventAsked(answer, event)),
  };
}

const ask = ({ body }: StageInput): Question =>
  askAbout(JSON.parse(body) as JsonObject, (verdict) => verdict);

const STAGE: Stage = { name: 'register', asks: 'always', send, ask, byPerson: personSaysCode };

/** InvoiceTypeCode of what an event can be about; of a CUFE alone nobody says which. */
const INVOICE_TYPES = ['01', '02', '03', '04'];
/** A request close to midnight may be dated by either day. */
const MIDNIGHT = 15 * 60_000;

/** An invoice as its events name it: number, its type, and who is at the other end. */
interface Named {
  readonly seller: string;
  readonly number: string;
  readonly other: string;
  readonly types: readonly string[];
}

/** The seller's NIT stands before the number of the invoice, and nothing between them (service.md 7.3). */
function splitNumber(eventNumber: string, code: EventCode): readonly Named[] {
  const [, joined = ''] = new RegExp(`^(.+)${code}\\d?$`).exec(eventNumber) ?? [];
  return [5, 6, 7, 8, 9, 10].flatMap((length) => {
    const [seller, number] = [joined.slice(0, length), joined.slice(length)];
    return /^\d+$/.test(seller) && number !== ''
      ? [{ seller, number, other: seller, types: INVOICE_TYPES }]
      : [];
  });
}

/** By the invoice that went along, by what the answer shows of it, or by the number of the event. */
function namesOf(body: JsonObject, code: EventCode, kept: JsonObject): readonly Named[] {
  const { invoice } = invoiceOfEvent(body) ?? {};
  const isOwn = code === '034';
  if (invoice !== undefined) {
    const [seller, buyer] = [invoice.seller.id, invoice.buyer.id];
    return [{ seller, number: invoice.number, other: isOwn ? buyer : seller, types: [invoice.type] }];
  }
  const seller = textOf(kept['transmitter_id'] ?? kept['seller_id']);
  const other = isOwn ? textOf(kept['receiver_id']) : seller;
  const number = textOf(kept['invoice_number']);
  if (seller !== undefined && other !== undefined && number !== undefined)
    return [{ seller, number, other, types: INVOICE_TYPES }];
  // A tacit acceptance is sent to the buyer, whom the number does not name.
  return isOwn ? [] : splitNumber(textOf(kept['event_number']) ?? '', code);
}

/** What a CUDE is the hash of (events.md 10), as far as body and answer show it; the rest is in DIAN's list. */
export function hashed({ body, shown, moments }: Claim, { nit, pin }: Secret): Hashed {
  const { code } = eventOf(body);
  const { kept = {} } = shown;
  const {
    date,
    time,
    event_number: listed,
  } = Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, textOf(value)]));
  const dates = date === undefined ? moments.flatMap((at) => [at - MIDNIGHT, at + MIDNIGHT]) : [];
  const days = date === undefined ? [...new Set(dates.map((at) => dateInBogota(new Date(at))))] : [date];
  const resent = body['resend_consecutive'] === true ? [...'0123456789'] : [];
  const texts = namesOf(body, code, kept).flatMap(({ seller, number, other, types }) =>
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

/** What an answer shows of an event. DIAN's list of the invoice says what is registered there, whoever did it. */
function fit(body: JsonObject, { cufe }: Shown): Fit {
  if (cufe === undefined) return 'open';
  return cufe.toLowerCase() === eventOf(body).cufe.toLowerCase() ? 'ours' : 'other-number';
}

/** Each event of an invoice waits until the one before it is accepted; different invoices go side by side. */
function layOut(): Layout {
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

/** The invoice of an event by its file, else by the record; what that leaves out an earlier answer may tell. */
const decidedEvent: Decision['decided'] = async (journal, { id, key, body }) => {
  const event = JSON.parse(body) as JsonObject;
  const { cufe, invoice } = invoiceOfEvent(event) ?? {};
  const code = eventCode(event['event_id']);
  const act = code && eventName(code);
  if (invoice !== undefined) return { ...decidedBy(invoice), ...(act && { act }) };
  const details = await detailsOf(journal, id);
  const told = cufe === undefined ? {} : shownIn(await answeredOf(journal, cufe));
  const { invoice: number = key, seller: name, total } = { ...told, ...details };
  return {
    number,
    ...(act && { act }),
    ...(name !== undefined && { name }),
    ...(total !== undefined && { total }),
  };
};

/** Acquirer events on received invoices. They have no numbers of ours; those of one invoice wait for each other. */
export const EVENTS: Delivery = {
  greeting: CURRENT_NUMBER,
  subjectLeaf: undefined,
  layOut,
  decision: {
    all: false,
    irreversible(body) {
      const code = eventCode(body['event_id']);
      return code !== undefined && IRREVERSIBLE.has(code) ? eventName(code) : undefined;
    },
    decided: decidedEvent,
  },
  judge: eventJudge,
  stages: [STAGE],
  fit,
  proof: proofBy(hashed),
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: ['92'],
};
