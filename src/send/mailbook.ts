import { type Database, onlyRow } from './database.js';

/**
 * Table with a line for each requested mail, written before its request leaves: a line that stays `sending` may have
 * left. It is created when it is first needed; journals without it stay as they are.
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

/** Mails of one journal. Needs the sender lock, so that no other process mails meanwhile. */
export type Mailbook = Awaited<ReturnType<typeof openMailbook>>;

const fold = (address: string): string => address.trim().toLowerCase();

const MAILED = `
  SELECT count(*) FILTER (WHERE state = 'mailed') AS mailed, count(*) FILTER (WHERE state = 'sending') AS sending
  FROM mail WHERE document = ? AND address = ?`;
const BEGUN = `INSERT INTO mail (document, address, at, state) VALUES (?, ?, ?, 'sending') RETURNING id`;

export async function openMailbook(journal: Database) {
  if (!(await journal.hasTable('mail'))) await journal.script(MAILBOOK_SCHEMA);
  return {
    look: async (document: number, address: string) => {
      type MailCounts = { mailed: number; sending: number };
      const { mailed, sending } = await onlyRow<MailCounts>(journal, MAILED, document, fold(address));
      if (mailed > 0) return 'mailed';
      return sending > 0 ? 'unconfirmed' : 'never';
    },
    /** Stores a line, durable before the request leaves, and returns its id. */
    begin: (document: number, address: string, now: number) =>
      journal.transaction(
        async (sql) => (await onlyRow<{ id: number }>(sql, BEGUN, document, fold(address), now)).id,
      ),
    end: async (line: number, state: 'mailed' | 'refused' | 'unsent') =>
      void (await journal.run('UPDATE mail SET state = ? WHERE id = ?', state, line)),
  };
}

/** Accepted document to mail to one address. */
export interface MailItem {
  readonly id: number;
  readonly number: { readonly prefix: string; readonly consecutive: number };
  readonly documentCode?: string;
  readonly address: string;
}
