import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { PipelineError, stop } from '../toolkit/core/issue.js';
import { packageFile } from '../toolkit/core/package-file.js';
import { getOrAdd } from '../toolkit/core/remember.js';
import {
  type Connection,
  openConnection,
  type Statement,
  storageCode,
} from '../toolkit/core/sqlite-engine.js';
import { giveTurn } from '../toolkit/core/turn.js';
import { checkpointsOf, rollBack } from './checkpoint.js';
import { commitQueue, type Database, type Sql, type Value, type Write, type Writer } from './database.js';
import type { WriterStart, WriterTask, Written } from './journal-writer.js';

/** SQLite file on this host, below the `Database` port: for locks, rate limits, and opening a journal. */
export interface SqliteFile {
  readonly path: string;
  prepare(sql: string): Omit<Statement, 'iterate'>;
  exec(sql: string): void;
  transaction(work: () => void): void;
  /** Keeps the log of the file short; call it after each commit. */
  afterCommit(): void;
  close(): void;
}

/** Rethrows an error of SQLite or the file system as a PipelineError (`journal`). */
export function fail(path: string, error: unknown): never {
  if (error instanceof PipelineError) throw error;
  const code = storageCode(error);
  if (code === undefined) throw error;
  if (code === 'SQLITE_BUSY') stop('journal', { code: 'send/locked' }, error);
  const params = { path, reason: code };
  const isDamaged = code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT';
  stop('journal', { code: isDamaged ? 'journal/damaged' : 'journal/not-writable', params }, error);
}

/** Creates a private file (0600) in a private folder (0700): SQLite would follow the umask. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // An existing file is not opened: closing it would release every lock that this process has on it.
    if (storageCode(error) !== 'EEXIST') throw error;
  }
  chmodSync(path, 0o600);
}

/** URI parameters of a file that is only read: with its log, or as it is, where no log can be. */
const READING = { reading: 'mode=ro', alone: 'immutable=1' } as const;

const guarded =
  (path: string) =>
  <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      return fail(path, error);
    }
  };

/**
 * Opens a SQLite file and creates it if missing; `timeout` in ms is the wait for another writer. With `only` the file
 * is not created or written to; `alone` also ignores its log.
 */
export function openFile(path: string, timeout: number, only?: keyof typeof READING): SqliteFile {
  const db = guarded(path)(() => {
    if (only !== undefined)
      return openConnection(`${pathToFileURL(resolve(path))}?${READING[only]}`, timeout);
    makePrivate(path);
    return openConnection(resolve(path), timeout);
  });
  return fileOf(path, db);
}

/** Opens a private temporary database: SQLite keeps it in memory, or in an unnamed file if it grows. */
export const openTemporary = (): SqliteFile => fileOf('', openConnection('', 0));

function fileOf(path: string, db: Connection): SqliteFile {
  const guard = guarded(path);
  const checkpoints = checkpointsOf(path, db);
  return {
    path,
    prepare: (sql) => {
      const statement = guard(() => db.prepare(sql));
      return {
        run: (...values) => guard(() => statement.run(...values)),
        all: <T>(...values: Value[]) => guard(() => statement.all<T>(...values)),
        first: <T>(...values: Value[]) => guard(() => statement.first<T>(...values)),
      };
    },
    exec: (sql) => guard(() => db.exec(sql)),
    transaction: (work) => {
      guard(() => db.exec('BEGIN IMMEDIATE'));
      try {
        work();
        guard(() => db.exec('COMMIT'));
      } catch (error) {
        rollBack(db);
        throw error;
      }
      checkpoints.afterCommit();
    },
    afterCommit: checkpoints.afterCommit,
    close: () => {
      checkpoints.close();
      db.close();
    },
  };
}

/** Last statement of each transaction; its row is passed on after the commit. */
interface Count {
  readonly sql: string;
  readonly committed: (row: unknown) => void;
}

const IS_TABLE = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`;

/**
 * Opens the port over a file. One connection reads and holds transactions, another one writes in groups on a separate
 * thread, see `journal-writer.ts`.
 */
export function databaseOf(file: SqliteFile, count?: Count): Database {
  const { path } = file;
  const known = new Map<string, ReturnType<SqliteFile['prepare']>>();
  const statement = (sql: string): ReturnType<SqliteFile['prepare']> => {
    return getOrAdd(known, sql, () => file.prepare(sql));
  };
  const sql: Sql = {
    all: async <T>(text: string, ...values: Value[]) => statement(text).all<T>(...values),
    first: async <T>(text: string, ...values: Value[]) => statement(text).first<T>(...values),
    run: async (text, ...values) => statement(text).run(...values),
    later: async (text, ...values) => void statement(text).run(...values),
    script: async (text) => file.exec(text),
    hasTable: async (name) => statement(IS_TABLE).first(name) !== undefined,
  };
  const inTurn = pLimit(1);

  const transaction = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      file.exec('BEGIN IMMEDIATE');
      let row: unknown;
      let result: T;
      try {
        result = await work(sql);
        row = count && statement(count.sql).first();
        file.exec('COMMIT');
      } catch (error) {
        rollBack(file);
        throw error;
      }
      count?.committed(row);
      await giveTurn();
      file.afterCommit();
      return result;
    });

  return {
    ...sql,
    path,
    transaction,
    run: (text, ...values) => transaction((sql) => sql.run(text, ...values)),
    later: (text, ...values) => transaction((sql) => sql.later(text, ...values)),
    script: (text) => transaction((sql) => sql.script(text)),
    moment: (work) =>
      inTurn(async () => {
        file.exec('BEGIN');
        try {
          return await work(sql);
        } finally {
          rollBack(file);
        }
      }),
    writer: async () => openWriter(path, count),
    close: async () => {
      known.clear();
      file.close();
    },
  };
}

const BUSY_MS = 5_000;

/** Starts the writing thread. If it cannot open the file, the first commit fails; only that waits for the start. */
function openWriter(path: string, count: Count | undefined): Writer {
  const start: WriterStart = { path, busyMs: BUSY_MS, ...(count && { count: count.sql }) };
  const built = fileURLToPath(new URL('./journal-writer.js', import.meta.url));
  // A thread cannot start from a source: scripts that run the sources use the built one.
  const program = existsSync(built) ? built : packageFile('dist', 'send', 'journal-writer.js');
  // A command that only reads does not load threads.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const thread = new Worker(program, { workerData: start });
  let asked: { done(written: Written): void; lost(error: Error): void } | undefined;
  let end: Error | undefined;

  /**
   * Sends a task and waits for its reply; without a task, for that of the start. Keeps the process alive meanwhile.
   */
  async function ask(task?: WriterTask): Promise<unknown> {
    if (end !== undefined) throw end;
    thread.ref();
    const written = await new Promise<Written>((done, lost) => {
      asked = { done, lost };
      if (task !== undefined) thread.postMessage(task);
    });
    thread.unref();
    if ('failed' in written) fail(path, Object.assign(new Error(written.failed.message), written.failed));
    return written.row;
  }
  const ended = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      end ??= new Error('the thread that writes the journal has ended');
      asked?.lost(end);
      resolve();
    });
  });
  thread.once('error', (error) => {
    end = error;
  });
  thread.on('message', (written: Written) => asked?.done(written));

  const started = ask();
  started.catch(() => {}); // said at the commit
  const commit = commitQueue<Write>({
    commit: async (writes) => {
      await started;
      const row = await ask(writes);
      count?.committed(row);
    },
  });
  return {
    commit,
    async close() {
      thread.ref();
      thread.postMessage('close' satisfies WriterTask);
      await ended;
    },
  };
}
