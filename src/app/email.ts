import type { Mail } from '../families/family.js';
import { capability } from '../families/registry.js';
import type { Journal } from '../send/journal.js';
import { type Mailbook, type MailItem, openMailbook } from '../send/mailbook.js';
import { bodyOf, correctedIn, type PlannedDocumentOfRun, plannedOf } from '../send/planned-document.js';
import { type Run, refusePurged } from '../send/runs.js';
import { type Reply, reasonOf } from '../send/verdict.js';
import { type Issue, type Place, stop } from '../toolkit/core/issue.js';
import { type JsonObject, valueAt } from '../toolkit/core/json.js';
import type { Message, PlainPhrase } from '../toolkit/messages/texts.js';
import type { Context, Outcome, UseCase } from './context.js';
import {
  type Destination,
  emitMessage,
  emitText,
  type IssueEmitter,
  issueEmitter,
  type MailCounts,
  type Masked,
} from './events.js';
import { familiesOf } from './job.js';
import { chosenRun, makeRequests, outcomeOfRequests, selectDocuments, withSender } from './journal-access.js';
import type { DecisionOptions, ServiceOptions } from './options.js';
import { confirmed } from './secrets.js';
import { clientFor, destination, serviceAddress } from './service.js';

export interface EmailOptions extends ServiceOptions, DecisionOptions {
  readonly only?: readonly string[];
  readonly to?: string;
  readonly again?: boolean;
}

/** Mail to request, with what its issues need. */
interface PlannedMail extends MailItem {
  readonly key: string;
  readonly text: string;
  readonly place: Place;
}

type MailPlan = Awaited<ReturnType<typeof planMails>>;

const addressOf = (body: JsonObject, mail: Mail): string | undefined => {
  const address = valueAt(body, mail.address);
  return typeof address === 'string' && address.trim() !== '' ? address.trim() : undefined;
};

/**
 * Plans which documents of a run are mailed and where, and counts the others. Sends nothing.
 * @throws PipelineError('usage', email/bad-address)
 */
async function planMails(mail: Mail, journal: Journal, book: Mailbook, run: string, options: EmailOptions) {
  const { to } = options;
  if (to !== undefined && !mail.takes(to)) stop('usage', { code: 'email/bad-address', value: to });
  const chosen = selectDocuments(options.only);
  const counts: MailCounts = {
    documents: 0,
    mailed: 0,
    already: 0,
    unconfirmed: 0,
    refused: 0,
    noAddress: 0,
    deletions: 0,
    corrected: 0,
    notAccepted: 0,
    left: 0,
  };
  const corrected = await correctedIn(journal, run);
  const mails: PlannedMail[] = [];
  const issues: Issue[] = [];

  const classify = async (document: PlannedDocumentOfRun): Promise<void> => {
    const { id, key, series, consecutive, place } = document;
    const { state, documentCode } = document.position;
    if (state !== 'accepted' || series === undefined || consecutive === undefined) {
      counts.notAccepted += 1;
      return;
    }
    const body = bodyOf(document);
    if (!mail.isMailed(body)) {
      counts.deletions += 1;
      return;
    }
    if (corrected.has(id)) {
      counts.corrected += 1;
      return;
    }
    const address = to ?? addressOf(body, mail);
    if (address === undefined) {
      counts.noAddress += 1;
      const at = { ...place, pointer: mail.address };
      issues.push({ code: 'email/no-address', level: 'warning', params: {}, place: at, documentKey: key });
      return;
    }
    const before = options.again ? 'never' : await book.look(id, address);
    if (before === 'mailed') counts.already += 1;
    else if (before === 'unconfirmed') counts.unconfirmed += 1;
    else {
      counts.left += 1;
      const code = documentCode === undefined ? {} : { documentCode };
      const number = { prefix: series.prefix, consecutive };
      mails.push({ id, number, address, ...code, key, text: document.number, place });
    }
  };

  for await (const document of plannedOf(journal, run)) {
    if (!chosen.has(document.number)) continue;
    counts.documents += 1;
    await classify(document);
  }
  chosen.refuseUnknown();
  return { counts, mails /** Accepted documents without an address. */, issues };
}

/** Input of one `email` call. */
interface Mailing {
  readonly context: Context;
  readonly options: EmailOptions;
  readonly run: Run;
  readonly mail: Mail;
  readonly book: Mailbook;
  readonly plan: MailPlan;
  readonly to: Destination;
  readonly teller: IssueEmitter;
}

/** Emits what is about to be mailed, before the user confirms. */
function emitPlan({ context, options, plan, to, teller }: Mailing): void {
  for (const issue of plan.issues) teller.emit(issue);
  // The address is not masked: the user typed it and confirms it.
  context.tell({ event: 'mail-plan', ...to, to: options.to, count: plan.mails.length, counts: plan.counts });
}

/** Returns the confirmation prompt: count, company and environment. */
function question({ plan, to: { company, environment, testSet } }: Mailing): Message {
  const target: Message =
    testSet === undefined
      ? { key: 'targetDirect', params: { environment: { key: environment } } }
      : { key: 'targetTestSet', params: { environment: { key: environment }, testSet } };
  return { key: 'askMail', params: { count: plan.mails.length, company, target } };
}

/** Returns the reason for not mailing, or undefined to go on. */
async function reasonNotTo(mailing: Mailing): Promise<PlainPhrase | undefined> {
  const { context, options, plan } = mailing;
  if (plan.mails.length === 0) return 'nothingToMail';
  if (options.dryRun) return 'dryRun';
  return (await confirmed(context, options, question(mailing))) ? undefined : 'notMailed';
}

/** Records the response to one mail. */
async function settle({ context, plan: { counts }, teller }: Mailing, mail: PlannedMail, reply: Reply<true>) {
  counts.left -= 1;
  const { key, text: number, place, address: to } = mail;
  const state = reply.kind === 'done' ? 'mailed' : reply.kind === 'refused' ? 'refused' : 'unconfirmed';
  counts[state] += 1;
  if (reply.kind === 'refused')
    // The service may repeat the address in its sentence.
    for (const issue of reply.issues)
      teller.emit({ ...issue, place: { ...place, ...issue.place }, documentKey: key }, to);
  if (reply.kind === 'unknown') {
    const params = { number, reason: reasonOf(reply.issue) };
    teller.emit({ code: 'email/unconfirmed', level: 'error', params, place, documentKey: key });
  }
  context.tell({ event: 'email', key, number, to, state });
  await context.taken();
}

async function mailAll(mailing: Mailing): Promise<Outcome> {
  const { context, options, mail, book, plan, to } = mailing;
  const client = await clientFor(context, options, to.url);
  const clock = (): number => context.now().getTime();
  try {
    const result = await makeRequests<PlannedMail, true>(context, options, {
      url: to.url,
      what: 'mailing',
      total: plan.mails.length,
      items: plan.mails,
      repeat: false, // a lost answer may have been a mail
      ask: (abort) => mail.mailer({ client, book, clock, abort }),
      settle: (planned, reply) => settle(mailing, planned, reply),
    });
    const { left, unconfirmed, refused } = plan.counts;
    return outcomeOfRequests(result, left + unconfirmed, refused);
  } finally {
    await client.close();
  }
}

async function mailOf(context: Context): Promise<Masked & { readonly mail: Mail }> {
  for (const family of familiesOf(context)) {
    const { mail } = (await capability(family, 'paper')) ?? {};
    if (mail !== undefined) return { mail, schemas: family.documents.schemas };
  }
  return stop('usage', { code: 'run/not-sendable', value: 'email' });
}

async function mailRun(
  context: Context,
  options: EmailOptions,
  journal: Journal,
  run: Run,
): Promise<Outcome> {
  refusePurged(run);
  const url = serviceAddress(context, options);
  const book = await openMailbook(journal);
  const { mail, schemas } = await mailOf(context);
  const plan = await planMails(mail, journal, book, run.id, options);
  const to = destination(context, { ...options, company: run.meta.company }, url, run.testSet);
  const teller = issueEmitter(context, { schemas });
  const mailing: Mailing = { context, options, run, mail, book, plan, to, teller };
  emitPlan(mailing);
  const reason = await reasonNotTo(mailing);
  if (reason !== undefined) emitMessage(context, reason);
  const outcome = reason === undefined ? await mailAll(mailing) : 'fine';
  teller.end();
  context.tell({ event: 'summary', run: run.id, emails: plan.counts });
  emitText(context, 'mails', { ...plan.counts });
  return outcome;
}

/** `cargue email [RUN]`: mails the documents DIAN accepted, each once. */
export const email: UseCase<EmailOptions> = (context, [id], options) =>
  withSender(context, options, false, async (journal) => {
    const chosen = await chosenRun(journal, id);
    if (chosen !== undefined) return mailRun(context, options, journal, chosen);
    emitMessage(context, 'noRuns');
    return 'usage';
  });
