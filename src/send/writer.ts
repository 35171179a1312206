import Libsql from 'libsql/promise';
import { type Commit, commitQueue } from './commit-queue.js';
import { fail, type Value } from './database.js';
import type { Journal } from './journal.js';
import { COUNT_COMMIT } from './journal-proof.js';

/** A write, to be called inside of `commit`. */
export type Write = (...values: Value[]) => void;

/**
 * A connection that only writes, and waits for the disk on another thread: a slow disk holds up neither answers nor
 * Ctrl-C. Its troubles are PipelineErrors (`journal`).
 */
export interface Writer {
  prepare(sql: string): Promise<Write>;
  readonly commit: Commit;
  close(): void;
}

const BUSY_MS = 5_000;

export async function openWriter({ path, proof }: Journal): Promise<Writer> {
  const db = new Libsql(path, { timeout: BUSY_MS });
  const troubled = (error: unknown): never => fail(path, error);
  const prepare = async (sql: string): Promise<Write> => {
    const statement = await db.prepare(sql).catch(troubled);
    return (...values) => {
      try {
        statement.run(values);
      } catch (error) {
        troubled(error);
      }
    };
  };

  await db.exec('PRAGMA synchronous = FULL').catch(troubled);
  const begin = await prepare('BEGIN IMMEDIATE');
  const rollback = await prepare('ROLLBACK');
  const counted = await db.prepare(COUNT_COMMIT).catch(troubled);
  const commit = commitQueue({
    begin,
    commit: async () => {
      const { commits } = counted.get([]) as { commits: number };
      await db.exec('COMMIT').catch(troubled);
      proof?.note(commits);
    },
    undo: () => {
      try {
        rollback();
      } catch {
        // Nothing was begun, or SQLite has rolled back by itself, as it does when the disk is full.
      }
    },
  });
  return { prepare, commit, close: () => db.close() };
}
