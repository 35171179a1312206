import { dirname, join } from 'node:path';
import { unreachable } from '../toolkit/core/required.js';
import { onlyRow, type Sql } from './database.js';
import { openFile } from './sqlite.js';

/**
 * End of the slots that are reserved, shared by all senders under one limit. Times are in ms of the clock that the
 * mark is kept by, which other clocks are not compared with: arguments and results are distances from now.
 */
export interface PermitStore {
  /** Moves the mark on by a block and returns where the block begins. */
  take(request: BlockRequest): Promise<Block>;
  /** Moves the mark back by the unused rest of the last block, unless another sender has reserved the next one. */
  giveBack(mark: number, unused: number): Promise<void>;
  close(): void;
}

interface BlockRequest {
  /** Mark as this sender left it; NaN at first. */
  readonly mark: number;
  /** Min time from now until the block begins. */
  readonly ahead: number;
  readonly block: number;
  /** Time kept free after another sender's block, whose last request may be late. */
  readonly apart: number;
}

interface Block {
  /** Time until the block begins. */
  readonly wait: number;
  /** End of the block, on the clock of the mark. */
  readonly mark: number;
}

/** Max distance of the mark, in ms; a later one was written by a wrong clock. */
export const MAX_AHEAD_MS = 10 * 60_000;
const BUSY_MS = 5_000;

/** Opens the store in a file next to the journal of one company at one service. */
export function filePermits(journal: string, clock: () => number): PermitStore {
  const database = openFile(join(dirname(journal), 'pace.db'), BUSY_MS);
  database.exec(`
    CREATE TABLE IF NOT EXISTS turn (id INTEGER PRIMARY KEY CHECK (id = 1), free REAL NOT NULL) STRICT;
    INSERT OR IGNORE INTO turn VALUES (1, 0)`);
  const readFree = database.prepare('SELECT free FROM turn');
  const free = (): number => readFree.first<{ free: number }>()?.free ?? unreachable('turn');
  const writeFree = database.prepare('UPDATE turn SET free = ?');
  return {
    async take({ mark, ahead, block, apart }) {
      let taken: Block = { wait: 0, mark };
      database.transaction(() => {
        const now = clock();
        const next = free();
        const after = next > now + MAX_AHEAD_MS ? now : next === mark ? next : next + apart;
        const from = Math.max(now + ahead, after);
        taken = { wait: from - now, mark: from + block };
        writeFree.run(taken.mark);
      });
      return taken;
    },
    async giveBack(mark, unused) {
      database.transaction(() => {
        if (free() === mark) writeFree.run(mark - unused);
      });
    },
    close: () => database.close(),
  };
}

/** Milliseconds on the clock of the database, the only one that counts. */
const DATABASE_NOW = `extract(epoch FROM clock_timestamp())::float8 * 1000`;

/** Opens the store in a row of the table `cargue.pace`, for all machines. */
export function tablePermits(sql: Pick<Sql, 'first' | 'run'>, key: string, now = DATABASE_NOW): PermitStore {
  const made = sql.run('INSERT INTO cargue.pace (key) VALUES (?) ON CONFLICT DO NOTHING', key);
  made.catch(() => {}); // said where a turn is taken
  const take = `
    UPDATE cargue.pace SET free = ?::float8 + greatest(t.now + ?::float8,
      CASE WHEN free > t.now + ${MAX_AHEAD_MS} THEN t.now WHEN free = ?::float8 THEN free ELSE free + ?::float8 END)
    FROM (SELECT ${now} AS now) t WHERE key = ? RETURNING free AS mark, free - ?::float8 - t.now AS wait`;
  return {
    async take({ mark, ahead, block, apart }) {
      await made;
      const expected = Number.isNaN(mark) ? -1 : mark;
      return await onlyRow<Block>(sql, take, block, ahead, expected, apart, key, block);
    },
    async giveBack(mark, unused) {
      const back = 'UPDATE cargue.pace SET free = free - ?::float8 WHERE key = ? AND free = ?::float8';
      if (!Number.isNaN(mark)) await sql.run(back, unused, key, mark);
    },
    close: () => {},
  };
}
