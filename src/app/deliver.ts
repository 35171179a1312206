import type { Client } from '../client/client.js';
import { createCaseIssue, createIssue } from '../send/create-issue.js';
import { countedClient } from '../send/deliver.js';
import type { Journal } from '../send/journal.js';
import type { DocumentKind } from '../send/kind.js';
import { defaultPolicy, REAL_RUNTIME } from '../send/rate-limiter.js';
import { type FoundRun, outcomeCounts, type Run } from '../send/runs.js';
import { type SendResult, sendRun } from '../send/send.js';
import { moveNumbers } from '../send/spool.js';
import { type Issue, PipelineError, paramOf } from '../toolkit/core/issue.js';
import { hasTrait } from '../toolkit/messages/wording.js';
import type { OutcomeCounts } from '../toolkit/schema/document.js';
import type { Context, Outcome } from './context.js';
import { emitMessage } from './events.js';
import { claimToken, listenForStop, policyOf } from './journal-access.js';
import type { RunOptions } from './options.js';
import { rangesText } from './report.js';
import { askForProof, givenNit, givenPin, type ProofSecrets } from './secrets.js';

export const done = (counts: OutcomeCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.unsent;

interface Delivery {
  readonly journal: Journal;
  readonly run: string;
  readonly client: Client;
  readonly kind: DocumentKind;
  readonly made: number;
  /** State of the run read since the journal was opened. @default read again */
  readonly found?: FoundRun;
  readonly watch?: ProgressListener;
  /** True if the service has answered a request already. @default false */
  readonly isRecognised?: boolean;
}

/** Callbacks while a run is sent. */
export interface ProgressListener {
  readonly onProgress: (counts: OutcomeCounts) => void;
  /** Called after each wait of the rate limiter, in milliseconds. */
  readonly onTurn: (ms: number) => void;
}

/** Sends or resumes a run with progress, interrupts, prompts for missing proofs, and the reason it stopped. */
export async function deliverRun(
  context: Context,
  options: RunOptions,
  { made, found, watch, ...delivery }: Delivery,
): Promise<SendResult> {
  const { journal, run, client, kind } = delivery;
  await claimToken(context, options, journal, client.fingerprint);
  context.tell({
    event: 'begins',
    what: 'sending',
    total: made,
    before: done(found?.counts ?? (await outcomeCounts(journal, run))),
  });
  const { finish, abort, done: stopListening } = listenForStop(context);
  const go = (secrets: ProofSecrets, found?: FoundRun): Promise<SendResult> =>
    sendRun({
      ...delivery,
      found,
      policy: policyOf(options),
      finish,
      abort,
      onProgress: (counts) => {
        watch?.onProgress(counts);
        context.tell({ event: 'progress', done: done(counts) });
      },
      onTurn: watch?.onTurn,
      ...secrets,
    });
  try {
    const given = kind.proof === undefined ? {} : await givenToProve(context, options);
    let result = await go(given, found);
    context.tell({ event: 'ends' });
    const more = await moreToProve(context, options, result);
    if (more !== undefined) result = await go({ ...given, ...more });
    context.tell({ event: 'ends' });
    for (const issue of [result.pinIssue, missingProof(result)])
      if (issue !== undefined)
        context.tell({ event: 'remark', issue: { ...issue, level: 'warning' }, brief: true });
    emitHowItEnded(context, atAccess(result, options), run);
    return result;
  } finally {
    context.tell({ event: 'ends' });
    stopListening();
  }
}

async function givenToProve(context: Context, options: RunOptions): Promise<ProofSecrets> {
  const softwarePin = await givenPin(context, options);
  const nit = givenNit(context, options);
  return { ...(softwarePin !== undefined && { softwarePin }), ...(nit !== undefined && { nit }) };
}

/** Asks for the values that prove acceptance codes, if some are unproven. */
async function moreToProve(
  context: Context,
  { yes }: RunOptions,
  { unproven, stopped, interrupted }: SendResult,
): Promise<ProofSecrets | undefined> {
  if (unproven === undefined || stopped !== undefined || interrupted || yes) return undefined;
  return askForProof(context, unproven);
}

/** Returns a warning that names the values a proof still needs, or undefined if nothing is unproven. */
function missingProof({ unproven, stopped, interrupted }: SendResult): Issue | undefined {
  if (unproven === undefined || stopped !== undefined || interrupted) return undefined;
  const { count, lacks } = unproven;
  const [first, second] = lacks;
  return second === undefined && first !== undefined
    ? createCaseIssue('send/unproven', first, { count })
    : createIssue('send/unproven', { count });
}

/**
 * Rethrows errors of journal and output as `unfinished` once documents were sent, and emits how to continue.
 * @throws PipelineError('unfinished') in place of `journal`, `away` and `output`
 */
export async function withUnfinishedError<T>(
  context: Context,
  run: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PipelineError) || !['journal', 'away', 'output'].includes(error.key)) throw error;
    if (error.key === 'output')
      emitMessage(context, 'reportHint', { command: { next: `report ${run}`, local: true } });
    else emitMessage(context, 'resumeHint', { command: { next: `resume ${run}` } });
    throw new PipelineError('unfinished', error.issues, { cause: error.cause });
  }
}

/** Places a refused login at the SISPRO file. */
function atAccess(result: SendResult, { sispro: file }: RunOptions): SendResult {
  const { stopped } = result;
  if (file === undefined || stopped === undefined || !hasTrait(stopped, 'by-access')) return result;
  return { ...result, stopped: { ...stopped, place: { file } } };
}

function emitHowItEnded(context: Context, { stopped, counts }: SendResult, run: string): void {
  if (stopped !== undefined) context.tell({ event: 'stopped', issue: stopped });
  if (counts.pending + counts.unknown + counts.unsent === 0) return;
  const [from, until, hours] = ['from', 'until', 'hours'].map((name) => stopped && paramOf(stopped, name));
  const command = { next: `resume ${run}` };
  if (from !== undefined && until !== undefined && hours !== undefined)
    emitMessage(context, 'resumeLater', { command, from, until, hours });
  else emitMessage(context, 'resumeHint', { command });
}

/** Maps the result of sending to the command result. */
export function outcomeOf(
  { counts, stopped, interrupted }: Pick<SendResult, 'counts' | 'stopped' | 'interrupted'>,
  dataErrors: number,
): Outcome {
  if (interrupted) return 'interrupted';
  if (counts.pending + counts.unknown > 0) return 'unfinished';
  if (stopped !== undefined && !hasTrait(stopped, 'said-by-service')) return 'unreachable';
  if (counts.unsent > 0) return 'unfinished';
  return counts.rejected + dataErrors > 0 ? 'data-errors' : 'fine';
}

/** Emits the run and the digest of its content, which the user confirms. */
export function emitDigest(
  context: Context,
  { run, digest }: { readonly run: string; readonly digest: string },
): void {
  context.tell({ event: 'plan', run, digest });
  emitMessage(context, 'theRun', { run, digest });
}

/** Renumbers a planned run if its numbers were taken since; the input is not read again. */
export async function renumberIfTaken(
  context: Context,
  { journal, kind, client }: Pick<Delivery, 'journal' | 'kind' | 'client'>,
  { id: run, testSet }: Pick<Run, 'id' | 'testSet'>,
): Promise<void> {
  const advice = kind.numbers?.advice?.(client, testSet);
  if (advice === undefined) return;
  const moved = await moveNumbers(journal, kind, run, advice);
  if (moved.length > 0) emitMessage(context, 'numbersMoved', { list: rangesText(moved) });
}

/** Returns the client with the journal's rate limit, for requests besides documents. */
export const counted = (client: Client, options: RunOptions, journal: Journal): Client =>
  countedClient(client, {
    journal,
    requestsPerMinute: { ...defaultPolicy(client.url), ...policyOf(options) }.requestsPerMinute,
    world: REAL_RUNTIME,
  });
