import type { EventCode } from '../../events/kinds.js';
import type { Party } from '../../source/xml/received-invoice.js';
import type { PlainDate } from '../../values/plain-date.js';
import type { Environment } from '../options.js';
import type { Collection, Store } from '../store.js';

/** Whose copy of an invoice an event belongs to: buyers do not see each other's. */
export interface InvoiceKey {
  readonly environment: Environment;
  /** NIT. */
  readonly buyer: string;
  readonly cufe: string;
}

/** An event that DIAN approved. */
export interface RegisteredEvent extends InvoiceKey {
  readonly code: EventCode;
  /** Seller's NIT, invoice and code joined; a digit more after a resend (service.md 7.3). */
  readonly number: string;
  readonly cude: string;
  readonly sender: Party;
  readonly receiver: Party;
  readonly date: PlainDate;
  /** With its zone: `10:00:00-05:00`. */
  readonly time: string;
}

/** What DIAN holds of events. */
export interface Registry {
  register(event: RegisteredEvent): void;
  /** In the order they were registered. */
  of(key: InvoiceKey): readonly RegisteredEvent[];
  list(): readonly RegisteredEvent[];
  /** As if it had never arrived. */
  forget(cude: string): boolean;
}

const textOf = ({ environment, buyer, cufe }: InvoiceKey): string => [environment, buyer, cufe].join('|');

export function openRegistry(store: Store): Registry {
  const events: Collection<RegisteredEvent> = store.collection('events');
  const cudes = new Map<string, Set<string>>();
  const index = (event: RegisteredEvent): void => {
    const key = textOf(event);
    cudes.set(key, (cudes.get(key) ?? new Set()).add(event.cude));
  };

  for (const event of events.values()) index(event);
  return {
    register: (event) => {
      events.put(event.cude, event);
      index(event);
    },
    of: (key) => [...(cudes.get(textOf(key)) ?? [])].map((cude) => events.get(cude)!),
    list: () => [...events.values()],
    forget: (cude) => {
      const event = events.get(cude);
      if (event === undefined) return false;
      cudes.get(textOf(event))?.delete(cude);
      return events.delete(cude);
    },
  };
}
