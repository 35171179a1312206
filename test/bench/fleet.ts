/** What a fleet of workers does: how it grows with their number, and what a large run takes from small ones. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Journals } from '../../src/send/journals.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { serverJournals } from '../../src/send/postgres-journals.js';
import { openQueue, type Queue } from '../../src/send/queue.js';
import { endWorker, startWorker, writeProfile } from '../chaos/fleet.js';
import { type Company, each, handOver, layOut, nitsOf } from '../chaos/lay-out.js';
import { startPostgres } from '../support/postgres.js';
import { median, startServer } from './process.js';

interface Scene {
  readonly url: string;
  readonly database: string;
  readonly workspace: string;
  readonly journals: Journals;
  readonly queue: Queue;
}

async function withScene<T>(delay: number, use: (scene: Scene) => Promise<T>): Promise<T> {
  const server = await startPostgres({ settings: { fsync: 'on', full_page_writes: 'on' } });
  const workspace = mkdtempSync(join(tmpdir(), 'cargue-fleet-'));
  let service: ChildProcess | undefined;
  try {
    const started = await startServer(delay);
    service = started.server;
    const database = await server.database();
    await migrateDatabase(postgresAddress(database));
    const journals = await serverJournals(database, workspace);
    try {
      const queue = await openQueue(journals.shared!.database);
      return await use({ url: started.url, database, workspace, journals, queue });
    } finally {
      await journals.shared!.close();
    }
  } finally {
    service?.kill();
    await server.stop();
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** Runs of so many documents each, laid out for companies from `first` on. */
async function laidOut({ url, journals, workspace }: Scene, first: number, counts: readonly number[]) {
  const nits = nitsOf(first + counts.length);
  const companies: Company[] = [];
  await each(counts, 8, async (count, at) => {
    const index = first + at;
    // What answers here has codes that no PIN proves.
    const token = `token-${index}`;
    writeProfile(workspace, nits[index]!, url, token, '');
    companies[at] = await layOut(journals, { url, nit: nits[index]!, index, count, token });
  });
  return companies;
}

async function withWorkers<T>(
  scene: Scene,
  count: number,
  places: number,
  use: () => Promise<T>,
): Promise<T> {
  const workers = Array.from({ length: count }, (_, at) => startWorker(at, { ...scene, places }));
  try {
    while (!workers.every(({ said }) => said.some(({ msg }) => msg === 'started'))) await wait(50);
    return await use();
  } finally {
    await Promise.all(workers.map((worker) => endWorker(worker, 'SIGTERM')));
  }
}

/** Seconds from the moment that they were handed over until each is done; `others` are in the queue for longer. */
async function timed(
  { journals, queue }: Scene,
  companies: readonly Company[],
  others = 0,
): Promise<number[]> {
  const { database, overview } = journals.shared!;
  const start = Date.now(); // one machine, one clock
  await handOver(journals, queue, companies);
  for (let left = companies.length; left > others; await wait(200))
    left = (await database.first<{ count: number }>('SELECT count(*) AS count FROM pgboss.job'))!.count;
  const ends = new Map((await overview(start)).map(({ journal, ended }) => [journal, ended]));
  return companies.map(({ journal }) => ((ends.get(journal) ?? Number.NaN) - start) / 1_000);
}

const DELAY = 1_000;

/** 1 → 2 → 4 → 8 workers, each with one place, at a service that takes a second. */
export const scaling = (): Promise<boolean> =>
  withScene(DELAY, async (scene) => {
    const rates: number[] = [];
    for (const [round, workers] of [1, 2, 4, 8].entries()) {
      const companies = await laidOut(
        scene,
        round * 8,
        Array.from({ length: 8 }, () => 240),
      );
      const ends = await withWorkers(scene, workers, 1, () => timed(scene, companies));
      rates.push((8 * 240) / Math.max(...ends));
      console.log(`     ${workers} workers: ${rates.at(-1)!.toFixed(1)} documents a second`);
    }
    const times = rates.at(-1)! / rates[0]!;
    const good = times >= 7;
    console.log(
      `${good ? 'ok  ' : 'MISS'} workers: 8 do ${times.toFixed(1)} × what one does at 1 s (at least 7)`,
    );
    return good;
  });

const LARGE = 1_000_000;
const LAID = 1_000;

/** Of a run that was laid out: as many documents, each so many times, under numbers and names of their own. */
async function multiply({ database }: Scene, { journal, run }: Company, times: number): Promise<void> {
  const owner = new pg.Client({ connectionString: database });
  await owner.connect();
  await owner.query('SET search_path = cargue; SET session_replication_role = replica');
  const values = [journal, run, times - 1, LAID];
  const copied = `FROM document d, generate_series(1, $3) n WHERE d.journal = $1 AND d.run = $2 AND d.sequence <= $4`;
  await owner.query(
    `INSERT INTO document (journal, run, sequence, key, schema, subject, hash, type_document_id, prefix, consecutive, state, updated)
      SELECT journal, run, sequence + n * $4, key || '-' || n, schema, subject || '-' || n, hash, type_document_id, prefix,
        consecutive + n * $4, state, updated ${copied}`,
    values,
  );
  await owner.query('ANALYZE document');
  await owner.query(
    `INSERT INTO content (journal, document, body, trace)
      SELECT own.journal, own.id, c.body, c.trace
      FROM document own
      JOIN document d ON d.journal = own.journal AND d.run = own.run AND d.sequence = (own.sequence - 1) % $3 + 1
      JOIN content c ON c.journal = d.journal AND c.document = d.id
      WHERE own.journal = $1 AND own.run = $2 AND own.sequence > $3`,
    [journal, run, LAID],
  );
  await owner.query('SELECT cargue.count_run($1, $2)', [journal, run]);
  await owner.query('VACUUM ANALYZE document, content');
  await owner.end();
}

/** One large run and 200 small ones handed over together, on two workers; each small one against its time alone. */
export const fairness = (): Promise<boolean> =>
  withScene(DELAY, async (scene) => {
    const first = await laidOut(
      scene,
      0,
      Array.from({ length: 5 }, () => 20),
    );
    const before = await laidOut(
      scene,
      300,
      Array.from({ length: 100 }, () => 20),
    );
    const all = await laidOut(scene, 10, [LAID, ...Array.from({ length: 200 }, () => 20)]);
    await multiply(scene, all[0]!, LARGE / LAID);
    return withWorkers(scene, 2, 256, async () => {
      // They have been at work before.
      await timed(scene, before);
      const alone: number[] = [];
      for (const company of first) alone.push(...(await timed(scene, [company])));
      const [large, ...small] = all;
      await handOver(scene.journals, scene.queue, [large!]);
      const together = await timed(scene, small, 1);
      const [usual, worst] = [median(alone, (time) => time), Math.max(...together)];
      const good = worst <= 2 * usual;
      console.log(
        `${good ? 'ok  ' : 'MISS'} fairness: the last of 200 small runs beside one of ${LARGE.toLocaleString('en')} after ${worst.toFixed(1)} s, alone after ${usual.toFixed(1)} s (at most twice)`,
      );
      return good;
    });
  });
