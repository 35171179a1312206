import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';

/** Lengths at which SQLite's write-ahead log can be cut (sqlite.org/fileformat2.html, section 4). */
export interface WalLengths {
  /** After each frame. */
  readonly frames: readonly number[];
  /** After each frame that ends a transaction. */
  readonly commits: readonly number[];
}

const HEADER = 32;
const FRAME_HEADER = 24;

export function walLengths(wal: Buffer): WalLengths {
  const pageSize = wal.readUInt32BE(8);
  const frames: number[] = [];
  const commits: number[] = [];
  for (let at = HEADER; at + FRAME_HEADER + pageSize <= wal.length; at += FRAME_HEADER + pageSize) {
    const end = at + FRAME_HEADER + pageSize;
    frames.push(end);
    // The size of the database after the commit, zero in every other frame.
    if (wal.readUInt32BE(at + 4) > 0) commits.push(end);
  }
  return { frames, commits };
}

/** The journal as a power cut would leave it that lets only so much of the log reach the disk. */
export function cutJournal(from: string, to: string, length: number): void {
  copyFileSync(from, to);
  writeFileSync(`${to}-wal`, readFileSync(`${from}-wal`).subarray(0, length));
}
