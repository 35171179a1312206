import type { Policy } from './policy.js';
import type { World } from './time.js';

/** Asks again in rounds, in the background, as long as something waits. */
export interface Poller {
  /** Something new waits for a verdict. */
  notice(): void;
  /** Resolves when no round is under way or due; throws what a round threw. */
  idle(): Promise<void>;
}

/** Rounds without any change that are made in any case, however long one takes at a slow pace. */
const QUIET_ROUNDS = 3;

/**
 * `round` asks all that wait and says how many it asked; `waiting` is their number.
 * Polling ends when nobody waits, or when nothing has changed for `pollFor`.
 */
export function createPoller(
  round: () => Promise<number>,
  waiting: () => number,
  { pollEvery, pollFor }: Policy,
  { clock, sleep }: World,
  over: AbortSignal,
): Poller {
  let noticed = false;
  let rounds: Promise<void> | undefined;

  async function run(): Promise<void> {
    let changed = clock();
    // By the rounds too: a clock can be set back.
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
    notice: () => {
      noticed = true;
      rounds ??= run();
      // Whoever waits for idle() hears of it.
      rounds.catch(() => {});
    },
    idle: async () => {
      while (rounds !== undefined) await rounds;
    },
  };
}
