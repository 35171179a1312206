import type { DocumentState } from '../document/outcome.js';
import type { Journal } from './journal.js';

/** The document that a subject already has: accepted, or still on its way. */
export interface Holder {
  readonly id: number;
  readonly run: string;
  readonly key: string;
  readonly state: DocumentState;
  readonly hash: string;
  /** Prefix and consecutive joined. */
  readonly number: string;
  readonly documentCode: string | null;
}

/** Looks a subject up; an accepted document goes before one under way, a rejected one holds nothing. */
export function subjectHolders(journal: Journal): (subject: string) => Holder | undefined {
  const holder = journal.prepare(`
    SELECT id, run, key, state, hash, prefix || consecutive AS number, document_code AS documentCode
    FROM document WHERE subject = ? AND state <> 'rejected' AND earlier IS NULL
    ORDER BY state = 'accepted' DESC LIMIT 1`);
  return (subject) => holder.first<Holder>(subject);
}
