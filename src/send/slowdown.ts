import type { World } from './time.js';

/** Keeps requests apart after the service said that they are too many; nothing before. */
export interface Slowdown {
  turn(over: AbortSignal): Promise<void>;
  /** Half as fast as until now; from `start` on, when the pause is over. */
  brake(start: number): void;
  /** A little faster. */
  recover(): void;
}

/** Milliseconds between two requests: less is no distance, more is a standstill. */
const LEAST = 1;
const MOST = 5_000;
/** Turns that may be given ahead; more only where the clock was set back. */
const AHEAD = 1_000;
/** After about 35 answers in a row the distance is half of what it was. */
const RECOVERY = 0.98;

export function createSlowdown({ clock, sleep }: World): Slowdown {
  let gap = 0;
  let next = 0;
  let since = clock();
  let gone = 0;
  return {
    async turn(over) {
      gone += 1;
      if (gap === 0) return;
      const slot = next > clock() + AHEAD * gap ? clock() : Math.max(clock(), next);
      next = slot + gap;
      if (slot > clock()) await sleep(slot - clock(), over);
    },
    brake(start) {
      const usual = Math.max(0, clock() - since) / Math.max(1, gone);
      gap = Math.min(MOST, 2 * Math.max(LEAST, gap, usual));
      since = start;
      gone = 0;
    },
    recover() {
      gap *= RECOVERY;
      if (gap < LEAST) gap = 0;
    },
  };
}
