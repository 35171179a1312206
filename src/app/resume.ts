import type { Journal } from '../send/journal.js';
import { approveRun, findRun, type Run as JournalRun, outcomeCounts, runTotals } from '../send/runs.js';
import { settleByPerson } from '../send/settle.js';
import { leaveOut, planOf, staleDocuments } from '../send/spool.js';
import { stop } from '../toolkit/core/issue.js';
import type { Context, Outcome, UseCase } from './context.js';
import { counted, deliverRun, moveOn, onceBegun, outcomeOf, tellDigest } from './deliver.js';
import { issueTeller, say } from './events.js';
import { followRun, handOver } from './hand-over.js';
import { senderOfRun } from './job.js';
import { chosenRun, withSender } from './journal-access.js';
import type { RunOptions } from './options.js';
import { refuseOutput } from './outputs.js';
import { recognise, recognising } from './recognise.js';
import { closeWithAccounts, writeFailed } from './report.js';
import { authorityAccess, confirmed, givenNit, givenPin, storeAccess } from './secrets.js';
import { clientFor, environmentOf, isElsewhere, productionConfirmed, serviceAddress } from './service.js';

export interface ResumeOptions extends RunOptions {
  readonly settle?: readonly string[];
  /** Name of the person who settles. */
  readonly as?: string;
}

/**
 * Takes each `NUMBER=WORD` of `--settle`. Nobody is asked for a token or PIN here: what is left asks for them.
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
  const teller = issueTeller(context);
  const nit = givenNit(context, options);
  const comparison = { pin, nit, client: client && counted(client, options, journal) };
  try {
    for (const text of settle) {
      const at = text.lastIndexOf('=');
      if (at < 1)
        stop('usage', {
          code: 'run/bad-option',
          value: text,
          params: { option: '--settle', expected: 'NUMBER=accepted:CODE | NUMBER=none | NUMBER=ID' },
        });
      const number = text.slice(0, at);
      const by = as ?? context.account ?? '';
      const word = { number, word: text.slice(at + 1), by, now: context.now().getTime() };
      const issue = await settleByPerson(journal, kind, run, word, comparison);
      if (issue !== undefined) teller.tell(issue);
    }
  } finally {
    teller.end();
    await client?.close();
  }
}

/** What is left of a run. */
interface Left {
  readonly journal: Journal;
  readonly left: JournalRun;
  readonly url: URL;
  readonly count: number;
}

/** Beyond this machine and in production, only with a yes. */
async function mayGoOn(
  context: Context,
  options: ResumeOptions,
  { journal, left, url, count }: Left,
): Promise<boolean> {
  if (environmentOf(context, url, left.testSet) === 'production') {
    const { kind } = await senderOfRun(context, journal, left.id);
    const totals = await runTotals(journal, left.id, kind, 'left');
    return productionConfirmed(context, options, { url, count, totals });
  }
  if (left.state === 'held')
    return confirmed(context, options, { key: 'askSend', params: { count: String(count) } });
  const params = { run: left.id, count: String(count) };
  return !isElsewhere(url) || confirmed(context, options, { key: 'askResume', params });
}

/** How a run ended of which nothing more is sent. */
async function outcomeOfGivenUp(journal: Journal, run: string): Promise<Outcome> {
  const { pending, unknown, rejected } = await outcomeCounts(journal, run);
  if (pending + unknown > 0) return 'unfinished';
  return rejected > 0 ? 'data-errors' : 'fine';
}

/**
 * Sees that a run is as it was before the person was asked: others may have sent meanwhile.
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

/** Asks and sends what is left of a run, from the journal alone. */
async function goOn(
  context: Context,
  options: ResumeOptions,
  journal: Journal,
  left: JournalRun,
  onHandedOver: (run: string) => void,
  // What others had accepted meanwhile is no error of the data.
  { counts: laidOut }: Pick<JournalRun, 'counts'> = left,
): Promise<Outcome> {
  const { id } = left;
  const url = serviceAddress(context, options);
  const { family, kind } = await senderOfRun(context, journal, id);
  const access = options.queue ? undefined : await authorityAccess(context, family, options);
  const { pending, unknown, unsent } = await outcomeCounts(journal, id);
  const count = pending + unknown + unsent;
  if (count > 0 && !(await mayGoOn(context, options, { journal, left, url, count }))) {
    say(context, 'notSentAnswer');
    return 'fine';
  }
  await refuseChanged(context, options, journal, left);
  if (options.queue && count > 0) {
    await handOver(context, options, journal, id);
    onHandedOver(id);
    return 'fine';
  }
  const client = recognising(await clientFor(context, options, url));
  try {
    if (left.state === 'held') {
      const asking = counted(client, options, journal);
      await moveOn(context, { journal, kind, client: asking }, left);
      await recognise(client, asking, kind);
    }
    await storeAccess(context, client, access);
    const made = left.counts.documents.made;
    return await onceBegun(context, id, async () => {
      const { plain, isRecognised } = client;
      const delivery = { journal, run: id, client: plain, kind, made, isRecognised };
      const result = await deliverRun(context, options, delivery);
      await closeWithAccounts(context, journal, id, options);
      await writeFailed(context, journal, id, options);
      return outcomeOf(result, laidOut.records.heldBack + laidOut.documents.heldBack);
    });
  } finally {
    await client.close();
  }
}

/**
 * What other runs had accepted or began meanwhile stays back, and then only `--partial` lets the rest go.
 * @throws PipelineError('input', send/overtaken) once what stands in the way is told
 */
async function leaveOutOvertaken(
  context: Context,
  { partial }: ResumeOptions,
  journal: Journal,
  held: JournalRun,
): Promise<void> {
  const { id, testSet, meta, approval } = held;
  const { family, kind } = await senderOfRun(context, journal, id);
  const gone = await staleDocuments(
    { journal, run: id, testSet, keyIsWorker: meta.keyIsWorker === true },
    kind,
  );
  if (gone.size === 0) return;
  if (!partial) {
    const teller = issueTeller(context, family.documents);
    for (const issue of gone.values()) teller.tell(issue);
    teller.end();
    stop('input', { code: 'send/overtaken', params: { run: id, count: gone.size } });
  }
  const { digest } = await leaveOut(journal, kind, id, gone);
  // Who approved all of it approved the rest.
  if (approval !== undefined) await approveRun(journal, id, { ...approval, digest });
  say(context, 'blocked', { count: gone.size });
}

function refuseOutputs(context: Context, options: ResumeOptions): void {
  refuseOutput(context, options, { purpose: 'report', output: options.report });
  refuseOutput(context, options, { purpose: 'failed', output: options.failed });
}

/**
 * `cargue send RUN`: what somebody approved, as it was approved. A run that was begun is gone on with.
 * @throws PipelineError('usage', send/not-approved)
 */
export const sendRunById: UseCase<ResumeOptions> = (context, [id = ''], options) =>
  followed(context, options, (onHandedOver) =>
    withSender(context, options, false, async (journal, asking) => {
      refuseOutputs(context, options);
      const found = await findRun(journal, id);
      if (found.state !== 'held') return resumeIn(asking, options, journal, id, onHandedOver);
      return sendApproved(asking, options, journal, found, onHandedOver);
    }),
  );

/** A held run, as it was approved. */
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
  tellDigest(context, { run: id, digest });
  await leaveOutOvertaken(context, options, journal, held);
  return goOn(context, options, journal, await findRun(journal, id), onHandedOver, held);
}

/** What went to the workers is looked at until it is over, where that was asked for; by then others may send. */
async function followed(
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
  // Of a run that is over a person may correct what one said.
  const left = open ?? (settle && (await chosenRun(journal, undefined)));
  if (left === undefined) {
    say(context, 'nothingToResume');
    return 'fine';
  }
  if (left.state === 'draft') stop('usage', { code: 'journal/no-such-run', params: { run: left.id } });
  if (left.state === 'held') stop('usage', { code: 'send/held', params: { run: left.id } });
  await settleAll(context, options, journal, left.id);
  if (left.abandonment === undefined) return goOn(context, options, journal, left, onHandedOver);
  if (settle === undefined) stop('usage', { code: 'send/given-up', params: { run: left.id } });
  await closeWithAccounts(context, journal, left.id, options);
  await writeFailed(context, journal, left.id, options);
  return outcomeOfGivenUp(journal, left.id);
}

/** `cargue resume [RUN]`: asks and sends what is left, from the journal alone. */
export const resume: UseCase<ResumeOptions> = (context, [id], options) =>
  followed(context, options, (onHandedOver) =>
    withSender(context, options, false, (journal, asking) => {
      refuseOutputs(context, options);
      return resumeIn(asking, options, journal, id, onHandedOver);
    }),
  );
