import type { Answer } from '../../client/answer.js';
import type { CallRequest } from '../../client/client.js';
import { EVENT_CODES, type EventCode } from '../../events/kinds.js';
import type { Registered } from '../../events/sequence.js';
import type { OperationId } from '../../generated/operations.js';
import type { JsonObject } from '../../values/json.js';
import { isPlainDate } from '../../values/plain-date.js';
import { asService, type Reply, readReply } from '../reply.js';
import { isObject, textOf } from '../soap-json.js';
import { readEventList } from './event-answer.js';

/** An event of an invoice as an answer tells it. */
export interface InvoiceEvent extends Registered {
  readonly cude?: string;
}

/** An invoice that is asked about. */
export interface AskedInvoice {
  readonly cufe: string;
  /** Prefix and number, where they are known. */
  readonly number?: string;
}

/** One of the four ways to ask for the events of an invoice (service.md 7.4). */
export interface EventQuery {
  readonly operation: OperationId;
  /** Undefined where too little is known of the invoice to ask. */
  request(invoice: AskedInvoice, environment: 'production' | 'test'): CallRequest | undefined;
  read(answer: Answer): Reply<readonly InvoiceEvent[]>;
}

const CODES: ReadonlySet<string> = new Set(Object.values(EVENT_CODES));
const REFUSED = 'events/not-told';

function readDian(answer: Answer): Reply<readonly InvoiceEvent[]> {
  const reading = readEventList(answer);
  if (reading.is === 'list') {
    const known = reading.events.filter(({ code }) => CODES.has(code));
    return { kind: 'done', value: known.map((event) => ({ ...event, code: event.code as EventCode })) };
  }
  const { verdict } = reading;
  if (verdict.kind === 'unknown' || verdict.kind === 'refused-for-all')
    return { ...verdict, issue: asService(verdict.issue) };
  return readReply<readonly InvoiceEvent[]>(answer, () => undefined, REFUSED);
}

/** `{Evento_030: [{Fecha}], …}`; `success` is a text. */
function pageEvents(body: JsonObject): readonly InvoiceEvent[] | undefined {
  if (textOf(body['success']) === 'false') return [];
  const lists = Object.entries(body).flatMap(([key, list]) => {
    const code = key.replace(/^Evento_/, '');
    return CODES.has(code) && Array.isArray(list) ? [{ code: code as EventCode, list }] : [];
  });
  if (lists.length === 0) return undefined;
  return lists.flatMap(({ code, list }) =>
    list.filter(isObject).map((event) => {
      const date = textOf(event['Fecha'])?.slice(0, 10);
      return { code, ...(date !== undefined && isPlainDate(date) && { date }) };
    }),
  );
}

/** The Spanish sentences of the company's own invoices, by how they begin; the last says that nobody did anything. */
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

/** E3, E4, E5 and E6; the first is the one to trust, the last two are about invoices that the company itself issued. */
export const EVENT_QUERIES = {
  dian: {
    operation: 'getInvoiceEvents',
    request: ({ cufe }) => ({ path: { CUFE: cufe } }),
    read: readDian,
  },
  page: {
    operation: 'queryEventsByCufe',
    request: ({ cufe }, environment) => ({ path: { cufe, ambiente: environment === 'production' ? 1 : 2 } }),
    read: readBy(pageEvents),
  },
  own: {
    operation: 'queryEventsByUuid',
    request: ({ cufe }) => ({ path: { uuid: cufe } }),
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

export type QueryName = keyof typeof EVENT_QUERIES;
