import type PgBoss from 'pg-boss';
import { type Database, onlyRow, type Sql, type Value } from './database.js';
import { optional } from './optional-package.js';

/** Name of the one queue in the schema of pg-boss. */
const QUEUE = 'cargue';

/** Run that a queue worker is to send, without personal data. */
export interface Job {
  readonly journal: number;
  readonly run: string;
  /** Times that it came back unfinished. @default 0 */
  readonly tries?: number;
  /** Times that a worker had no token for it. @default 0 */
  readonly passed?: number;
  /** Max concurrent requests, and requests per minute, as its sender chose; 0 is no limit. */
  readonly concurrency?: number;
  readonly rate?: number;
}

export interface TakenJob extends Job {
  readonly id: string;
}

/** Queue of runs for workers, in the database of their journals. */
export type Queue = Awaited<ReturnType<typeof openQueue>>;

const jobOf = ({ journal, run, tries, passed, concurrency, rate }: Job): Job => ({
  journal,
  run,
  ...(tries !== undefined && { tries }),
  ...(passed !== undefined && { passed }),
  ...(concurrency !== undefined && { concurrency }),
  ...(rate !== undefined && { rate }),
});

type Driver = { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> };

/** Converts a value for a statement: lists in PostgreSQL's form, objects as JSON. */
function written(value: unknown): Value {
  if (Array.isArray(value)) return `{${value.join()}}`;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? null) as Value);
}

const driverOf = (sql: Sql): Driver => ({
  executeSql: async (text, values = []) => ({ rows: await sql.all<unknown>(text, ...values.map(written)) }),
});

const loadBoss = async (): Promise<typeof PgBoss> => (await optional('pg-boss', import('pg-boss'))).default;

/** Roles that may add runs to the queue, take them, or only read. */
interface QueueRoles {
  readonly put: readonly string[];
  readonly take: readonly string[];
  readonly look: readonly string[];
}

/** Returns the SQL that creates the queue in a database that has none; for its owner. */
export async function queuePlan({ put, take, look }: QueueRoles): Promise<string> {
  const boss = await loadBoss();
  return `
    ${boss
      .getConstructionPlans()
      .replace(/^\s*BEGIN;/, '')
      .replace(/COMMIT;\s*$/, '')}
    SELECT pgboss.create_queue('${QUEUE}', '{"policy":"short","retryLimit":0}');
    GRANT USAGE ON SCHEMA pgboss TO ${[...put, ...take, ...look].join()};
    GRANT SELECT ON pgboss.version, pgboss.queue, pgboss.job TO ${[...put, ...take, ...look].join()};
    GRANT INSERT ON pgboss.job TO ${[...put, ...take].join()};
    GRANT UPDATE, DELETE ON pgboss.job TO ${take.join()};`;
}

/**
 * SQL of jobs `j` whose lease has run out, and whose worker had the time to take one; only journals that this login
 * may see.
 */
const LEFT = `
  SELECT j.id, j.data FROM pgboss.job j
  JOIN cargue.journal g ON g.id = (j.data ->> 'journal')::integer
  LEFT JOIN cargue.sender s ON s.journal = g.id
  WHERE j.name = '${QUEUE}' AND j.state = 'active' AND j.started_on < now() - interval '10 seconds'
    AND coalesce(s.until < clock_timestamp(), true)`;
const THERE = `SELECT 1 FROM pgboss.job WHERE name = '${QUEUE}' AND singleton_key = ?`;
const WAITING = `
  SELECT count(*) AS count FROM pgboss.job WHERE name = '${QUEUE}' AND state < 'active' AND start_after <= now()`;

interface Row {
  readonly id: string;
  readonly data: string;
}

const takenOf = ({ id, data }: Row): TakenJob => ({ ...(JSON.parse(data) as Job), id });

/**
 * Opens the queue of a database; `database` is bound to no journal.
 * @throws PipelineError('usage', journal/needs-package)
 */
export async function openQueue(database: Database) {
  const Boss = await loadBoss();
  let fault: unknown;
  // `fetch` does not throw its errors.
  const driver: Driver = {
    executeSql: (text, values) =>
      driverOf(database)
        .executeSql(text, values)
        .catch((error) => {
          fault = error;
          throw error;
        }),
  };
  // Do not start or supervise it: finished jobs are deleted at once, and a dead worker shows by its lease.
  const boss = new Boss({ db: driver as PgBoss.Db, migrate: false, supervise: false, schedule: false });

  const put = async (sql: Sql, job: Job, seconds = 0): Promise<void> => {
    const options = {
      singletonKey: `${job.journal}/${job.run}`,
      startAfter: seconds,
      db: driverOf(sql) as PgBoss.Db,
    };
    await boss.send(QUEUE, jobOf(job), options);
  };
  const back = (taken: TakenJob, job: Job, seconds: number): Promise<void> =>
    database.transaction(async (sql) => {
      const deleted = await sql.run(
        `DELETE FROM pgboss.job WHERE name = '${QUEUE}' AND id = ?::uuid AND state = 'active'`,
        taken.id,
      );
      if (deleted === 1) await put(sql, job, seconds);
    });

  return {
    /**
     * Adds a run, in the transaction that releases it: both happen, or neither. A run is queued once, however often it
     * is added.
     */
    put: (sql: Sql, job: Job) => put(sql, job),
    /** Takes the oldest jobs; no other worker gets the same. */
    async take(max: number): Promise<readonly TakenJob[]> {
      fault = undefined;
      const rows = (await boss.fetch(QUEUE, { batchSize: max })) as unknown as readonly Row[];
      if (fault !== undefined) throw fault;
      return rows.map(takenOf);
    },
    done: async ({ id }: TakenJob) => void (await boss.deleteJob(QUEUE, id)),
    /** Puts a job behind all others, to be taken after some seconds. Ignores a job that was recovered meanwhile. */
    back,
    /** Returns jobs of workers that lost the right to send to the queue. Returns how many. */
    async recover(): Promise<number> {
      const left = (await database.all<Row>(LEFT)).map(takenOf);
      for (const job of left) await back(job, job, 0);
      return left.length;
    },
    /** True if a run is queued or being sent by a worker. */
    has: async ({ journal, run }: Pick<Job, 'journal' | 'run'>) =>
      (await database.first(THERE, `${journal}/${run}`)) !== undefined,
    /** Counts the jobs that could be taken now. */
    waiting: async () => (await onlyRow<{ count: number }>(database, WAITING)).count,
  };
}
