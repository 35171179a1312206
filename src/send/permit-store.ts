import { dirname, join } from 'node:path';
import type { Sql } from './database.js';
import { openFile } from './sqlite.js';

/**
 * The one mark before which all turns of a pace are given, shared by whoever keeps to it. Times are milliseconds of the
 * clock that the mark is kept by, which is nobody else's: what comes and goes is a distance from now.
 */
export interface Turns {
  /** Moves the mark on by a block, and says where it begins. */
  take(wish: Wish): Promise<Block>;
  /** Moves the mark back by what was not used of the last block, unless somebody has taken the next one. */
  giveBack(mark: number, unused: number): Promise<void>;
  close(): void;
}

interface Wish {
  /** The mark as we left it; NaN at first. */
  readonly mark: number;
  /** Not before so long from now. */
  readonly ahead: number;
  readonly block: number;
  /** Kept free behind the block of another, whose last request may be late. */
  readonly apart: number;
}

interface Block {
  /** Until it begins. */
  readonly wait: number;
  /** Where it ends, on the clock of the mark. */
  readonly mark: number;
}

/** A mark further ahead than this was written by a clock that was wrong. */
export const FORESIGHT = 10 * 60_000;
const BUSY_MS = 5_000;

/** Beside the journal of one company at one service. */
export function fileTurns(journal: string, clock: () => number): Turns {
  const database = openFile(join(dirname(journal), 'pace.db'), BUSY_MS);
  database.exec(`
    CREATE TABLE IF NOT EXISTS turn (id INTEGER PRIMARY KEY CHECK (id = 1), free REAL NOT NULL) STRICT;
    INSERT OR IGNORE INTO turn VALUES (1, 0)`);
  const readFree = database.prepare('SELECT free FROM turn');
  const writeFree = database.prepare('UPDATE turn SET free = ?');
  return {
    async take({ mark, ahead, block, apart }) {
      let taken: Block = { wait: 0, mark };
      database.transaction(() => {
        const { free } = readFree.first<{ free: number }>()!;
        const now = clock();
        const after = free > now + FORESIGHT ? now : free === mark ? free : free + apart;
        const from = Math.max(now + ahead, after);
        taken = { wait: from - now, mark: from + block };
        writeFree.run(taken.mark);
      });
      return taken;
    },
    async giveBack(mark, unused) {
      database.transaction(() => {
        if (readFree.first<{ free: number }>()!.free === mark) writeFree.run(mark - unused);
      });
    },
    close: () => database.close(),
  };
}

/** Milliseconds on the clock of the database, whose hours alone count. */
const DATABASE_NOW = `extract(epoch FROM clock_timestamp())::float8 * 1000`;

/** Behind one row of the table `cargue.pace`, for all machines. */
export function tableTurns(sql: Pick<Sql, 'first' | 'run'>, key: string, now = DATABASE_NOW): Turns {
  const made = sql.run('INSERT INTO cargue.pace (key) VALUES (?) ON CONFLICT DO NOTHING', key);
  made.catch(() => {}); // said where a turn is taken
  const take = `
    UPDATE cargue.pace SET free = ?::float8 + greatest(t.now + ?::float8,
      CASE WHEN free > t.now + ${FORESIGHT} THEN t.now WHEN free = ?::float8 THEN free ELSE free + ?::float8 END)
    FROM (SELECT ${now} AS now) t WHERE key = ? RETURNING free AS mark, free - ?::float8 - t.now AS wait`;
  return {
    async take({ mark, ahead, block, apart }) {
      await made;
      const ours = Number.isNaN(mark) ? -1 : mark;
      return (await sql.first<Block>(take, block, ahead, ours, apart, key, block))!;
    },
    async giveBack(mark, unused) {
      const back = 'UPDATE cargue.pace SET free = free - ?::float8 WHERE key = ? AND free = ?::float8';
      if (!Number.isNaN(mark)) await sql.run(back, unused, key, mark);
    },
    close: () => {},
  };
}
