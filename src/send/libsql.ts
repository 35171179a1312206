import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Libsql from 'libsql';
import type LibsqlPromise from 'libsql/promise';
import pLimit from 'p-limit';
import { PipelineError, stop } from '../core/issue.js';
import { toWellFormed } from '../core/text.js';
import {
  commitQueue,
  type Database,
  type ManyRows,
  merged,
  type Sql,
  type Value,
  type Write,
  type Writer,
} from './database.js';

// Loaded with the first file: whoever only checks opens none.
const load = createRequire(import.meta.url);
const libsql = (): typeof Libsql => load('libsql');
const libsqlPromise = (): typeof LibsqlPromise => load('libsql/promise');

/** A prepared statement with positional parameters. */
interface Statement {
  /** Rows changed. */
  run(...values: Value[]): number;
  all<T>(...values: Value[]): T[];
  first<T>(...values: Value[]): T | undefined;
}

/** A SQLite file of this machine, without the port: locks, turns, and what is done while a journal is opened. */
export interface SqliteFile {
  readonly path: string;
  prepare(sql: string): Statement;
  exec(sql: string): void;
  /** All or nothing. */
  transaction(work: () => void): void;
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
 * Opens a SQLite file, made when it is missing; `timeout` in milliseconds is how long another writer is waited for.
 * With `only` it is not made, nor written to; `alone` moreover takes it as it is, without looking at a log.
 */
export function openFile(path: string, timeout: number, only?: keyof typeof READING): SqliteFile {
  const db = guarded(path)(() => {
    if (only !== undefined)
      return new (libsql())(`${pathToFileURL(resolve(path))}?${READING[only]}`, { timeout });
    makePrivate(path);
    return new (libsql())(path, { timeout });
  });
  return fileOf(path, db);
}

/** Of this process alone: SQLite keeps it in memory, or in a file without a name where it grows. */
export const openTemporary = (): SqliteFile => fileOf('', new (libsql())(''));

function fileOf(path: string, db: Libsql.Database): SqliteFile {
  const guard = guarded(path);
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
      guard(() => void db.exec('BEGIN IMMEDIATE'));
      try {
        work();
        guard(() => void db.exec('COMMIT'));
      } catch (error) {
        // SQLite itself rolls back when the disk is full.
        if (db.inTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => void db.close(),
  };
}

/** Said last in every transaction of a journal; what it gives is told once it is on the disk. */
interface Count {
  readonly sql: string;
  readonly told: (row: unknown) => void;
}

const IS_TABLE = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`;

/**
 * The port over an open file. One connection reads and holds transactions, a second one writes in groups and waits for
 * the disk on another thread: a slow disk holds up neither answers nor Ctrl-C.
 */
export function databaseOf(file: SqliteFile, count?: Count): Database {
  const { path } = file;
  const known = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    let found = known.get(sql);
    if (found === undefined) {
      found = file.prepare(sql);
      known.set(sql, found);
    }
    return found;
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

  /** A rollback of what was never begun, or has ended by itself as on a full disk, changes nothing. */
  const undo = (): void => {
    try {
      file.exec('ROLLBACK');
    } catch {
      // See above.
    }
  };

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
        undo();
        throw error;
      }
      count?.told(row);
      return result;
    });

  return {
    ...sql,
    path,
    transaction,
    run: (text, ...values) => transaction((own) => own.run(text, ...values)),
    later: (text, ...values) => transaction((own) => own.later(text, ...values)),
    script: (text) => transaction((own) => own.script(text)),
    moment: (work) =>
      inTurn(async () => {
        file.exec('BEGIN');
        try {
          return await work(sql);
        } finally {
          undo();
        }
      }),
    writer: (many) => openWriter(path, count, many),
    close: async () => {
      known.clear();
      file.close();
    },
  };
}

const BUSY_MS = 5_000;

/** The driver itself does so with a value; in a text what is no Unicode would be kept, and end the program that reads it back. */
const whole = (value: Value): Value => (typeof value === 'string' ? toWellFormed(value) : value);

/** A sentence with the values of several rows in its text: what is said on another thread takes no values. */
function ofRows({ types, sql }: ManyRows, rows: readonly (readonly Value[])[]): Write {
  const json = JSON.stringify(rows.map((values) => values.map(whole))).replaceAll("'", "''");
  const columns = types.map((_, at) => `value ->> ${at} AS c${at + 1}`).join();
  return [`WITH v AS (SELECT ${columns} FROM json_each('${json}')) ${sql}`];
}

/** The writes of a group go to another thread in one text, as far as they are of many rows; what else there is is said here. */
async function openWriter(
  path: string,
  count: Count | undefined,
  many: ReadonlyMap<string, ManyRows> = new Map(),
): Promise<Writer> {
  const db = new (libsqlPromise())(path, { timeout: BUSY_MS });
  const refuse = (error: unknown): never => fail(path, error);
  type Prepared = Awaited<ReturnType<typeof db.prepare>>;
  const known = new Map<string, Prepared>();
  const prepared = async (sql: string): Promise<Prepared> => {
    const statement = known.get(sql) ?? (await db.prepare(sql).catch(refuse));
    known.set(sql, statement);
    return statement;
  };
  const said = (text: string): Promise<unknown> => db.exec(text).catch(refuse);

  await said('PRAGMA synchronous = FULL');
  const rollback = await prepared('ROLLBACK');
  const counted = count && (await prepared(count.sql));
  const commit = commitQueue<Write>({
    commit: async (writes) => {
      let text = 'BEGIN IMMEDIATE';
      for (const [sql, ...values] of merged(writes, many, ofRows)) {
        if (values.length === 0) {
          text += `;\n${sql}`;
          continue;
        }
        if (text !== '') await said(text);
        text = '';
        const statement = await prepared(sql);
        try {
          statement.run(values);
        } catch (error) {
          refuse(error);
        }
      }
      if (text !== '') await said(text);
      const row: unknown = counted?.get([]);
      await said('COMMIT');
      count?.told(row);
    },
    undo: () => {
      try {
        rollback.run([]);
      } catch {
        // Nothing was begun, or SQLite has rolled back by itself, as it does when the disk is full.
      }
    },
  });
  return { commit, close: async () => db.close() };
}
