import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Database } from 'libsql';
import { PipelineError, stop } from '../issues/pipeline-error.js';
import type { StoredRow } from './row-store.js';
import { packRow, unpackRows } from './row-text.js';

/** Rows by the number of their key, in a temporary SQLite file. */
export interface RowFile {
  add(key: number, stored: StoredRow): void;
  /** The rows of one key in the order in which they came. */
  read(key: number): StoredRow[];
  /** All rows by ascending key, those of a key in the order in which they came. */
  all(): Iterable<readonly [key: number, rows: readonly StoredRow[]]>;
  close(): void;
}

/** Crossing into SQLite costs more than the row does. */
const TOGETHER = 32;
/**
 * Nothing of it outlives the process, so nothing is journalled or waited for, and the one transaction never ends.
 * SQLite sorts in files of its own, private and without a name.
 */
const SETUP = `
  PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA temp_store = FILE; PRAGMA cache_size = -16000;
  BEGIN EXCLUSIVE; CREATE TABLE rows (key INTEGER, row TEXT)`;
const INSERT = 'INSERT INTO rows VALUES ';
const INDEX = 'CREATE INDEX IF NOT EXISTS by_key ON rows (key)';
const ONE = `SELECT group_concat(row, ',' ORDER BY rowid) FROM rows WHERE key = ?`;
/** The plus keeps the index out of it: sorting the rows is a few scans, following the index a seek for each of them. */
const ALL = 'SELECT key, row FROM rows ORDER BY +key, rowid';

const load = createRequire(import.meta.url);

/** Rethrows what SQLite or the file system threw in the words of the program. */
function fail(folder: string, error: unknown): never {
  if (error instanceof PipelineError) throw error;
  const { code = '', message } = error as { code?: string; message: string };
  const isOurs = code.startsWith('SQLITE_') || code.startsWith('E') || message.startsWith('ConnectionFailed');
  if (!isOurs) throw error;
  stop(
    'output',
    { code: 'store/not-writable', params: { path: folder, reason: code || 'SQLITE_CANTOPEN' } },
    error,
  );
}

interface OpenFile {
  readonly db: Database;
  readonly close: () => void;
}

/** A file (0600) in a folder of its own (0700), both without a name from then on where the system allows it. */
function openPrivate(folder: string): OpenFile {
  // Loaded only here: few runs need it.
  const Libsql: typeof import('libsql') = load('libsql');
  const own = mkdtempSync(join(folder, 'cargue-rows-'));
  const remove = (): boolean => {
    try {
      rmSync(own, { recursive: true, force: true });
      return true;
    } catch {
      return false; // Windows keeps the names of open files
    }
  };
  let db: Database | undefined;
  try {
    const path = join(own, 'rows.db');
    const file = openSync(path, 'wx', 0o600);
    db = new Libsql(path);
    db.exec(SETUP);
    return { db, close: closing(db, file, remove) };
  } catch (error) {
    db?.close();
    remove();
    throw error;
  }
}

/** How to close the file, now or when the process ends. SQLite holds it until its statements are collected, so it is emptied. */
function closing(db: Database, file: number, remove: () => boolean): () => void {
  const gone = remove();
  const close = (): void => {
    process.off('exit', close);
    ftruncateSync(file);
    closeSync(file);
    db.close();
    if (!gone && !remove()) process.on('exit', remove);
  };
  if (!gone) process.on('exit', close);
  return close;
}

/** Opens a file that is gone when the process is, however it ends. Throws PipelineError (`store/not-writable`). */
export function openRowFile(folder: string): RowFile {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      return fail(folder, error);
    }
  };
  const { db, close } = guard(() => openPrivate(folder));
  const several = db.prepare(INSERT + Array(TOGETHER).fill('(?, ?)').join(', '));
  const single = db.prepare(`${INSERT}(?, ?)`);
  const one = db.prepare(ONE).raw(true);
  let waiting: (number | string)[] = [];
  let indexed = false;

  const flush = (): void => {
    for (let at = 0; at < waiting.length; at += 2) single.run(waiting.slice(at, at + 2));
    waiting = [];
  };

  return {
    add(key, stored) {
      waiting.push(key, packRow(stored));
      if (waiting.length < TOGETHER * 2) return;
      guard(() => several.run(waiting));
      waiting = [];
    },
    read: (key) =>
      guard(() => {
        flush();
        if (!indexed) db.exec(INDEX);
        indexed = true;
        const [rows] = one.get([key]) as unknown as [string | null];
        return rows === null ? [] : unpackRows(rows);
      }),
    *all() {
      const sorted = guard(() => {
        flush();
        return db.prepare(ALL).raw(true).iterate()[Symbol.iterator]() as Iterator<[number, string]>;
      });
      let current: number | undefined;
      let texts: string[] = [];
      for (let next = guard(() => sorted.next()); !next.done; next = guard(() => sorted.next())) {
        const [key, text] = next.value;
        if (current !== undefined && key !== current) {
          yield [current, unpackRows(texts.join(','))];
          texts = [];
        }
        current = key;
        texts.push(text);
      }
      if (current !== undefined) yield [current, unpackRows(texts.join(','))];
    },
    close,
  };
}
