import { dirname, join } from 'node:path';
import { openDatabase } from './database.js';
import type { World } from './time.js';

/** Leave for single requests, so that no minute holds more of them than it may. */
export interface Pace {
  /** Waits for a turn, or until `over` fires. Throws a PipelineError (`journal`) when no turn can be had. */
  take(over?: AbortSignal): Promise<void>;
  /** Once for every `take`: the answer is there, or nothing was sent. */
  end(): void;
  close(): void;
}

export const NO_PACE: Pace = { take: async () => {}, end: () => {}, close: () => {} };

const MINUTE = 60_000;
/** Turns are taken from the disk for so long ahead: what a killed process had not used is lost to the next one. */
const BLOCK = 5_000;
/** What another process sent last may arrive as late as that. */
const LATE = 3_000;
/** A turn further ahead than this was written by a clock that was wrong. */
const FORESIGHT = 10 * MINUTE;
const MANY = 1_000;

/**
 * Turns at equal distances, shared by all processes that send for one company to one service, at once or one after the
 * other: they take them in blocks from a file beside the journal, durable ahead of use. Inside of a process a request
 * moreover counts until a minute after its answer, so that no delay on the way can crowd requests together.
 */
export function openPace(journal: string, perMinute: number | undefined, { clock, sleep }: World): Pace {
  if (perMinute === undefined) return NO_PACE;
  const gap = MINUTE / perMinute;
  const block = Math.ceil(BLOCK / gap) * gap;
  const database = openDatabase(join(dirname(journal), 'pace.db'), BLOCK);
  database.exec(`
    CREATE TABLE IF NOT EXISTS turn (id INTEGER PRIMARY KEY CHECK (id = 1), free REAL NOT NULL) STRICT;
    INSERT OR IGNORE INTO turn VALUES (1, 0)`);
  const readFree = database.prepare('SELECT free FROM turn');
  const writeFree = database.prepare('UPDATE turn SET free = ?');

  /** Where our next turn may be, and where our block ends. */
  let next = 0;
  let free = Number.NaN;

  const takeBlock = (): void =>
    database.transaction(() => {
      const found = readFree.first<{ free: number }>()!.free;
      const now = clock();
      const ours = found === free;
      const from = found > now + FORESIGHT ? now : ours ? found : found + LATE;
      next = Math.max(now, next, from);
      free = next + block;
      writeFree.run(free);
    });

  function nextTurn(): number {
    // More turns ahead than anybody waits for were given before the clock was set back.
    if (next > clock() + FORESIGHT + MANY * gap) next = free = clock();
    next = Math.max(next, clock());
    // A turn ends before the block does; `free` is a sum of fractions.
    if (!(next + gap <= free + 0.5)) takeBlock();
    const turn = next;
    next += gap;
    return turn;
  }

  /** When the last requests ended, in a ring. */
  const ends = new Float64Array(Math.ceil(perMinute));
  let taken = 0;
  let ended = 0;

  /** How long until one more request is none too many for the minute. */
  function untilRoom(): number {
    const first = taken - ends.length;
    if (first < 0) return 0;
    if (first >= ended) return gap;
    const at = first % ends.length;
    const now = clock();
    if (ends[at]! > now)
      for (let each = 0; each < ends.length; each++) ends[each] = Math.min(ends[each]!, now);
    return ends[at]! + MINUTE - now;
  }

  return {
    async take(over) {
      for (let wait = untilRoom(); wait > 0 && !over?.aborted; wait = untilRoom()) await sleep(wait, over);
      taken += 1;
      if (over?.aborted) return;
      const turn = nextTurn();
      if (turn > clock()) await sleep(turn - clock(), over);
    },
    end() {
      ends[ended % ends.length] = clock();
      ended += 1;
    },
    close() {
      // What is left of the block is given back, unless somebody has taken the next one.
      database.transaction(() => {
        if (readFree.first<{ free: number }>()!.free === free) writeFree.run(next);
      });
      database.close();
    },
  };
}
