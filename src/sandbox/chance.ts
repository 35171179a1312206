import type { Latency, LatencyProfile } from './options.js';

/** Response times in milliseconds: lognormal around the median; constant without spread. */
const PROFILES: Readonly<Record<LatencyProfile, Latency>> = {
  none: { median: 0, sigma: 0, longest: 0 },
  quick: { median: 80, sigma: 0.4, longest: 1000 },
  /** DIAN is queried while the caller waits (service.md 2). */
  service: { median: 4000, sigma: 0.8, longest: 190_000 },
  'three-minutes': { median: 180_000, sigma: 0, longest: 190_000 },
};
export const LATENCY_PROFILES = Object.keys(PROFILES) as LatencyProfile[];

/** Random events; the same seed gives the same sequence. */
export type Chance = ReturnType<typeof createChance>;

/** Creates a Mulberry32 generator: small, and the same on every machine. */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns a normally distributed number by Box and Muller. */
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    /** Returns a number from 0 up to, but not including, 1. */
    next,
    /** Returns a response time in milliseconds. */
    wait: (latency: LatencyProfile | Latency) => {
      const { median, sigma, longest } = typeof latency === 'string' ? PROFILES[latency] : latency;
      return median === 0 ? 0 : Math.min(longest, median * Math.exp(sigma * normal()));
    },
  };
}
