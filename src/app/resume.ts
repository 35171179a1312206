import type { Journal } from '../send/journal.js';
import {
  approveRun,
  findRun,
  type Run as JournalRun,
  outcomeCounts,
  recordAct,
  runTotals,
} from '../send/runs.js';
import { settleByPerson } from '../send/settle.js';
import { leaveOut, planOf, staleDocuments } from '../send/spool.js';
import { stop } from '../toolkit/core/issue.js';
import { badOption } from './bad-option.js';
import type { Context, Outcome, UseCase } from './context.js';
import {
  counted,
  deliverRun,
  emitDigest,
  outcomeOf,
  renumberIfTaken,
  withUnfinishedError,
} from './deliver.js';
import { emitIssues, emitMessage, issueEmitter } from './events.js';
import { followRun, handOver } from './hand-over.js';
import { senderOfRun } from './job.js';
import { chosenRun, withSender } from './journal-access.js';
import type { RunOptions } from './options.js';
import { refuseOutput } from './outputs.js';
import { recognise, recognising } from './recognise.js';
import { closeWithAccounts, writeRowsToFix } from './report.js';
import { authorityAccess, confirmed, givenNit, givenPin, storeAccess } from './secrets.js';
import { clientFor, environmentOf, isRemote, productionConfirmed, serviceAddress } from './service.js';

export interface ResumeOptions extends RunOptions {
  readonly settle?: readonly string[];
  /** Name of the user who settles. */
  readonly as?: string;
}

/**
 * Applies each `NUMBER=VERDICT` of `--settle`. Never prompts for a token or PIN.
 * @throws PipelineError('usage', run/bad-option, send/cannot-settle, send/code-contradicted)
 */
async function settleAll(
  context: Context,
  options: ResumeOptions,
  journal: Journal,
  run: string,
): Promise<void> {
  const { settle = [], as } = options;
  if (settle.length === 0) return;
  const { kind } = await senderOfRun(context, journal, run);
  const pin = kind.proof === undefined ? undefined : await givenPin(context, options);
  const client =
    context.token === undefined
      ? undefined
      : await clientFor(context, options, serviceAddress(context, options));
  const teller = issueEmitter(context);
  const nit = givenNit(context, options);
  const comparison = { pin, nit, client: client && counted(client, options, journal) };
  try {
    for (const text of settle) {
      const at = text.lastIndexOf('=');
      if (at < 1) badOption('--settle', text, 'NUMBER=accepted:CODE | NUMBER=none | NUMBER=ID');
      const number = text.slice(0, at);
      const by = as ?? context.account ?? '';
      const word = { number, word: text.slice(at + 1), by, now: context.now().getTime() };
      const issue = await settleByPerson(journal, kind, run, word, comparison);
      if (issue !== undefined) teller.emit(issue);
    }
  } finally {
    teller.end();
    await client?.close();
  }
}

interface Remainder {
  readonly journal: Journal;
  readonly left: JournalRun;
  readonly url: URL;
  readonly count: number;
}

/** Asks for confirmation if the service is remote or production. */
async function mayGoOn(
  context: Context,
  options: ResumeOptions,
  { journal, left, url, count }: Remainder,
): Promise<boolean> {
  if (environmentOf(context, url, left.testSet) === 'production') {
    const { kind } = await senderOfRun(context, journal, left.id);
    const totals = await runTotals(journal, left.id, kind, 'left');
    return productionConfirmed(context, options, { url, count, totals });
  }
  if (left.state === 'held')
    return confirmed(context, options, { key: 'askSend', params: { count: String(count) } });
  const params = { run: left.id, count: String(count) };
  return !isRemote(url) || confirmed(context, options, { key: 'askResume', params });
}

/** Maps the outcomes of an abandoned run to the command result. */
async function outcomeOfAbandoned(journal: Journal, run: string): Promise<Outcome> {
  const { pending, unknown, rejected } = await outcomeCounts(journal, run);
  if (pending + unknown > 0) return 'unfinished';
  return rejected > 0 ? 'data-errors' : 'fine';
}

/**
 * Checks that a run did not change while the user was asked.
 * @throws PipelineError('usage', send/plan-gone), PipelineError('input', send/overtaken)
 */
async function refuseChanged(
  context: Context,
  options: ResumeOptions,
  journal: Journal,
  { id, state, digest, abandonment }: JournalRun,
): Promise<void> {
  const now = await findRun(journal, id);
  const isGone = now.abandonment?.at !== abandonment?.at || now.digest !== digest;
  if (isGone || (state === 'held' && now.state !== 'held'))
    stop('usage', { code: 'send/plan-gone', params: { run: id } });
  if (state === 'held') await leaveOutOvertaken(context, options, journal, now);
}

/** Confirms and sends the rest of a run from the journal. */
async function sendRest(
  context: Context,
  options: ResumeOptions,
  journal: Journal,
  left: JournalRun,
  onHandedOver: (run: string) => void,
  // Documents accepted by other runs meanwhile are not data errors.
  { counts: planned }: Pick<JournalRun, 'counts'> = left,
): Promise<Outcome> {
  const { id } = left;
  const url = serviceAddress(context, options);
  const { family, kind } = await senderOfRun(context, journal, id);
  const access = options.queue ? undefined : await authorityAccess(context, family, options);
  const { pending, unknown, unsent } = await outcomeCounts(journal, id);
  const count = pending + unknown + unsent;
  if (count > 0 && !(await mayGoOn(context, options, { journal, left, url, count }))) {
    emitMessage(context, 'notSentAnswer');
    return 'fine';
  }
  await refuseChanged(context, options, journal, left);
  const { as: by } = options;
  if (by !== undefined) await recordAct(journal, id, { act: 'sent', by, at: context.now().toISOString() });
  if (options.queue && count > 0) {
    await handOver(context, options, journal, id);
    onHandedOver(id);
    return 'fine';
  }
  const client = recognising(await clientFor(context, options, url));
  try {
    if (left.state === 'held') {
      const asking = counted(client, options, journal);
      await renumberIfTaken(context, { journal, kind, client: asking }, left);
      await recognise(client, asking, kind);
    }
    await storeAccess(context, client, access);
    const made = left.counts.documents.made;
    return await withUnfinishedError(context, id, async () => {
      const { plain, isRecognised } = client;
      const delivery = { journal, run: id, client: plain, kind, made, isRecognised };
      const result = await deliverRun(context, options, delivery);
      await closeWithAccounts(context, journal, id, options);
      await writeRowsToFix(context, journal, id, options);
      return outcomeOf(result, planned.records.heldBack + planned.documents.heldBack);
    });
  } finally {
    await client.close();
  }
}

/**
 * Removes documents from a held run that other runs accepted or started meanwhile; needs `--partial`.
 * @throws PipelineError('input', send/overtaken) without it, after emitting the conflicts
 */
async function leaveOutOvertaken(
  context: Context,
  { partial }: ResumeOptions,
  journal: Journal,
  held: JournalRun,
): Promise<void> {
  const { id, testSet, meta, approval } = held;
  const { family, kind } = await senderOfRun(context, journal, id);
  const stale = await staleDocuments(
    { journal, run: id, testSet, keyIsWorker: meta.keyIsWorker === true },
    kind,
  );
  if (stale.size === 0) return;
  if (!partial) {
    emitIssues(context, stale.values(), family.documents);
    stop('input', { code: 'send/overtaken', params: { run: id, count: stale.size } });
  }
  const { digest } = await leaveOut(journal, kind, id, stale);
  // The approval of all documents covers the rest.
  if (approval !== undefined) await approveRun(journal, id, { ...approval, digest });
  emitMessage(context, 'blocked', { count: stale.size });
}

function refuseOutputs(context: Context, options: ResumeOptions): void {
  refuseOutput(context, options, { purpose: 'report', output: options.report });
  refuseOutput(context, options, { purpose: 'failed', output: options.failed });
}

/**
 * `cargue send RUN`: sends a run as it was approved, or resumes one that was started.
 * @throws PipelineError('usage', send/not-approved)
 */
export const sendRunById: UseCase<ResumeOptions> = (context, [id = ''], options) =>
  withFollowing(context, options, (onHandedOver) =>
    withSender(context, options, false, async (journal, asking) => {
      refuseOutputs(context, options);
      const found = await findRun(journal, id);
      if (found.state !== 'held') return resumeIn(asking, options, journal, id, onHandedOver);
      return sendApproved(asking, options, journal, found, onHandedOver);
    }),
  );

/** Sends a held run as it was approved. @throws PipelineError('usage', send/not-approved) */
export async function sendApproved(
  context: Context,
  options: ResumeOptions,
  journal: Journal,
  held: JournalRun,
  onHandedOver: (run: string) => void = () => {},
): Promise<Outcome> {
  const { id } = held;
  const { kind } = await senderOfRun(context, journal, id);
  const { digest } = await planOf(journal, kind, id);
  if (held.approval === undefined || digest !== held.digest)
    stop('usage', { code: 'send/not-approved', params: { run: id } });
  emitDigest(context, { run: id, digest });
  await leaveOutOvertaken(context, options, journal, held);
  return sendRest(context, options, journal, await findRun(journal, id), onHandedOver, held);
}

/** Shows a run handed to the workers until it ends, if requested. The right to send is released by then. */
async function withFollowing(
  context: Context,
  options: ResumeOptions,
  work: (onHandedOver: (run: string) => void) => Promise<Outcome>,
): Promise<Outcome> {
  let handedOver: string | undefined;
  const outcome = await work((run) => {
    handedOver = run;
  });
  return handedOver === undefined || options.queue !== 'follow'
    ? outcome
    : followRun(context, options, handedOver);
}

async function resumeIn(
  context: Context,
  options: ResumeOptions,
  journal: Journal,
  id: string | undefined,
  onHandedOver: (run: string) => void,
): Promise<Outcome> {
  const { settle } = options;
  const open = await chosenRun(journal, id, ({ state }) => state === 'open');
  // The user may correct a settled document of a closed run.
  const left = open ?? (settle && (await chosenRun(journal, undefined)));
  if (left === undefined) {
    emitMessage(context, 'nothingToResume');
    return 'fine';
  }
  if (left.state === 'draft') stop('usage', { code: 'journal/no-such-run', params: { run: left.id } });
  if (left.state === 'held') stop('usage', { code: 'send/held', params: { run: left.id } });
  await settleAll(context, options, journal, left.id);
  if (left.abandonment === undefined) return sendRest(context, options, journal, left, onHandedOver);
  if (settle === undefined) stop('usage', { code: 'send/given-up', params: { run: left.id } });
  await closeWithAccounts(context, journal, left.id, options);
  await writeRowsToFix(context, journal, left.id, options);
  return outcomeOfAbandoned(journal, left.id);
}

/** `cargue resume [RUN]`: asks about and sends the rest of a run, from the journal. */
export const resume: UseCase<ResumeOptions> = (context, [id], options) =>
  withFollowing(context, options, (onHandedOver) =>
    withSender(context, options, false, (journal, asking) => {
      refuseOutputs(context, options);
      return resumeIn(asking, options, journal, id, onHandedOver);
    }),
  );
