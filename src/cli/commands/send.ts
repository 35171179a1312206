import type { Client } from '../../client/client.js';
import { outcomeCounts } from '../../send/accounting.js';
import type { Journal } from '../../send/journal.js';
import { discardDraft, leaveRun, openRun } from '../../send/runs.js';
import { giveAccounts } from '../accounts.js';
import type { Context, Run } from '../context.js';
import { clientFor, deliverRun, exitOf } from '../deliver-run.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { closeWithAccounts } from '../finish-run.js';
import { type Job, loadJob } from '../job.js';
import { withSender } from '../journal-access.js';
import type { Options } from '../options.js';
import { refuseInputAsOutput } from '../outputs.js';
import { type Phrase, say } from '../say.js';
import { sayPlan } from '../send-plan.js';
import { companyToken, confirmed, isElsewhere, serviceAddress } from '../service.js';
import { kindOf, type SpooledRun, spoolJob } from '../spooling.js';

/** What one call of `send` works on. */
interface Sending {
  readonly context: Context;
  readonly options: Options;
  readonly job: Job;
  readonly url: URL;
  readonly journal: Journal;
}

/** `go`: send it. Else why nothing is sent, and what the shell is told. */
type Decision = 'go' | { readonly phrase: Phrase; readonly code: ExitCode };

/** A person's yes to the question, or the options' word in its place. */
async function decide(
  { context, options }: Sending,
  { findings, planned, blocked }: SpooledRun,
): Promise<Decision> {
  const { errors, tableErrors } = findings;
  const { terminal, language } = context;
  const dataCode = errors + blocked > 0 ? EXIT.dataErrors : EXIT.fine;
  if (tableErrors) return { phrase: 'notSentTable', code: EXIT.dataErrors };
  if (options.dryRun) return { phrase: 'dryRun', code: dataCode };
  if (errors > 0 && !options.partial) {
    const question = say(language, 'askPartial', { errors, count: planned });
    const asks = planned > 0 && terminal.interactive && !options.yes;
    return asks && (await context.ask.yes(question))
      ? 'go'
      : { phrase: 'notSentErrors', code: EXIT.dataErrors };
  }
  if (planned === 0) return 'go'; // nothing leaves: the run only says what became of each document before
  const yes = await confirmed(context, options, say(language, 'askSend', { count: planned }));
  return yes ? 'go' : { phrase: 'notSentAnswer', code: dataCode };
}

/** Nothing was sent: the draft goes, its numbers are free again. */
function giveUp(sending: Sending, spooled: SpooledRun, { phrase, code }: Exclude<Decision, 'go'>): ExitCode {
  const { context, options, journal } = sending;
  const outcomes = outcomeCounts(journal, spooled.run);
  discardDraft(journal, spooled.run);
  giveAccounts(context.terminal, options.json, { ...spooled.findings, outcomes });
  context.terminal.say(say(context.language, phrase));
  return code;
}

/** Every document was accepted before, or cannot be sent: the run is over as it begins. */
async function closeEmpty({ context, options, journal }: Sending, { run, findings, blocked }: SpooledRun) {
  openRun(journal, run);
  leaveRun(journal, run, true, context.now().getTime());
  context.terminal.say(say(context.language, 'nothingToSend'));
  await closeWithAccounts(context, journal, run, options);
  return findings.errors + blocked > 0 ? EXIT.dataErrors : EXIT.fine;
}

async function sendSpooled(sending: Sending, spooled: SpooledRun, client: Client): Promise<ExitCode> {
  const { context, options, job, journal } = sending;
  const { run, findings } = spooled;
  const made = findings.documents.made;
  const result = await deliverRun(context, options, {
    journal,
    run,
    client,
    kind: kindOf(job.mapping),
    made,
  });
  await closeWithAccounts(context, journal, run, options);
  return exitOf(result, findings.errors);
}

/** The decision, or no draft left behind where none can be had. */
async function decideOrDrop(sending: Sending, spooled: SpooledRun): Promise<Decision> {
  try {
    return await decide(sending, spooled);
  } catch (error) {
    discardDraft(sending.journal, spooled.run);
    throw error;
  }
}

/** Check, lay out, ask, send. Beyond this machine not even the next number is asked for before the yes. */
async function sendAll(sending: Sending): Promise<ExitCode> {
  const { context, options, url, journal } = sending;
  let client: Client | undefined;
  const connect = async (): Promise<Client> => {
    client ??= clientFor(url, await companyToken(context), options);
    return client;
  };
  const mayAskService = !options.dryRun && (options.yes === true || !isElsewhere(url));
  const spool = async (ask: boolean, again: boolean): Promise<SpooledRun> =>
    spoolJob(context, options, { ...sending, client: ask ? await connect() : undefined, again });
  try {
    let spooled = await spool(mayAskService, false);
    sayPlan(context, options, url, spooled);
    const decision = await decideOrDrop(sending, spooled);
    if (decision !== 'go') return giveUp(sending, spooled, decision);
    if (spooled.planned === 0) return await closeEmpty(sending, spooled);
    if (!mayAskService) {
      discardDraft(journal, spooled.run);
      spooled = await spool(true, true);
    }
    return await sendSpooled(sending, spooled, await connect());
  } finally {
    await client?.close();
  }
}

/** `cargue send FILE...` */
export const run: Run = async (context, files, options) => {
  const job = await loadJob(files, options);
  kindOf(job.mapping);
  const url = serviceAddress(context, options);
  if (options.report !== undefined) refuseInputAsOutput(options.report, job.files);
  return withSender(context, options, true, (journal) => sendAll({ context, options, job, url, journal }));
};
