import type { Issue } from '../issues/issue.js';
import { type Policy, pauseOf } from './policy.js';
import type { World } from './time.js';

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
  /** How many pauses, each ended by a single request that failed too, until the run stops. */
  readonly rounds: number;
  /** What the service itself asked for. */
  readonly waitMs?: number;
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

export function createTraffic(policy: Policy, { clock, sleep, random }: World, finish: AbortSignal): Traffic {
  const gap = policy.requestsPerMinute === undefined ? 0 : 60_000 / policy.requestsPerMinute;
  let nextSlot = 0;
  let pausedUntil = 0;
  let epoch = 0;
  let inARow = 0;
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

  async function turn(): Promise<void> {
    if (gap === 0) return;
    const slot = Math.max(clock(), nextSlot);
    nextSlot = slot + gap;
    if (slot > clock()) await sleep(slot - clock(), over);
  }

  async function enter(): Promise<Pass | undefined> {
    await turn();
    while (!over.aborted) {
      if (probe !== undefined) await probe;
      else if (pausedUntil > clock()) await sleep(pausedUntil - clock(), over);
      else if (rounds === 0) return { epoch };
      else {
        // After a pause one request goes alone and shows whether the others may follow.
        let done = (): void => {};
        probe = new Promise((resolve) => {
          done = () => {
            probe = undefined;
            resolve();
          };
        });
        return { epoch, done };
      }
    }
    return undefined;
  }

  function leave(pass: Pass, result: Trouble | 'fine' | undefined): void {
    if (result === 'fine') {
      inARow = 0;
      rounds = 0;
    } else if (result !== undefined && pass.epoch === epoch) {
      if (result.key !== wave) {
        inARow = 0;
        rounds = 0;
        wave = result.key;
      }
      inARow += 1;
      if (inARow > result.allowed) {
        rounds += 1;
        epoch += 1;
        if (rounds > result.rounds) stop(result.cause);
        else pausedUntil = clock() + (result.waitMs ?? pauseOf(policy, rounds, random));
      }
    }
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
