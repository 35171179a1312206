import type { Client } from '../client/client.js';
import { outcomeCounts } from '../send/accounting.js';
import { countedClient } from '../send/counted-client.js';
import type { Journal } from '../send/journal.js';
import { defaultPolicy } from '../send/policy.js';
import { discardDraft, leaveRun, openRun } from '../send/runs.js';
import { REAL_WORLD } from '../send/time.js';
import { giveAccounts } from './accounts.js';
import type { Annotation } from './annotation.js';
import { clientFor } from './client-for.js';
import type { Context } from './context.js';
import { deliverRun, exitOf, policyOf } from './deliver-run.js';
import { environmentOf, productionConfirmed } from './environment.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { closeWithAccounts } from './finish-run.js';
import type { Job } from './job.js';
import { kindOf } from './kinds.js';
import type { Options } from './options.js';
import { placedOutcomes, toldAtPlanning } from './run-report.js';
import { type Phrase, say } from './say.js';
import { sayPlan } from './send-plan.js';
import { confirmed, isElsewhere } from './service.js';
import type { SpoolCall, SpooledRun } from './spooling.js';

/** What one call of `send` or `adjust` works on. */
export interface Sending {
  readonly context: Context;
  readonly options: Options;
  readonly job: Job;
  readonly url: URL;
  readonly journal: Journal;
  readonly annotation?: Annotation | undefined;
}

/** What a command does in its own way between reading the files and sending. */
export interface Errand {
  /** Lays the documents into the journal. */
  readonly spool: (call: SpoolCall) => Promise<SpooledRun>;
  /** Shows more than the plan. */
  readonly show?: (spooled: SpooledRun) => Promise<void>;
  /** Sets up at the service what the first document needs. */
  readonly begin?: (client: Client) => Promise<void>;
  /** Asks about what needs a yes of its own; returns how many documents will be left out of the next laying out. */
  readonly leaveOut?: () => Promise<number>;
}

/** `go`: send it. Else why nothing is sent, and what the shell is told. */
type Decision =
  | { readonly go: true; readonly leftOut: number }
  | { readonly go: false; readonly phrase: Phrase; readonly code: ExitCode };

/** A person's yes to the question, or the options' word in its place. */
async function decide(
  { context, options, url }: Sending,
  { leaveOut }: Errand,
  { findings, planned, blocked, totals }: SpooledRun,
): Promise<Decision> {
  const { tableErrors } = findings;
  const { terminal, language } = context;
  const errors = findings.errors + blocked;
  const dataCode = errors > 0 ? EXIT.dataErrors : EXIT.fine;
  const stay = (phrase: Phrase, code: ExitCode): Decision => ({ go: false, phrase, code });
  if (tableErrors) return stay('notSentTable', EXIT.dataErrors);
  if (options.dryRun) return stay('dryRun', dataCode);
  const mayGo = findings.errors === 0 && (blocked === 0 || planned === 0);
  const asks = planned > 0 && terminal.interactive && !options.yes;
  if (!mayGo && !options.partial && !asks) return stay('notSentErrors', EXIT.dataErrors);
  const leftOut = (await leaveOut?.()) ?? 0;
  const count = planned - leftOut;
  const production = count > 0 && environmentOf(context, url, options.testSet) === 'production';
  if (!mayGo && !options.partial) {
    const yes = await context.ask.yes(say(language, 'askPartial', { errors, count }));
    if (!yes) return stay('notSentErrors', EXIT.dataErrors);
    if (!production) return { go: true, leftOut };
  }
  if (count === 0) return { go: true, leftOut }; // nothing leaves: the run only says what became of each document before
  const yes = production
    ? await productionConfirmed(context, options, { url, count, totals })
    : await confirmed(context, options, say(language, 'askSend', { count }));
  return yes ? { go: true, leftOut } : stay('notSentAnswer', dataCode);
}

/** Nothing was sent: the draft goes, its numbers are free again. */
function giveUp(
  sending: Sending,
  spooled: SpooledRun,
  { phrase, code }: Extract<Decision, { go: false }>,
): ExitCode {
  const { context, options, journal } = sending;
  const outcomes = outcomeCounts(journal, spooled.run);
  discardDraft(journal, spooled.run);
  const errors = spooled.findings.errors + spooled.blocked;
  giveAccounts(context.terminal, options.json, { ...spooled.findings, errors, outcomes });
  context.terminal.say(say(context.language, phrase));
  return code;
}

/** Tells the copy of the file what became of each document. */
function annotateOutcomes({ annotation, journal }: Sending, run: string): void {
  if (annotation === undefined) return;
  for (const outcome of placedOutcomes(journal, run)) {
    const { sequence, state, documentCode, issues } = outcome;
    annotation.outcome(sequence, state, documentCode, toldAtPlanning(outcome) ? [] : issues);
  }
}

/** Every document was accepted before, or cannot be sent: the run is over as it begins. */
async function closeEmpty(sending: Sending, { run, findings, blocked }: SpooledRun): Promise<ExitCode> {
  const { context, options, journal } = sending;
  openRun(journal, run);
  leaveRun(journal, run, true, context.now().getTime());
  context.terminal.say(say(context.language, 'nothingToSend'));
  await closeWithAccounts(context, journal, run, options, toldAtPlanning);
  annotateOutcomes(sending, run);
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
  await closeWithAccounts(context, journal, run, options, toldAtPlanning);
  annotateOutcomes(sending, run);
  return exitOf(result, findings.errors);
}

/** What a draft must get through; none is left behind where it does not. */
async function orDrop<T>(
  { journal }: Sending,
  { run }: SpooledRun,
  work: Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    discardDraft(journal, run);
    throw error;
  }
}

/** Check, lay out, ask, send. Beyond this machine not even the next number is asked for before the yes. */
export async function sendAll(sending: Sending, errand: Errand): Promise<ExitCode> {
  const { context, options, url, journal } = sending;
  let client: Client | undefined;
  const connect = async (): Promise<Client> => {
    client ??= await clientFor(context, options, url);
    return client;
  };
  const mayAskService = !options.dryRun && (options.yes === true || !isElsewhere(url));
  const counting = {
    journal: journal.path,
    requestsPerMinute: { ...defaultPolicy(url.href), ...policyOf(options) }.requestsPerMinute,
    world: REAL_WORLD,
  };
  const spool = async (ask: boolean, again: boolean): Promise<SpooledRun> =>
    errand.spool({ ...sending, client: ask ? countedClient(await connect(), counting) : undefined, again });
  try {
    let spooled = await spool(mayAskService, false);
    sayPlan(context, options, url, spooled);
    await errand.show?.(spooled);
    const decision = (await orDrop(sending, spooled, decide(sending, errand, spooled)))!;
    if (!decision.go) return giveUp(sending, spooled, decision);
    const { leftOut } = decision;
    const leaves = spooled.planned > leftOut;
    if (leftOut > 0 || (leaves && !mayAskService)) {
      discardDraft(journal, spooled.run);
      spooled = await spool(leaves || mayAskService, true);
    }
    if (spooled.planned === 0) return await closeEmpty(sending, spooled);
    const connected = await connect();
    await orDrop(sending, spooled, errand.begin?.(connected));
    return await sendSpooled(sending, spooled, connected);
  } finally {
    await client?.close();
  }
}
