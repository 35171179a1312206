import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../src/send/database.js';
import { tablePermits } from '../../src/send/permit-store.js';
import {
  combineRateLimiters,
  createRateLimiter,
  type RateLimiter,
  type Runtime,
} from '../../src/send/rate-limiter.js';
import { chanceOf } from '../chaos/chance.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { mostInAMinute } from './virtual-world.js';

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: await server.database(), max: 4 });
  pool.on('error', () => {}); // what a server that ends says to a connection that is being closed
  await pool.query(`CREATE SCHEMA cargue;
    CREATE TABLE cargue.pace (key text PRIMARY KEY, free float8 NOT NULL DEFAULT 0, per_minute float8)`);
});

afterAll(async () => {
  await pool.end();
  await server.stop();
});

/** One time for all machines, which stands still while anybody waits for the database; each machine's clock is off by its own. */
function oneTime() {
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let now = 1_000_000_000;
  let asking = 0;
  let ticking = false;
  const tick = (): void => {
    if (asking > 0) return void setImmediate(tick);
    const next = [...sleepers].reduce((first, each) => (each.at < first.at ? each : first));
    sleepers.delete(next);
    now = Math.max(now, next.at);
    next.wake();
    ticking = sleepers.size > 0;
    if (ticking) setImmediate(tick);
  };
  const sleep: Runtime['sleep'] = (ms) =>
    new Promise((resolve) => {
      sleepers.add({ at: now + Math.ceil(ms), wake: resolve });
      if (!ticking) setImmediate(tick);
      ticking = true;
    });
  return {
    now: () => now,
    sleep,
    world: (off: number): Runtime => ({ clock: () => now + off, sleep, random: () => 0.5 }),
    /** Asks the database by this time; the way there and back takes as long as is said. */
    sql(delay: () => number): Pick<Sql, 'first' | 'run'> {
      const ask = async (sql: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
        await sleep(delay());
        asking += 1;
        let at = 0;
        const text = sql.replaceAll('NOW', String(now)).replace(/\?/g, () => `$${++at}`);
        const result = await pool.query(text, values as unknown[]);
        asking -= 1;
        await sleep(delay());
        return result;
      };
      return {
        first: async <T>(sql: string, ...values: unknown[]) =>
          (await ask(sql, values)).rows[0] as T | undefined,
        run: async (sql, ...values) => (await ask(sql, values)).rowCount ?? 0,
      };
    },
  };
}

type Time = ReturnType<typeof oneTime>;
let keys = 0;

/** Requests as they leave, of workers that may stand still anywhere, and come to their end at any moment. */
async function work(
  time: Time,
  pace: RateLimiter,
  requests: number,
  stands: () => number,
): Promise<number[]> {
  const left: number[] = [];
  for (let each = 0; each < requests; each++) {
    let inTime = await pace.take();
    await time.sleep(stands());
    while (!inTime()) {
      pace.end();
      inTime = await pace.take();
    }
    left.push(time.now());
    await time.sleep(20);
    pace.end();
  }
  return left;
}

describe('several machines whose clocks differ', () => {
  test('send no more together than one minute of the service holds, wherever they stand still', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          perMinute: fc.integer({ min: 20, max: 400 }),
          offs: fc.array(fc.integer({ min: -3_600_000, max: 3_600_000 }), { minLength: 2, maxLength: 5 }),
          seed: fc.integer(),
        }),
        async ({ perMinute, offs, seed }) => {
          const time = oneTime();
          const key = `service ${++keys}`;
          const all = offs.map((off, at) => {
            const chance = chanceOf(seed, 'pace', at);
            const delay = (): number => (chance.next() < 0.02 ? chance.below(4_000) : chance.below(150));
            const stands = (): number => (chance.next() < 0.05 ? chance.below(20_000) : chance.below(100));
            const turns = tablePermits(time.sql(delay), key, 'NOW');
            const pace = createRateLimiter(turns, { perMinute, shared: true }, time.world(off));
            return Promise.all([1, 2, 3].map(() => work(time, pace, perMinute / 4, stands)));
          });
          const left = (await Promise.all(all)).flat(2).sort((a, b) => a - b);
          expect(mostInAMinute(left)).toBeLessThanOrEqual(perMinute);
        },
      ),
      { numRuns: 5 },
    );
  });

  test('send one company after the other: who takes over keeps clear of who was before', async () => {
    const time = oneTime();
    const key = `company ${++keys}`;
    const left: number[] = [];
    for (const off of [0, 900_000, -900_000, 60_000]) {
      const turns = tablePermits(
        time.sql(() => 5),
        key,
        'NOW',
      );
      const pace = createRateLimiter(turns, { perMinute: 100, strict: true }, time.world(off));
      const parts = [1, 2, 3, 4].map(() => work(time, pace, 20, () => 0));
      left.push(...(await Promise.all(parts)).flat());
      if (off === 0) await pace.close(); // the others are killed
    }
    left.sort((a, b) => a - b);
    expect(mostInAMinute(left)).toBeLessThanOrEqual(100);
    expect(left.at(-1)! - left[0]!).toBeLessThan(320 * 600 + 4 * 9_000);
  });

  test('keep to the pace of their company and of the service at the same time', async () => {
    const time = oneTime();
    const service = `service ${++keys}`;
    const companies = await Promise.all(
      [0, 1, 2].map(async (company) => {
        const sql = time.sql(() => 3);
        const world = time.world(company * 100_000);
        const own = createRateLimiter(
          tablePermits(sql, `company ${++keys}`, 'NOW'),
          { perMinute: 60, strict: true },
          world,
        );
        const common = createRateLimiter(
          tablePermits(sql, service, 'NOW'),
          { perMinute: 120, shared: true },
          world,
        );
        const pace = combineRateLimiters(own, common);
        return (await Promise.all([1, 2, 3, 4].map(() => work(time, pace, 30, () => 0)))).flat();
      }),
    );
    for (const left of companies) expect(mostInAMinute(left.sort((a, b) => a - b))).toBeLessThanOrEqual(60);
    const all = companies.flat().sort((a, b) => a - b);
    expect(mostInAMinute(all)).toBeLessThanOrEqual(120);
    // 360 requests: the service has its turns used.
    expect(all.at(-1)! - all[0]!).toBeLessThan(1.25 * 3 * 60_000);
  });
});
