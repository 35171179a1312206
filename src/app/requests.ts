import { setMaxListeners } from 'node:events';
import { issueLine } from '../cli/issue-printer.js';
import { createProgress } from '../cli/terminal.js';
import { type Phrase, say } from '../messages/texts.js';
import { type ErrandOptions, type ErrandResult, runErrands } from '../send/errand.js';
import { defaultPolicy, openPace, type Policy, REAL_WORLD } from '../send/traffic.js';
import { type Context, EXIT, type ExitCode } from './context.js';
import { journalFile } from './journal-access.js';
import type { Options } from './options.js';

/** What the options say of the pace; the rest is the sender's own. */
export const policyOf = ({ concurrency, rate }: Options): Partial<Policy> => ({
  ...(concurrency !== undefined && { concurrency }),
  // `undefined` is no limit, and must win over the default of a distant service.
  ...(rate !== undefined && ({ requestsPerMinute: rate === 0 ? undefined : rate } as Partial<Policy>)),
});

export interface WatchedErrands<Item, T> extends Pick<ErrandOptions<Item, T>, 'items' | 'settle' | 'repeat'> {
  readonly url: URL;
  readonly what: Phrase;
  readonly total: number;
  /** Makes one request, hanging up on the second Ctrl-C. */
  readonly ask: (abort: AbortSignal) => ErrandOptions<Item, T>['ask'];
}

/** Runs errands under the eyes of a person: progress, Ctrl-C, why they stopped. */
export async function watchErrands<Item, T>(
  context: Context,
  options: Options,
  errands: WatchedErrands<Item, T>,
): Promise<ErrandResult> {
  const { terminal, language } = context;
  const { url, what, total, ask, settle, ...rest } = errands;
  const progress = createProgress(terminal, { what, total });
  const finish = new AbortController();
  const abort = new AbortController();
  setMaxListeners(0, abort.signal); // every request under way listens
  const stopListening = context.onInterrupt(
    () => {
      terminal.say(say(language, 'finishing'));
      finish.abort();
    },
    () => abort.abort(),
  );
  const policy = { ...defaultPolicy(url.href), ...policyOf(options) };
  const pace = openPace(journalFile(context, options), policy.requestsPerMinute, REAL_WORLD);
  let done = 0;
  try {
    const result = await runErrands({
      ...rest,
      policy,
      pace,
      ask: ask(abort.signal),
      settle: async (item, reply) => {
        await settle(item, reply);
        done += 1;
        progress.update(done);
      },
      finish: finish.signal,
    });
    progress.finish();
    if (result.stopped !== undefined) {
      terminal.say(terminal.paint('red', say(language, 'stoppedEarly')));
      terminal.say(issueLine(result.stopped, language));
    }
    return result;
  } finally {
    pace.close();
    progress.finish();
    stopListening();
  }
}

/** What the shell is told: trouble on the way goes before single failures. */
export function errandExit({ stopped, interrupted }: ErrandResult, open: number, failed: number): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (stopped !== undefined) return EXIT.unreachable;
  if (open > 0) return EXIT.unfinished;
  return failed > 0 ? EXIT.dataErrors : EXIT.fine;
}
