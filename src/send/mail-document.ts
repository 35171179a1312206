import type { Client } from '../client/client.js';
import type { Mailbook } from './mailbook.js';
import { type Reply, readReply } from './reply.js';
import { readVerdict } from './verdict.js';

/** One accepted document on its way to one address. */
export interface MailItem {
  /** In the journal. */
  readonly id: number;
  readonly number: { readonly prefix: string; readonly consecutive: number };
  readonly documentCode?: string;
  readonly address: string;
}

export interface MailerOptions {
  readonly client: Client;
  readonly book: Mailbook;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Hangs up at once; what was under way may have left. */
  readonly abort?: AbortSignal;
}

/** Where an item is after a first no: to be marked, or to be mailed once more. */
type Turn = { readonly step: 'mark'; readonly no: Reply<true> } | { readonly step: 'mail again' };

/**
 * Mails a document, one request a call. The service finds only documents that it has marked as accepted itself, and
 * what was learnt by asking it is not marked; a status query with the key `sendmail`, even false, marks it (service.md 4.10).
 */
export function createMailer({ client, book, clock, abort }: MailerOptions) {
  const turns = new Map<MailItem, Turn>();
  const hangUp = abort === undefined ? {} : { signal: abort };

  async function mail({ id, number, address }: MailItem): Promise<Reply<true>> {
    const line = book.begin(id, address, clock());
    const answer = await client.call('emailPayroll', { body: { ...number, email: address } }, hangUp);
    const wasMailed = ({ success }: { success?: unknown }): true | undefined => success === true || undefined;
    const reply = readReply(answer, wasMailed, 'email/refused');
    if (reply.kind === 'done') book.end(line, 'mailed');
    else if (reply.kind === 'refused') book.end(line, 'refused');
    else if (reply.kind !== 'unknown') book.end(line, 'unsent');
    return reply;
  }

  async function mark(item: MailItem, no: Reply<true>): Promise<Reply<true>> {
    const path = { CUNE: item.documentCode! };
    const bodyText = '{"is_payroll":true,"sendmail":false}';
    const verdict = readVerdict(await client.call('getDocumentStatus', { path, bodyText }, hangUp), 'query');
    if (verdict.kind === 'throttled') return verdict;
    if (verdict.kind !== 'accepted') return no;
    turns.set(item, { step: 'mail again' });
    return { kind: 'next' };
  }

  return async (item: MailItem): Promise<Reply<true>> => {
    const turn = turns.get(item);
    if (turn?.step === 'mark') return mark(item, turn.no);
    const reply = await mail(item);
    if (reply.kind !== 'refused' || turn !== undefined || item.documentCode === undefined) return reply;
    turns.set(item, { step: 'mark', no: reply });
    return { kind: 'next' };
  };
}
