import { createIssuePrinter } from '../cli/issue-printer.js';
import { type Issue, type Place, paramOf, stop, withParams } from '../core/issue.js';
import { valueAt } from '../core/json.js';
import { formatCount, type Phrase, say } from '../messages/texts.js';
import { validate } from '../schema/validate.js';
import { createMailer, type Mailbook, type MailItem, openMailbook } from '../send/errand.js';
import type { Journal } from '../send/journal.js';
import { numberText, type RunBody, runBodies } from '../send/run-bodies.js';
import { type Run as JournalRun, listRuns, refusePurged } from '../send/runs.js';
import { type Reply, reasonOf } from '../send/verdict.js';
import { type Context, EXIT, type ExitCode, type UseCase } from './context.js';
import { chosenRun, onlyThese, withSender } from './journal-access.js';
import { maskFor, shownPerson } from './mask.js';
import type { Options } from './options.js';
import { errandExit, watchErrands } from './requests.js';
import { clientFor, companyText, environmentOf, serviceAddress, targetText } from './service.js';
import { confirmed } from './values.js';

/** Tells a person what is about to be mailed and what came of it. */
interface MailDesk {
  sayPlan(): void;
  /** The question: how many, whose, from where. */
  question(): string;
  settle(mail: PlannedMail, reply: Reply<true>): Promise<void>;
  sumUp(): void;
}

function mailDesk(
  context: Context,
  url: URL,
  options: Options,
  run: JournalRun,
  { counts, issues, mails }: MailPlan,
): MailDesk {
  const { terminal, language } = context;
  const { testSet } = run;
  const company = companyText(context, { ...options, company: run.meta.company });
  const printer = createIssuePrinter(terminal, {
    json: options.json === true,
    mask: maskFor(options, { schemas: ['payroll/payroll'] }),
  });
  const count = (number: number): string => formatCount(number, language);
  const line = (phrase: Phrase, params: Readonly<Record<string, string | number>> = {}): void =>
    terminal.say(say(language, phrase, params));
  const shown = shownPerson(options);
  /** The service may repeat the address in its sentence. */
  const covered = (issue: Issue, address: string): Issue => {
    const text = String(paramOf(issue, 'text') ?? '').replaceAll(address, shown(address));
    return withParams(issue, { text });
  };

  return {
    sayPlan() {
      for (const issue of issues) printer.print(issue);
      terminal.say();
      line('company', { company });
      line('service', { url: url.href });
      terminal.say(targetText(context, url, testSet));
      line('toMail', { count: count(mails.length) });
      if (options.to === undefined) line('mailToWorkers');
      else line('mailTo', { address: options.to }); // in full: it was typed here, and the yes is about it
      if (counts.already > 0) line('alreadyMailed', { count: count(counts.already) });
      if (counts.unconfirmed > 0) line('maybeMailed', { count: count(counts.unconfirmed) });
      if (counts.noAddress > 0) line('noAddress', { count: count(counts.noAddress) });
      if (counts.deletions > 0) line('deletionsNotMailed', { count: count(counts.deletions) });
      if (counts.notAccepted > 0) line('notAccepted', { count: count(counts.notAccepted) });
    },
    question() {
      const environment = say(language, environmentOf(context, url, testSet));
      const target =
        testSet === undefined
          ? say(language, 'targetDirect', { environment })
          : say(language, 'targetTestSet', { environment, testSet });
      return say(language, 'askMail', { count: count(mails.length), company, target });
    },
    async settle(mail, reply) {
      counts.left -= 1;
      const { key, text, place, address } = mail;
      const state = reply.kind === 'done' ? 'mailed' : reply.kind === 'refused' ? 'refused' : 'unconfirmed';
      counts[state] += 1;
      if (reply.kind === 'refused')
        for (const issue of reply.issues)
          printer.print({
            ...covered(issue, address),
            place: { ...place, ...issue.place },
            documentKey: key,
          });
      if (reply.kind === 'unknown') {
        const params = { number: text, reason: reasonOf(reply.issue) };
        printer.print({ code: 'email/unconfirmed', level: 'error', params, place, documentKey: key });
      }
      if (options.json)
        terminal.out(
          JSON.stringify({ event: 'email', key: shown(key), number: text, to: shown(address), state }),
        );
      await terminal.drained();
    },
    sumUp() {
      printer.finish();
      if (options.json) {
        terminal.out(JSON.stringify({ event: 'summary', run: run.id, emails: counts }));
        return;
      }
      const figures = Object.entries(counts).map(([name, number]) => [name, count(number)]);
      line('mails', Object.fromEntries(figures));
    },
  };
}

/** A mail that will be asked for, with what is needed to speak of it. */
interface PlannedMail extends MailItem {
  readonly key: string;
  readonly text: string;
  readonly place: Place;
}

/** documents = mailed + already + unconfirmed + refused + noAddress + deletions + notAccepted + left */
export interface MailCounts {
  documents: number;
  mailed: number;
  already: number;
  unconfirmed: number;
  refused: number;
  noAddress: number;
  /** Accepted; they have neither worker nor paper (service.md 4.8). */
  deletions: number;
  notAccepted: number;
  left: number;
}

interface MailPlan {
  readonly counts: MailCounts;
  readonly mails: readonly PlannedMail[];
  /** Accepted documents without an address. */
  readonly issues: readonly Issue[];
}

const ADDRESS = '/worker/email';

/**
 * The address of `--to`, as the service's schema wants it.
 * @throws PipelineError('usage', email/bad-address)
 */
export function checkedAddress(to: string): string {
  const faults = validate('payroll/email', 'strict', { prefix: 'A', consecutive: 1, email: to });
  return faults.length === 0 ? to : stop('usage', { code: 'email/bad-address', value: to });
}

const addressOf = ({ body }: RunBody): string | undefined => {
  const address = valueAt(body, ADDRESS);
  return typeof address === 'string' && address.trim() !== '' ? address.trim() : undefined;
};

const isDeletion = ({ body }: RunBody): boolean => Number(body['type_note']) === 2;

/** Which documents of a run are to be mailed where, and which are not; nothing is sent. */
function planMails(journal: Journal, book: Mailbook, run: string, options: Options): MailPlan {
  const to = options.to === undefined ? undefined : checkedAddress(options.to);
  const chosen = onlyThese(options.only);
  const counts: MailCounts = {
    documents: 0,
    mailed: 0,
    already: 0,
    unconfirmed: 0,
    refused: 0,
    noAddress: 0,
    deletions: 0,
    notAccepted: 0,
    left: 0,
  };
  const mails: PlannedMail[] = [];
  const issues: Issue[] = [];

  const file = (document: RunBody): void => {
    const { id, key, number, documentCode, place } = document;
    if (document.state !== 'accepted' || number === undefined) {
      counts.notAccepted += 1;
      return;
    }
    if (isDeletion(document)) {
      counts.deletions += 1;
      return;
    }
    const address = to ?? addressOf(document);
    if (address === undefined) {
      counts.noAddress += 1;
      const at = { ...place, pointer: ADDRESS };
      issues.push({ code: 'email/no-address', level: 'warning', params: {}, place: at, documentKey: key });
      return;
    }
    const before = options.again ? 'never' : book.look(id, address);
    if (before === 'mailed') counts.already += 1;
    else if (before === 'unconfirmed') counts.unconfirmed += 1;
    else {
      counts.left += 1;
      const code = documentCode === undefined ? {} : { documentCode };
      mails.push({ id, number, address, ...code, key, text: numberText(document), place });
    }
  };

  for (const document of runBodies(journal, run)) {
    if (!chosen.has(numberText(document))) continue;
    counts.documents += 1;
    file(document);
  }
  chosen.refuseUnknown();
  return { counts, mails, issues };
}

/** One call of `email`. */
interface Mailing {
  readonly context: Context;
  readonly options: Options;
  readonly url: URL;
  readonly book: Mailbook;
  readonly plan: MailPlan;
  readonly desk: MailDesk;
}

/** Why nothing is mailed; undefined to go on. */
async function reasonNotTo({ context, options, plan, desk }: Mailing): Promise<Phrase | undefined> {
  if (plan.mails.length === 0) return 'nothingToMail';
  if (options.dryRun) return 'dryRun';
  return (await confirmed(context, options, desk.question())) ? undefined : 'notMailed';
}

async function mailAll({ context, options, url, book, plan, desk }: Mailing): Promise<ExitCode> {
  const client = await clientFor(context, options, url);
  const clock = (): number => context.now().getTime();
  try {
    const result = await watchErrands<PlannedMail, true>(context, options, {
      url,
      what: 'mailing',
      total: plan.mails.length,
      items: plan.mails,
      repeat: false, // a lost answer may have been a mail
      ask: (abort) => createMailer({ client, book, clock, abort }),
      settle: desk.settle,
    });
    const { left, unconfirmed, refused } = plan.counts;
    return errandExit(result, left + unconfirmed, refused);
  } finally {
    await client.close();
  }
}

async function mailRun(
  context: Context,
  options: Options,
  journal: Journal,
  run: JournalRun,
): Promise<ExitCode> {
  refusePurged(run);
  const url = serviceAddress(context, options);
  const book = openMailbook(journal);
  const plan = planMails(journal, book, run.id, options);
  const desk = mailDesk(context, url, options, run, plan);
  const mailing: Mailing = { context, options, url, book, plan, desk };
  desk.sayPlan();
  const reason = await reasonNotTo(mailing);
  if (reason !== undefined) context.terminal.say(say(context.language, reason));
  const code = reason === undefined ? await mailAll(mailing) : EXIT.fine;
  desk.sumUp();
  return code;
}

/** `cargue email [RUN]`: mails what DIAN has accepted, each document once. */
export const email: UseCase = (context, [id], options) =>
  withSender(context, options, false, async (journal) => {
    const chosen = chosenRun(listRuns(journal), journal, id);
    if (chosen !== undefined) return mailRun(context, options, journal, chosen);
    context.terminal.say(say(context.language, 'noRuns'));
    return EXIT.usage;
  });
