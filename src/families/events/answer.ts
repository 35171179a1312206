import type { Answer } from '../../client/answer.js';
import type { CallRequest } from '../../client/client.js';
import { createIssue } from '../../send/create-issue.js';
import {
  asService,
  type Reply,
  readReply,
  readVerdict,
  resultOf,
  type Shown,
  textOf,
  type Verdict,
} from '../../send/verdict.js';
import type { Issue } from '../../toolkit/core/issue.js';
import { isObject, type JsonObject } from '../../toolkit/core/json.js';
import { isPlainDate, type PlainDate } from '../../toolkit/core/plain-date.js';
import type { Query, Subject } from '../family.js';
import { type EventCode, isEventCode, type Registered } from './sequence.js';

/** Event as listed by operation E3. */
interface ListedEvent {
  readonly code: string;
  readonly cude?: string;
  readonly date?: PlainDate;
  /** Number of the event, which its code hashes together with the time. */
  readonly number?: string;
  readonly time?: string;
}

/** Rules for an event that others, or our own request, registered before (events.md 5). */
const DONE_RULES = new Set(['LGC01', '90']);
/** Text of the service for an event in its own records; E2 also shows the event's code. */
const ALREADY_REGISTERED =
  /registrad[oa] (previamente|anteriormente)|ya (se encuentra |est[aá] |fue )?registrad[oa]|already registered/i;

/** Members of a response that describe the event. */
const STORED = /^(cude|date_issue|transmitter_|receiver_|seller_|invoice_)/;
/** Key of the event number; the contract gives it no name (service.md 7.3). */
const NUMBER = /consecutive/i;

/** Returns the members of a response to store; its number becomes `consecutive`. */
function storedMembers(body: JsonObject): JsonObject {
  const members = Object.entries(body).filter(([, value]) => value !== null);
  const consecutive = textOf(members.find(([key]) => NUMBER.test(key))?.[1]);
  return {
    ...Object.fromEntries(members.filter(([key]) => STORED.test(key))),
    ...(consecutive !== undefined && { consecutive }),
  };
}

const bodyOf = (answer: Answer): JsonObject | undefined =>
  answer.kind === 'json' && isObject(answer.body) ? answer.body : undefined;

export type Refusal = Extract<Verdict, { kind: 'refused' }>;

/**
 * Reads the response of E1 or E2: `IsValid` decides, not `success`, which is also true for rejections (service.md
 * 7.3). An acceptance only claims its code. A refusal by text, which a proxy may have written, is confirmed by a
 * query.
 */
export function readEventSent(answer: Answer, confirm: (refusal: Refusal) => Verdict): Verdict {
  const verdict = readVerdict(answer, 'sendEvent');
  const body = bodyOf(answer);
  if (body === undefined) return verdict;
  const cude = textOf(body['cude']);
  const code = cude === undefined ? {} : { documentCode: cude };
  const cufe = textOf(body['invoice_cufe']);
  const shown: Shown = { ...(cufe !== undefined && { cufe }), kept: storedMembers(body) };
  if (verdict.kind === 'accepted')
    return { ...verdict, ...(cude !== undefined && { claimed: cude }), shown, answer: storedMembers(body) };
  if (verdict.kind === 'rejected')
    return verdict.rules.some((rule) => DONE_RULES.has(rule))
      ? { kind: 'received-before', shown: {}, text: '', ...code }
      : { ...verdict, shown, answer: storedMembers(body) };
  if (verdict.kind === 'received-before') return { ...verdict, ...code };
  if (body['success'] !== false || isObject(body['ResponseDian']) || answer.kind !== 'json') return verdict;
  const text = textOf(body['message']) ?? '';
  if (cude !== undefined || ALREADY_REGISTERED.test(text))
    return { kind: 'received-before', shown: {}, text, ...code };
  if (verdict.kind !== 'unknown' || answer.status >= 300 || 'certificate_days_left' in body) return verdict;
  return confirm({ kind: 'refused', issues: [createIssue('remote/refused', { text })], confirmed: true });
}

/** StatusCode for no events (service.md 7.4). */
const NONE = '67';

function listedIn(body: JsonObject): readonly ListedEvent[] | undefined {
  const { events } = body;
  if (Array.isArray(events))
    return events.filter(isObject).map((event) => {
      const cude = textOf(event['cude']);
      const date = textOf(event['date'])?.slice(0, 10);
      const number = textOf(event['event_number']);
      const time = textOf(event['time']);
      return {
        code: textOf(event['dian_code']) ?? '',
        ...(number !== undefined && { number }),
        ...(time !== undefined && { time }),
        ...(cude !== undefined && { cude }),
        ...(date !== undefined && isPlainDate(date) && { date }),
      };
    });
  const status = resultOf(body)?.['StatusCode'];
  return textOf(status) === NONE ? [] : undefined;
}

/** Reads the events of an invoice from the response of E3, else its verdict. */
function readEventList(
  answer: Answer,
):
  | { readonly is: 'list'; readonly events: readonly ListedEvent[] }
  | { readonly is: 'none'; readonly verdict: Verdict } {
  const body = bodyOf(answer);
  const isGood = answer.kind === 'json' && answer.status < 300;
  const events = isGood && body !== undefined ? listedIn(body) : undefined;
  if (events !== undefined) return { is: 'list', events };
  const verdict = readVerdict(answer, 'query');
  const says = verdict.kind === 'unknown' || verdict.kind === 'throttled' || verdict.kind === 'not-sent';
  if (says || answer.kind === 'failure' || answer.status >= 400) return { is: 'none', verdict };
  return { is: 'none', verdict: { kind: 'unknown', issue: createIssue('remote/no-verdict', { text: '' }) } };
}

/** Reads whether an event is registered, after a lost response or one that says it is. */
export function readEventAsked(
  answer: Answer,
  { cufe, code }: { readonly cufe: string; readonly code: EventCode },
): Verdict {
  const cufecude = textOf(bodyOf(answer)?.['cufecude']);
  if (cufecude !== undefined && cufecude.toLowerCase() !== cufe.toLowerCase())
    return { kind: 'unknown', issue: createIssue('remote/no-verdict', { text: cufecude }) };
  const reading = readEventList(answer);
  if (reading.is === 'none') return reading.verdict;
  const event = reading.events.find((listed) => listed.code === code);
  if (event === undefined) return { kind: 'absent' };
  const { cude, date, number, time } = event;
  return {
    kind: 'accepted',
    shown: {
      ...(cufecude !== undefined && { cufe: cufecude }),
      kept: {
        ...(number !== undefined && { event_number: number }),
        ...(date !== undefined && { date }),
        ...(time !== undefined && { time: /^\d\d:\d\d:\d\d$/.test(time) ? `${time}-05:00` : time }),
      },
    },
    ...(cude !== undefined && { documentCode: cude }),
    issues: [foundRegistered(date ?? '—')],
    answer: { ...(cude !== undefined && { cude }), ...(date !== undefined && { date_issue: date }) },
  };
}

/**
 * Combines an acceptance with DIAN's list. Details of the acceptance count if its code is the listed one; if the list
 * lacks the event, the query is repeated.
 */
export function confirmAccepted(accepted: Extract<Verdict, { kind: 'accepted' }>, listed: Verdict): Verdict {
  if (listed.kind === 'absent') return { kind: 'waiting' };
  if (listed.kind !== 'accepted' || accepted.claimed === undefined) return listed;
  if (listed.documentCode?.toLowerCase() !== accepted.claimed.toLowerCase()) return listed;
  const kept = { ...accepted.shown.kept, ...listed.shown.kept };
  return {
    ...listed,
    isConfirmed: true,
    shown: { ...listed.shown, kept },
    issues: accepted.issues,
    answer: { ...accepted.answer, ...listed.answer },
  };
}

const foundRegistered = (date: string): Issue => ({
  code: 'events/found-registered',
  level: 'warning',
  params: { date },
  place: { pointer: '/event_id' },
});

/** Event of an invoice, from a response. */
export interface InvoiceEvent extends Registered {
  readonly cude?: string;
}

/** Invoice to query, by its CUFE. */
export interface AskedInvoice extends Subject {
  /** Prefix and number, if known. */
  readonly number?: string;
}

/** One of four queries for the events of an invoice (service.md 7.4). */
export interface EventQuery extends Query {
  request(invoice: AskedInvoice, environment: 'production' | 'test'): CallRequest | undefined;
  read(answer: Answer): Reply<readonly InvoiceEvent[]>;
}

const REFUSED = 'events/not-told';

function readDian(answer: Answer): Reply<readonly InvoiceEvent[]> {
  const reading = readEventList(answer);
  if (reading.is === 'list') {
    const known = reading.events.filter(({ code }) => isEventCode(code));
    return {
      kind: 'done',
      value: known.map(({ number: _, time: __, ...event }) => ({ ...event, code: event.code as EventCode })),
    };
  }
  const { verdict } = reading;
  if (verdict.kind === 'unknown' || verdict.kind === 'refused-for-all')
    return { ...verdict, issue: asService(verdict.issue) };
  return readReply<readonly InvoiceEvent[]>(answer, () => undefined, REFUSED);
}

/** Parses `{Evento_030: [{Fecha}], …}`; `success` is a text. */
function pageEvents(body: JsonObject): readonly InvoiceEvent[] | undefined {
  if (textOf(body['success']) === 'false') return [];
  const lists = Object.entries(body).flatMap(([key, list]) => {
    const code = key.replace(/^Evento_/, '');
    return isEventCode(code) && Array.isArray(list) ? [{ code, list }] : [];
  });
  if (lists.length === 0) return undefined;
  return lists.flatMap(({ code, list }) =>
    list.filter(isObject).map((event) => {
      const date = textOf(event['Fecha'])?.slice(0, 10);
      return { code, ...(date !== undefined && isPlainDate(date) && { date }) };
    }),
  );
}

/** Spanish sentences about the company's own invoices, by their start. The last, tacit acceptance, is no event. */
const SENTENCES: readonly (readonly [RegExp, EventCode | undefined])[] = [
  [/^acuse de recibo/i, '030'],
  [/^recibo del bien/i, '032'],
  [/^aceptaci[oó]n expresa/i, '033'],
  [/^reclamo/i, '031'],
  [/^aceptaci[oó]n t[aá]cita/i, undefined],
];

function ownEvents(body: JsonObject): readonly InvoiceEvent[] | undefined {
  const found = Object.entries(body).flatMap(([key, value]) => {
    const sentence = SENTENCES.find(([form]) => form.test(key));
    return sentence === undefined ? [] : [{ code: sentence[1], is: value === true || value === 'true' }];
  });
  if (found.length === 0) return undefined;
  return found.flatMap(({ code, is }) => (is && code !== undefined ? [{ code }] : []));
}

const readBy =
  (events: (body: JsonObject) => readonly InvoiceEvent[] | undefined): EventQuery['read'] =>
  (answer) =>
    readReply(answer, events, REFUSED);

/** Queries E3 to E6; the first is the reliable one, the last two are for invoices the company issued. */
export const EVENT_QUERIES = {
  dian: {
    operation: 'getInvoiceEvents',
    request: ({ id }) => ({ path: { CUFE: id } }),
    read: readDian,
  },
  page: {
    operation: 'queryEventsByCufe',
    request: ({ id }, environment) => ({
      path: { cufe: id, ambiente: environment === 'production' ? 1 : 2 },
    }),
    read: readBy(pageEvents),
  },
  own: {
    operation: 'queryEventsByUuid',
    request: ({ id }) => ({ path: { uuid: id } }),
    read: readBy(ownEvents),
  },
  'own-number': {
    operation: 'queryEventsByNumber',
    request: ({ number = '' }) => {
      const [, prefix, digits] = /^([A-Za-z0-9]*?[A-Za-z])(\d+)$/.exec(number.replace(/[\s-]/g, '')) ?? [];
      return prefix === undefined || digits === undefined
        ? undefined
        : { path: { prefix, number: Number(digits) } };
    },
    read: readBy(ownEvents),
  },
} satisfies Readonly<Record<string, EventQuery>>;
