import type { ReceivedInvoice } from '../source/xml/received-invoice.js';
import type { Context } from './context.js';
import type { EventElsewhere, Events } from './events/events.js';
import type { RegisteredEvent } from './events/registry.js';
import type { Fault } from './faults.js';
import type { InvoiceOptions } from './options.js';
import type { Mail } from './outbox.js';
import type { ArchivedDocument } from './payroll/archive.js';
import type { Payroll } from './payroll/payroll.js';
import type { LoggedRequest, RequestLog } from './request-log.js';
import type { Professional } from './rips/professionals.js';
import type { Package } from './rips/records.js';
import type { Rips } from './rips/rips.js';
import { type Entry, type Match, matches } from './script.js';
import type { ChosenVerdict } from './verdict.js';

/** What can be arranged and looked up behind the service's back; the admin routes are the same over HTTP. */
export interface Controls {
  addFault(fault: Fault): Entry<Fault>;
  /** Without `times` it holds until it is removed. */
  addOutcome(outcome: ChosenVerdict): Entry<ChosenVerdict>;
  /** Removes one entity: a fault, an outcome, a mail, or what DIAN shall never have seen (by CUNE, CUFE or CUDE). */
  remove(collection: RemovableCollection, id: string): boolean;
  /** Requests that arrived; the count holds also where no log is kept. */
  requests(match?: Match): { readonly count: number; readonly requests: readonly LoggedRequest[] };
  clearRequests(): void;
  /** What DIAN has accepted. */
  documents(company?: string): readonly ArchivedDocument[];
  /** Makes an invoice known to DIAN. Throws a TypeError when the CUFE is none. */
  addInvoice(invoice: InvoiceOptions): ReceivedInvoice;
  invoices(): readonly ReceivedInvoice[];
  /** Registers an event at DIAN that came another way. Throws a TypeError when the CUFE is none. */
  addEvent(event: EventElsewhere): RegisteredEvent;
  /** Events that DIAN has approved. */
  events(cufe?: string): readonly RegisteredEvent[];
  /** RIPS packages that the health system accepted, one for each time that a document was generated. */
  packages(company?: string): readonly Package[];
  /** Replaces the one of the same company and id. */
  addProfessional(professional: Professional): Professional;
  professionals(): readonly Professional[];
  faults(): readonly Entry<Fault>[];
  outcomes(): readonly Entry<ChosenVerdict>[];
  outbox(): readonly Mail[];
  setClock(instant: Date): void;
  advanceClock(seconds: number): void;
}

export const REMOVABLE = ['faults', 'outcomes', 'documents', 'invoices', 'events', 'outbox'] as const;
export type RemovableCollection = (typeof REMOVABLE)[number];

/** The three families of operations. */
export interface Families {
  readonly payroll: Payroll;
  readonly rips: Rips;
  readonly events: Events;
}

export function controlsOf(context: Context, { payroll, rips, events }: Families, log: RequestLog): Controls {
  const { faults, verdicts, outbox, clock, store } = context;
  const removers: Readonly<Record<RemovableCollection, (id: string) => boolean>> = {
    faults: faults.remove,
    outcomes: verdicts.remove,
    documents: payroll.archive.forget,
    invoices: events.invoices.forget,
    events: events.registry.forget,
    outbox: outbox.remove,
  };
  const kept = <T>(changed: T): T => {
    store.flush();
    return changed;
  };
  return {
    addFault: faults.add,
    addOutcome: verdicts.add,
    remove: (collection, id) => kept(removers[collection](id)),
    requests: (match = {}) => {
      const found =
        Object.keys(match).length === 0 ? log.list() : log.list().filter((entry) => matches(match, entry));
      return { count: Object.keys(match).length === 0 ? log.count : found.length, requests: found };
    },
    clearRequests: log.clear,
    documents: (company) =>
      payroll.archive.list().filter((document) => company === undefined || document.company === company),
    addInvoice: (invoice) => kept(events.fixInvoice(invoice)),
    invoices: events.invoices.list,
    addEvent: (event) => kept(events.registerElsewhere(event)),
    events: (cufe) => events.registry.list().filter((event) => cufe === undefined || event.cufe === cufe),
    packages: (company) =>
      rips.records.packages.all().filter((one) => company === undefined || one.company === company),
    addProfessional: (professional) => kept(rips.professionals.save(professional)),
    professionals: rips.professionals.list,
    faults: faults.list,
    outcomes: verdicts.list,
    outbox: outbox.list,
    setClock: clock.set,
    advanceClock: clock.advance,
  };
}
