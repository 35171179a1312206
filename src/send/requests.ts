import { setMaxListeners } from 'node:events';
import type { Issue } from '../toolkit/core/issue.js';
import { failureOf, type Weights } from './deliver.js';
import {
  createTraffic,
  NO_RATE_LIMIT,
  type Permit,
  type Policy,
  type RateLimiter,
  REAL_RUNTIME,
  type RequestFailure,
  type Runtime,
  retryPause,
  type Traffic,
} from './rate-limiter.js';
import { workThrough } from './send.js';
import type { Reply } from './verdict.js';

/** Options of small requests about many documents under the run's rate limit: previews, mails. */
export interface RequestOptions<Item, T> {
  readonly items: Iterable<Item> | AsyncIterable<Item>;
  readonly policy: Policy;
  /** Rate limiter shared with all requests to the service. @default none */
  readonly rateLimiter?: RateLimiter;
  /** Makes one request; the reply `next` means that it is called again after a new permit. */
  readonly ask: (item: Item) => Promise<Reply<T>>;
  /** Called once for every item that came to an end. */
  readonly settle: (item: Item, reply: Reply<T>) => Promise<void>;
  /** True if a request whose answer was lost may be repeated. */
  readonly repeat: boolean;
  /** Stops before the next request and waits for requests under way. */
  readonly finish: AbortSignal;
  /** @default the real clock */
  readonly world?: Runtime;
}

export interface RequestsResult {
  readonly stopped?: Issue;
  readonly interrupted: boolean;
}

/** Set-up rules do not matter here: DIAN judges nothing. */
const NO_RULES = { kind: { setUpRules: [] } };

/**
 * Makes a request about each item, until all are done or the service or the user stops it. Throws only what `settle`
 * and `ask` throw.
 */
export async function requestEach<Item, T>(options: RequestOptions<Item, T>): Promise<RequestsResult> {
  const { items, policy, finish, rateLimiter = NO_RATE_LIMIT, world = REAL_RUNTIME } = options;
  const traffic = createTraffic(world, finish, rateLimiter);
  setMaxListeners(0, traffic.over, finish);
  await workThrough(
    items,
    () => policy.concurrency,
    (item) => runOne(item, options, traffic, world),
    traffic.over,
  );
  return {
    ...(traffic.stopped !== undefined && { stopped: traffic.stopped }),
    interrupted: finish.aborted,
  };
}

const DONE = { durable: Promise.resolve() };

async function runOne<Item, T>(
  item: Item,
  { ask, settle, repeat, policy }: RequestOptions<Item, T>,
  traffic: Traffic,
  world: Runtime,
): Promise<typeof DONE> {
  for (let tries = 0; ; ) {
    const permit = await traffic.enter();
    if (permit === undefined) return DONE;
    const reply = await asked(() => ask(item), permit, traffic, { ...NO_RULES, policy, world });
    if (reply.kind === 'not-sent') return DONE;
    if (reply.kind === 'next' || reply.kind === 'throttled') continue;
    tries += 1;
    const again = reply.kind === 'refused-for-all' || (repeat && reply.kind === 'unknown');
    if (!again || tries === policy.tries) {
      // A cause that concerns every document is reported once, as the reason of the stop.
      if (reply.kind !== 'refused-for-all') await settle(item, reply);
      return DONE;
    }
    if (reply.kind === 'unknown') await world.sleep(retryPause(policy, tries), traffic.over);
  }
}

async function asked<T>(
  ask: () => Promise<Reply<T>>,
  permit: Permit,
  traffic: Traffic,
  weights: Weights,
): Promise<Reply<T>> {
  let result: RequestFailure | 'fine' | undefined;
  try {
    const reply = await ask();
    const good = reply.kind === 'done' || reply.kind === 'next';
    result = good ? 'fine' : failureOf(reply, weights);
    return reply;
  } finally {
    traffic.leave(permit, result);
  }
}
