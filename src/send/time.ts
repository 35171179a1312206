/** Where time and chance come from; tests bring their own, so that none waits. */
export interface World {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Ends early, without complaint, when the signal fires. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1 */
  readonly random: () => number;
}

const sleep: World['sleep'] = (ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });

export const REAL_WORLD: World = { clock: Date.now, sleep, random: Math.random };

/** `2026-11-21` where the tax authority lives, whatever the zone of this machine. */
export const bogotaDate = (now: number): string => new Date(now - 5 * 3_600_000).toISOString().slice(0, 10);

/** `2026-11-21 10:30` on the same clock. */
export const bogotaTime = (now: number): string =>
  new Date(now - 5 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
