import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { isLoopback } from '../client/address.js';
import { type Issue, withParams } from '../toolkit/core/issue.js';
import { dateInBogota, timeInBogota } from '../toolkit/core/plain-date.js';
import { ruleAt } from '../toolkit/schema/dated-rows.js';
import { filePermits, MAX_AHEAD_MS, type PermitStore } from './permit-store.js';

/** Delays single requests, so that no minute holds more of them than allowed. */
export interface RateLimiter {
  /**
   * Waits for a slot, or until `over` fires. Returns a check whether a request may still leave in this slot. Throws a
   * PipelineError (`journal`) if no slot can be had.
   */
  take(over?: AbortSignal): Promise<InTime>;
  /** Called once for every `take`: the answer is there, or nothing was sent. */
  end(): void;
  close(): Promise<void>;
}

type InTime = () => boolean;

const ALWAYS: InTime = () => true;

export const NO_RATE_LIMIT: RateLimiter = { take: async () => ALWAYS, end: () => {}, close: async () => {} };

const MINUTE = 60_000;
/** Slots reserved ahead, in ms; a killed process loses those it had not used. */
const BLOCK_MS = 5_000;
/** Slots reserved ahead, in ms, if several machines share the limit. */
const SHARED_BLOCK_MS = 250;
/** Max delay, in ms, of another process's last request. */
const MAX_LATENESS_MS = 3_000;
/** Max delay between a reserved slot and the request, in ms. */
const MAX_SEND_DELAY_MS = 1_500;
/** Max time to reserve a block, in ms; after that it is uncertain when the block begins. */
const MAX_RESERVE_MS = 500;
const MANY = 1_000;

interface PaceOptions {
  readonly perMinute: number;
  /**
   * True if several processes send at the same time, so that every gap allows for a late request; else one sends
   * after the other, and only the first request after a change of process keeps a distance. @default false
   */
  readonly shared?: boolean;
  /** True if a late request waits for another slot, since other machines count on it. @default false */
  readonly strict?: boolean;
}

/**
 * Creates a rate limiter with slots at equal distances, shared by all that use the same store: they reserve blocks,
 * durable ahead of use. Inside of a process a request also counts until a minute after its answer, so that no delay
 * on the way can crowd requests together.
 */
export function createRateLimiter(
  permits: PermitStore,
  { perMinute, shared = false, strict = shared }: PaceOptions,
  world: Runtime,
): RateLimiter {
  const { sleep } = world;
  // A file's slots are in the time of the machine's clock.
  const clock = (strict ? world.steady : undefined) ?? world.clock;
  const gap = (shared ? MINUTE + MAX_LATENESS_MS : MINUTE) / perMinute;
  const block = Math.ceil((shared ? SHARED_BLOCK_MS : BLOCK_MS) / gap) * gap;
  const apart = shared ? 0 : MAX_LATENESS_MS;

  /** Next slot and end of our block, by our clock; `mark` is the end as the store has it. */
  let next = 0;
  let end = 0;
  let mark = Number.NaN;
  let taking: Promise<void> | undefined;

  async function takeBlock(): Promise<void> {
    const asked = clock();
    const taken = await permits.take({ mark, ahead: Math.max(0, next - asked), block, apart });
    const answered = clock();
    mark = taken.mark;
    if (strict && answered - asked > MAX_RESERVE_MS) return;
    next = answered + taken.wait;
    end = next + block;
  }

  async function nextTurn(): Promise<number> {
    for (;;) {
      // More slots ahead than anyone can wait for: the clock was set back.
      if (next > clock() + MAX_AHEAD_MS + MANY * gap) {
        next = end = clock();
        mark = Number.NaN;
      }
      next = Math.max(next, clock());
      // The slot must end before the block does; its end is a sum of fractions.
      if (next + gap <= end + 0.5) {
        const turn = next;
        next += gap;
        return turn;
      }
      taking ??= takeBlock().finally(() => (taking = undefined));
      await taking;
    }
  }

  /** Ring of the times at which the last requests ended. */
  const ends = new Float64Array(Math.ceil(perMinute));
  let taken = 0;
  let ended = 0;

  /** Returns the wait, in ms, until one more request fits in the minute. */
  function untilRoom(): number {
    const first = taken - ends.length;
    if (first < 0) return 0;
    if (first >= ended) return gap;
    const at = first % ends.length;
    const now = clock();
    const end = ends[at] ?? now;
    // A clock that was set back.
    if (end > now) for (const [each, time] of ends.entries()) ends[each] = Math.min(time, now);
    return Math.min(end, now) + MINUTE - now;
  }

  return {
    async take(over) {
      for (let wait = untilRoom(); wait > 0 && !over?.aborted; wait = untilRoom()) await sleep(wait, over);
      taken += 1;
      while (!over?.aborted) {
        const turn = await nextTurn();
        if (turn > clock()) await sleep(turn - clock(), over);
        const isInTime = (): boolean => !strict || clock() <= turn + MAX_SEND_DELAY_MS;
        if (isInTime()) return isInTime;
      }
      return ALWAYS;
    },
    end() {
      ends[ended % ends.length] = clock();
      ended += 1;
    },
    async close() {
      try {
        await permits.giveBack(mark, Math.max(0, end - Math.max(next, clock())));
      } finally {
        permits.close();
      }
    },
  };
}

/** Journal whose rate limit is kept in its database, or in a file next to it. */
interface LimitedJournal {
  readonly path: string;
  rateLimiter?(perMinute: number | undefined, world: Runtime): Promise<RateLimiter>;
}

/** Opens the rate limiter of all requests for one company to one service. */
export const rateLimiterOf = async (
  journal: LimitedJournal,
  perMinute: number | undefined,
  world: Runtime,
): Promise<RateLimiter> =>
  (await journal.rateLimiter?.(perMinute, world)) ?? openRateLimiter(journal.path, perMinute, world);

/** Opens the rate limiter that is kept in a file next to a journal. */
export const openRateLimiter = (
  journal: string,
  perMinute: number | undefined,
  world: Runtime,
): RateLimiter =>
  perMinute === undefined
    ? NO_RATE_LIMIT
    : createRateLimiter(filePermits(journal, world.clock), { perMinute }, world);

/** Combines two limits: a request takes a slot of each, and takes another one if it missed the first meanwhile. */
export function combineRateLimiters(limiter: RateLimiter, other: RateLimiter): RateLimiter {
  const inTurn = pLimit(1);
  return {
    take: (over) =>
      inTurn(async () => {
        let [first, second] = [await limiter.take(over), await other.take(over)];
        for (; !over?.aborted; ) {
          if (!first()) {
            limiter.end();
            first = await limiter.take(over);
          } else if (!second()) {
            other.end();
            second = await other.take(over);
          } else break;
        }
        return () => first() && second();
      }),
    end() {
      limiter.end();
      other.end();
    },
    async close() {
      await limiter.close();
      await other.close();
    },
  };
}

/** Bounds of the gap between two requests, in ms: less is no gap, more is a standstill. */
const MIN_GAP_MS = 1;
const MAX_GAP_MS = 5_000;
/** Max gaps that may be reserved ahead; more means that the clock was set back. */
const AHEAD = 1_000;
/** Factor by which a refusal widens the gap. */
const BRAKE = 1.5;
/** Half-life of the gap, in gaps and with bounds in ms. */
const HALF_LIFE_GAPS = 8;
const MIN_HALF_LIFE_MS = 1_000;
const MAX_HALF_LIFE_MS = 5_000;
/** Time over which served requests are counted, in ms. */
const RATE_SPAN_MS = 10_000;
/** Weight of the best rate before, when a span was slower. */
const BEST_RATE_DECAY = 0.8;
/** Refusals in a row after which the best rate no longer counts. */
const REFUSALS_IN_A_ROW = 3;

/**
 * Adapts the gap between requests to what the service serves; there is none before the first refusal. The gap shrinks with time and not with answers, and a
 * single refusal never slows down to less than two thirds of the best recent rate: otherwise random refusals, from
 * about 3 % of the requests on, would add up to a crawl.
 */
function createSlowdown({ clock, sleep }: Runtime) {
  let gap = 0;
  /** Time when `gap` was set or shrunk; during a pause, its end. */
  let at = clock();
  let next = 0;
  let since = clock();
  let sentCount = 0;
  /** Best recent rate, in requests served per ms; `count` are those served since `spanStart`. */
  let best = 0;
  let count = 0;
  let spanStart = clock();

  function shrink(): void {
    const now = clock();
    if (now < spanStart) at = spanStart = now; // the clock was set back
    const halfLife = Math.min(MAX_HALF_LIFE_MS, Math.max(MIN_HALF_LIFE_MS, HALF_LIFE_GAPS * gap));
    if (now > at) {
      gap *= 0.5 ** ((now - at) / halfLife);
      at = now;
    }
    if (gap < MIN_GAP_MS) gap = 0;
  }

  function measure(): void {
    const now = clock();
    if (now - spanStart < RATE_SPAN_MS) return;
    best = Math.max(count / (now - spanStart), BEST_RATE_DECAY * best);
    count = 0;
    spanStart = now;
  }

  return {
    async turn(over: AbortSignal): Promise<void> {
      sentCount += 1;
      shrink();
      if (gap === 0) return;
      const turnAt = next > clock() + AHEAD * gap ? clock() : Math.max(clock(), next);
      next = turnAt + gap;
      if (turnAt > clock()) await sleep(turnAt - clock(), over);
    },
    /**
     * Widens the gap from `start` on, when the pause is over; `inARow` counts refusals since the last request that was
     * served.
     */
    brake(start: number, inARow: number): void {
      shrink();
      measure();
      const usual = Math.max(0, clock() - since) / Math.max(1, sentCount);
      const wanted = BRAKE * Math.max(MIN_GAP_MS, gap, usual);
      if (inARow >= REFUSALS_IN_A_ROW) best = 0;
      gap = Math.min(MAX_GAP_MS, Math.max(gap, Math.min(wanted, BRAKE / best)));
      at = start;
      since = start;
      sentCount = 0;
    },
    /** Counts a request that the service did not refuse. */
    served(): void {
      measure();
      count += 1;
    },
  };
}

/** Clock, sleep and chance; tests bring their own, so that none waits. */
export interface Runtime {
  /** Returns milliseconds since 1970. */
  readonly clock: () => number;
  /** Returns milliseconds from any origin, by a clock that is never set. @default clock */
  readonly steady?: () => number;
  /** Resolves after a time, or as soon as the signal fires. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Returns 0 ≤ x < 1. */
  readonly random: () => number;
}

export const REAL_RUNTIME: Runtime = {
  clock: Date.now,
  steady: () => performance.now(),
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
  random: Math.random,
};

/** Permit for one request; it must be given back with the result. */
export interface Permit {
  readonly epoch: number;
  readonly done?: () => void;
  /** True if the slot is not over. */
  isInTime?: InTime;
}

/** Failure of a request that affects the run. */
export interface RequestFailure {
  readonly cause: Issue;
  /** Groups failures: another key starts another series. */
  readonly key: string;
  /** Max failures in a row that count as chance. */
  readonly allowed: number;
  /** Pauses in ms. Each ends with a single request; if the one after the last pause fails too, the run stops. */
  readonly pauses: readonly number[];
  /** True if the service answered "too many requests". */
  readonly haste?: boolean;
  /** Time in ms after which the user should resume, from the first failure on. */
  readonly again?: number;
}

/** Controls all requests of a run: it applies the rate limit, slows all down together, and ends a hopeless run. */
export type Traffic = ReturnType<typeof createTraffic>;

export function createTraffic(world: Runtime, finish: AbortSignal, rateLimiter: RateLimiter) {
  const { clock, sleep } = world;
  const slowdown = createSlowdown(world);
  let pausedUntil = 0;
  let maxPause = 0;
  let epoch = 0;
  let inARow = 0;
  let since = 0;
  let rounds = 0;
  let wave = '';
  let probe: Promise<void> | undefined;
  let turning: Promise<void> | undefined;
  let stopped: Issue | undefined;
  const ended = new AbortController();
  const over = AbortSignal.any([finish, ended.signal]);

  const stop = (cause: Issue): void => {
    stopped ??= cause;
    ended.abort();
  };

  /** Issues the single permit after a pause; its request decides whether the others may follow. */
  function goAlone(): Permit {
    let done = (): void => {};
    probe = new Promise((resolve) => {
      done = () => {
        probe = undefined;
        resolve();
      };
    });
    return { epoch, done };
  }

  /** Waits for the slot. Returns false if a pause began or the run ended meanwhile. */
  async function awaitTurn(permit: Permit): Promise<boolean> {
    let good = false;
    try {
      await slowdown.turn(over);
      permit.isInTime = await rateLimiter.take(over);
      good = !over.aborted && permit.epoch === epoch;
      return good;
    } finally {
      if (!good) {
        rateLimiter.end();
        permit.done?.();
      }
    }
  }

  /** Waits for a slot, one request at a time: a pause wastes the slots that were taken before it. */
  async function inTurn(begin: () => Permit): Promise<Permit | undefined> {
    let release = (): void => {};
    turning = new Promise((resolve) => (release = resolve));
    try {
      const permit = begin();
      return (await awaitTurn(permit)) ? permit : undefined;
    } finally {
      turning = undefined;
      release();
    }
  }

  async function enter(): Promise<Permit | undefined> {
    while (!over.aborted) {
      if (probe !== undefined) await probe;
      else if (pausedUntil > clock()) {
        // A clock that was set back makes no pause longer.
        pausedUntil = Math.min(pausedUntil, clock() + maxPause);
        await sleep(pausedUntil - clock(), over);
      } else if (turning !== undefined) await turning;
      else {
        const permit = await inTurn(() => (rounds === 0 ? { epoch } : goAlone()));
        if (permit !== undefined) return permit;
      }
    }
    return undefined;
  }

  function fail({ cause, key, allowed, pauses, haste = false, again }: RequestFailure): void {
    if (key !== wave) {
      inARow = 0;
      rounds = 0;
      wave = key;
    }
    if (inARow === 0) since = clock();
    inARow += 1;
    if (inARow <= allowed) return;
    const pause = pauses[rounds];
    rounds += 1;
    epoch += 1;
    if (pause === undefined) {
      stop(again === undefined ? cause : comeAgain(cause, since, again));
      return;
    }
    maxPause = pause;
    pausedUntil = clock() + pause;
    if (haste) slowdown.brake(pausedUntil, rounds);
  }

  function leave(permit: Permit, result: RequestFailure | 'fine' | undefined): void {
    rateLimiter.end();
    // A request made before a pause says nothing of the time after it.
    const counts = permit.epoch === epoch;
    if (counts && result === 'fine') {
      inARow = 0;
      rounds = 0;
      slowdown.served();
    } else if (counts && typeof result === 'object') fail(result);
    permit.done?.();
  }

  async function ready(permit: Permit, abort: AbortSignal | undefined): Promise<void> {
    while (permit.isInTime?.() === false && !abort?.aborted) {
      rateLimiter.end();
      permit.isInTime = await rateLimiter.take(abort);
    }
  }

  return {
    /** Waits for a permit; undefined if the run is over. */
    enter,
    /** Waits for another slot if the permit's is over, just before its request leaves. */
    ready,
    /** Gives a permit back with a failure, `fine` if the service did its work, or undefined if it proves neither. */
    leave,
    stop,
    /** Fires if the run is stopped, or asked to finish. */
    over,
    get stopped() {
      return stopped;
    },
  };
}

/** Adds to a cause when to resume, and for how many hours a payroll is certainly in time by the law of that day. */
function comeAgain(cause: Issue, since: number, after: number): Issue {
  const term = ruleAt('law_terms', dateInBogota(new Date(since)), { name: 'payroll_after_outage' });
  const hours = term.kind === 'row' ? Number(term.row['amount']) : 0;
  return withParams(cause, {
    from: timeInBogota(since + after),
    ...(hours > 0 && { hours, until: timeInBogota(since + hours * HOUR) }),
  });
}

/** Min rounds without a change, however long one takes under a slow rate limit. */
const QUIET_ROUNDS = 3;

/**
 * Creates a poller, which polls in rounds in the background while documents wait. `round` polls all waiting documents and returns their number; `waiting` returns how many wait.
 * Polling ends when none waits, or when nothing has changed for `pollFor`.
 */
export function createPoller(
  round: () => Promise<number>,
  waiting: () => number,
  { pollEvery, pollFor }: Policy,
  { clock, sleep }: Runtime,
  over: AbortSignal,
) {
  let noticed = false;
  let rounds: Promise<void> | undefined;

  async function run(): Promise<void> {
    let changed = clock();
    // Counts rounds as well: a clock can be set back.
    const isEarly = (quiet: number): boolean => clock() - changed < pollFor && quiet * pollEvery < pollFor;
    for (let quiet = 0; quiet < QUIET_ROUNDS || isEarly(quiet); ) {
      noticed = false;
      const before = waiting();
      await sleep(pollEvery, over);
      if (over.aborted) break;
      const asked = await round();
      if (asked === 0 && !noticed) break;
      quiet += 1;
      if (noticed || waiting() !== before) {
        quiet = 0;
        changed = clock();
      }
    }
    rounds = undefined;
  }

  return {
    /** Starts polling for a document that waits for a verdict. */
    notice: () => {
      noticed = true;
      rounds ??= run();
      // The caller of idle() gets the error.
      rounds.catch(() => {});
    },
    /** Resolves when no round is under way or due; throws what a round threw. */
    idle: async () => {
      while (rounds !== undefined) await rounds;
    },
  };
}

/** Reaction to a service, or an authority behind it, that is down. */
interface Outage {
  /** Max lost answers in a row that count as chance. */
  readonly chance: number;
  /** Pauses in ms before each further try, of a document and of the run; after the last one the run stops. */
  readonly pauses: readonly number[];
  /** Time in ms after which to try again, from the first failure on. */
  readonly again?: number;
}

/** Load that the service is given. Times in ms. */
export interface Policy {
  /** Max concurrent requests, polls included. */
  readonly concurrency: number;
  /** Max requests in any minute, over all runs, polls included; undefined is no limit. */
  readonly requestsPerMinute?: number;
  /** Max tries of one document in a run; a throttled one does not count. */
  readonly tries: number;
  /** Max retries of all documents together; undefined grows with the run. */
  readonly retryBudget?: number;
  readonly outage: Outage;
  /** Pause after "too many requests" if the service names none; it doubles each time, up to the cap. */
  readonly pause: number;
  readonly pauseCap: number;
  /** Time between two rounds of polls, and for how long they go on without a verdict. */
  readonly pollEvery: number;
  readonly pollFor: number;
  /** Max tries of a note whose predecessor DIAN does not find yet, and the first pause; it doubles each time. */
  readonly predecessorTries: number;
  readonly predecessorPause: number;
  /** Time after which a request whose answer was lost has arrived or never will. */
  readonly arrivesWithin: number;
}

const SECOND = 1_000;
const A_MINUTE = 60 * SECOND;
const HOUR = 60 * A_MINUTE;

/**
 * Payroll annex, section 4: again after 20 seconds and two more times, then stop; try again half an hour after the
 * first failure. The hours to send count from when the service is back, so that those from the failure are safe.
 */
const PAYROLL_ANNEX: Outage = {
  chance: 3,
  pauses: [20 * SECOND, 20 * SECOND, 20 * SECOND],
  again: 30 * A_MINUTE,
};

/** Policy for a real service: it answers slowly and allows about 60 requests a minute (service.md 2, 5.3). */
const DISTANT: Policy = {
  concurrency: 4,
  requestsPerMinute: 55,
  tries: 4,
  outage: PAYROLL_ANNEX,
  pause: 2 * SECOND,
  pauseCap: A_MINUTE,
  pollEvery: 3 * SECOND,
  pollFor: 2 * A_MINUTE,
  predecessorTries: 4,
  predecessorPause: 20 * SECOND,
  arrivesWithin: 5 * A_MINUTE,
};

const LOOPBACK: Policy = {
  concurrency: 16,
  tries: 5,
  outage: { chance: 15, pauses: [50, 100, 200, 400] },
  pause: 50,
  pauseCap: SECOND,
  pollEvery: 50,
  pollFor: 15 * SECOND,
  predecessorTries: 4,
  predecessorPause: 50,
  arrivesWithin: 500,
};

export const defaultPolicy = (url: string): Policy =>
  isLoopback(new URL(url).hostname) ? LOOPBACK : DISTANT;

/** Returns an exponential pause with jitter over its upper half, in ms; `round` counts from 1. */
export const pauseOf = (
  { pause, pauseCap }: Pick<Policy, 'pause' | 'pauseCap'>,
  round: number,
  random: () => number,
): number => Math.min(pauseCap, pause * 2 ** (round - 1)) * (0.5 + random() / 2);

/** Returns the pause before a document whose answer was lost is tried again, in ms; `tries` counts from 1. */
export const retryPause = ({ outage: { pauses } }: Pick<Policy, 'outage'>, tries: number): number =>
  pauses[Math.min(tries, pauses.length) - 1] ?? 0;

/** Converts `Retry-After`, in seconds or as a date, to milliseconds from now; at most ten years. */
export function retryAfterMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 87_600 * HOUR);
}
