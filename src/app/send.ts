import { existsSync } from 'node:fs';
import type { Client } from '../client/client.js';
import type { Delivery, Family } from '../families/family.js';
import type { Journal } from '../send/journal.js';
import { findRun, holdRun, leaveRun, monthsOf, openRun, outcomeCounts } from '../send/runs.js';
import { leaveOut, staleDocuments } from '../send/spool.js';
import { endWaiting, isWaiting } from '../send/waiting.js';
import { type Issue, paramOf, stop } from '../toolkit/core/issue.js';
import type { PlainPhrase } from '../toolkit/messages/texts.js';
import { emitDifferences, emitDocuments } from './approval-summary.js';
import type { Context, Outcome, UseCase } from './context.js';
import { type Copies, copiesFor } from './copies.js';
import {
  counted,
  deliverRun,
  emitDigest,
  outcomeOf,
  renumberIfTaken,
  withUnfinishedError,
} from './deliver.js';
import { type DraftCall, type DraftRun, draftInOrder } from './draft-run.js';
import { emitAccounts, emitIssues, emitMessage } from './events.js';
import { onFiles } from './files.js';
import { followRun, handOver } from './hand-over.js';
import { familyOfRun, type Job, loadJob, maskedIn, senderFor } from './job.js';
import {
  dropDraft,
  type LentJournal,
  settleCommand,
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
import { clientFor, destination, isRemote, productionConfirmed, serviceAddress } from './service.js';

/** Input of `send`, `adjust` and `reception`. */
export interface Sending {
  readonly context: Context;
  readonly options: SendOptions;
  readonly job: Job;
  readonly family: Family;
  readonly kind: Delivery;
  readonly url: URL;
  readonly journal: LentJournal;
  readonly copies?: Copies | undefined;
  /** Called with the run that was handed to the workers. */
  readonly onHandedOver?: (run: string) => void;
}

/** Steps between reading the files and sending that differ by use case. */
export interface Steps {
  /** Plans the documents as a draft in the journal. */
  readonly draft: (call: DraftCall) => Promise<DraftRun>;
  /** Emits more than the plan. */
  readonly show?: (draft: DraftRun) => Promise<void>;
  /** Prepares the service for the first document. */
  readonly begin?: (client: Client) => Promise<void>;
  /** Returns true to remove the proposed documents; asks the user if they need a separate confirmation. */
  readonly leavesOut?: (draft: DraftRun) => Promise<boolean>;
}

/** Confirmed draft, ready to send. */
interface Confirmed {
  readonly draft: DraftRun;
  readonly client: RecognisingClient;
}

/**
 * Reads, checks, drafts, confirms, delivers and reports. The draft is what the user confirms and what is sent; the
 * input is not read again. A remote service gets no request, not even for the next number, before the confirmation.
 */
export async function sendAll(sending: Sending, steps: Steps): Promise<Outcome> {
  const connection = connectionOf(sending);
  try {
    const draft = await steps.draft({ ...sending, client: await connection.beforeYes() });
    const confirmed = await confirm(sending, steps, draft, connection);
    if (typeof confirmed === 'string') return confirmed;
    return await withUnfinishedError(sending.context, draft.run, () => deliver(sending, confirmed));
  } finally {
    await connection.close();
  }
}

/** Connects to the service on first use. */
function connectionOf({ context, options, url, journal }: Sending) {
  let client: RecognisingClient | undefined;
  const connect = async (): Promise<RecognisingClient> => {
    client ??= recognising(await clientFor(context, options, url));
    return client;
  };
  const maySoon =
    !options.dryRun && !options.hold && !options.queue && (options.yes === true || !isRemote(url));
  const asking = async (): Promise<Client> => counted(await connect(), options, journal);
  return {
    connect,
    /** Returns a client that counts its requests; undefined if the service must not be called before confirmation. */
    beforeYes: async () => (maySoon ? asking() : undefined),
    /** Returns the same after confirmation; undefined if the service was called before it. */
    afterYes: async () => (maySoon ? undefined : asking()),
    close: async () => client?.close(),
  };
}

/**
 * Emits the plan and asks for confirmation. Returns the command result if nothing is sent; then the draft is deleted.
 */
async function confirm(
  sending: Sending,
  steps: Steps,
  draft: DraftRun,
  connection: ReturnType<typeof connectionOf>,
): Promise<Confirmed | Outcome> {
  const { context, options, kind, journal } = sending;
  try {
    await emitPlan(sending, draft);
    const irreversible = await emitDocuments(context, journal, kind, draft.run);
    await steps.show?.(draft);
    if (draft.findings.tableErrors) return giveUp(sending, draft, 'notSentTable', 'data-errors');
    if (options.dryRun) return giveUp(sending, draft, 'dryRun', outcomeIfUnsent(draft));
    const plan = await withoutUnconfirmed(sending, steps, draft);
    if (plan.planned === 0 && inOtherRuns(plan) > 0)
      return giveUp(sending, plan, 'notSentAnswer', outcomeIfUnsent(plan));
    const reason = await decide(sending, plan, irreversible);
    if (reason !== undefined) return giveUp(sending, plan, reason, outcomeIfUnsent(plan));
    await resumePlan(sending, plan);
    if (plan.planned === 0) return await closeEmpty(sending, plan);
    if (options.hold) return hold(sending, plan);
    if (options.queue) return queued(sending, plan);
    const client = await connection.connect();
    const asking = await connection.afterYes();
    if (asking !== undefined)
      await renumberIfTaken(context, { journal, kind, client: asking }, await findRun(journal, plan.run));
    await recognise(client, counted(client, options, journal), kind);
    await steps.begin?.(client);
    return { draft: plan, client };
  } catch (error) {
    await dropDraft(journal, draft.run); // nothing was sent
    throw error;
  }
}

async function emitPlan({ context, options, url, journal }: Sending, draft: DraftRun): Promise<void> {
  const { findings, planned, totals, earlier, blocked, refusals } = draft;
  context.tell({
    event: 'figures',
    ...destination(context, options, url, options.testSet),
    family: (await familyOfRun(context, journal, draft.run))?.name,
    months: await monthsOf(journal, draft.run),
    planned,
    totals,
    earlier,
    blocked,
    errors: findings.errors + refusals,
    warnings: findings.warnings,
  });
}

/** Returns the number of documents that another unfinished run has. */
const inOtherRuns = ({ unfinished }: Pick<DraftRun, 'unfinished'>): number =>
  [...unfinished.values()].reduce((all, count) => all + count, 0);

/** Returns the command result if nothing is sent. */
function outcomeIfUnsent(draft: DraftRun): Outcome {
  const open = inOtherRuns(draft);
  if (draft.findings.errors + draft.blocked > open) return 'data-errors';
  return open > 0 ? 'unfinished' : 'fine';
}

/** Removes documents from the draft that need a separate confirmation and did not get it. */
async function withoutUnconfirmed(sending: Sending, steps: Steps, spooled: DraftRun): Promise<DraftRun> {
  const { context, options, job, journal } = sending;
  const { doubtful, findings } = spooled;
  const removed = new Map<number, Issue | undefined>();
  if (await steps.leavesOut?.(spooled))
    for (const sequence of spooled.proposed) removed.set(sequence, undefined);
  const params = { count: doubtful.size };
  const ask = options.yes ? undefined : context.ask;
  if (doubtful.size > 0 && !(await ask?.confirm({ key: 'askAnew', params }))) {
    for (const [sequence, issue] of doubtful) removed.set(sequence, issue);
    emitIssues(context, doubtful.values(), maskedIn(context, job.mapping), 'journal');
    emitMessage(context, 'anewLeftOut', params);
  }
  if (removed.size === 0) return spooled;
  await resumePlan(sending, spooled);
  const plan = await leaveOut(journal, sending.kind, spooled.run, removed);
  const unfinished = new Map(spooled.unfinished);
  const heldBack = [...removed.values()].flatMap((issue) => issue ?? []);
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

/**
 * Returns the reason for not sending; undefined if the user, or options instead, confirm. The confirmation covers the
 * digest shown.
 */
async function decide(
  { context, options, url }: Sending,
  draft: DraftRun,
  irreversible: number,
): Promise<PlainPhrase | undefined> {
  const { findings, planned: count, blocked, refusals, totals } = draft;
  const errors = findings.errors + refusals;
  const isSound = findings.errors === 0 && (blocked === 0 || count === 0);
  const ask = count > 0 && !options.yes ? context.ask : undefined;
  if (!isSound && !options.partial && ask === undefined) return 'notSentErrors';
  if (count > 0) emitDigest(context, draft);
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
 * Checks that the draft can still be sent as shown; others may have sent while the user decided.
 * @throws PipelineError('input', send/plan-overtaken) after emitting the conflicts
 */
async function resumePlan(
  { context, job, kind, journal }: Sending,
  { run, doubtful }: DraftRun,
): Promise<void> {
  const found = await findRun(journal, run).catch(() => undefined);
  if (found !== undefined && !isWaiting(found)) return; // nobody was asked
  if (found !== undefined) {
    const { testSet, meta } = found;
    const stale = await staleDocuments(
      { journal, run, testSet, keyIsWorker: meta.keyIsWorker === true },
      kind,
    );
    const issues = [...stale].flatMap(([sequence, issue]) => (doubtful.has(sequence) ? [] : [issue]));
    emitIssues(context, issues, maskedIn(context, job.mapping), 'journal');
    if (issues.length > 0) stop('input', { code: 'send/plan-overtaken', params: { count: issues.length } });
  }
  const moved = await endWaiting(journal, kind, run);
  if (moved.length > 0) emitMessage(context, 'numbersMoved', { list: rangesText(moved) });
}

/** Deletes the draft, which frees its numbers, and emits the accounts. */
async function giveUp(
  sending: Sending,
  draft: DraftRun,
  reason: PlainPhrase,
  outcome: Outcome,
): Promise<Outcome> {
  const { context, journal } = sending;
  const outcomes = await outcomeCounts(journal, draft.run);
  await dropDraft(journal, draft.run);
  const errors = draft.findings.errors + draft.refusals;
  emitAccounts(context, { ...draft.findings, errors, outcomes });
  await emitOtherRuns(sending, draft);
  emitMessage(context, reason);
  return outcome;
}

/** Emits the runs to finish first, with the command for each; in abandoned ones the user settles unknown documents. */
async function emitOtherRuns({ context, journal }: Sending, { unfinished }: DraftRun): Promise<void> {
  for (const [run, count] of unfinished) {
    const { abandonment } = await findRun(journal, run);
    if (abandonment === undefined)
      emitMessage(context, 'elsewhere', { run, count, command: { next: `resume ${run}` } });
    else emitMessage(context, 'elsewhereGivenUp', { run, count, command: await settleCommand(journal, run) });
  }
}

/** Closes a run without documents to send: all were accepted before or are blocked. */
async function closeEmpty(sending: Sending, { run, findings, blocked }: DraftRun): Promise<Outcome> {
  const { context, options, journal } = sending;
  await openRun(journal, run);
  await leaveRun(journal, run, true, context.now().getTime());
  emitMessage(context, 'nothingToSend');
  await closeWithAccounts(context, journal, run, options);
  await annotateOutcomes(sending, run);
  return findings.errors + blocked > 0 ? 'data-errors' : 'fine';
}

/** Holds the run for approval, or for a later call. */
async function hold(sending: Sending, draft: DraftRun): Promise<Outcome> {
  const { context, journal } = sending;
  const { run, digest, findings, refusals } = draft;
  await holdRun(journal, run, context.now().getTime());
  const accounts = {
    ...findings,
    errors: findings.errors + refusals,
    outcomes: await outcomeCounts(journal, run),
  };
  emitAccounts(context, accounts, { run, digest, state: 'held' });
  await emitOtherRuns(sending, draft);
  emitMessage(context, 'held', {
    approve: { next: `approve ${run}`, local: true },
    send: { next: `send ${run}` },
  });
  return outcomeIfUnsent(draft);
}

async function queued(sending: Sending, draft: DraftRun): Promise<Outcome> {
  const { context, options, journal, onHandedOver } = sending;
  const { run, findings, refusals } = draft;
  const errors = findings.errors + refusals;
  emitAccounts(context, { ...findings, errors, outcomes: await outcomeCounts(journal, run) });
  await emitOtherRuns(sending, draft);
  await handOver(context, options, journal, run);
  onHandedOver?.(run);
  return outcomeIfUnsent(draft);
}

async function deliver(sending: Sending, { draft: spooled, client }: Confirmed): Promise<Outcome> {
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
  await emitOtherRuns(sending, spooled);
  const outcome = outcomeOf(result, findings.errors + spooled.blocked - inOtherRuns(spooled));
  return outcome === 'fine' && inOtherRuns(spooled) > 0 ? 'unfinished' : outcome;
}

/** Adds the outcomes to the copies of the input. */
async function annotateOutcomes(
  { context, copies, journal }: Pick<Sending, 'context' | 'copies'> & { readonly journal: Journal },
  run: string,
): Promise<void> {
  if (copies === undefined) return;
  for await (const { sequence, state, documentCode, issues } of placedOutcomes(context, journal, run))
    copies.outcome(sequence, state, documentCode, issues);
}

/** True if the only argument is a run ID (day and number) and not a file. */
const isRunId = ([name = '', ...more]: readonly string[]): boolean =>
  more.length === 0 && /^\d{4}-\d\d-\d\d-\d+$/.test(name) && !existsSync(name);

/** `cargue send FILE...`, or `cargue send RUN`: sends documents of files, or a planned run. */
export const send: UseCase<SendOptions> = async (context, files, options) =>
  isRunId(files) ? sendRunById(context, files, options) : sendFiles(context, files, options);

const sendFiles = onFiles<SendOptions>(async (context, opened, options) =>
  sendJob(context, await loadJob(context, opened, options, { sending: true }), options),
);

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
        draft: (call) => draftInOrder(asking, options, call),
        show: ({ run }) => emitDifferences(context, journal, family, { run, testSet: options.testSet }),
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
