import { setMaxListeners } from 'node:events';
import { issueLine } from '../cli/issue-printer.js';
import { createProgress } from '../cli/terminal.js';
import type { Client } from '../client/client.js';
import { type Issue, PipelineError, paramOf } from '../core/issue.js';
import { say } from '../messages/texts.js';
import { hasTrait } from '../messages/wording.js';
import type { OutcomeCounts } from '../schema/document.js';
import { countedClient } from '../send/deliver.js';
import type { Journal } from '../send/journal.js';
import type { DocumentKind } from '../send/kind.js';
import { findRun, outcomeCounts } from '../send/runs.js';
import { type SendResult, sendRun } from '../send/send.js';
import { moveNumbers } from '../send/spool.js';
import { defaultPolicy, REAL_WORLD } from '../send/traffic.js';
import { type Context, EXIT, type ExitCode } from './context.js';
import { claimToken } from './journal-access.js';
import type { Options } from './options.js';
import { rangesText } from './report.js';
import { policyOf } from './requests.js';
import { givenPin, pinToProve } from './secrets.js';

/** A word as a shell reads it back. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * `cargue resume 2026-10-03-1 --profile andina`: a command about what this call worked on, to be pasted into any shell. It
 * names what the call was told by options, environment or profile; of what the profile says itself, its name is enough.
 */
export function followUp({ profile, url }: Context, options: Options, command: string): string {
  const said = profile?.own;
  const needed = Object.entries({
    profile: profile?.name,
    company: options.company === said?.company ? undefined : options.company,
    url:
      url !== undefined && options.url === undefined && url === said?.url ? undefined : (options.url ?? url),
    ca: options.ca === said?.ca ? undefined : options.ca,
  });
  const flags = needed.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  return ['cargue', command, ...flags].join(' ');
}

export const total = (counts: OutcomeCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

export interface DeliverOptions {
  readonly journal: Journal;
  readonly run: string;
  readonly client: Client;
  readonly kind: DocumentKind;
  /** Documents of the run. */
  readonly made: number;
}

/** Sends or resumes a run under the eyes of a person: progress, Ctrl-C, why it stopped. */
export async function deliverRun(
  context: Context,
  options: Options,
  what: DeliverOptions,
): Promise<SendResult> {
  const { terminal, language } = context;
  const { made, ...rest } = what;
  claimToken(context, options, what.journal, what.client.fingerprint);
  const done = (counts: OutcomeCounts): number => total(counts) - counts.unsent;
  const before = done(outcomeCounts(what.journal, what.run));
  const progress = createProgress(terminal, { what: 'sending', total: made, before });
  const finish = new AbortController();
  const abort = new AbortController();
  setMaxListeners(0, finish.signal, abort.signal); // every request under way listens
  const stopListening = context.onInterrupt(
    () => {
      terminal.say(say(language, 'finishing'));
      finish.abort();
    },
    () => abort.abort(),
  );
  try {
    const go = (softwarePin: string | undefined): Promise<SendResult> =>
      sendRun({
        ...rest,
        policy: policyOf(options),
        finish: finish.signal,
        abort: abort.signal,
        onProgress: (counts) => progress.update(done(counts)),
        ...(softwarePin !== undefined && { softwarePin }),
      });
    const given = what.kind.proof === undefined ? undefined : await givenPin(context, options);
    let result = await go(given);
    progress.finish();
    const { unproven, stopped, interrupted } = result;
    // Asked for only where there is something to prove.
    if (
      unproven !== undefined &&
      stopped === undefined &&
      !interrupted &&
      terminal.interactive &&
      !options.yes
    ) {
      const pin = await pinToProve(context, unproven);
      if (pin !== undefined) result = await go(pin);
      progress.finish();
    }
    if (result.pinTrouble !== undefined)
      terminal.say(terminal.paint('yellow', '! ') + issueLine(result.pinTrouble, language));
    sayHowItEnded(context, options, result, what.run);
    return result;
  } finally {
    progress.finish();
    stopListening();
  }
}

/**
 * What has left has left: where journal or results fail after that, as on a full disk, the call was no mistake, and a
 * person is told how to go on once there is room.
 * @throws PipelineError('unfinished') in place of `journal` and `output`
 */
export async function onceBegun<T>(
  context: Context,
  options: Options,
  run: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PipelineError) || !['journal', 'output'].includes(error.key)) throw error;
    const { terminal, language } = context;
    const verb = error.key === 'journal' ? 'resume' : 'report';
    const { ca, ...local } = options;
    const said = verb === 'resume' ? options : local; // a report is written without the service
    terminal.say(say(language, `${verb}Hint`, { command: followUp(context, said, `${verb} ${run}`) }));
    throw new PipelineError('unfinished', error.issues, { cause: error.cause });
  }
}

const unfinished = ({ pending, unknown, unsent }: OutcomeCounts): number => pending + unknown + unsent;

function sayHowItEnded(
  context: Context,
  options: Options,
  { stopped, counts }: SendResult,
  run: string,
): void {
  const { terminal, language } = context;
  if (stopped !== undefined) {
    terminal.say(terminal.paint('red', say(language, 'stoppedEarly')));
    terminal.say(issueLine(stopped, language));
  }
  if (unfinished(counts) === 0) return;
  const [from, until] = ['from', 'until'].map((name) => stopped && paramOf(stopped, name));
  const command = followUp(context, options, `resume ${run}`);
  const later = from !== undefined && until !== undefined;
  terminal.say(
    later ? say(language, 'resumeLater', { command, from, until }) : say(language, 'resumeHint', { command }),
  );
}

/** Whether the cause lies in the documents, told by DIAN or the service, and not in reaching them. */
const isVerdict = (cause: Issue): boolean => hasTrait(cause, 'said-by-service');

/** What the shell is told of a run. */
export function exitOf({ counts, stopped, interrupted }: SendResult, dataErrors: number): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (counts.pending + counts.unknown > 0) return EXIT.unfinished;
  if (stopped !== undefined && !isVerdict(stopped)) return EXIT.unreachable;
  if (stopped === undefined && counts.unsent > 0) return EXIT.unfinished;
  return counts.rejected + counts.unsent + dataErrors > 0 ? EXIT.dataErrors : EXIT.fine;
}

/** Which run it is, and by which digest its content is known: the yes is for this. */
export const sayDigest = (
  { terminal, language }: Context,
  { json }: Options,
  { run, digest }: { readonly run: string; readonly digest: string },
): void => {
  if (json) terminal.out(JSON.stringify({ event: 'plan', run, digest }));
  terminal.say(say(language, 'theRun', { run, digest }));
};

/** Moves the numbers of a run on where somebody else took them since it was laid out; its input is not read again. */
export async function moveOn(
  { terminal, language }: Context,
  { journal, kind, run }: { readonly journal: Journal; readonly kind: DocumentKind; readonly run: string },
  client: Client,
): Promise<void> {
  const advice = kind.numbers?.advice?.(client, findRun(journal, run).testSet);
  if (advice === undefined) return;
  const moved = await moveNumbers(journal, kind, run, advice);
  if (moved.length > 0) terminal.say(say(language, 'numbersMoved', { list: rangesText(moved) }));
}

/** What a client that only asks for numbers and the like has to keep to. */
export const counted = (client: Client, options: Options, { path }: Journal): Client =>
  countedClient(client, {
    journal: path,
    requestsPerMinute: { ...defaultPolicy(client.url), ...policyOf(options) }.requestsPerMinute,
    world: REAL_WORLD,
  });
