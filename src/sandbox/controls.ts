import type { Context } from './context.js';
import type { Fault } from './faults.js';
import type { Mail } from './outbox.js';
import type { ArchivedDocument } from './payroll/archive.js';
import type { Payroll } from './payroll/payroll.js';
import type { LoggedRequest, RequestLog } from './request-log.js';
import { type Entry, type Match, matches } from './script.js';
import type { ChosenVerdict } from './verdict.js';

/** What can be arranged and looked up behind the service's back; the admin routes are the same over HTTP. */
export interface Controls {
  addFault(fault: Fault): Entry<Fault>;
  /** Without `times` it holds until it is removed. */
  addOutcome(outcome: ChosenVerdict): Entry<ChosenVerdict>;
  /** Removes one entity: a fault, an outcome, a mail, or a document that DIAN shall never have seen (by CUNE). */
  remove(collection: RemovableCollection, id: string): boolean;
  /** Requests that arrived; the count holds also where no log is kept. */
  requests(match?: Match): { readonly count: number; readonly requests: readonly LoggedRequest[] };
  clearRequests(): void;
  /** What DIAN has accepted. */
  documents(company?: string): readonly ArchivedDocument[];
  faults(): readonly Entry<Fault>[];
  outcomes(): readonly Entry<ChosenVerdict>[];
  outbox(): readonly Mail[];
  setClock(instant: Date): void;
  advanceClock(seconds: number): void;
}

export const REMOVABLE = ['faults', 'outcomes', 'documents', 'outbox'] as const;
export type RemovableCollection = (typeof REMOVABLE)[number];

export function controlsOf(context: Context, payroll: Payroll, log: RequestLog): Controls {
  const { faults, verdicts, outbox, clock, store } = context;
  const removers: Readonly<Record<RemovableCollection, (id: string) => boolean>> = {
    faults: faults.remove,
    outcomes: verdicts.remove,
    documents: payroll.archive.forget,
    outbox: outbox.remove,
  };
  return {
    addFault: faults.add,
    addOutcome: verdicts.add,
    remove: (collection, id) => {
      const removed = removers[collection](id);
      store.flush();
      return removed;
    },
    requests: (match = {}) => {
      const found =
        Object.keys(match).length === 0 ? log.list() : log.list().filter((entry) => matches(match, entry));
      return { count: Object.keys(match).length === 0 ? log.count : found.length, requests: found };
    },
    clearRequests: log.clear,
    documents: (company) =>
      payroll.archive.list().filter((document) => company === undefined || document.company === company),
    faults: faults.list,
    outcomes: verdicts.list,
    outbox: outbox.list,
    setClock: clock.set,
    advanceClock: clock.advance,
  };
}
