import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Journals } from '../../src/send/journals.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { serverJournals } from '../../src/send/postgres-journals.js';
import { type Job, openQueue, type Queue } from '../../src/send/queue.js';
import { testServer } from './engines.js';

const folder = (): string => mkdtempSync(join(tmpdir(), 'cargue-'));

let journals: Journals;
let queue: Queue;
/** Another process. */
let other: { readonly journals: Journals; readonly queue: Queue };

beforeAll(async () => {
  const database = await (await testServer()).database();
  await migrateDatabase(postgresAddress(database));
  journals = await serverJournals(database, folder());
  queue = await openQueue(journals.shared!.database);
  const there = await serverJournals(database, folder());
  other = { journals: there, queue: await openQueue(there.shared!.database) };
});

afterAll(async () => {
  await journals.shared!.close();
  await other.journals.shared!.close();
});

let made = 0;

/** A journal of a new company, by its id. */
async function company(): Promise<{ readonly journal: number; readonly path: string }> {
  const path = journals.newPath({ url: 'http://127.0.0.1:9999', company: `90010000${++made}` });
  const journal = await journals.open(path, { warn: () => {} });
  const { id } = (await journal.first<{ id: number }>('SELECT cargue.wanted() AS id'))!;
  await journal.close();
  return { journal: id, path };
}

const put = (job: Job): Promise<void> => journals.shared!.database.transaction((sql) => queue.put(sql, job));
const named = (jobs: readonly Job[]): string[] => jobs.map(({ run }) => run);

/** As if they had been taken a while ago. */
const age = (): Promise<number> =>
  journals.shared!.database.run(
    `UPDATE pgboss.job SET started_on = started_on - interval '1 minute' WHERE state = 'active'`,
  );

test('a run is in the queue with the transaction that lets it go, or not at all', async () => {
  const { journal } = await company();
  const broken = journals.shared!.database.transaction(async (sql) => {
    await queue.put(sql, { journal, run: 'a' });
    throw new Error('no');
  });
  await expect(broken).rejects.toThrow('no');
  expect(await queue.take(10)).toEqual([]);
  await put({ journal, run: 'a', concurrency: 4, rate: 55 });
  const [job] = await queue.take(10);
  expect(job).toMatchObject({ journal, run: 'a', concurrency: 4, rate: 55 });
  await queue.done(job!);
  expect(await queue.has(job!)).toBe(false);
});

test('it waits once, however often it is handed over', async () => {
  const { journal } = await company();
  await put({ journal, run: 'a' });
  await put({ journal, run: 'a' });
  expect(await queue.waiting()).toBe(1);
  const jobs = await queue.take(10);
  expect(named(jobs)).toEqual(['a']);
  await queue.done(jobs[0]!);
});

test('two workers never get the same, the oldest go first, and what goes back is behind all others', async () => {
  const { journal } = await company();
  for (const run of ['a', 'b', 'c', 'd', 'e', 'f']) await put({ journal, run });
  const [mine, theirs] = await Promise.all([queue.take(2), other.queue.take(2)]);
  expect(named([...mine, ...theirs]).sort()).toEqual(['a', 'b', 'c', 'd']);
  await queue.back(mine[0]!, { ...mine[0]!, tries: 3 }, 0);
  const rest = [await queue.take(1), await queue.take(1), await queue.take(1)].flat();
  expect(named(rest)).toEqual(['e', 'f', mine[0]!.run]);
  expect(rest.at(-1)).toMatchObject({ tries: 3 });
  for (const job of [...mine.slice(1), ...theirs, ...rest]) await queue.done(job);
});

test('what is to wait is not offered before its time', async () => {
  const { journal } = await company();
  await put({ journal, run: 'a' });
  const [job] = await queue.take(1);
  await queue.back(job!, job!, 60);
  expect([await queue.take(1), await queue.waiting(), await queue.has(job!)]).toEqual([[], 0, true]);
  await journals.shared!.database.run('DELETE FROM pgboss.job');
});

test('what a lost worker had is brought back once, and its own word about it counts no more', async () => {
  const { journal } = await company();
  await put({ journal, run: 'a' });
  const [job] = await queue.take(1);
  expect(await other.queue.recover()).toBe(0); // it may still be about to take its lease
  await age();
  const both = await Promise.all([queue.recover(), other.queue.recover()]);
  expect(both).toContain(1);
  const [again] = await other.queue.take(1);
  await queue.back(job!, job!, 0);
  await queue.done(job!);
  expect(await queue.waiting()).toBe(0);
  expect(await other.queue.has(again!)).toBe(true);
  await other.queue.done(again!);
});

test('who holds the right to send keeps his run, however long it takes', async () => {
  const { journal, path } = await company();
  await put({ journal, run: 'a' });
  const [job] = await queue.take(1);
  const open = await journals.open(path, { warn: () => {} });
  await age();
  expect(await other.queue.recover()).toBe(0);
  await open.close();
  expect(await other.queue.recover()).toBe(1);
  const [again] = await queue.take(1);
  expect(again!.run).toBe(job!.run);
  await queue.done(again!);
});
