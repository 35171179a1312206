import type { Journal } from '../../send/journal.js';
import { createMailer } from '../../send/mail-document.js';
import { type Mailbook, openMailbook } from '../../send/mailbook.js';
import { type Run as JournalRun, listRuns, refusePurged } from '../../send/runs.js';
import { clientFor } from '../client-for.js';
import type { Context, Run } from '../context.js';
import { type MailDesk, mailDesk } from '../email/mail-desk.js';
import { type MailPlan, type PlannedMail, planMails } from '../email/mail-plan.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { withSender } from '../journal-access.js';
import type { Options } from '../options.js';
import { chosenRun } from '../run-report.js';
import { type Phrase, say } from '../say.js';
import { confirmed, serviceAddress } from '../service.js';
import { errandExit, watchErrands } from '../watch-errands.js';

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
export const run: Run = (context, [id], options) =>
  withSender(context, options, false, async (journal) => {
    const chosen = chosenRun(listRuns(journal), journal, id);
    if (chosen !== undefined) return mailRun(context, options, journal, chosen);
    context.terminal.say(say(context.language, 'noRuns'));
    return EXIT.usage;
  });
