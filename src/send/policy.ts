import { isLoopback } from '../client/address.js';

/** What is done when the service, or the authority behind it, is down. */
export interface Outage {
  /** Lost answers in a row that may still be bad luck. */
  readonly chance: number;
  /** Before each further try, of a document and of the run; after the last one in vain the run stops. */
  readonly pauses: readonly number[];
  /** From the first failure on: when to look again, and until when a document certainly is in time. */
  readonly again?: Again;
}

export interface Again {
  readonly after: number;
  readonly within: number;
}

/** How hard the service is pressed. Times in milliseconds. */
export interface Policy {
  /** Requests at once, polls included. */
  readonly concurrency: number;
  /** In any minute, over all requests of all runs, polls included; undefined is no limit. */
  readonly requestsPerMinute?: number;
  /** Times that one document is tried in a run; being told to slow down does not count. */
  readonly tries: number;
  /** Retries of all documents together; undefined grows with the run. */
  readonly retryBudget?: number;
  readonly outage: Outage;
  /** Pause after "too many requests" where the service names none; it doubles each time, up to the cap. */
  readonly pause: number;
  readonly pauseCap: number;
  /** Between two rounds of polls, and for how long they go on without a single verdict. */
  readonly pollEvery: number;
  readonly pollFor: number;
  /** Times that a note is sent whose predecessor DIAN does not find yet, and the first pause; it doubles each time. */
  readonly predecessorTries: number;
  readonly predecessorPause: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The payroll annex, section 4: again after 20 seconds and two more times, then stop; look again half an hour after the
 * first failure; 48 hours to send, counted from when the service is back, so that those from the failure are safe.
 */
const PAYROLL_ANNEX: Outage = {
  chance: 3,
  pauses: [20 * SECOND, 20 * SECOND, 20 * SECOND],
  again: { after: 30 * MINUTE, within: 48 * HOUR },
};

/** A real service answers slowly and allows about 60 requests a minute (service.md 2, 5.3). */
const DISTANT: Policy = {
  concurrency: 4,
  requestsPerMinute: 55,
  tries: 4,
  outage: PAYROLL_ANNEX,
  pause: 4 * SECOND,
  pauseCap: MINUTE,
  pollEvery: 3 * SECOND,
  pollFor: 2 * MINUTE,
  predecessorTries: 4,
  predecessorPause: 20 * SECOND,
};

/** The sandbox does not mind. */
const LOOPBACK: Policy = {
  concurrency: 16,
  tries: 5,
  outage: { chance: 15, pauses: [50, 100, 200, 400] },
  pause: 50,
  pauseCap: SECOND,
  pollEvery: 50,
  pollFor: 15 * SECOND,
  predecessorTries: 4,
  predecessorPause: 50,
};

export const defaultPolicy = (url: string): Policy =>
  isLoopback(new URL(url).hostname) ? LOOPBACK : DISTANT;

/** Exponential, with jitter over its upper half; `round` counts from 1. */
export const pauseOf = (
  { pause, pauseCap }: Pick<Policy, 'pause' | 'pauseCap'>,
  round: number,
  random: () => number,
): number => Math.min(pauseCap, pause * 2 ** (round - 1)) * (0.5 + random() / 2);

/** Before a document whose answer was lost is tried again; `tries` counts from 1. */
export const retryPause = ({ outage: { pauses } }: Pick<Policy, 'outage'>, tries: number): number =>
  pauses[Math.min(tries, pauses.length) - 1] ?? 0;

/** `Retry-After` in seconds or as a date, in milliseconds from now; ten years at most. */
export function retryAfterMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), 87_600 * HOUR);
}
