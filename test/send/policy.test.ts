import { expect, test } from 'vitest';
import { defaultPolicy, pauseOf, retryAfterMs, retryPause } from '../../src/send/rate-limiter.js';

const NOW = Date.parse('2026-11-21T15:00:00Z');

test.each([
  ['http://127.0.0.1:8080', undefined],
  ['http://localhost', undefined],
  ['https://api.example.com', 55],
])('%s: %s requests a minute', (url, expected) =>
  expect(defaultPolicy(url).requestsPerMinute).toBe(expected),
);

test.each([
  [1, 0, 500],
  [1, 0.999_999, 1_000],
  [3, 0, 2_000],
  [20, 0, 5_000],
  [20, 0.999_999, 10_000],
])('pause %i with chance %f: about %i ms', (round, chance, expected) => {
  const policy = { ...defaultPolicy('http://localhost'), pause: 1_000, pauseCap: 10_000 };
  expect(Math.round(pauseOf(policy, round, () => chance))).toBe(expected);
});

test('a document is tried again by the payroll annex: after 20 seconds, and two more times', () => {
  const policy = defaultPolicy('https://api.example.com');
  const pauses = Array.from({ length: policy.tries - 1 }, (_, index) => retryPause(policy, index + 1));
  expect(pauses).toEqual([20_000, 20_000, 20_000]);
  expect(policy.outage.again).toBe(30 * 60_000);
});

test.each([
  [undefined, undefined],
  ['7', 7_000],
  ['0', 0],
  ['Sat, 21 Nov 2026 15:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 14:00:00 GMT', 0],
  ['1000000000', 315_360_000_000],
  ['soon', undefined],
])('Retry-After %s: %s ms', (text, expected) => expect(retryAfterMs(text, NOW)).toBe(expected));
