import { setMaxListeners } from 'node:events';
import type { Phrase } from '../messages/texts.js';
import { type ErrandOptions, type ErrandResult, runErrands } from '../send/errand.js';
import { defaultPolicy, openPace, type Policy, REAL_WORLD } from '../send/traffic.js';
import type { Context, Outcome } from './context.js';
import { say } from './events.js';
import { journalFile } from './journal-access.js';
import type { Options } from './options.js';

/** What the options say of the pace; the rest is the sender's own. */
export const policyOf = ({ concurrency, rate }: Options): Partial<Policy> => ({
  ...(concurrency !== undefined && { concurrency }),
  // `undefined` is no limit, and must win over the default of a distant service.
  ...(rate !== undefined && ({ requestsPerMinute: rate === 0 ? undefined : rate } as Partial<Policy>)),
});

/** How a person stops what is under way: once lets it finish, twice hangs up. */
interface Stopping {
  readonly finish: AbortSignal;
  readonly abort: AbortSignal;
  /** Nobody listens any more. */
  done(): void;
}

export function stopping(context: Context): Stopping {
  const finish = new AbortController();
  const abort = new AbortController();
  setMaxListeners(0, finish.signal, abort.signal); // every request under way listens
  const done = context.onInterrupt(
    () => {
      say(context, 'finishing');
      finish.abort();
    },
    () => abort.abort(),
  );
  return { finish: finish.signal, abort: abort.signal, done };
}

export interface Requests<Item, T> extends Pick<ErrandOptions<Item, T>, 'items' | 'settle' | 'repeat'> {
  readonly url: URL;
  readonly what: Phrase;
  readonly total: number;
  /** Makes one request, hanging up on the second Ctrl-C. */
  readonly ask: (abort: AbortSignal) => ErrandOptions<Item, T>['ask'];
}

/** Makes the requests of a use case that sends no documents, under the eyes of a person: progress, Ctrl-C, why they stopped. */
export async function makeRequests<Item, T>(
  context: Context,
  options: Options,
  { url, what, total, ask, settle, ...rest }: Requests<Item, T>,
): Promise<ErrandResult> {
  context.tell({ event: 'begins', what, total });
  const { finish, abort, done: stopListening } = stopping(context);
  const policy = { ...defaultPolicy(url.href), ...policyOf(options) };
  const pace = openPace(await journalFile(context, options), policy.requestsPerMinute, REAL_WORLD);
  let done = 0;
  try {
    const result = await runErrands({
      ...rest,
      policy,
      pace,
      ask: ask(abort),
      settle: async (item, reply) => {
        await settle(item, reply);
        done += 1;
        context.tell({ event: 'progress', done });
      },
      finish,
    });
    context.tell({ event: 'ends' });
    if (result.stopped !== undefined) context.tell({ event: 'stopped', issue: result.stopped });
    return result;
  } finally {
    pace.close();
    context.tell({ event: 'ends' });
    stopListening();
  }
}

/** How requests ended: trouble on the way goes before single failures. */
export function outcomeOfRequests(
  { stopped, interrupted }: ErrandResult,
  open: number,
  failed: number,
): Outcome {
  if (interrupted) return 'interrupted';
  if (stopped !== undefined) return 'unreachable';
  if (open > 0) return 'unfinished';
  return failed > 0 ? 'data-errors' : 'fine';
}
