import { REAL_WORLD, type World } from '../../src/send/traffic.js';

/** The real clock, so many times as fast; the same in every process. */
export const scaledWorld = (speed: number): World => ({
  ...REAL_WORLD,
  clock: () => Date.now() * speed,
  sleep: (ms, signal) => REAL_WORLD.sleep(ms / speed, signal),
});
