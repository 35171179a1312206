import type { Answer } from '../../client/answer.js';
import { type Issue, stop } from '../../core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { dateInBogota, isPlainDate } from '../../core/plain-date.js';
import type { Follow } from '../../documents/run.js';
import { OWN_PARAMS } from '../../generated/texts-issue.js';
import type { ResolvedParams } from '../../mapping/params.js';
import { aboutOf, codeOf, numberOf } from '../../report/rows.js';
import type { ReportedDocument } from '../../report/run-report.js';
import { type DocumentState, documentWith, type Outcome } from '../../schema/document.js';
import type { Sql } from '../../send/database.js';
import { answerIn, detailsOf } from '../../send/documents.js';
import { type Admission, behind, type Claim, type Judge, type Scope } from '../../send/kind.js';
import { GIVEN_UP, NOT_HELD, PAGE } from '../../send/runs.js';
import { say } from '../../send/say.js';
import { type Matter, personSaysCode, type Stage } from '../../send/stage.js';
import { detailsFromText } from '../../send/trace-text.js';
import {
  type Fit,
  type Question,
  readVerdict,
  type Shown,
  textOf,
  type Verdict,
} from '../../send/verdict.js';
import { type ReceivedInvoice, readAttachedDocument } from '../../tables/xml/received-invoice.js';
import { type Hashed, proofBy, type Secret } from '../code-proof.js';
import {
  CURRENT_NUMBER,
  type Decided,
  type Family,
  type FollowSite,
  type Inquiry,
  type Layout,
} from '../family.js';
import {
  type AskedInvoice,
  confirmAccepted,
  EVENT_QUERIES,
  type InvoiceEvent,
  type Refusal,
  readEventAsked,
  readEventSent,
} from './answer.js';
import { cudeInput } from './cude.js';
import {
  createEventSequence,
  EVENT_CODES,
  type EventCode,
  eventCode,
  eventName,
  eventTitle,
  invoiceOfEvent,
  isEventCode,
  type Registered,
  termEnd,
  termOf,
} from './sequence.js';
import { createWorklist } from './worklist.js';

/** What the service read in the seller's file (service.md 7.4); nothing is stored, so no answer is a loss. */
export function readReception(answer: Answer): Verdict {
  const body =
    answer.kind === 'json' && isObject(answer.body) && answer.status < 300 ? answer.body : undefined;
  const data = body?.['data'];
  if (body?.['success'] === true && isObject(data)) {
    const cufe = textOf(data['cufe']);
    return {
      kind: 'accepted',
      shown: {},
      issues: [],
      ...(cufe !== undefined && { documentCode: cufe }),
      answer: data,
    };
  }
  const verdict = readVerdict(answer, 'query');
  const text = textOf(body?.['message']) ?? '';
  return body?.['success'] === false && verdict.kind === 'refused-for-all'
    ? { kind: 'refused', issues: [say('remote/refused', { text })] }
    : verdict;
}

const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Flags of the service's own book; useful as a check, never a proof of an event (events.md 7). */
const FLAGS: readonly (readonly [key: string, code: string])[] = [
  ['acu_recibo', '030'],
  ['rec_bienes', '032'],
  ['aceptacion', '033'],
  ['rechazo', '031'],
];

const flagsOf = (data: JsonObject): string =>
  FLAGS.flatMap(([key, code]) => (Number(data[key]) === 1 ? [code] : [])).join(' ');

/** What was read of an invoice, in a few words. */
const read = (data: JsonObject): Readonly<Record<'number' | 'seller' | 'total' | 'state', string>> => ({
  number: text(data['number']),
  seller: text(data['name_seller']),
  total: text(data['total']),
  state: flagsOf(data),
});

/** An invoice by what its own file says. */
const decidedBy = ({ number, seller, total }: ReceivedInvoice): Decided => ({
  number,
  name: seller.name,
  total,
});

function inFile(xml: unknown): Decided | undefined {
  const reading = typeof xml === 'string' ? readAttachedDocument(Buffer.from(xml, 'base64')) : undefined;
  return reading !== undefined && reading.is !== 'refused' ? decidedBy(reading.document.invoice) : undefined;
}

/** Sellers' documents for the service to read; as often as one likes. */
export const RECEPTION: Family = {
  greeting: CURRENT_NUMBER,
  schemas: ['events/seller-reception'],
  openKeys: true,
  reading: { mapping: 'events/reception', read },
  async decided(_, { key, body }) {
    return inFile((JSON.parse(body) as JsonObject)['xml_document']) ?? { number: key };
  },
  columns: [
    ['key', 26, 'long'],
    ['name', 32, 'long'],
    ['state', 15, 'code'],
    ['message', 52, 'long'],
    ['cufeRead', 44, 'hash', codeOf],
    ['attempts', 10, 'count'],
    ['where', 34, 'code'],
  ],
  judge: () => ({ admit: async () => ({ is: 'new', remarks: [] }), remarks: () => [] }),
  stages: [
    {
      name: 'read',
      asks: 'never',
      send: ({ body: bodyText }) => ({
        operation: 'receiveSellerDocument',
        request: { bodyText },
        read: readReception,
      }),
    },
  ],
  fit: () => 'ours',
  // The CUFE of an invoice, of which several files may come.
  sharesCodes: true,
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: [],
};

/** What the journal calls an event: an invoice has at most one of a code. */
const eventSubject = (cufe: string, code: EventCode): string => `event:${cufe}:${code}`;

/** The invoice and code of a body that is an event. Throws a TypeError for another body. */
function eventOf(body: JsonObject): { readonly cufe: string; readonly code: EventCode } {
  const code = eventCode(body['event_id']);
  const invoice = invoiceOfEvent(body);
  if (code === undefined || invoice === undefined) throw new TypeError('Not the body of an event');
  return { cufe: invoice.cufe, code };
}

/** Claim and express acceptance bind the company (events.md 3). */
const IRREVERSIBLE: ReadonlySet<EventCode> = new Set(['031', '033']);

const ACCEPTED = `
  SELECT updated FROM document WHERE subject = ? AND state = 'accepted' AND earlier IS NULL ORDER BY id LIMIT 1`;

/** The events of an invoice that this journal saw accepted, with their day. */
async function acceptedEvents(journal: Sql, cufe: string): Promise<readonly Registered[]> {
  const found: Registered[] = [];
  for (const code of Object.values(EVENT_CODES)) {
    const row = await journal.first<{ updated: number }>(ACCEPTED, eventSubject(cufe, code));
    if (row !== undefined) found.push({ code, date: dateInBogota(new Date(row.updated)), ours: true });
  }
  return found;
}

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
    return { is: 'refused', subject, issues: [say('send/unfinished-run', { run })] };
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
function send({ body: bodyText }: Matter): Question {
  const body = JSON.parse(bodyText) as JsonObject;
  const carriesFile = 'base64_attacheddocument' in body;
  const confirm = (doubted: Issue, then: (listed: Verdict) => Verdict): Verdict => ({
    kind: 'then',
    step: 'ask',
    question: askAbout(body, then),
    doubted,
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

const ask = ({ body }: Matter): Question => askAbout(JSON.parse(body) as JsonObject, (verdict) => verdict);

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

const eventCodeOf = (given: unknown): EventCode | undefined =>
  isEventCode(String(given)) ? (given as EventCode) : eventCode(given);

/**
 * The events that the parameters of a run say are registered: `already_registered`, a list of {cufe, event, date}.
 * @throws PipelineError('usage', param/wrong)
 */
function givenEvents(params: ResolvedParams): ReadonlyMap<string, readonly Registered[]> {
  const found = new Map<string, Registered[]>();
  for (const { cufe, event, date } of params.tables['already_registered'] ?? []) {
    const code = eventCodeOf(event);
    // What is not understood would be registered twice.
    if (typeof cufe !== 'string' || code === undefined)
      return stop('usage', {
        code: 'param/wrong',
        value: JSON.stringify({ cufe, event }),
        params: {
          name: 'already_registered',
          type: 'event',
          about_es: OWN_PARAMS.already_registered.es,
          about_en: OWN_PARAMS.already_registered.en,
        },
      });
    const one = { code, ...(typeof date === 'string' && isPlainDate(date) && { date }) };
    const key = cufe.toLowerCase();
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return found;
}

/** Of two that tell of one event the first stands. */
const eachOnce = (events: readonly Registered[]): readonly Registered[] =>
  events.filter(({ code }, at) => events.findIndex((one) => one.code === code) === at);

/** What is registered already is not registered again: by the parameters, the journal, and the list of DIAN where it was asked. */
function follow({ params, today, journal, told = new Map() }: FollowSite): Follow {
  const { sender, expand } = params.values;
  const given = givenEvents(params);
  return createEventSequence({
    async registered(cufe) {
      const ours = journal === undefined ? [] : await acceptedEvents(journal, cufe);
      // DIAN knows the date; that it was us the journal knows.
      const listed = ((told.get(cufe) ?? []) as readonly InvoiceEvent[]).map((event) =>
        ours.some(({ code }) => code === event.code) ? { ...event, ours: true } : event,
      );
      return eachOnce([...listed, ...ours, ...(given.get(cufe) ?? [])]);
    },
    today,
    senders: ['comprador', ...(typeof sender === 'string' ? [sender] : [])],
    expand: expand === true,
  });
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

const ANSWERED = `
  SELECT a.body AS answer FROM document d JOIN answer a ON a.document = d.id
  WHERE d.subject = ? AND d.state = 'accepted' ORDER BY d.id LIMIT 1`;

/** What the service answered of an invoice to events that were accepted earlier. */
async function answeredOf(journal: Sql, cufe: string): Promise<JsonObject> {
  let told: JsonObject = {};
  for (const code of Object.values(EVENT_CODES)) {
    const row = await journal.first<{ answer: string }>(ANSWERED, eventSubject(cufe, code));
    if (row !== undefined) told = { ...answerIn(row.answer), ...told };
  }
  return told;
}

/** What an answer shows of the invoice, as mappings call it. */
function shownIn(told: JsonObject): Readonly<Record<string, string>> {
  const shown = {
    invoice: told['invoice_number'],
    seller: told['transmitter_name'] ?? told['seller_name'],
    seller_id: told['transmitter_id'] ?? told['seller_id'],
    total: told['invoice_total'],
  };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

const INQUIRY: Inquiry = {
  phrase: 'askingEvents',
  about({ body, key, name, details = {} }): AskedInvoice {
    // A list shows the number beside its key; a file has it for its key.
    const { invoice } = details;
    const number = invoice ?? ('base64_attacheddocument' in body ? key : (name ?? key));
    return { id: eventOf(body).cufe, number, name: invoice ?? name ?? key, details };
  },
  async known(journal, { id, name, details }) {
    const told = shownIn(await answeredOf(journal, id));
    return { id, name: details?.['invoice'] ?? told['invoice'] ?? name, details: { ...told, ...details } };
  },
  queries: EVENT_QUERIES,
  untold: ({ id: cufe }) => ({ code: 'events/state-unknown', level: 'warning', params: { cufe }, place: {} }),
  worklist: createWorklist,
};

interface Row {
  readonly sequence: number;
  readonly schema: string;
  readonly body: string;
  readonly trace: string;
  readonly answer: string | null;
  readonly updated: number;
}

const OF_RUN = `
  SELECT d.sequence, d.schema, c.body, c.trace, a.body AS answer, coalesce(e.updated, d.updated) AS updated
  FROM document d JOIN content c ON c.document = d.id LEFT JOIN document e ON e.id = d.earlier
    LEFT JOIN answer a ON a.document = coalesce(d.earlier, d.id)
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

/** Of an outcome that is about an invoice: which event of which, and what file or answer show of the invoice. */
function about(row: Row, { key, name, state }: Outcome): ReportedDocument['about'] {
  const body = JSON.parse(row.body) as JsonObject;
  const { cufe, code } = eventOf(body);
  const { invoice } = invoiceOfEvent(body) ?? {};
  const told = row.answer === null ? {} : answerIn(row.answer);
  const day = textOf(told['date_issue'])?.slice(0, 10) ?? dateInBogota(new Date(row.updated));
  const registered = state === 'accepted' && isPlainDate(day) ? day : undefined;
  const fromFile = row.schema === 'events/event-by-document';
  const details = detailsFromText(row.trace);
  const shown = shownIn(told);
  const more: Readonly<Record<string, string | undefined>> = {
    seller: invoice?.seller.name ?? shown['seller'] ?? details['seller'],
    sellerId: invoice?.seller.id ?? shown['seller_id'] ?? details['seller_id'],
    total: invoice?.total ?? shown['total'] ?? details['total'],
    registered,
    deadline: registered && startsTerm(code) ? termEnd(registered) : undefined,
  };
  return {
    invoice: details['invoice'] ?? (fromFile ? key : (name ?? key)),
    cufe,
    code,
    name: eventTitle(code),
    ...Object.fromEntries(
      Object.entries(more).flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])),
    ),
  };
}

/** The invoice of an event by its file, else by the record; what that leaves out an earlier answer may tell. */
const decidedEvent: NonNullable<Family['decided']> = async (journal, { id, key, body }) => {
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

/** Whether a claim or an acceptance is counted from the event. */
const startsTerm = (code: EventCode): boolean => termOf('031')?.from === code;

/** Acquirer events on received invoices. They have no numbers of ours; those of one invoice wait for each other. */
export const EVENTS: Family = {
  greeting: CURRENT_NUMBER,
  schemas: ['events/event-by-cufe', 'events/event-by-document'],
  companyParam: 'company_idnumber',
  openKeys: true,
  follow,
  inquiry: INQUIRY,
  ready: { kind: 'xml', mapping: 'events/attached' },
  layOut,
  columns: [
    ['invoice', 20, 'long', ({ key, about }) => about?.['invoice'] ?? key],
    ['seller', 30, 'long', aboutOf('seller')],
    ['sellerId', 14, 'code', aboutOf('sellerId')],
    ['invoiceTotal', 18, 'amount', aboutOf('total')],
    ['eventCode', 10, 'code', aboutOf('code')],
    ['eventName', 36, 'long', aboutOf('name')],
    ['registered', 13, 'date', aboutOf('registered')],
    ['deadline', 13, 'date', aboutOf('deadline')],
    ['state', 15, 'code'],
    ['message', 52, 'long'],
    ['cude', 44, 'hash', codeOf],
    ['cufe', 44, 'hash', aboutOf('cufe')],
    ['eventNumber', 22, 'code', numberOf],
    ['attempts', 10, 'count'],
    ['where', 34, 'code'],
  ],
  about: { page: OF_RUN, of: about },
  irreversible(body) {
    const code = eventCode(body['event_id']);
    return code !== undefined && IRREVERSIBLE.has(code) ? eventName(code) : undefined;
  },
  decided: decidedEvent,
  judge: eventJudge,
  stages: [STAGE],
  fit,
  proof: proofBy(hashed),
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: ['92'],
};
