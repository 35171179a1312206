import type { EventCode } from '../../events/kinds.js';
import type { OperationId } from '../../generated/operations.js';
import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import type { Handler } from '../answer.js';
import type { Company } from '../companies.js';
import type { Context } from '../context.js';
import type { InvoiceOptions } from '../options.js';
import { composeEvent } from './compose.js';
import type { EventContext } from './context.js';
import { type Invoices, inventedInvoice, openInvoices, partyOf } from './invoices.js';
import { eventsByNumber, eventsByUuid } from './issued.js';
import { openMarks } from './marks.js';
import { sellerReception } from './reception.js';
import { openRegistry, type RegisteredEvent, type Registry } from './registry.js';
import { eventSend } from './send.js';
import { invoiceEvents, publicPage } from './status.js';

/** An event that other people, or another program, registered. */
export interface EventElsewhere {
  readonly cufe: string;
  readonly code: EventCode;
  /** NIT of the buyer of an invented invoice. @default the first company */
  readonly company?: string;
}

/** Other programs number their events as they like. */
const NUMBER_ELSEWHERE = '1';

const handlersOf = (context: EventContext) =>
  ({
    sendEvent: eventSend(context),
    sendEventData: eventSend(context),
    getInvoiceEvents: invoiceEvents(context),
    queryEventsByCufe: publicPage(context),
    queryEventsByUuid: eventsByUuid(context),
    queryEventsByNumber: eventsByNumber(context),
    receiveSellerDocument: sellerReception(context),
  }) satisfies Partial<Record<OperationId, Handler>>;

export interface Events {
  readonly handlers: ReturnType<typeof handlersOf>;
  /** What DIAN holds. */
  readonly invoices: Invoices;
  readonly registry: Registry;
  /** Makes an invoice known to DIAN. Throws a TypeError when the CUFE is none. */
  fixInvoice(invoice: InvoiceOptions): ReceivedInvoice;
  /** An event that reaches DIAN by another way than this service. Throws a TypeError when the CUFE is none. */
  registerElsewhere(event: EventElsewhere): RegisteredEvent;
}

/** The seven operations of acquirer events, E1–E7 (service.md 3.3), and what stands behind them. */
export function openEvents(context: Context): Events {
  const { store, settings, companies, clock } = context;
  const [invoices, registry] = [openInvoices(store), openRegistry(store)];
  const companyOf = (nit?: string): Company =>
    companies.all().find((company) => company.nit === nit) ?? companies.all()[0]!;
  const fixInvoice = (options: InvoiceOptions): ReceivedInvoice =>
    invoices.fix(options, partyOf(companyOf(options.buyer)));

  for (const invoice of settings.invoices) fixInvoice(invoice);
  return {
    handlers: handlersOf({ ...context, invoices, registry, marks: openMarks(store) }),
    invoices,
    registry,
    fixInvoice,
    registerElsewhere: ({ cufe, code, company: nit }) => {
      const company = companyOf(nit);
      const invoice = invoices.fixed(cufe) ?? inventedInvoice(cufe, partyOf(company));
      if (invoice === undefined) throw new TypeError(`Not a CUFE: ${cufe}`);
      const event = composeEvent(company, invoice, code, NUMBER_ELSEWHERE, clock.now());
      registry.register(event);
      return event;
    },
  };
}
