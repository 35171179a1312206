import type { Runtime } from '../../src/send/rate-limiter.js';

export const START = Date.parse('2026-11-21T15:00:00Z');

/** A clock that goes on to the next sleeper when nobody has anything else to do; chance is always in the middle. */
export function virtualWorld(start = START): Runtime {
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let now = start;
  let ticking = false;
  const tick = (): void => {
    const next = [...sleepers].reduce((first, each) => (each.at < first.at ? each : first));
    sleepers.delete(next);
    now = Math.max(now, next.at);
    next.wake();
    ticking = sleepers.size > 0;
    if (ticking) setImmediate(tick);
  };
  return {
    clock: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = (): void => {
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        sleepers.add({ at: now + Math.ceil(ms), wake });
        signal?.addEventListener('abort', wake, { once: true });
        if (!ticking) setImmediate(tick);
        ticking = true;
      }),
    random: () => 0.5,
  };
}

/** Most moments in any 60 seconds; the times are in order. */
export function mostInAMinute(times: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last]! - times[first]! >= 60_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
