import { randomUUID } from 'node:crypto';
import type { Collection, Store } from './store.js';

/** A mail that the service would have sent. */
export interface Mail {
  readonly id: string;
  /** NIT of the sender. */
  readonly company: string;
  readonly to: string;
  readonly number: string;
  readonly documentCode: string;
  /** ISO instant. */
  readonly at: string;
}

export interface Outbox {
  put(mail: Omit<Mail, 'id'>): void;
  list(): readonly Mail[];
  remove(id: string): boolean;
}

export function openOutbox(store: Store): Outbox {
  const mails: Collection<Mail> = store.collection('outbox');
  return {
    put: (mail) => {
      const id = randomUUID();
      mails.put(id, { id, ...mail });
    },
    list: () => [...mails.values()],
    remove: (id) => mails.delete(id),
  };
}
