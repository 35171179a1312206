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
import { say } from './events.js';
import { claimToken, policyOf, stopping } from './journal-access.js';
import type { RunOptions } from './options.js';
import { rangesText } from './report.js';
import { askedToProve, givenNit, givenPin, type ProofSecrets } from './secrets.js';

const total = (counts: OutcomeCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

export const done = (counts: OutcomeCounts): number => total(counts) - counts.unsent;

interface Delivery {
  readonly journal: Journal;
  readonly run: string;
  readonly client: Client;
  readonly kind: DocumentKind;
  /** Documents of the run. */
  readonly made: number;
  /** As it was found since the journal was opened. @default it is looked for */
  readonly found?: FoundRun;
  readonly watch?: Watch;
  /** True if the service has answered something already. @default false */
  readonly isRecognised?: boolean;
}

/** Who looks on while a run is sent. */
export interface Watch {
  readonly onProgress: (counts: OutcomeCounts) => void;
  /** After every wait for a turn, in milliseconds. */
  readonly onTurn: (ms: number) => void;
}

/** Sends or resumes a run under the eyes of a person: progress, Ctrl-C, why it stopped. */
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
  const { finish, abort, done: stopListening } = stopping(context);
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
    for (const issue of [result.pinIssue, lackOf(result)])
      if (issue !== undefined)
        context.tell({ event: 'remark', issue: { ...issue, level: 'warning' }, brief: true });
    tellHowItEnded(context, atAccess(result, options), run);
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

/** Asks for what is missing, only where there is something to prove. */
async function moreToProve(
  context: Context,
  { yes }: RunOptions,
  { unproven, stopped, interrupted }: SendResult,
): Promise<ProofSecrets | undefined> {
  if (unproven === undefined || stopped !== undefined || interrupted || yes) return undefined;
  return askedToProve(context, unproven);
}

/** Names what a proof still lacks. */
function lackOf({ unproven, stopped, interrupted }: SendResult): Issue | undefined {
  if (unproven === undefined || stopped !== undefined || interrupted) return undefined;
  const { count, lacks } = unproven;
  const [first, second] = lacks;
  return second === undefined && first !== undefined
    ? createCaseIssue('send/unproven', first, { count })
    : createIssue('send/unproven', { count });
}

/**
 * What has left has left: where journal or results fail after that, as on a full disk, the call was no mistake, and a
 * person is told how to go on once there is room.
 * @throws PipelineError('unfinished') in place of `journal` and `output`
 */
export async function onceBegun<T>(context: Context, run: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PipelineError) || !['journal', 'output'].includes(error.key)) throw error;
    if (error.key === 'journal') say(context, 'resumeHint', { command: { next: `resume ${run}` } });
    else say(context, 'reportHint', { command: { next: `report ${run}`, local: true } });
    throw new PipelineError('unfinished', error.issues, { cause: error.cause });
  }
}

/** Where the authority lets nobody in, the file that was given says why. */
function atAccess(result: SendResult, { sispro: file }: RunOptions): SendResult {
  const { stopped } = result;
  if (file === undefined || stopped === undefined || !hasTrait(stopped, 'by-access')) return result;
  return { ...result, stopped: { ...stopped, place: { file } } };
}

function tellHowItEnded(context: Context, { stopped, counts }: SendResult, run: string): void {
  if (stopped !== undefined) context.tell({ event: 'stopped', issue: stopped });
  if (counts.pending + counts.unknown + counts.unsent === 0) return;
  const [from, until, hours] = ['from', 'until', 'hours'].map((name) => stopped && paramOf(stopped, name));
  const command = { next: `resume ${run}` };
  if (from !== undefined && until !== undefined && hours !== undefined)
    say(context, 'resumeLater', { command, from, until, hours });
  else say(context, 'resumeHint', { command });
}

/** Whether the cause lies in the documents, told by DIAN or the service, and not in reaching them. */
const isVerdict = (cause: Issue): boolean => hasTrait(cause, 'said-by-service');

/** How a run ended. */
export function outcomeOf(
  { counts, stopped, interrupted }: Pick<SendResult, 'counts' | 'stopped' | 'interrupted'>,
  dataErrors: number,
): Outcome {
  if (interrupted) return 'interrupted';
  if (counts.pending + counts.unknown > 0) return 'unfinished';
  if (stopped !== undefined && !isVerdict(stopped)) return 'unreachable';
  if (counts.unsent > 0) return 'unfinished';
  return counts.rejected + dataErrors > 0 ? 'data-errors' : 'fine';
}

/** Which run it is, and by which digest its content is known: the yes is for this. */
export function tellDigest(
  context: Context,
  { run, digest }: { readonly run: string; readonly digest: string },
): void {
  context.tell({ event: 'plan', run, digest });
  say(context, 'theRun', { run, digest });
}

/** Moves the numbers of a run on where somebody else took them since it was laid out; its input is not read again. */
export async function moveOn(
  context: Context,
  { journal, kind, client }: Pick<Delivery, 'journal' | 'kind' | 'client'>,
  { id: run, testSet }: Pick<Run, 'id' | 'testSet'>,
): Promise<void> {
  const advice = kind.numbers?.advice?.(client, testSet);
  if (advice === undefined) return;
  const moved = await moveNumbers(journal, kind, run, advice);
  if (moved.length > 0) say(context, 'numbersMoved', { list: rangesText(moved) });
}

/** What a client that only asks for numbers and the like has to keep to. */
export const counted = (client: Client, options: RunOptions, journal: Journal): Client =>
  countedClient(client, {
    journal,
    requestsPerMinute: { ...defaultPolicy(client.url), ...policyOf(options) }.requestsPerMinute,
    world: REAL_RUNTIME,
  });
