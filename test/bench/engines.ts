/** The journal in a file and in a database, beside each other: how fast a run is sent, and how soon one knows how all stands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { journalsOf } from '../../src/app/journal-access.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { fake } from '../cli/fake-context.js';
import { status } from '../cli/use-cases.js';
import { startPostgres } from '../support/postgres.js';
import { type Measured, measure, median, startServer } from './process.js';

/** Of a run that is sent 16 documents at a time: how long the service takes, how many, how often, and the least ratio. */
const SCENES = [
  { delay: 0, count: 6_000, rounds: 5, least: 0.6 },
  { delay: 5, count: 6_000, rounds: 3, least: 0.6 },
  { delay: 1_000, count: 320, rounds: 1, least: 0.9 },
] as const;

const rateOf = ({ count, seconds }: Measured): number => count / seconds;

/** A run on either engine in turns, on a server that waits for its disk. */
export async function engines(file: string): Promise<boolean> {
  const server = await startPostgres({ settings: { fsync: 'on', full_page_writes: 'on' } });
  let good = true;
  try {
    for (const { delay, count, rounds, least } of SCENES) {
      const service = await startServer(delay);
      const rates = { file: [] as number[], database: [] as number[] };
      try {
        for (let round = 0; round < rounds; round++) {
          const scene = { concurrency: 16, count };
          rates.file.push(rateOf(await measure('send-scene', file, service.url, undefined, scene)));
          const database = await server.database();
          const there = { ...scene, database };
          rates.database.push(rateOf(await measure('send-scene', file, service.url, undefined, there)));
        }
      } finally {
        service.server.kill();
      }
      const [mine, theirs] = [rates.file, rates.database].map((all) => median(all, (rate) => rate));
      const ratio = theirs! / mine!;
      if (ratio < least) good = false;
      console.log(
        `${ratio < least ? 'MISS' : 'ok  '} engines: 16 at a time at ${delay} ms: ${mine!.toFixed(0)} documents a second in a file, ${theirs!.toFixed(0)} in a database: ${ratio.toFixed(2)} (at least ${least})`,
      );
    }
    return good;
  } finally {
    await server.stop();
  }
}

/** One large company and many small ones: ten million documents. Of each company the last run is under way. */
const LARGE = { runs: 40, documents: 100_000 };
const SMALL = { companies: 600, runs: 10, documents: 1_000 };
const ADDRESS = '127.0.0.1:8080';
const NIT = 900_000_000;

const META = JSON.stringify({
  company: 'bench',
  url: `http://${ADDRESS}`,
  inputs: [],
  params: {},
  versions: {},
  counts: {
    records: { read: 1, used: 1, skipped: 0, heldBack: 0 },
    documents: { planned: 1, made: 1, heldBack: 0 },
    defaults: {},
  },
});

/** Of journals, as many runs of so many documents each; numbers follow each other. */
const filled = (journals: string, runs: number, documents: number): string => `
  INSERT INTO run (journal, id, state, created, ended, meta)
    SELECT j, '2026-10-01-' || r, CASE WHEN r = ${runs} THEN 'open' ELSE 'closed' END, r, CASE WHEN r < ${runs} THEN r END, '${META}'
    FROM ${journals} j, generate_series(1, ${runs}) r;
  INSERT INTO document (journal, run, sequence, key, schema, subject, hash, type_document_id, prefix, consecutive, state, attempts,
      document_code, updated, period)
    SELECT j, '2026-10-01-' || r, s, 'CC' || s, 'payroll/payroll', j || '/' || s, md5(s::text), 9, 'NOM', (r - 1) * ${documents} + s,
      CASE WHEN r = ${runs} AND s > ${documents} / 2 THEN 'planned' ELSE 'accepted' END, 1,
      CASE WHEN r < ${runs} THEN md5(j || '-' || r || '-' || s) END, 1, 'production|2026-10'
    FROM ${journals} j, generate_series(1, ${runs}) r, generate_series(1, ${documents}) s;`;

/** Rows as if they had been sent, without sending: indexes are made afterwards, and what refers to what is known. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SET search_path = cargue; SET session_replication_role = replica; SET maintenance_work_mem = '512MB';
    INSERT INTO journal (address, company, names) SELECT '${ADDRESS}', ${NIT} + n, '["' || ${NIT} + n || '"]'
    FROM generate_series(0, ${SMALL.companies}) n`);
  const { rows } = await client.query<{ name: string; made: string }>(`
    SELECT indexname AS name, indexdef AS made FROM pg_indexes
    WHERE schemaname = 'cargue' AND tablename = 'document' AND indexname <> 'document_pkey'`);
  for (const { name } of rows) await client.query(`DROP INDEX cargue.${name}`);
  await client.query(filled('generate_series(1, 1)', LARGE.runs, LARGE.documents));
  await client.query(filled(`generate_series(2, ${SMALL.companies + 1})`, SMALL.runs, SMALL.documents));
  for (const { made } of rows) await client.query(made);
  await client.query('VACUUM ANALYZE document');
  await client.query('SELECT count(*) FROM (SELECT cargue.count_run(journal, id) FROM run) counted');
  await client.query('VACUUM ANALYZE');
  await client.end();
}

const ROUNDS = 7;
const MOST_MS = 200;
const PROGRAM = join(import.meta.dirname, '../../dist/cli/main.js');

async function times(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    found.push(performance.now() - start);
  }
  return median(found, (ms) => ms);
}

/** `status` of ten million documents: in a program that is running, and as a command. */
export async function standing(): Promise<boolean> {
  const server = await startPostgres();
  const workspace = mkdtempSync(join(tmpdir(), 'cargue-bench-'));
  try {
    const journal = await server.database();
    await migrateDatabase(postgresAddress(journal));
    const start = performance.now();
    await fill(journal);
    const all = LARGE.runs * LARGE.documents + SMALL.companies * SMALL.runs * SMALL.documents;
    console.log(
      `     ${all.toLocaleString('en')} documents after ${((performance.now() - start) / 1000).toFixed(0)} s`,
    );
    const [large, small] = [String(NIT), String(NIT + 1)];
    const calls = [
      ['status --all', [], { all: true }],
      [`status of a company with ${LARGE.runs * LARGE.documents}`, [], { company: large }],
      [`status of a company with ${SMALL.runs * SMALL.documents}`, [], { company: small }],
      [`status RUN of ${SMALL.documents}`, ['2026-10-01-1'], { company: small }],
    ] as const;
    let good = true;
    for (const [name, args, options] of calls) {
      const call = (): Promise<number> => {
        const { context } = fake({ url: `http://${ADDRESS}`, workspace });
        return status({ ...context, journal }, args, options);
      };
      await call();
      const warm = await times(call, ROUNDS);
      const flags = 'all' in options ? ['--all'] : ['--company', options.company];
      const whole = await times(async () => {
        const child = spawn(process.execPath, [PROGRAM, 'status', ...args, ...flags], {
          env: {
            PATH: process.env['PATH'],
            CARGUE_JOURNAL: journal,
            CARGUE_WORKSPACE: workspace,
            CARGUE_URL: `http://${ADDRESS}`,
          },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        const [code] = (await once(child, 'exit')) as [number | null];
        if (code !== 0) throw new Error(`${name} ended with ${code}`);
      }, 3);
      if (warm > MOST_MS) good = false;
      console.log(
        `${warm > MOST_MS ? 'MISS' : 'ok  '} status: ${name}: ${warm.toFixed(0)} ms (at most ${MOST_MS}), the whole command ${whole.toFixed(0)} ms`,
      );
    }
    await (await journalsOf({ journal, workspace })).shared!.close();
    return good;
  } finally {
    await server.stop();
    rmSync(workspace, { recursive: true, force: true });
  }
}
