import { existsSync } from 'node:fs';
import type { Client } from '../client/client.js';
import type { Delivery, Family } from '../families/family.js';
import type { Journal } from '../send/journal.js';
import { findRun, holdRun, leaveRun, monthsOf, openRun, outcomeCounts } from '../send/runs.js';
import { leaveOut, staleDocuments } from '../send/spool.js';
import { endWaiting, isWaiting } from '../send/waiting.js';
import { type Issue, paramOf, stop } from '../toolkit/core/issue.js';
import type { PlainPhrase } from '../toolkit/messages/texts.js';
import type { Context, Outcome, UseCase } from './context.js';
import { type Copies, copiesFor } from './copies.js';
import { counted, deliverRun, moveOn, onceBegun, outcomeOf, tellDigest } from './deliver.js';
import { issueTeller, say, tellAccounts } from './events.js';
import { onFiles } from './files.js';
import { followRun, handOver } from './hand-over.js';
import { type Job, loadJob, maskedIn, senderFor } from './job.js';
import {
  dropDraft,
  type LentJournal,
  settling,
  sharedJournals,
  withJournal,
  withSender,
} from './journal-access.js';
import type { SendOptions } from './options.js';
import { placedOutcomes } from './outcomes.js';
import { refuseOutput } from './outputs.js';
import { type RecognisingClient, recognise, recognising } from './recognise.js';
import { closeWithAccounts, rangesText } from './report.js';
import { sendRunById } from './resume.js';
import { authorityAccess, confirmed, storeAccess } from './secrets.js';
import { clientFor, destination, isElsewhere, productionConfirmed, serviceAddress } from './service.js';
import { type SpoolCall, type SpooledRun, spoolInOrder } from './spool.js';
import { tellDifferences, tellDocuments } from './to-decide.js';

/** What one call of `send`, `adjust` or `reception` works on. */
export interface Sending {
  readonly context: Context;
  readonly options: SendOptions;
  readonly job: Job;
  readonly family: Family;
  readonly kind: Delivery;
  readonly url: URL;
  readonly journal: LentJournal;
  readonly copies?: Copies | undefined;
  /** Hears which run went to the workers. */
  readonly onHandedOver?: (run: string) => void;
}

/** What a use case does in its own way between reading the files and sending. */
export interface Steps {
  /** Lays the documents into the journal. */
  readonly spool: (call: SpoolCall) => Promise<SpooledRun>;
  /** Shows more than the plan. */
  readonly show?: (spooled: SpooledRun) => Promise<void>;
  /** Sets up at the service what the first document needs. */
  readonly begin?: (client: Client) => Promise<void>;
  /** Whether the documents that are merely proposed are left out, asked where they need a yes of their own. */
  readonly leavesOut?: (spooled: SpooledRun) => Promise<boolean>;
}

/** What is to leave, with a yes to it. */
interface Confirmed {
  readonly spooled: SpooledRun;
  readonly client: RecognisingClient;
}

/**
 * Read, check, spool, confirm, deliver, report. What was laid out is what the yes is for, and what is sent: after it
 * nothing of the input is read again. Beyond this machine not even the next number is asked for before the yes.
 */
export async function sendAll(sending: Sending, steps: Steps): Promise<Outcome> {
  const connection = connectionOf(sending);
  try {
    const spooled = await steps.spool({ ...sending, client: await connection.beforeYes() });
    const confirmed = await confirm(sending, steps, spooled, connection);
    if (typeof confirmed === 'string') return confirmed;
    return await onceBegun(sending.context, spooled.run, () => deliver(sending, confirmed));
  } finally {
    await connection.close();
  }
}

/** The service, connected to when it is first needed. */
function connectionOf({ context, options, url, journal }: Sending) {
  let client: RecognisingClient | undefined;
  const connect = async (): Promise<RecognisingClient> => {
    client ??= recognising(await clientFor(context, options, url));
    return client;
  };
  const maySoon =
    !options.dryRun && !options.hold && !options.queue && (options.yes === true || !isElsewhere(url));
  const asking = async (): Promise<Client> => counted(await connect(), options, journal);
  return {
    connect,
    /** Counts requests; undefined where the service must not hear of the run yet. */
    beforeYes: async () => (maySoon ? asking() : undefined),
    /** The same once there is a yes; undefined where the service was asked before it. */
    afterYes: async () => (maySoon ? undefined : asking()),
    close: async () => client?.close(),
  };
}

/** Shows the plan and gets the yes, or an outcome where nothing leaves. No draft stays behind on the way. */
async function confirm(
  sending: Sending,
  steps: Steps,
  laidOut: SpooledRun,
  connection: ReturnType<typeof connectionOf>,
): Promise<Confirmed | Outcome> {
  const { context, options, kind, journal } = sending;
  try {
    await tellPlan(sending, laidOut);
    const irreversible = await tellDocuments(context, journal, kind, laidOut.run);
    await steps.show?.(laidOut);
    if (laidOut.findings.tableErrors) return giveUp(sending, laidOut, 'notSentTable', 'data-errors');
    if (options.dryRun) return giveUp(sending, laidOut, 'dryRun', idle(laidOut));
    const spooled = await withoutUnwanted(sending, steps, laidOut);
    if (spooled.planned === 0 && elsewhere(spooled) > 0)
      return giveUp(sending, spooled, 'notSentAnswer', idle(spooled));
    const no = await decide(sending, spooled, irreversible);
    if (no !== undefined) return giveUp(sending, spooled, no, idle(spooled));
    await takeBack(sending, spooled);
    if (spooled.planned === 0) return await closeEmpty(sending, spooled);
    if (options.hold) return hold(sending, spooled);
    if (options.queue) return queued(sending, spooled);
    const client = await connection.connect();
    const asking = await connection.afterYes();
    if (asking !== undefined)
      await moveOn(context, { journal, kind, client: asking }, await findRun(journal, spooled.run));
    await recognise(client, counted(client, options, journal), kind);
    await steps.begin?.(client);
    return { spooled, client };
  } catch (error) {
    await dropDraft(journal, laidOut.run); // nothing was sent
    throw error;
  }
}

/** What is about to happen, for the person who must say yes. */
async function tellPlan({ context, options, url, journal }: Sending, spooled: SpooledRun): Promise<void> {
  const { findings, planned, totals, earlier, blocked, refusals } = spooled;
  context.tell({
    event: 'figures',
    ...destination(context, options, url, options.testSet),
    months: await monthsOf(journal, spooled.run),
    planned,
    totals,
    earlier,
    blocked,
    errors: findings.errors + refusals,
    warnings: findings.warnings,
  });
}

/** Documents that an unfinished run has. */
const elsewhere = ({ unfinished }: Pick<SpooledRun, 'unfinished'>): number =>
  [...unfinished.values()].reduce((all, count) => all + count, 0);

/** How it ends where nothing leaves. */
function idle(spooled: SpooledRun): Outcome {
  const open = elsewhere(spooled);
  if (spooled.findings.errors + spooled.blocked > open) return 'data-errors';
  return open > 0 ? 'unfinished' : 'fine';
}

/** What needs a yes of its own and does not get it is taken out of the draft. */
async function withoutUnwanted(sending: Sending, steps: Steps, spooled: SpooledRun): Promise<SpooledRun> {
  const { context, options, job, journal } = sending;
  const { doubtful, findings } = spooled;
  const out = new Map<number, Issue | undefined>();
  if (await steps.leavesOut?.(spooled)) for (const sequence of spooled.proposed) out.set(sequence, undefined);
  const params = { count: doubtful.size };
  const ask = options.yes ? undefined : context.ask;
  if (doubtful.size > 0 && !(await ask?.confirm({ key: 'askAnew', params }))) {
    for (const [sequence, issue] of doubtful) out.set(sequence, issue);
    const remarks = issueTeller(context, maskedIn(context, job.mapping), 'journal');
    for (const issue of doubtful.values()) remarks.tell(issue);
    remarks.end();
    say(context, 'anewLeftOut', params);
  }
  if (out.size === 0) return spooled;
  await takeBack(sending, spooled);
  const plan = await leaveOut(journal, sending.kind, spooled.run, out);
  const unfinished = new Map(spooled.unfinished);
  const heldBack = [...out.values()].flatMap((issue) => issue ?? []);
  for (const issue of heldBack) {
    const run = String(paramOf(issue, 'run'));
    unfinished.set(run, (unfinished.get(run) ?? 0) + 1);
  }
  const { records, documents } = (await findRun(journal, spooled.run)).counts;
  return {
    ...spooled,
    ...plan,
    records,
    documents,
    unfinished,
    blocked: spooled.blocked + heldBack.length,
    refusals: spooled.refusals + heldBack.length,
    findings: { ...findings, records, documents },
  };
}

/** Why nothing is to be sent; undefined with a person's yes, or the options' word in its place. The yes is for the digest shown. */
async function decide(
  { context, options, url }: Sending,
  spooled: SpooledRun,
  irreversible: number,
): Promise<PlainPhrase | undefined> {
  const { findings, planned: count, blocked, refusals, totals } = spooled;
  const errors = findings.errors + refusals;
  const isSound = findings.errors === 0 && (blocked === 0 || count === 0);
  const ask = count > 0 && !options.yes ? context.ask : undefined;
  if (!isSound && !options.partial && ask === undefined) return 'notSentErrors';
  if (count > 0) tellDigest(context, spooled);
  const isFinal =
    count > 0 &&
    !options.hold &&
    destination(context, options, url, options.testSet).environment === 'production';
  if (!isSound && !options.partial) {
    const params = { errors: String(errors), count: String(count) };
    if (!(await ask?.confirm({ key: 'askPartial', params }))) return 'notSentErrors';
    if (!isFinal && irreversible === 0) return undefined;
  }
  if (options.hold) return undefined; // the yes is that of who approves it
  if (count === 0) return undefined; // nothing leaves: the run only says what became of each document before
  const yes = isFinal
    ? await productionConfirmed(context, options, { url, count, totals })
    : await confirmed(
        context,
        options,
        { key: 'askSend', params: { count: String(count) } },
        irreversible > 0 ? String(count) : undefined,
      );
  return yes ? undefined : 'notSentAnswer';
}

/**
 * Sees that what a person said yes to can still be sent as it was shown; others may have sent while the person thought.
 * @throws PipelineError('input', send/plan-overtaken) once what was sent meanwhile is told
 */
async function takeBack(
  { context, job, kind, journal }: Sending,
  { run, doubtful }: SpooledRun,
): Promise<void> {
  const found = await findRun(journal, run).catch(() => undefined);
  if (found !== undefined && !isWaiting(found)) return; // nobody was asked
  if (found !== undefined) {
    const { testSet, meta } = found;
    const gone = await staleDocuments(
      { journal, run, testSet, keyIsWorker: meta.keyIsWorker === true },
      kind,
    );
    const issues = [...gone].flatMap(([sequence, issue]) => (doubtful.has(sequence) ? [] : [issue]));
    const teller = issueTeller(context, maskedIn(context, job.mapping), 'journal');
    for (const issue of issues) teller.tell(issue);
    teller.end();
    if (issues.length > 0) stop('input', { code: 'send/plan-overtaken', params: { count: issues.length } });
  }
  const moved = await endWaiting(journal, kind, run);
  if (moved.length > 0) say(context, 'numbersMoved', { list: rangesText(moved) });
}

/** Nothing was sent: the draft goes, its numbers are free again. */
async function giveUp(
  sending: Sending,
  spooled: SpooledRun,
  why: PlainPhrase,
  outcome: Outcome,
): Promise<Outcome> {
  const { context, journal } = sending;
  const outcomes = await outcomeCounts(journal, spooled.run);
  await dropDraft(journal, spooled.run);
  const errors = spooled.findings.errors + spooled.refusals;
  tellAccounts(context, { ...spooled.findings, errors, outcomes });
  await sayElsewhere(sending, spooled);
  say(context, why);
  return outcome;
}

/** Which runs have to be finished first, and how; of those that were given up a person settles what is in doubt. */
async function sayElsewhere({ context, journal }: Sending, { unfinished }: SpooledRun): Promise<void> {
  for (const [run, count] of unfinished) {
    const { abandonment } = await findRun(journal, run);
    if (abandonment === undefined)
      say(context, 'elsewhere', { run, count, command: { next: `resume ${run}` } });
    else say(context, 'elsewhereGivenUp', { run, count, command: await settling(journal, run) });
  }
}

/** Every document was accepted before, or cannot be sent: the run is over as it begins. */
async function closeEmpty(sending: Sending, { run, findings, blocked }: SpooledRun): Promise<Outcome> {
  const { context, options, journal } = sending;
  await openRun(journal, run);
  await leaveRun(journal, run, true, context.now().getTime());
  say(context, 'nothingToSend');
  await closeWithAccounts(context, journal, run, options);
  await annotateOutcomes(sending, run);
  return findings.errors + blocked > 0 ? 'data-errors' : 'fine';
}

/** Everything is laid out; another person, or a later call, goes on from here. */
async function hold(sending: Sending, spooled: SpooledRun): Promise<Outcome> {
  const { context, journal } = sending;
  const { run, digest, findings, refusals } = spooled;
  await holdRun(journal, run, context.now().getTime());
  const accounts = {
    ...findings,
    errors: findings.errors + refusals,
    outcomes: await outcomeCounts(journal, run),
  };
  tellAccounts(context, accounts, { run, digest, state: 'held' });
  await sayElsewhere(sending, spooled);
  say(context, 'held', { approve: { next: `approve ${run}`, local: true }, send: { next: `send ${run}` } });
  return idle(spooled);
}

/** Workers send what was laid out. */
async function queued(sending: Sending, spooled: SpooledRun): Promise<Outcome> {
  const { context, options, journal, onHandedOver } = sending;
  const { run, findings, refusals } = spooled;
  const errors = findings.errors + refusals;
  tellAccounts(context, { ...findings, errors, outcomes: await outcomeCounts(journal, run) });
  await sayElsewhere(sending, spooled);
  await handOver(context, options, journal, run);
  onHandedOver?.(run);
  return idle(spooled);
}

/** Sends what was laid out, and reports. */
async function deliver(sending: Sending, { spooled, client }: Confirmed): Promise<Outcome> {
  const { context, options, kind, journal } = sending;
  const { run, findings, documents } = spooled;
  const { isRecognised } = client;
  const made = documents.made;
  const result = await deliverRun(context, options, {
    journal,
    run,
    client: client.plain,
    kind,
    made,
    isRecognised,
  });
  await closeWithAccounts(context, journal, run, options);
  await annotateOutcomes(sending, run);
  await sayElsewhere(sending, spooled);
  const outcome = outcomeOf(result, findings.errors + spooled.blocked - elsewhere(spooled));
  return outcome === 'fine' && elsewhere(spooled) > 0 ? 'unfinished' : outcome;
}

/** Tells the copy of the file what became of each document. */
async function annotateOutcomes(
  { context, copies, journal }: Pick<Sending, 'context' | 'copies'> & { readonly journal: Journal },
  run: string,
): Promise<void> {
  if (copies === undefined) return;
  for await (const { sequence, state, documentCode, issues } of placedOutcomes(context, journal, run))
    copies.outcome(sequence, state, documentCode, issues);
}

/** A run is named by the day and a number of it. */
const isRunId = ([name = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && /^\d{4}-\d\d-\d\d-\d+$/.test(name) && !existsSync(name);

/** `cargue send FILE...`, or `cargue send RUN` */
export const send: UseCase<SendOptions> = async (context, files, options) =>
  isRunId(files) ? sendRunById(context, files, options) : sendFiles(context, files, options);

const sendFiles = onFiles<SendOptions>(async (context, opened, options) =>
  sendJob(context, await loadJob(context, opened, options, { sending: true }), options),
);

/** Sends the documents of files whose mapping and parameters are known. */
export async function sendJob(context: Context, job: Job, options: SendOptions): Promise<Outcome> {
  const sender = await senderFor(context, job.mapping);
  const { family } = sender;
  const url = serviceAddress(context, options);
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: job.opened.files });
  if (options.queue) await sharedJournals(context); // before anything is asked
  const access = options.hold || options.queue ? undefined : await authorityAccess(context, family, options);
  const copies = await copiesFor(context, job, options);
  const nit = job.params.values['numDocumentoIdObligado'];
  let handedOver: string | undefined;
  const outcome = await withSender(
    context,
    options,
    { create: true, nit: typeof nit === 'string' ? nit : undefined },
    async (journal, asking) => {
      const onHandedOver = (run: string): void => {
        handedOver = run;
      };
      const sending: Sending = {
        context: asking,
        options,
        job,
        ...sender,
        url,
        journal,
        copies,
        onHandedOver,
      };
      const outcome = await sendAll(sending, {
        spool: (call) => spoolInOrder(asking, options, call),
        show: ({ run }) => tellDifferences(context, journal, family, { run, testSet: options.testSet }),
        begin: (client) => storeAccess(context, client, access),
      });
      if (handedOver === undefined) await copies?.write();
      return outcome;
    },
  );
  if (handedOver === undefined) return outcome;
  const end = options.queue === 'follow' ? await followRun(context, options, handedOver) : outcome;
  const run = handedOver;
  if (options.queue === 'follow' && copies !== undefined)
    await withJournal(context, options, async (journal) => {
      await annotateOutcomes({ context, copies, journal }, run);
      return 'fine';
    });
  await copies?.write();
  return end;
}
