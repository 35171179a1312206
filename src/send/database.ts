import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import { PipelineError, stop } from '../core/issue.js';

/** Takes a write; the promise resolves once it is on the disk, and rejects when it will never be. */
export type Commit = (write: () => void) => Promise<void>;

/** One transaction at a time: begin, the writes, and waiting for the disk while the program goes on. */
export interface Transactions {
  begin(): void;
  commit(): Promise<void>;
  undo(): void;
}

interface Group {
  readonly writes: (() => void)[];
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

function newGroup(): Group {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const durable = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { writes: [], durable, resolve, reject };
}

/**
 * Group commit: writes asked for in one turn of the event loop, or while the disk is busy, share a transaction.
 * The disk is waited for once a group, and still nobody goes on before his own write is durable.
 */
export function commitQueue({ begin, commit, undo }: Transactions): Commit {
  let next: Group | undefined;
  let working = false;

  async function work(): Promise<void> {
    while (next !== undefined) {
      const group = next;
      next = undefined;
      try {
        begin();
        for (const write of group.writes) write();
        await commit();
        group.resolve();
      } catch (error) {
        undo();
        group.reject(error);
      }
    }
    working = false;
  }

  return (write) => {
    next ??= newGroup();
    next.writes.push(write);
    if (!working) {
      working = true;
      setImmediate(work);
    }
    return next.durable;
  };
}

export type Value = string | number | null;

/** A prepared statement with positional parameters. */
export interface Statement {
  /** Rows changed. */
  run(...values: Value[]): number;
  all<T>(...values: Value[]): T[];
  first<T>(...values: Value[]): T | undefined;
}

/** A SQLite file whose troubles are PipelineErrors (`journal`), never a stack trace. */
export interface Database {
  readonly path: string;
  prepare(sql: string): Statement;
  exec(sql: string): void;
  /** All or nothing. */
  transaction(work: () => void): void;
  /** All or nothing, for work that waits in between; nobody else may use the connection meanwhile. */
  longTransaction<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Rethrows what SQLite or the file system threw in the words of the program. */
export function fail(path: string, error: unknown): never {
  if (error instanceof PipelineError) throw error;
  const { code = '', message } = error as { code?: string; message: string };
  const params = { path, reason: code === '' ? 'SQLITE_CANTOPEN' : code };
  if (code === 'SQLITE_BUSY') stop('journal', { code: 'send/locked' }, error);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    stop('journal', { code: 'journal/damaged', params }, error);
  if (code.startsWith('SQLITE_') || code.startsWith('E') || message.startsWith('ConnectionFailed'))
    stop('journal', { code: 'journal/not-writable', params }, error);
  throw error;
}

/** Makes a private file (0600) in a private folder (0700): SQLite would follow the umask. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/**
 * `get` adds how long it took. It is used all the same: each call of `all` keeps a kilobyte that is not given back,
 * which matters where it is called once a document.
 */
function withoutMetadata<T>(row: unknown): T | undefined {
  if (typeof row === 'object' && row !== null) Reflect.deleteProperty(row, '_metadata');
  return row as T | undefined;
}

/** How a file is opened that stays as it is: beside its log, or where nothing may lie beside it. */
const READING = { reading: 'mode=ro', alone: 'immutable=1' } as const;

/**
 * Opens a SQLite file, made when it is missing; `timeout` in milliseconds is how long another writer is waited for.
 * With `only` it is not made, nor written to; `alone` moreover takes it as it is, without looking at a log.
 */
export function openDatabase(path: string, timeout: number, only?: keyof typeof READING): Database {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      return fail(path, error);
    }
  };
  const db = guard(() => {
    if (only !== undefined)
      return new Libsql(`${pathToFileURL(resolve(path))}?${READING[only]}`, { timeout });
    makePrivate(path);
    return new Libsql(path, { timeout });
  });

  const begin = (): void => guard(() => void db.exec('BEGIN IMMEDIATE'));
  const commit = (): void => guard(() => void db.exec('COMMIT'));
  const undo = (error: unknown): never => {
    // SQLite itself rolls back when the disk is full.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  };

  return {
    path,
    prepare: (sql) => {
      const statement = guard(() => db.prepare(sql));
      return {
        run: (...values) => guard(() => statement.run(values).changes),
        all: <T>(...values: Value[]) => guard(() => statement.all(values) as T[]),
        first: <T>(...values: Value[]) => guard(() => withoutMetadata<T>(statement.get(values))),
      };
    },
    exec: (sql) => guard(() => void db.exec(sql)),
    transaction: (work) => {
      begin();
      try {
        work();
        commit();
      } catch (error) {
        undo(error);
      }
    },
    longTransaction: async (work) => {
      begin();
      try {
        const result = await work();
        commit();
        return result;
      } catch (error) {
        return undo(error);
      }
    },
    close: () => void db.close(),
  };
}
