import type { Issue } from '../issues/issue.js';
import type { Pace } from './pace.js';
import type { Again } from './policy.js';
import { createSlowdown } from './slowdown.js';
import { bogotaTime, type World } from './time.js';

/** Leave to make one request; it must be given back with what came of it. */
export interface Pass {
  readonly epoch: number;
  readonly done?: () => void;
}

/** An answer that speaks against going on as before. */
export interface Trouble {
  readonly cause: Issue;
  /** Troubles of another key are another wave. */
  readonly key: string;
  /** How many in a row are taken as chance. */
  readonly allowed: number;
  /** Each ends with a single request; when the last one fails too, the run stops. */
  readonly pauses: readonly number[];
  /** We were too fast. */
  readonly haste?: boolean;
  /** It may pass while nobody tries: what the person is told when the run stops. */
  readonly again?: Again;
}

/** All requests of a run pass here: it keeps the pace, slows everyone down together, and ends a hopeless run. */
export interface Traffic {
  /** Waits for a turn; undefined when the run is over. */
  enter(): Promise<Pass | undefined>;
  /** What came of it: trouble, `fine` when the service did its work, nothing when it proves neither. */
  leave(pass: Pass, result: Trouble | 'fine' | undefined): void;
  stop(cause: Issue): void;
  readonly stopped: Issue | undefined;
  /** Fires when the run is stopped, or asked to finish. */
  readonly over: AbortSignal;
}

export function createTraffic(world: World, finish: AbortSignal, pace: Pace): Traffic {
  const { clock, sleep } = world;
  const slowdown = createSlowdown(world);
  let pausedUntil = 0;
  let longest = 0;
  let epoch = 0;
  let inARow = 0;
  let since = 0;
  let rounds = 0;
  let wave = '';
  let probe: Promise<void> | undefined;
  let stopped: Issue | undefined;
  const ended = new AbortController();
  const over = AbortSignal.any([finish, ended.signal]);

  const stop = (cause: Issue): void => {
    stopped ??= cause;
    ended.abort();
  };

  /** After a pause one request goes alone and shows whether the others may follow. */
  function goAlone(): Pass {
    let done = (): void => {};
    probe = new Promise((resolve) => {
      done = () => {
        probe = undefined;
        resolve();
      };
    });
    return { epoch, done };
  }

  /** Whether the pass is still good when its turn has come; a pause may have begun, or the run be over. */
  async function awaitTurn(pass: Pass): Promise<boolean> {
    let good = false;
    try {
      await slowdown.turn(over);
      await pace.take(over);
      good = !over.aborted && pass.epoch === epoch;
      return good;
    } finally {
      if (!good) {
        pace.end();
        pass.done?.();
      }
    }
  }

  async function enter(): Promise<Pass | undefined> {
    while (!over.aborted) {
      if (probe !== undefined) await probe;
      else if (pausedUntil > clock()) {
        // A clock that was set back makes no pause longer.
        pausedUntil = Math.min(pausedUntil, clock() + longest);
        await sleep(pausedUntil - clock(), over);
      } else {
        const pass = rounds === 0 ? { epoch } : goAlone();
        if (await awaitTurn(pass)) return pass;
      }
    }
    return undefined;
  }

  function fail({ cause, key, allowed, pauses, haste = false, again }: Trouble): void {
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
    longest = pause;
    pausedUntil = clock() + pause;
    if (haste) slowdown.brake(pausedUntil);
  }

  function leave(pass: Pass, result: Trouble | 'fine' | undefined): void {
    pace.end();
    // What was asked before a pause says nothing of the time after it.
    const counts = pass.epoch === epoch;
    if (counts && result === 'fine') {
      inARow = 0;
      rounds = 0;
      slowdown.recover();
    } else if (counts && typeof result === 'object') fail(result);
    pass.done?.();
  }

  return {
    enter,
    leave,
    stop,
    over,
    get stopped() {
      return stopped;
    },
  };
}

/** The cause, with the first and the last moment to go on with the run. */
const comeAgain = (cause: Issue, since: number, { after, within }: Again): Issue => ({
  ...cause,
  params: { ...cause.params, from: bogotaTime(since + after), until: bogotaTime(since + within) },
});
