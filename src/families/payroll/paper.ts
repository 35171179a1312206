import type { MailItem } from '../../send/mailbook.js';
import { asService, type Reply, readReply, readVerdict } from '../../send/verdict.js';
import { isObject } from '../../toolkit/core/json.js';
import { validate } from '../../toolkit/schema/validate.js';
import type { MailerOptions, PaperDocuments } from '../family.js';
import { workerOf } from './subject.js';

/** State of an item after the first refusal: to be marked, or to be mailed again. */
type Turn = { readonly step: 'mark'; readonly no: Reply<true> } | { readonly step: 'mail again' };

/**
 * Mails a document, with one request per call. The service finds only documents that it marked as accepted itself,
 * which it does not do for a verdict learnt by asking. A status query with the key `sendmail`, even false, marks them
 * (service.md 4.10).
 */
function mailer({ client, book, clock, abort }: MailerOptions): (item: MailItem) => Promise<Reply<true>> {
  const turns = new Map<MailItem, Turn>();
  const hangUp = abort === undefined ? {} : { signal: abort };

  async function mail({ id, number, address }: MailItem): Promise<Reply<true>> {
    const line = await book.begin(id, address, clock());
    const answer = await client.call('emailPayroll', { body: { ...number, email: address } }, hangUp);
    const wasMailed = ({ success }: { success?: unknown }): true | undefined => success === true || undefined;
    const reply = readReply(answer, wasMailed, 'email/refused');
    if (reply.kind === 'done') await book.end(line, 'mailed');
    else if (reply.kind === 'refused') await book.end(line, 'refused');
    else if (reply.kind !== 'unknown') await book.end(line, 'unsent');
    return reply;
  }

  async function mark(item: MailItem, no: Reply<true>): Promise<Reply<true>> {
    const path = { CUNE: item.documentCode ?? '' };
    const bodyText = '{"is_payroll":true,"sendmail":false}';
    const verdict = readVerdict(await client.call('getDocumentStatus', { path, bodyText }, hangUp), 'query');
    if (verdict.kind === 'throttled') return verdict;
    if (verdict.kind === 'refused-for-all') return { ...verdict, issue: asService(verdict.issue) };
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

/** The service draws payrolls and mails them to the workers. */
export const PAPER: PaperDocuments = {
  preview: {
    schema: 'payroll/payroll',
    operation: 'previewPayroll',
    subject: (body) => (isObject(body['worker']) ? workerOf(body) : undefined),
    read: ({ base64payrollpdf: pdf }) => (typeof pdf === 'string' ? pdf : undefined),
  },
  mail: {
    address: '/worker/email',
    takes: (address) =>
      validate('payroll/email', 'strict', { prefix: 'A', consecutive: 1, email: address }).length === 0,
    isMailed: (body) => Number(body['type_note']) !== 2, // deletions are not mailed
    mailer,
  },
};
