import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '../../src/sandbox/server.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { serverJournals } from '../../src/send/postgres-journals.js';
import { openQueue } from '../../src/send/queue.js';
import { findRun } from '../../src/send/runs.js';
import { startPostgres } from '../support/postgres.js';
import { chanceOf } from './chance.js';
import { FAULT_NAMES } from './fault-kinds.js';
import { seededFaults, startFaultProxy } from './fault-proxy.js';
import {
  endWorker,
  type FleetOptions,
  type FleetWorker,
  type LinedWorker,
  startOnLine,
  writeProfile,
} from './fleet.js';
import { type Company, each, handOver, layOut, nitsOf, ROOM } from './lay-out.js';
import { examine, type Findings } from './oracle.js';
import { sum, tell, totalOf, violations } from './seeds.js';

export interface WorkersOptions {
  readonly seed: number;
  readonly workers: number;
  readonly companies: number;
  /** Of all companies. */
  readonly documents: number;
  /** Of workers: killed, frozen or cut off. */
  readonly kills: number;
  /** Times that the server of the database is killed. @default 1 */
  readonly falls?: number;
  /** Of requests that fail. @default 0.1 */
  readonly share?: number;
  /** Runs at a time of a worker. @default 6 */
  readonly places?: number;
  /** Milliseconds, at least, between two kills. @default 700 */
  readonly every?: number;
}

export interface WorkersResult extends Findings {
  readonly documents: number;
  readonly done: Readonly<Record<string, number>>;
  readonly takeovers: number;
  /** Turns of runs, by how they ended. */
  readonly turns: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly ms: number;
}

const PATIENCE = 2_000;
/** A replaced worker needs less. */
const FROZEN_MS = 20_000;

/**
 * Many companies, their documents handed over to a fleet of workers; workers are killed, frozen and cut off, the server of
 * the database falls, requests fail, clocks jump; then the journal of each company is held against the service's books.
 */
export async function workersRun(options: WorkersOptions): Promise<WorkersResult> {
  const {
    seed,
    workers,
    companies,
    documents,
    kills,
    falls = 1,
    share = 0.1,
    places = 6,
    every = 700,
  } = options;
  const start = performance.now();
  const chance = chanceOf(seed, 'workers');
  const workspace = mkdtempSync(join(tmpdir(), 'cargue-fleet-'));
  const nits = nitsOf(companies);
  const server = await startPostgres({ settings: { fsync: 'on', full_page_writes: 'on' } });
  const box = await startSandbox({
    companies: nits.map((nit) => ({ nit, environment: 'production' as const })),
  });
  const proxy = await startFaultProxy({
    target: box.url,
    patience: PATIENCE,
    faultOf: seededFaults(seed, share, FAULT_NAMES),
  });
  const done: Record<string, number> = { killed: 0, frozen: 0, 'cut off': 0, hushed: 0, 'server killed': 0 };
  const fleet: LinedWorker[] = [];
  const all: FleetWorker[] = [];
  try {
    const database = await server.database();
    await migrateDatabase(postgresAddress(database));
    const journals = await serverJournals(database, workspace);
    const queue = await openQueue(journals.shared!.database);
    const count = Math.ceil(documents / companies);
    const laidOut: Company[] = [];
    await each(nits, 8, async (nit, index) => {
      writeProfile(workspace, nit, proxy.url, box.tokens[nit]!);
      laidOut[index] = await layOut(journals, { url: proxy.url, nit, index, count, seed });
    });
    // No more at once than one service of this machine answers in time: else all that is tried is tried again.
    await handOver(journals, queue, laidOut, { concurrency: 2 });
    console.log(
      `  ${companies} companies laid out after ${Math.round((performance.now() - start) / 1000)} s`,
    );

    const fleetOptions: FleetOptions = {
      database,
      workspace,
      places,
      shift: (number) => (number % 4 === 1 ? 3_600_000 : number % 4 === 2 ? 40_000 : 0),
    };
    const launch = async (at: number): Promise<void> => {
      fleet[at] = await startOnLine(at, fleetOptions);
      all.push(fleet[at].worker);
    };
    for (let at = 0; at < workers; at++) await launch(at);

    const jobs = async (which: string): Promise<number> => {
      for (;;)
        try {
          const sql = `SELECT count(*) AS count FROM pgboss.job WHERE ${which}`;
          return (await journals.shared!.database.first<{ count: number }>(sql))!.count;
        } catch {
          await wait(200); // the server is down
        }
    };
    const left = (): Promise<number> => jobs('true');
    const total = (): number => sum(Object.values(done), (count) => count);
    /** Frozen ones, to be let go again. */
    const thaws: Promise<void>[] = [];
    const strikes: readonly (() => Promise<void>)[] = [
      async () => {
        const at = chance.below(workers);
        done['killed']! += 1;
        await endWorker(fleet[at]!.worker, 'SIGKILL');
        await launch(at);
      },
      async () => {
        const at = chance.below(workers);
        const { worker } = fleet[at]!;
        if (!worker.child.kill('SIGSTOP')) return;
        done['frozen']! += 1;
        await launch(at);
        // When it wakes up, others have its runs; after a while it goes as it was told.
        thaws.push(
          wait(FROZEN_MS + chance.below(3_000)).then(async () => {
            worker.child.kill('SIGCONT');
            await wait(3_000);
            await endWorker(worker, 'SIGKILL');
          }),
        );
      },
      async () => {
        done['cut off']! += 1;
        fleet[chance.below(workers)]!.line.cut(chance.pick([0, 1_000, 18_000]));
      },
      async () => {
        done['hushed']! += 1;
        fleet[chance.below(workers)]!.line.hush(chance.pick([2_000, 18_000]));
      },
    ];
    const fallAt = new Set(
      Array.from({ length: falls }, (_, at) => Math.floor(((at + 1) * kills) / (falls + 1))),
    );
    // A strike at whoever has no run yet would show nothing.
    const most = Math.min(companies, workers * places);
    while ((await jobs(`state = 'active'`)) < most && (await left()) === companies) await wait(50);
    await wait(200);
    while (total() - done['server killed']! < kills && (await left()) > 0) {
      if (fallAt.delete(total() - done['server killed']!)) {
        done['server killed']! += 1;
        await server.kill!();
        await wait(chance.below(3_000));
        await server.start!();
      }
      // Half of all strikes kill.
      await (chance.next() < 0.5 ? strikes[0]! : chance.pick(strikes))();
      await wait(every / 2 + chance.below(every));
    }
    while ((await left()) > 0) await wait(500);
    await Promise.all(thaws);
    const codes = await Promise.all(fleet.map(({ worker }) => endWorker(worker, 'SIGTERM')));
    if (codes.some((code) => code !== 0)) throw new Error(`workers ended with ${codes.join()}`);
    await proxy.idle();

    const archive = box.controls.documents();
    const { requests: log } = box.controls.requests();
    const indexOf = (number: string | undefined): number =>
      Math.floor((Number(number?.replace(/^\D+/, '')) - 1) / ROOM);
    const byCompany = <T>(items: readonly T[], of: (item: T) => string | undefined): readonly T[][] => {
      const groups: T[][] = nits.map(() => []);
      for (const item of items) groups[indexOf(of(item))]?.push(item);
      return groups;
    };
    const archives = byCompany(archive, ({ number }) => number);
    const logs = byCompany(log, ({ number }) => number);
    const arrivals = byCompany(proxy.arrived, ({ about }) => about);
    const found: Findings[] = [];
    for (const [index, { path, run, roles }] of laidOut.entries()) {
      const journal = await journals.read(path);
      const { state, stopped } = await findRun(journal, run);
      found.push(
        await examine({
          journal,
          run,
          roles,
          archive: archives[index]!,
          earlier: new Set(),
          arrived: arrivals[index]!,
          log: logs[index]!,
        }),
      );
      if (state !== 'closed')
        found.push({ doubles: [], lost: [`${path} ${run} is ${state}: ${stopped?.code}`], wrong: [] });
    }
    await journals.shared!.close();
    const takeovers = sum(
      all.flatMap(({ said }) => said.filter(({ msg }) => msg === 'taken over')),
      ({ runs }) => Number(runs),
    );
    return {
      documents: sum(laidOut, ({ roles }) => roles.length),
      done,
      takeovers,
      turns: countOf(all.flatMap(({ said }) => said.flatMap(({ how, code }) => how ?? code ?? []))),
      requests: proxy.seen.requests,
      ms: performance.now() - start,
      ...totalOf(found),
    };
  } finally {
    for (const worker of all) await endWorker(worker, 'SIGKILL');
    await proxy.close();
    await box.close();
    await server.stop();
    rmSync(workspace, { recursive: true, force: true });
  }
}

function countOf(words: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[String(word)] = (counts[String(word)] ?? 0) + 1;
  return counts;
}

/** Plays one fleet; prints it, and returns how many violations there were. */
export async function playWorkers(options: WorkersOptions): Promise<number> {
  const result = await workersRun(options);
  const { documents, done, takeovers, requests, ms } = result;
  const how = Object.entries(done).map(([name, count]) => `${count} ${name}`);
  const head = `workers, seed ${options.seed}: ${options.workers} workers, ${options.companies} companies, ${documents} documents`;
  const turns = Object.entries(result.turns).map(([how, count]) => `${how} ${count}`);
  console.log(`  turns: ${turns.join(', ')}`);
  tell(
    `${head}, ${requests} requests, ${how.join(', ')}, ${takeovers} runs taken over, ${Math.round(ms / 1000)} s`,
    result,
  );
  return violations(result);
}
