import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countedClient } from '../../src/send/deliver.js';
import { openJournal } from '../../src/send/journal.js';
import {
  defaultPolicy,
  openRateLimiter,
  type RateLimiter,
  type Runtime,
} from '../../src/send/rate-limiter.js';
import { requestEach } from '../../src/send/requests.js';
import { outcomeCounts } from '../../src/send/runs.js';
import { childProgram } from '../support/child-program.js';
import { scaledWorld } from './scaled-world.js';
import {
  ACCEPTED,
  ACCEPTED_RESULT,
  codeOf,
  consecutiveOf,
  service,
  spool,
  statusAnswer,
  TAKEN,
  tempFolder,
  tempJournal,
  workers,
  xmlOf,
} from './support.js';
import { mostInAMinute, START, virtualWorld } from './virtual-world.js';

const journalIn = (folder: string): string => join(folder, 'journal.db');

/** Workers that take turns until all are taken; each answer takes so long, and each request may be late. */
async function work(
  pace: RateLimiter,
  world: Runtime,
  { requests, atOnce, answer = () => 0, late = () => 0 }: Work,
): Promise<number[]> {
  const arrived: number[] = [];
  let left = requests;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await pace.take();
      const turn = requests - left;
      if (late(turn) > 0) await world.sleep(late(turn));
      arrived.push(world.clock());
      if (answer(turn) > 0) await world.sleep(answer(turn));
      pace.end();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return arrived.sort((a, b) => a - b);
}

interface Work {
  readonly requests: number;
  readonly atOnce: number;
  readonly answer?: (turn: number) => number;
  readonly late?: (turn: number) => number;
}

describe('one process', () => {
  const CASES: readonly (readonly [name: string, perMinute: number, work: Work])[] = [
    ['answers at once', 600, { requests: 1_500, atOnce: 4 }],
    ['one at a time', 55, { requests: 200, atOnce: 1 }],
    ['answers after three seconds', 55, { requests: 200, atOnce: 4, answer: () => 3_000 }],
    ['some arrive late', 60, { requests: 300, atOnce: 30, late: (turn) => (turn % 50 < 3 ? 20_000 : 0) }],
    ['one a minute', 1, { requests: 5, atOnce: 3, answer: () => 500 }],
    ['hundreds a second', 20_000, { requests: 30_000, atOnce: 64 }],
  ];
  test.each(CASES)('%s, %i a minute: no minute holds more', async (_, perMinute, what) => {
    const world = virtualWorld();
    const pace = openRateLimiter(journalIn(tempFolder()), perMinute, world);
    const arrived = await work(pace, world, what);
    pace.close();
    expect(arrived).toHaveLength(what.requests);
    expect(mostInAMinute(arrived)).toBeLessThanOrEqual(perMinute);
  });

  test('what it may do, it does', async () => {
    const world = virtualWorld();
    const pace = openRateLimiter(journalIn(tempFolder()), 60, world);
    const arrived = await work(pace, world, { requests: 300, atOnce: 4, answer: () => 200 });
    pace.close();
    expect(arrived.at(-1)! - arrived[0]!).toBeLessThan(1.02 * 299_000);
  });

  test('without a limit nothing is waited for, and nothing is written', async () => {
    const folder = tempFolder();
    const pace = openRateLimiter(journalIn(folder), undefined, virtualWorld());
    await pace.take();
    pace.close();
    expect(existsSync(join(folder, 'pace.db'))).toBe(false);
  });

  test('a clock that is set back stops nobody', async () => {
    const { clock, ...world } = virtualWorld();
    let back = 0;
    const pace = openRateLimiter(journalIn(tempFolder()), 60, { ...world, clock: () => clock() - back });
    const turn = async (): Promise<void> => {
      await pace.take();
      pace.end();
    };
    for (let count = 0; count < 100; count++) await turn();
    back = 365 * 86_400_000;
    const before = clock();
    for (let count = 0; count < 100; count++) await turn();
    pace.close();
    expect(clock() - before).toBeLessThan(5 * 60_000);
  });

  test('who is asked to end waits no longer', async () => {
    const world = virtualWorld();
    const pace = openRateLimiter(journalIn(tempFolder()), 1, world);
    const over = new AbortController();
    await pace.take(over.signal);
    const second = pace.take(over.signal);
    over.abort();
    await second;
    expect(world.clock()).toBeLessThan(START + 1_000);
  });
});

describe('several processes', () => {
  test('at the same time they share the turns', async () => {
    const world = virtualWorld();
    const journal = journalIn(tempFolder());
    const paces = [1, 2, 3].map(() => openRateLimiter(journal, 60, world));
    const all = await Promise.all(paces.map((pace) => work(pace, world, { requests: 60, atOnce: 2 })));
    expect(mostInAMinute(all.flat().sort((a, b) => a - b))).toBeLessThanOrEqual(60);
  });

  test.each(['closed', 'killed'])('one after the other, each %s after 50 requests', async (how) => {
    const journal = journalIn(tempFolder());
    const arrived: number[] = [];
    for (let start = START; arrived.length < 300; start = arrived.at(-1)!) {
      const world = virtualWorld(start);
      const pace = openRateLimiter(journal, 100, world);
      arrived.push(...(await work(pace, world, { requests: 50, atOnce: 4 })));
      if (how === 'closed') pace.close();
    }
    expect(mostInAMinute(arrived)).toBeLessThanOrEqual(100);
    // A start costs a few seconds, not a minute.
    expect(arrived.at(-1)! - START).toBeLessThan(300 * 600 + 6 * 9_000);
  });

  test('requests about many, and single requests outside of a run, count as well', async () => {
    const world = virtualWorld();
    const journal = journalIn(tempFolder());
    const arrived: number[] = [];
    const answer = { kind: 'json', status: 200, body: {} } as const;
    const client = countedClient(
      {
        url: 'http://localhost',
        call: async () => {
          arrived.push(world.clock());
          return answer;
        },
        close: async () => {},
      },
      { journal: { path: journal }, requestsPerMinute: 20, world },
    );
    for (let asked = 0; asked < 5; asked++) await client.call('getCurrentNumber', {});
    const pace = openRateLimiter(journal, 20, world);
    await requestEach<number, true>({
      items: Array.from({ length: 40 }, (_, index) => index),
      policy: defaultPolicy('http://localhost'),
      rateLimiter: pace,
      ask: async () => {
        arrived.push(world.clock());
        return { kind: 'done', value: true };
      },
      settle: async () => {},
      repeat: true,
      finish: new AbortController().signal,
      world,
    });
    pace.close();
    expect(arrived).toHaveLength(45);
    expect(mostInAMinute(arrived)).toBeLessThanOrEqual(20);
  });

  test('turns that a wrong clock took in the far future are not waited for', async () => {
    const journal = journalIn(tempFolder());
    const wrong = openRateLimiter(journal, 60, virtualWorld(Date.parse('2036-01-01T00:00:00Z')));
    await wrong.take();
    wrong.close();
    const world = virtualWorld();
    const pace = openRateLimiter(journal, 60, world);
    await pace.take();
    expect(world.clock() - START).toBeLessThan(10_000);
  });
});

const CHILD = new URL('paced-child.ts', import.meta.url);
/** Twenty times as fast as the sun. */
const SPEED = 20;

test('1,000 documents at 600 a minute, killed twice and resumed: no minute of the service holds more than 600 requests', async () => {
  const { clock } = scaledWorld(SPEED);
  const arrived: number[] = [];
  const landed = new Set<number>();
  /** Each worker is held under his own number. */
  const held = (path: string): string =>
    xmlOf([...landed].find((number) => path.endsWith(codeOf(number))) ?? 0);
  const { url } = await service((request) => {
    arrived.push(clock());
    if (request.path.includes('/status/document/'))
      return { status: 200, json: statusAnswer({ ...ACCEPTED_RESULT, XmlBase64Bytes: held(request.path) }) };
    const number = consecutiveOf(request);
    if (landed.has(number)) return TAKEN;
    landed.add(number);
    return ACCEPTED;
  });
  const path = journalIn(tempFolder());
  const prepared = await openJournal(path);
  const { run } = await spool(prepared, workers(1_000));
  await prepared.close();

  for (const killAt of [250, 600, Number.POSITIVE_INFINITY]) {
    const child = spawn(process.execPath, [await childProgram(CHILD), path, url, run, String(SPEED)], {
      stdio: 'inherit',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exit = once(child, 'exit');
    while (landed.size < killAt && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGKILL');
    await exit;
  }
  expect(await outcomeCounts(await tempJournal(path), run)).toMatchObject({
    accepted: 1_000,
    unsent: 0,
    unknown: 0,
  });
  expect(arrived.length).toBeGreaterThanOrEqual(1_000);
  expect(mostInAMinute(arrived)).toBeLessThanOrEqual(600);
});
