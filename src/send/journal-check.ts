import { existsSync, statSync } from 'node:fs';
import { stop } from '../issues/pipeline-error.js';
import type { Database } from './database.js';
import { TALLY } from './journal-schema.js';

/** Up to here a whole look costs a few hundredths of a second. */
const SMALL = 64 * 1024 * 1024;

/** What lies beside a journal whose last sender did not come to its end: `closeInOrder` leaves none. */
export function endedUncleanly(path: string): boolean {
  const log = `${path}-wal`;
  return existsSync(log) && statSync(log).size > 0;
}

/**
 * Looks a journal over before it is written to. A small one, and any whose last sender was killed, is read whole
 * (0.7 s at 200,000 documents); of a large one that was left in order the ends of every table are read, where
 * truncation and torn copies show.
 * @throws PipelineError('journal', journal/damaged)
 */
export function checkJournal(database: Database, unclean: boolean, small = SMALL): void {
  if (unclean || statSync(database.path).size <= small) readWhole(database);
  else readEnds(database);
}

/** @throws PipelineError('journal', journal/damaged) */
export function readWhole({ path, prepare }: Database): void {
  const [found] = prepare('PRAGMA quick_check(1)').all<{ quick_check: string }>();
  const reason = found?.quick_check ?? '';
  if (reason !== 'ok') damaged(path, reason);
  // Pages of two moments fit together where nobody looks but here.
  const fits = prepare(`SELECT tally = ${TALLY} AS fits FROM identity`).first<{ fits: number }>()?.fits;
  if (fits !== 1) damaged(path, 'tally');
}

const damaged = (path: string, reason: string): never =>
  stop('journal', { code: 'journal/damaged', params: { path, reason } });

function readEnds(database: Database): void {
  const tables = database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0`)
    .all<{ name: string }>();
  for (const { name } of tables)
    for (const end of ['ASC', 'DESC'])
      database.prepare(`SELECT * FROM "${name}" ORDER BY rowid ${end} LIMIT 1`).first();
}
