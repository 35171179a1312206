import { closeSync, openSync, readSync } from 'node:fs';
import { type Connection, openConnection } from '../toolkit/core/sqlite-engine.js';

/** Max pages of the log before they are moved into the file. */
const MAX_LOG_PAGES = 1_000;

/** Sizes and offsets of sqlite.org/fileformat2.html, section 4.1. */
const HEADER_BYTES = 32;
const PAGE_SIZE_AT = 8;
const HEADER_SALTS_AT = 16;
const FRAME_BYTES = 24;
const FRAME_SALTS_AT = 8;
const SALTS_BYTES = 8;

/**
 * True if the log has its last allowed page. The file keeps its length when the log restarts; only pages of the
 * current log have the salts of its header. Reading the log releases no lock, as reading the database file would.
 */
function isLogLong(path: string): boolean {
  let log: number;
  try {
    log = openSync(`${path}-wal`, 'r');
  } catch {
    return false; // nothing was written yet
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(log, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return false;
    const pageBytes = header.readUInt32BE(PAGE_SIZE_AT);
    const frame = Buffer.alloc(FRAME_BYTES);
    const at = HEADER_BYTES + (MAX_LOG_PAGES - 1) * (FRAME_BYTES + pageBytes);
    if (readSync(log, frame, 0, FRAME_BYTES, at) < FRAME_BYTES) return false;
    const salts = header.subarray(HEADER_SALTS_AT, HEADER_SALTS_AT + SALTS_BYTES);
    return salts.equals(frame.subarray(FRAME_SALTS_AT, FRAME_SALTS_AT + SALTS_BYTES));
  } finally {
    closeSync(log);
  }
}

type Holder = Pick<Connection, 'exec'>;

/** Ends a transaction. Ignores one that was never begun, or was rolled back already, as on a full disk. */
export function rollBack(holder: Holder): void {
  try {
    holder.exec('ROLLBACK');
  } catch {
    // No transaction is open.
  }
}

/**
 * Moves the log with a separate connection while `holder` has the right to write: then no connection of any process
 * can write, which is when SQLite could lose commits. Readers are not blocked.
 */
export function checkpointsOf(path: string, holder: Holder) {
  let mover: Connection | undefined;
  return {
    /** Moves the log into the file once it is long; call it after each commit. */
    afterCommit(): void {
      if (!isLogLong(path)) return;
      try {
        holder.exec('BEGIN IMMEDIATE');
        mover ??= openConnection(path, 0);
        mover.exec('PRAGMA wal_checkpoint(PASSIVE)');
      } catch {
        // Committed data are in the log; the next commit tries again.
      } finally {
        rollBack(holder);
      }
    },
    close: () => mover?.close(),
  };
}
