import type { EventCode } from '../../families/events/sequence.js';
import { lettersOf, type Party, type ReceivedInvoice } from '../../families/events/xml/received-invoice.js';
import { subtract } from '../../toolkit/core/decimal.js';
import { isDocumentCode } from '../../toolkit/core/json.js';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import type { Environment, InvoiceOptions } from '../options.js';
import type { Collection, Company, Store } from '../store.js';

/** Copy of an invoice that events belong to; buyers do not see each other's. */
export interface InvoiceKey {
  readonly environment: Environment;
  /** NIT. */
  readonly buyer: string;
  readonly cufe: string;
}

/** Event that DIAN approved. */
export interface RegisteredEvent extends InvoiceKey {
  readonly code: EventCode;
  /** Seller's NIT, invoice and code joined; a digit more after a resend (service.md 7.3). */
  readonly number: string;
  readonly cude: string;
  readonly sender: Party;
  readonly receiver: Party;
  readonly date: PlainDate;
  /** Time with zone: `10:00:00-05:00`. */
  readonly time: string;
}

export type Registry = ReturnType<typeof openRegistry>;

const textOf = ({ environment, buyer, cufe }: InvoiceKey): string => [environment, buyer, cufe].join('|');

export function openRegistry(store: Store) {
  const events: Collection<RegisteredEvent> = store.collection('events');
  const cudes = new Map<string, Set<string>>();
  const index = (event: RegisteredEvent): void => {
    const key = textOf(event);
    cudes.set(key, (cudes.get(key) ?? new Set()).add(event.cude));
  };

  for (const event of events.values()) index(event);
  return {
    register: (event: RegisteredEvent) => {
      events.put(event.cude, event);
      index(event);
    },
    /** Returns the events of an invoice in the order of registration. */
    of: (key: InvoiceKey) => [...(cudes.get(textOf(key)) ?? [])].flatMap((cude) => events.get(cude) ?? []),
    list: () => [...events.values()],
    /** Removes an event as if it had never arrived. */
    forget: (cude: string) => {
      const event = events.get(cude);
      if (event === undefined) return false;
      cudes.get(textOf(event))?.delete(cude);
      return events.delete(cude);
    },
  };
}

/** Invoices at DIAN: added ones, and an invented one for any other CUFE. */
export type Invoices = ReturnType<typeof openInvoices>;

export const partyOf = ({ nit, name }: Company): Party => ({ id: nit, name });

/** Invents a credit sale to the buyer by a fictitious seller; undefined for a malformed CUFE. */
export function inventedInvoice(cufe: string, buyer: Party): ReceivedInvoice | undefined {
  if (!isDocumentCode(cufe)) return undefined;
  const seed = Number.parseInt(cufe.slice(0, 8), 16);
  const thousands = 100 + (seed % 9900);
  return {
    cufe,
    number: `FE${1 + (seed % 99_999)}`,
    prefix: 'FE',
    type: '01',
    issueDate: `2026-01-${String(1 + (seed % 28)).padStart(2, '0')}`,
    issueTime: '10:00:00-05:00',
    seller: { id: String(999_000_000 + (seed % 1_000_000)), name: 'Vendedor de Pruebas S.A.S.' },
    buyer,
    payment: 'credit',
    subtotal: `${thousands}000.00`,
    discount: '0.00',
    // VAT of 19 %.
    tax: `${thousands * 190}.00`,
    total: `${thousands * 1190}.00`,
  };
}

/** Creates an invoice from options. Throws a TypeError if the CUFE is malformed. */
function invoiceOf(options: InvoiceOptions, buyer: Party): ReceivedInvoice {
  const { cufe, number, payment, issueDate } = options;
  const base = inventedInvoice(cufe, {
    id: options.buyer ?? buyer.id,
    name: options.buyerName ?? buyer.name,
  });
  if (base === undefined) throw new TypeError(`Not a CUFE: ${cufe}`);
  const total = options.total ?? base.total;
  const tax = options.tax ?? (options.total === undefined ? base.tax : '0.00');
  return {
    ...base,
    ...(number !== undefined && { number, prefix: lettersOf(number) }),
    ...(payment !== undefined && { payment }),
    ...(issueDate !== undefined && { issueDate }),
    seller: { id: options.seller ?? base.seller.id, name: options.sellerName ?? base.seller.name },
    subtotal: subtract(total, tax),
    tax,
    total,
  };
}

export function openInvoices(store: Store) {
  const invoices: Collection<ReceivedInvoice> = store.collection('invoices');
  return {
    /** Adds or replaces an invoice; `buyer` is the default buyer. */
    fix: (options: InvoiceOptions, buyer: Party) => {
      const invoice = invoiceOf(options, buyer);
      invoices.put(invoice.cufe, invoice);
      return invoice;
    },
    fixed: (cufe: string) => invoices.get(cufe),
    forget: (cufe: string) => invoices.delete(cufe),
    list: () => [...invoices.values()],
  };
}

/** Flags of the service's own records, by its names; express and tacit acceptance share one. */
export const MARK_NAMES = ['acu_recibo', 'rec_bienes', 'aceptacion', 'rechazo'] as const;
type MarkName = (typeof MARK_NAMES)[number];

const NAME_OF: Readonly<Partial<Record<EventCode, MarkName>>> = {
  '030': 'acu_recibo',
  '031': 'rechazo',
  '032': 'rec_bienes',
  '033': 'aceptacion',
  '034': 'aceptacion',
};

/** Record of an event that the service believes done. */
export interface Mark {
  readonly cude: string;
  readonly date: PlainDate;
}

/** The service's own records of received invoices, independent of DIAN's (`Registry`). */
export type Marks = ReturnType<typeof openMarks>;

const keyOf = (company: string, cufe: string, name: MarkName): string => [company, cufe, name].join('|');

export function openMarks(store: Store) {
  const marks: Collection<Mark> = store.collection('eventMarks');
  return {
    /** Returns the record of an event; DIAN's own events have none. */
    of: (company: string, cufe: string, code: EventCode) => {
      const name = NAME_OF[code];
      return name === undefined ? undefined : marks.get(keyOf(company, cufe, name));
    },
    set: (company: string, cufe: string, code: EventCode, mark: Mark) => {
      const name = NAME_OF[code];
      if (name !== undefined) marks.put(keyOf(company, cufe, name), mark);
    },
    clear: (company: string, cufe: string, code: EventCode) => {
      const name = NAME_OF[code];
      if (name !== undefined) marks.delete(keyOf(company, cufe, name));
    },
    has: (company: string, cufe: string, name: MarkName) =>
      marks.get(keyOf(company, cufe, name)) !== undefined,
  };
}
