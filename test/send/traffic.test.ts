import { describe, expect, test } from 'vitest';
import { failureOf } from '../../src/send/deliver.js';
import type { PermitStore } from '../../src/send/permit-store.js';
import {
  createRateLimiter,
  createTraffic,
  defaultPolicy,
  NO_RATE_LIMIT,
} from '../../src/send/rate-limiter.js';
import type { Verdict } from '../../src/send/verdict.js';
import { issueOf } from '../../src/toolkit/core/issue.js';
import {
  ACCEPTED_RESULT,
  clientOf,
  type Reply,
  send,
  service,
  spool,
  syncAnswer,
  tempJournal,
  workers,
} from './support.js';
import { START, virtualWorld } from './virtual-world.js';

const DISTANT = defaultPolicy('https://service.example');
const ACCEPTED: Reply = { status: 200, json: syncAnswer(ACCEPTED_RESULT) };
const CRASH: Reply = { status: 503, json: { message: 'Service Unavailable' } };
const DOWN: Reply = {
  status: 200,
  json: { success: false, message: 'La DIAN no se encuentra disponible' },
};

/** Sends so many documents by the policy of a real service; answers by the seconds that have passed. */
async function sendFar(answer: (second: number) => Reply, documents: number) {
  const world = virtualWorld();
  const { url, requests } = await service(() => answer((world.clock() - START) / 1_000));
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(documents));
  const result = await send(journal, run, clientOf(url), { world, policy: DISTANT });
  return { result, requests };
}

/** At which second each request leaves while all of them end so. */
async function secondsOf(verdict: Verdict): Promise<number[]> {
  const world = virtualWorld();
  const traffic = createTraffic(world, new AbortController().signal, NO_RATE_LIMIT);
  const weights = { kind: { setUpRules: [] }, policy: DISTANT, world };
  const seconds: number[] = [];
  const worker = async (): Promise<void> => {
    for (let pass = await traffic.enter(); pass !== undefined; pass = await traffic.enter()) {
      seconds.push((world.clock() - START) / 1_000);
      await world.sleep(100);
      traffic.leave(pass, failureOf(verdict, weights));
    }
  };
  await Promise.all(Array.from({ length: DISTANT.concurrency }, worker));
  return seconds;
}

describe('an outage, by the payroll annex', () => {
  const ISSUE = issueOf('send/not-in-service', 'error', { text: '' });

  test.each<[name: string, verdict: Verdict, atFirst: readonly number[]]>([
    ['DIAN is said to be down', { kind: 'refused-for-all', issue: ISSUE, passing: true }, [0, 0, 0, 0]],
    ['answers are lost', { kind: 'unknown', issue: ISSUE }, [0, 0, 0, 0, 0.1, 0.1, 0.1]],
  ])('%s: again after 20 seconds, twice more, then no more', async (_, verdict, atFirst) => {
    expect(await secondsOf(verdict)).toEqual([...atFirst, 20.1, 40.2, 60.3]);
  });

  test.each([
    ['DIAN is said to be down', DOWN],
    ['answers are lost', CRASH],
  ])('%s: it is said from when and until when to go on', async (_, reply) => {
    const { result, requests } = await sendFar(() => reply, 100);
    expect(result.stopped?.params).toMatchObject({
      from: '2026-11-21 10:30',
      hours: 48,
      until: '2026-11-23 10:00',
    });
    expect(requests.length).toBeLessThan(12);
  });

  test('one that ends meanwhile is waited for', async () => {
    const { result } = await sendFar((second) => (second > 3 && second < 45 ? CRASH : ACCEPTED), 30);
    expect(result).toEqual({
      counts: { accepted: 30, rejected: 0, pending: 0, unknown: 0, unsent: 0 },
      interrupted: false,
    });
  });

  test('a fault that does not pass by itself says nothing of half an hour', async () => {
    const { result } = await sendFar(() => ({ status: 401, json: {} }), 10);
    expect(result.stopped).toMatchObject({ code: 'send/unauthenticated' });
    expect(result.stopped?.params).not.toHaveProperty('from');
  });
});

describe('too many requests', () => {
  const ACCEPT: Verdict = { kind: 'accepted', shown: {}, issues: [] };

  /** Workers at a service that allows so many requests a second: when each was asked, and whether it was too many. */
  async function ask(requests: number, allowed: (turn: number) => number, retryAfter?: string) {
    const world = virtualWorld();
    const traffic = createTraffic(world, new AbortController().signal, NO_RATE_LIMIT);
    const weights = { kind: { setUpRules: [] }, policy: defaultPolicy('http://localhost'), world };
    const served: number[] = [];
    const refused: number[] = [];
    let asked = 0;
    const worker = async (): Promise<void> => {
      while (served.length < requests) {
        const pass = await traffic.enter();
        if (pass === undefined) return;
        asked += 1;
        const now = world.clock();
        const inThisSecond = served.filter((at) => at > now - 1_000).length;
        const good = inThisSecond < allowed(served.length);
        (good ? served : refused).push(now);
        const verdict: Verdict = good
          ? ACCEPT
          : { kind: 'throttled', ...(retryAfter !== undefined && { retryAfter }) };
        await world.sleep(5);
        traffic.leave(pass, failureOf(verdict, weights));
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return { served, refused, asked, stopped: traffic.stopped };
  }
  const millisecondsOf = (times: readonly number[]): number => times.at(-1)! - times[0]!;

  /** Numbers by chance, the same in every run. */
  function chance(seed = 1): () => number {
    let state = seed;
    return () => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return state / 2 ** 32;
    };
  }

  /** Four workers at a service far away that refuses some requests by chance: served requests a minute. */
  async function rateBy(share: number, perMinute: number, retryAfter?: string): Promise<number> {
    const world = virtualWorld();
    const turns: PermitStore = {
      take: async ({ ahead }) => ({ mark: 0, wait: ahead }),
      giveBack: async () => {},
      close: () => {},
    };
    const pace = createRateLimiter(turns, { perMinute }, world);
    const traffic = createTraffic(world, new AbortController().signal, pace);
    const weights = { kind: { setUpRules: [] }, policy: DISTANT, world: { ...world, random: chance(7) } };
    const random = chance();
    const refused: Verdict = { kind: 'throttled', ...(retryAfter !== undefined && { retryAfter }) };
    const served: number[] = [];
    const worker = async (): Promise<void> => {
      while (served.length < 500) {
        const pass = await traffic.enter();
        if (pass === undefined) return;
        const good = random() >= share;
        if (good) served.push(world.clock());
        await world.sleep(300);
        traffic.leave(pass, failureOf(good ? ACCEPT : refused, weights));
      }
    };
    await Promise.all(Array.from({ length: DISTANT.concurrency }, worker));
    expect(traffic.stopped).toBeUndefined();
    return served.length / ((served.at(-1)! - START) / 60_000);
  }

  test.each([
    [0.03, 55, undefined, 0.9],
    [0.05, 55, undefined, 0.85],
    [0.1, 55, undefined, 0.8],
    [0.03, 55, '1', 0.9],
    [0.05, 55, '1', 0.9],
    [0.1, 55, '1', 0.8],
    [0.03, 300, '0', 0.9],
    [0.05, 300, '0', 0.8],
  ])(
    '%d of the requests refused by chance, at %d a minute, Retry-After %s: the rate stays near what is admitted',
    async (share, perMinute, retryAfter, least) => {
      const rate = await rateBy(share, perMinute, retryAfter);
      expect(rate / (perMinute * (1 - share))).toBeGreaterThan(least);
    },
  );

  test('a burst that is refused counts once', async () => {
    const firstGap = async (burst: number): Promise<number> => {
      const world = virtualWorld();
      const traffic = createTraffic(world, new AbortController().signal, NO_RATE_LIMIT);
      const weights = { kind: { setUpRules: [] }, policy: DISTANT, world };
      const pass = async () => (await traffic.enter())!;
      for (let turn = 0; turn < 20; turn++) {
        const one = await pass();
        await world.sleep(500);
        traffic.leave(one, 'fine');
      }
      const passes = await Promise.all(Array.from({ length: burst }, pass));
      await world.sleep(500);
      for (const one of passes)
        traffic.leave(one, failureOf({ kind: 'throttled', retryAfter: '3' }, weights));
      const refusedAt = world.clock();
      traffic.leave(await pass(), 'fine');
      const first = world.clock();
      expect(first - refusedAt).toBeGreaterThanOrEqual(3_000);
      traffic.leave(await pass(), 'fine');
      return world.clock() - first;
    };
    const [one, many] = [await firstGap(1), await firstGap(12)];
    expect(one).toBeGreaterThan(100);
    // More requests were made in the same time, so that the usual distance is less.
    expect(many).toBeLessThanOrEqual(one);
  });

  test('after a quiet time nothing is kept apart any more', async () => {
    const world = virtualWorld();
    const traffic = createTraffic(world, new AbortController().signal, NO_RATE_LIMIT);
    const weights = { kind: { setUpRules: [] }, policy: DISTANT, world };
    for (let turn = 0; turn < 6; turn++) {
      const one = (await traffic.enter())!;
      await world.sleep(2_000);
      traffic.leave(one, failureOf({ kind: 'throttled', retryAfter: '0' }, weights));
    }
    traffic.leave((await traffic.enter())!, 'fine');
    await world.sleep(120_000);
    const start = world.clock();
    for (let turn = 0; turn < 20; turn++) traffic.leave((await traffic.enter())!, 'fine');
    expect(world.clock() - start).toBeLessThan(20);
  });

  test('the pace falls below what is allowed, and few more are too many', async () => {
    const { served, refused, stopped } = await ask(600, () => 50);
    expect(stopped).toBeUndefined();
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(served.length / 10);
    // Not so slow either.
    expect(millisecondsOf(served)).toBeLessThan((2 * 1_000 * 600) / 50);
  });

  test('it recovers gradually when more is allowed again', async () => {
    const { served } = await ask(1_200, (turn) => (turn < 300 ? 20 : Number.POSITIVE_INFINITY));
    const spans = [300, 400, 500, 600].map((from) => millisecondsOf(served.slice(from, from + 100)));
    expect(spans).toEqual([...spans].sort((a, b) => b - a));
    expect(spans[3]).toBeLessThan(spans[0]! / 4);
  });

  test('repeated, they slow down, but not to a standstill', async () => {
    const world = virtualWorld();
    const traffic = createTraffic(world, new AbortController().signal, NO_RATE_LIMIT);
    const weights = { kind: { setUpRules: [] }, policy: DISTANT, world };
    const fine: number[] = [];
    while (fine.length < 50) {
      const pass = await traffic.enter();
      // Minutes pass between the first ones, and each second one is too many.
      await world.sleep(fine.length < 3 ? 120_000 : 100);
      const good = fine.length > 10 || fine.length % 2 === 0;
      if (good) fine.push(world.clock());
      traffic.leave(pass!, failureOf(good ? ACCEPT : { kind: 'throttled', retryAfter: '0' }, weights));
      if (!good) fine.push(world.clock());
    }
    const gaps = fine.slice(12).map((at, turn) => at - fine[11 + turn]!);
    expect(Math.max(...gaps)).toBeGreaterThan(1_000);
    expect(Math.max(...gaps)).toBeLessThan(6_000);
  });

  test.each([
    ['a billion seconds', '1000000000', '2036-11-18 10:00'],
    ['an hour', '3600', '2026-11-21 11:00'],
    ['a date', 'Sun, 22 Nov 2026 15:00:00 GMT', '2026-11-22 10:00'],
  ])('who is asked to wait for %s stops at once, and says until when', async (_, retryAfter, until) => {
    const { refused, asked, stopped } = await ask(100, () => 0, retryAfter);
    expect(stopped).toMatchObject({ code: 'send/throttled-until', params: { until } });
    expect(asked).toBeLessThanOrEqual(8);
    expect(millisecondsOf(refused)).toBeLessThan(60_000);
  });

  test('a quarter of an hour is waited', async () => {
    const { stopped } = await ask(1, () => 0, '900');
    expect(stopped?.code).toBe('send/throttled');
  });

  test('a document that is always too fast while others are not comes to an end', async () => {
    let count = 0;
    const { result, requests } = await sendFar(() => {
      count += 1;
      return count % 3 === 0 ? ACCEPTED : { status: 429, headers: { 'retry-after': '0' }, json: {} };
    }, 5);
    expect(result.counts.accepted + result.counts.unsent).toBe(5);
    expect(requests.length).toBeLessThan(1_000);
  });

  test('a clock that is set back makes no pause longer', async () => {
    const { clock, ...world } = virtualWorld();
    let back = 0;
    const set = { ...world, clock: () => clock() - back };
    const traffic = createTraffic(set, new AbortController().signal, NO_RATE_LIMIT);
    const weights = { kind: { setUpRules: [] }, policy: DISTANT, world: set };
    traffic.leave((await traffic.enter())!, failureOf({ kind: 'throttled', retryAfter: '7' }, weights));
    back = 365 * 86_400_000;
    const before = clock();
    await traffic.enter();
    expect(clock() - before).toBeLessThan(20_000);
  });

  test('a clock that is set back keeps nothing apart for longer', async () => {
    const { clock, ...world } = virtualWorld();
    let back = 0;
    const set = { ...world, clock: () => clock() - back };
    const traffic = createTraffic(set, new AbortController().signal, NO_RATE_LIMIT);
    const weights = { kind: { setUpRules: [] }, policy: DISTANT, world: set };
    for (let turn = 0; turn < 4; turn++) {
      const one = (await traffic.enter())!;
      await world.sleep(2_000);
      traffic.leave(one, failureOf({ kind: 'throttled', retryAfter: '0' }, weights));
    }
    traffic.leave((await traffic.enter())!, 'fine');
    back = 365 * 86_400_000;
    traffic.leave((await traffic.enter())!, 'fine');
    await world.sleep(120_000);
    const start = clock();
    for (let turn = 0; turn < 20; turn++) traffic.leave((await traffic.enter())!, 'fine');
    expect(clock() - start).toBeLessThan(20);
  });

  test('what the service asks for is waited for by everyone', async () => {
    const { served, refused } = await ask(100, () => 50, '7');
    const after = served.find((at) => at > refused[0]!);
    expect(after! - refused[0]!).toBeGreaterThanOrEqual(7_000);
  });
});
