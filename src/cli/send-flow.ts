import type { Client } from '../client/client.js';
import { outcomeCounts } from '../send/accounting.js';
import type { Journal } from '../send/journal.js';
import { discardDraft, leaveRun, openRun } from '../send/runs.js';
import { giveAccounts } from './accounts.js';
import type { Annotation } from './annotation.js';
import type { Context } from './context.js';
import { clientFor, deliverRun, exitOf } from './deliver-run.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { closeWithAccounts } from './finish-run.js';
import type { Job } from './job.js';
import type { Options } from './options.js';
import { placedOutcomes, toldAtPlanning } from './run-report.js';
import { type Phrase, say } from './say.js';
import { sayPlan } from './send-plan.js';
import { companyToken, confirmed, isElsewhere } from './service.js';
import { kindOf, type SpoolCall, type SpooledRun } from './spooling.js';

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
  /** Asks about what needs a yes of its own; returns how many documents will be left out of the next laying out. */
  readonly leaveOut?: () => Promise<number>;
}

/** `go`: send it. Else why nothing is sent, and what the shell is told. */
type Decision =
  | { readonly go: true; readonly leftOut: number }
  | { readonly go: false; readonly phrase: Phrase; readonly code: ExitCode };

/** A person's yes to the question, or the options' word in its place. */
async function decide(
  { context, options }: Sending,
  { leaveOut }: Errand,
  { findings, planned, blocked }: SpooledRun,
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
  if (!mayGo && !options.partial) {
    const yes = await context.ask.yes(say(language, 'askPartial', { errors, count }));
    return yes ? { go: true, leftOut } : stay('notSentErrors', EXIT.dataErrors);
  }
  if (count === 0) return { go: true, leftOut }; // nothing leaves: the run only says what became of each document before
  const yes = await confirmed(context, options, say(language, 'askSend', { count }));
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

/** The decision, or no draft left behind where none can be had. */
async function decideOrDrop(sending: Sending, errand: Errand, spooled: SpooledRun): Promise<Decision> {
  try {
    return await decide(sending, errand, spooled);
  } catch (error) {
    discardDraft(sending.journal, spooled.run);
    throw error;
  }
}

/** Check, lay out, ask, send. Beyond this machine not even the next number is asked for before the yes. */
export async function sendAll(sending: Sending, errand: Errand): Promise<ExitCode> {
  const { context, options, url, journal } = sending;
  let client: Client | undefined;
  const connect = async (): Promise<Client> => {
    client ??= clientFor(url, await companyToken(context), options);
    return client;
  };
  const mayAskService = !options.dryRun && (options.yes === true || !isElsewhere(url));
  const spool = async (ask: boolean, again: boolean): Promise<SpooledRun> =>
    errand.spool({ ...sending, client: ask ? await connect() : undefined, again });
  try {
    let spooled = await spool(mayAskService, false);
    sayPlan(context, options, url, spooled);
    await errand.show?.(spooled);
    const decision = await decideOrDrop(sending, errand, spooled);
    if (!decision.go) return giveUp(sending, spooled, decision);
    const { leftOut } = decision;
    const leaves = spooled.planned > leftOut;
    if (leftOut > 0 || (leaves && !mayAskService)) {
      discardDraft(journal, spooled.run);
      spooled = await spool(leaves || mayAskService, true);
    }
    if (spooled.planned === 0) return await closeEmpty(sending, spooled);
    return await sendSpooled(sending, spooled, await connect());
  } finally {
    await client?.close();
  }
}
