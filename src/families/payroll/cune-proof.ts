import { hash } from 'node:crypto';
import { type CuneParts, cuneInput } from './cune.js';

/** All of a CUNE but the second in which the service made it, and the environment it was set to. */
export type KnownParts = Omit<CuneParts, 'issueTime' | 'environment'>;

/** What a code was made in. */
export interface Made {
  /** Of the day in Colombia. */
  readonly second: number;
  readonly environment: CuneParts['environment'];
}

export const DAY = 86_400;
const two = (number: number): string => String(number).padStart(2, '0');

/** A second of the day in Colombia, in the form of a CUNE. */
export const issueTimeOf = (second: number): string =>
  `${two(Math.floor(second / 3_600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}-05:00`;

const inDay = (second: number): number => ((second % DAY) + DAY) % DAY;

/** The second of the day in Colombia of a moment in milliseconds. */
export const secondOf = (at: number): number => inDay(Math.floor(at / 1_000) - 5 * 3_600);

/** Clocks differ by a little. */
const SLACK = 15 * 60;

/** The seconds between two moments in milliseconds, and a little around them; over midnight, and each of a day once. */
export function* secondsBetween(from: number, until: number): Iterable<number> {
  const length = Math.floor((until - from) / 1_000) + 2 * SLACK + 1;
  const last = secondOf(until) + SLACK;
  // The latest first: most answers come at once.
  for (let step = 0; step < Math.min(length, DAY); step++) yield inDay(last - step);
}

/**
 * The proof that a code is of a document with these parts: number, date, amounts, employer and worker are in the hash,
 * and all but second and environment is known. Undefined where none of the seconds gives the code; that proves the
 * contrary only if the PIN is right and the second was among them.
 */
export function madeOf(
  parts: KnownParts,
  code: string,
  seconds: Iterable<number>,
  environments: readonly CuneParts['environment'][] = ['1', '2'],
): Made | undefined {
  const wanted = code.toLowerCase();
  // Whatever stands before and after the time is the same for all of them.
  const [before, after] = cuneInput({ ...parts, issueTime: '\n', environment: '' as '1' }).split('\n');
  for (const second of seconds) {
    const known = `${before}${issueTimeOf(second)}${after}`;
    for (const environment of environments)
      if (hash('sha384', known + environment) === wanted) return { second, environment };
  }
  return undefined;
}
