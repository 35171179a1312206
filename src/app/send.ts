import { existsSync } from 'node:fs';
import type { Client } from '../client/client.js';
import { type Issue, paramOf, stop } from '../core/issue.js';
import { formatCount, formatMoney, type Phrase, say } from '../messages/texts.js';
import type { Journal } from '../send/journal.js';
import type { Totals } from '../send/kind.js';
import {
  approveRun,
  discardDraft,
  findRun,
  holdRun,
  leaveRun,
  openRun,
  outcomeCounts,
} from '../send/runs.js';
import { leaveOut, planOf } from '../send/spool.js';
import { giveAccounts, sayAccounts, summaryEvent } from './accounts.js';
import { type Annotation, annotationFor, writeAnnotation } from './annotation.js';
import { type Context, EXIT, type ExitCode, type UseCase } from './context.js';
import { counted, deliverRun, exitOf, followUp, moveOn, onceBegun, sayDigest } from './deliver.js';
import { sendableFamily, senderOfRun } from './family.js';
import { type Job, loadJob } from './job.js';
import { withSender } from './journal-access.js';
import type { Options } from './options.js';
import { accountsOf, placedOutcomes } from './outcomes.js';
import { refuseOutput } from './outputs.js';
import { closeWithAccounts } from './report.js';
import { sendRunById } from './resume.js';
import { sisproAccess, storeSisproAccess } from './secrets.js';
import {
  clientFor,
  companyText,
  environmentOf,
  isElsewhere,
  productionConfirmed,
  serviceAddress,
  targetText,
} from './service.js';
import { createJournalRemarks, type SpoolCall, type SpooledRun, spoolInOrder } from './spool.js';
import { confirmed } from './values.js';

/** What a run comes down to. */
export interface PlanFigures {
  readonly url: URL;
  readonly testSet: string | undefined;
  readonly planned: number;
  readonly totals: Totals;
  /** Accepted before. */
  readonly earlier: number;
  /** Not to be sent because of what the journal says. */
  readonly blocked: number;
  readonly errors: number;
  readonly warnings: number;
}

/** What is about to happen, for the person who must say yes. */
function sayPlan(context: Context, options: Options, figures: PlanFigures): void {
  const { terminal, language } = context;
  const { url, testSet, planned, totals, earlier, blocked, errors, warnings } = figures;
  const line = (phrase: Phrase, params: Readonly<Record<string, string | number>>): void =>
    terminal.say(say(language, phrase, params));
  const count = (number: number): string => formatCount(number, language);
  terminal.say();
  line('company', { company: companyText(context, options) });
  line('service', { url: url.href });
  terminal.say(targetText(context, url, testSet));
  line('toSend', { count: count(planned) });
  if (planned > 0)
    for (const [name, amount] of Object.entries(totals))
      line(name as Phrase, { amount: formatMoney(amount, language) });
  if (earlier > 0) line('already', { count: count(earlier) });
  if (blocked > 0) line('blocked', { count: count(blocked) });
  line('issues', { errors: count(errors), warnings: count(warnings) });
}

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
  /** Whether the documents that are merely proposed are left out, asked where they need a yes of their own. */
  readonly leavesOut?: (spooled: SpooledRun) => Promise<boolean>;
}

/** `go`: what was laid out is to be sent. Else why nothing is, and what the shell is told. */
type Decision =
  | { readonly go: true }
  | { readonly go: false; readonly phrase: Phrase; readonly code: ExitCode };

/** Documents that an unfinished run has. */
const elsewhere = ({ unfinished }: Pick<SpooledRun, 'unfinished'>): number =>
  [...unfinished.values()].reduce((all, count) => all + count, 0);

/** What the shell is told where nothing leaves. */
function idleCode(spooled: SpooledRun): ExitCode {
  const open = elsewhere(spooled);
  if (spooled.findings.errors + spooled.blocked > open) return EXIT.dataErrors;
  return open > 0 ? EXIT.unfinished : EXIT.fine;
}

/** What needs a yes of its own and does not get it is taken out of the draft. */
async function withoutUnwanted(sending: Sending, errand: Errand, spooled: SpooledRun): Promise<SpooledRun> {
  const { context, options, job, journal } = sending;
  const { terminal, language } = context;
  const { doubtful, findings } = spooled;
  const out = new Map<number, Issue | undefined>();
  if (await errand.leavesOut?.(spooled))
    for (const sequence of spooled.proposed) out.set(sequence, undefined);
  const count = formatCount(doubtful.size, language);
  const asks = terminal.interactive && !options.yes;
  if (doubtful.size > 0 && !(asks && (await context.ask.yes(say(language, 'askAnew', { count }))))) {
    for (const [sequence, issue] of doubtful) out.set(sequence, issue);
    const remarks = createJournalRemarks(context, job, options);
    for (const issue of doubtful.values()) remarks.take(issue);
    remarks.finish();
    terminal.say(say(language, 'anewLeftOut', { count }));
  }
  if (out.size === 0) return spooled;
  const plan = leaveOut(journal, sendableFamily(context, job.mapping), spooled.run, out);
  const unfinished = new Map(spooled.unfinished);
  const heldBack = [...out.values()].flatMap((issue) => issue ?? []);
  for (const issue of heldBack) {
    const run = String(paramOf(issue, 'run'));
    unfinished.set(run, (unfinished.get(run) ?? 0) + 1);
  }
  const { documents } = findRun(journal, spooled.run).counts;
  return {
    ...spooled,
    ...plan,
    documents,
    unfinished,
    blocked: spooled.blocked + heldBack.length,
    findings: { ...findings, documents },
  };
}

/** A person's yes to the question, or the options' word in its place; the yes is for the digest that was shown. */
async function decide({ context, options, url }: Sending, spooled: SpooledRun): Promise<Decision> {
  const { findings, planned, blocked, totals } = spooled;
  const { terminal, language } = context;
  const errors = findings.errors + blocked;
  const stay = (phrase: Phrase, code: ExitCode): Decision => ({ go: false, phrase, code });
  const mayGo = findings.errors === 0 && (blocked === 0 || planned === 0);
  const asks = planned > 0 && terminal.interactive && !options.yes;
  if (!mayGo && !options.partial && !asks) return stay('notSentErrors', idleCode(spooled));
  const count = planned;
  if (count > 0) sayDigest(context, options, spooled);
  const production =
    count > 0 && !options.hold && environmentOf(context, url, options.testSet) === 'production';
  if (!mayGo && !options.partial) {
    const yes = await context.ask.yes(say(language, 'askPartial', { errors, count }));
    if (!yes) return stay('notSentErrors', idleCode(spooled));
    if (!production) return { go: true };
  }
  if (options.hold) return { go: true }; // the yes is that of who approves it
  if (count === 0) return { go: true }; // nothing leaves: the run only says what became of each document before
  const yes = production
    ? await productionConfirmed(context, options, { url, count, totals })
    : await confirmed(context, options, say(language, 'askSend', { count }));
  return yes ? { go: true } : stay('notSentAnswer', idleCode(spooled));
}

/** Nothing was sent: the draft goes, its numbers are free again. */
function giveUp(sending: Sending, spooled: SpooledRun, phrase: Phrase, code: ExitCode): ExitCode {
  const { context, options, journal } = sending;
  const outcomes = outcomeCounts(journal, spooled.run);
  discardDraft(journal, spooled.run);
  const errors = spooled.findings.errors + spooled.blocked;
  giveAccounts(context.terminal, options.json, { ...spooled.findings, errors, outcomes });
  sayElsewhere(sending, spooled);
  context.terminal.say(say(context.language, phrase));
  return code;
}

/** Which runs have to be finished first, and how. */
function sayElsewhere({ context, options }: Sending, { unfinished }: SpooledRun): void {
  const { terminal, language } = context;
  for (const [run, count] of unfinished) {
    const command = followUp(context, options, `resume ${run}`);
    terminal.say(say(language, 'elsewhere', { run, count: formatCount(count, language), command }));
  }
}

/** Tells the copy of the file what became of each document. */
function annotateOutcomes({ context, annotation, journal }: Sending, run: string): void {
  if (annotation === undefined) return;
  for (const { sequence, state, documentCode, issues } of placedOutcomes(context, journal, run))
    annotation.outcome(sequence, state, documentCode, issues);
}

/** Every document was accepted before, or cannot be sent: the run is over as it begins. */
async function closeEmpty(sending: Sending, { run, findings, blocked }: SpooledRun): Promise<ExitCode> {
  const { context, options, journal } = sending;
  openRun(journal, run);
  leaveRun(journal, run, true, context.now().getTime());
  context.terminal.say(say(context.language, 'nothingToSend'));
  await closeWithAccounts(context, journal, run, options);
  annotateOutcomes(sending, run);
  return findings.errors + blocked > 0 ? EXIT.dataErrors : EXIT.fine;
}

async function sendSpooled(sending: Sending, spooled: SpooledRun, client: Client): Promise<ExitCode> {
  const { context, options, job, journal } = sending;
  const { run, findings } = spooled;
  const result = await deliverRun(context, options, {
    journal,
    run,
    client,
    kind: sendableFamily(context, job.mapping),
    made: spooled.documents.made,
  });
  await closeWithAccounts(context, journal, run, options);
  annotateOutcomes(sending, run);
  sayElsewhere(sending, spooled);
  const code = exitOf(result, findings.errors + spooled.blocked - elsewhere(spooled));
  return code === EXIT.fine && elsewhere(spooled) > 0 ? EXIT.unfinished : code;
}

/** Everything is laid out; another person, or a later call, goes on from here. */
function hold(sending: Sending, spooled: SpooledRun): ExitCode {
  const { context, options, journal } = sending;
  const { terminal, language } = context;
  const { run, digest } = spooled;
  holdRun(journal, run, context.now().getTime());
  const { findings, blocked } = spooled;
  const accounts = { ...findings, errors: findings.errors + blocked, outcomes: outcomeCounts(journal, run) };
  if (options.json) terminal.out(summaryEvent(accounts, { run, digest, state: 'held' }));
  else sayAccounts(terminal, accounts);
  sayElsewhere(sending, spooled);
  const { ca: _, ...local } = options; // approving calls nobody
  const approve = followUp(context, local, `approve ${run}`);
  terminal.say(say(language, 'held', { approve, send: followUp(context, options, `send ${run}`) }));
  return idleCode(spooled);
}

/**
 * Check, lay out, ask, send. What was laid out is what the yes is for, and what is sent: after it nothing of the input is
 * read again. Beyond this machine not even the next number is asked for before the yes.
 */
export async function sendAll(sending: Sending, errand: Errand): Promise<ExitCode> {
  const { context, options, job, url, journal } = sending;
  let client: Client | undefined;
  const connect = async (): Promise<Client> => {
    client ??= await clientFor(context, options, url);
    return client;
  };
  const mayAskService = !options.dryRun && !options.hold && (options.yes === true || !isElsewhere(url));
  try {
    const asking = mayAskService ? counted(await connect(), options, journal) : undefined;
    let spooled = await errand.spool({ ...sending, client: asking });
    try {
      const { findings, planned, totals, earlier, blocked } = spooled;
      const errors = findings.errors + blocked;
      const { testSet } = options;
      sayPlan(context, options, {
        url,
        testSet,
        planned,
        totals,
        earlier,
        blocked,
        errors,
        warnings: findings.warnings,
      });
      await errand.show?.(spooled);
      if (findings.tableErrors) return giveUp(sending, spooled, 'notSentTable', EXIT.dataErrors);
      if (options.dryRun) return giveUp(sending, spooled, 'dryRun', idleCode(spooled));
      spooled = await withoutUnwanted(sending, errand, spooled);
      if (spooled.planned === 0 && elsewhere(spooled) > 0)
        return giveUp(sending, spooled, 'notSentAnswer', idleCode(spooled));
      const decision = await decide(sending, spooled);
      if (!decision.go) return giveUp(sending, spooled, decision.phrase, decision.code);
      if (spooled.planned === 0) return await closeEmpty(sending, spooled);
      if (options.hold) return hold(sending, spooled);
      const connected = await connect();
      if (!mayAskService)
        await moveOn(
          context,
          { journal, kind: sendableFamily(context, job.mapping), run: spooled.run },
          counted(connected, options, journal),
        );
      await errand.begin?.(connected);
    } catch (error) {
      discardDraft(journal, spooled.run); // nothing was sent: no draft stays behind
      throw error;
    }
    const connected = await connect();
    const { run } = spooled;
    return await onceBegun(context, options, run, () => sendSpooled(sending, spooled, connected));
  } finally {
    await client?.close();
  }
}

/** A run is named by the day and a number of it. */
const isRunId = ([name = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && /^\d{4}-\d\d-\d\d-\d+$/.test(name) && !existsSync(name);

/** `cargue send FILE...`, or `cargue send RUN` */
export const send: UseCase = async (context, files, options) => {
  if (isRunId(files)) return sendRunById(context, files, options);
  const job = await loadJob(files, options);
  sendableFamily(context, job.mapping);
  const url = serviceAddress(context, options);
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: job.files });
  const access = options.hold ? undefined : await sisproAccess(context, options);
  const annotation = annotationFor(context, job.files, options);
  const nit = job.params.values['numDocumentoIdObligado'];
  return withSender(
    context,
    options,
    { create: true, nit: typeof nit === 'string' ? nit : undefined },
    async (journal) => {
      const sending: Sending = { context, options, job, url, journal, annotation };
      const code = await sendAll(sending, {
        spool: (call) => spoolInOrder(context, options, call),
        begin: (client) => storeSisproAccess(context, client, access),
      });
      await writeAnnotation(context, annotation, options);
      return code;
    },
  );
};

/** Months of the documents, as far as they belong to one. */
function monthsOf(journal: Journal, run: string): readonly string[] {
  const rows = journal
    .prepare('SELECT DISTINCT period FROM document WHERE run = ? AND period IS NOT NULL ORDER BY period')
    .all<{ period: string }>(run);
  return [...new Set(rows.map(({ period }) => period.slice(-'2026-10'.length)))];
}

/**
 * Whoever approves is named: by `--as`, else asked.
 * @throws PipelineError('usage', run/needs-name) where nobody can answer
 */
async function nameOf({ terminal, language, ask }: Context, { as }: Options): Promise<string> {
  const name = as ?? (terminal.interactive ? await ask.text(say(language, 'askName')) : '');
  return name.trim() === '' ? stop('usage', { code: 'run/needs-name' }) : name.trim();
}

/** `cargue approve RUN`: a person lets a held run go, by name; the approval is of the digest shown. */
export const approve: UseCase = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const { terminal, language, now } = context;
    const held = findRun(journal, id);
    if (held.state !== 'held') stop('usage', { code: 'send/not-held', params: { run: id } });
    const url = serviceAddress(context, options);
    const { planned, totals, digest } = planOf(journal, senderOfRun(context, journal, id), id);
    const { errors, warnings, documents, outcomes } = accountsOf(context, journal, id);
    const { accepted: earlier, rejected: blocked } = outcomes!;
    sayPlan(context, options, {
      url,
      testSet: held.testSet,
      planned,
      totals,
      earlier,
      blocked,
      errors,
      warnings,
    });
    if (documents.heldBack > 0)
      terminal.say(say(language, 'heldBackCount', { count: formatCount(documents.heldBack, language) }));
    const months = monthsOf(journal, id);
    if (months.length > 0) terminal.say(say(language, 'theMonths', { months: months.join(', ') }));
    const files = held.meta.inputs.map(({ file }) => file).join(', ');
    if (files !== '') terminal.say(say(language, 'theFiles', { files }));
    sayDigest(context, options, { run: id, digest });
    const by = await nameOf(context, options);
    if (!(await confirmed(context, options, say(language, 'askApprove')))) {
      terminal.say(say(language, 'notApprovedNow'));
      return EXIT.fine;
    }
    const at = now().toISOString();
    approveRun(journal, id, { by, at, digest });
    if (options.json) terminal.out(JSON.stringify({ event: 'approval', run: id, by, at, digest }));
    terminal.say(say(language, 'approvedToSend', { by, send: followUp(context, options, `send ${id}`) }));
    return EXIT.fine;
  });
