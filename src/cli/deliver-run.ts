import { setMaxListeners } from 'node:events';
import type { Client } from '../client/client.js';
import type { OutcomeCounts } from '../document/accounting.js';
import type { Issue } from '../issues/issue.js';
import { PipelineError } from '../issues/pipeline-error.js';
import { outcomeCounts } from '../send/accounting.js';
import type { Journal } from '../send/journal.js';
import type { DocumentKind } from '../send/kind.js';
import type { Policy } from '../send/policy.js';
import { type SendResult, sendRun } from '../send/send.js';
import type { Context } from './context.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { followUp } from './follow-up.js';
import { issueLine } from './issue-line.js';
import { claimToken } from './journal-access.js';
import type { Options } from './options.js';
import { createProgress } from './progress.js';
import { say } from './say.js';
import { givenPin, pinToProve } from './software-pin.js';

/** What the options say of the pace; the rest is the sender's own. */
export const policyOf = ({ concurrency, rate }: Options): Partial<Policy> => ({
  ...(concurrency !== undefined && { concurrency }),
  // `undefined` is no limit, and must win over the default of a distant service.
  ...(rate !== undefined && ({ requestsPerMinute: rate === 0 ? undefined : rate } as Partial<Policy>)),
});

const total = (counts: OutcomeCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

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
    const given = what.kind.hashed === undefined ? undefined : await givenPin(context, options);
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
  const { from, until } = stopped?.params ?? {};
  const command = followUp(context, options, `resume ${run}`);
  const later = from !== undefined && until !== undefined;
  terminal.say(
    later ? say(language, 'resumeLater', { command, from, until }) : say(language, 'resumeHint', { command }),
  );
}

/** Whether the cause lies in the documents, told by DIAN or the service, and not in reaching them. */
const isVerdict = (cause: Issue): boolean => cause.code.startsWith('remote/');

/** What the shell is told of a run. */
export function exitOf({ counts, stopped, interrupted }: SendResult, dataErrors: number): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (counts.pending + counts.unknown > 0) return EXIT.unfinished;
  if (stopped !== undefined && !isVerdict(stopped)) return EXIT.unreachable;
  if (stopped === undefined && counts.unsent > 0) return EXIT.unfinished;
  return counts.rejected + counts.unsent + dataErrors > 0 ? EXIT.dataErrors : EXIT.fine;
}
