import { REAL_RUNTIME, type Runtime } from '../../src/send/rate-limiter.js';

/** The real clock, so many times as fast; the same in every process. */
export const scaledWorld = (speed: number): Runtime => ({
  ...REAL_RUNTIME,
  clock: () => Date.now() * speed,
  sleep: (ms, signal) => REAL_RUNTIME.sleep(ms / speed, signal),
});
