import { isLoopback } from '../client/address.js';

/** How hard the service is pressed. Times in milliseconds. */
export interface Policy {
  /** Requests at once, polls included. */
  readonly concurrency: number;
  /** Over all requests, polls included; undefined is no limit. */
  readonly requestsPerMinute?: number;
  /** Times that one document is tried in a run; being told to slow down does not count. */
  readonly tries: number;
  /** Retries of all documents together; undefined grows with the run. */
  readonly retryBudget?: number;
  /** Pause before the first retry; it doubles each time, up to the cap. */
  readonly pause: number;
  readonly pauseCap: number;
  /** Between two rounds of polls, and for how long they go on without a single verdict. */
  readonly pollEvery: number;
  readonly pollFor: number;
  /** Times that a note is sent whose predecessor DIAN does not find yet, and the first pause; it doubles each time. */
  readonly predecessorTries: number;
  readonly predecessorPause: number;
}

/** A real service answers slowly and allows about 60 requests a minute (service.md 2, 5.3); the sandbox does not mind. */
export function defaultPolicy(url: string): Policy {
  return isLoopback(new URL(url).hostname)
    ? {
        concurrency: 16,
        tries: 5,
        pause: 50,
        pauseCap: 1_000,
        pollEvery: 50,
        pollFor: 15_000,
        predecessorTries: 4,
        predecessorPause: 50,
      }
    : {
        concurrency: 4,
        requestsPerMinute: 55,
        tries: 5,
        pause: 4_000,
        pauseCap: 60_000,
        pollEvery: 3_000,
        pollFor: 120_000,
        predecessorTries: 4,
        predecessorPause: 20_000,
      };
}

/** Exponential, with jitter over its upper half; `round` counts from 1. */
export const pauseOf = ({ pause, pauseCap }: Policy, round: number, random: () => number): number =>
  Math.min(pauseCap, pause * 2 ** (round - 1)) * (0.5 + random() / 2);

/** `Retry-After` in seconds or as a date, in milliseconds from now; a day at most. */
export function retryAfterMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 86_400_000);
}
