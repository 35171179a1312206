import type { Journal } from './journal.js';

/**
 * A line for each mail that was asked for, written before its request leaves: `sending` that stays means that it may
 * have left. A table of its own beside the journal's, made when it is first needed; journals without it stay as they are.
 */
const MAILBOOK_SCHEMA = `
  CREATE TABLE IF NOT EXISTS mail (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES document (id),
    address TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sending', 'mailed', 'refused', 'unsent'))
  ) STRICT;
  CREATE INDEX IF NOT EXISTS mail_document ON mail (document, address);
`;

/** What is known of a document and an address. */
export type Mailed = 'never' | 'mailed' | 'unconfirmed';

/** Of the mails of one journal. Needs the sender lock, so that nobody else mails meanwhile. */
export interface Mailbook {
  look(document: number, address: string): Mailed;
  /** Durable before the request leaves. Returns the line. */
  begin(document: number, address: string, now: number): number;
  end(line: number, state: 'mailed' | 'refused' | 'unsent'): void;
}

/** Addresses are the same whatever their case. */
const fold = (address: string): string => address.trim().toLowerCase();

export function openMailbook(journal: Journal): Mailbook {
  journal.exec(MAILBOOK_SCHEMA);
  const states = journal.prepare(
    `SELECT max(state = 'mailed') AS mailed, max(state = 'sending') AS sending FROM mail WHERE document = ? AND address = ?`,
  );
  const insert = journal.prepare(
    `INSERT INTO mail (document, address, at, state) VALUES (?, ?, ?, 'sending')`,
  );
  const last = journal.prepare('SELECT last_insert_rowid() AS id');
  const update = journal.prepare('UPDATE mail SET state = ? WHERE id = ?');
  return {
    look: (document, address) => {
      const row = states.first<{ mailed: number | null; sending: number | null }>(document, fold(address));
      if (row?.mailed === 1) return 'mailed';
      return row?.sending === 1 ? 'unconfirmed' : 'never';
    },
    begin: (document, address, now) => {
      let line = 0;
      journal.transaction(() => {
        insert.run(document, fold(address), now);
        line = last.first<{ id: number }>()!.id;
      });
      return line;
    },
    end: (line, state) =>
      journal.transaction(() => {
        update.run(state, line);
      }),
  };
}
