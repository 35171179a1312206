import { existsSync } from 'node:fs';
import { stop } from '../issues/pipeline-error.js';
import { type Database, openDatabase } from './database.js';
import { checkJournal, endedUncleanly } from './journal-check.js';
import { JOURNAL_SCHEMA, JOURNAL_VERSION, MIGRATIONS } from './journal-schema.js';

/** The book of all that was sent for one company at one address. Readers may open it while a sender works. */
export type Journal = Database;

export interface OpenOptions {
  /** Whether a missing journal is made; else it is a PipelineError (`journal/missing`). @default true */
  readonly create?: boolean;
  /** Whether the file is looked over for damage: for whoever will write. @default true */
  readonly check?: boolean;
}

const BUSY_MS = 5_000;

/** @throws PipelineError('journal', journal/missing) */
export function requireJournal(path: string): void {
  if (!existsSync(path)) stop('journal', { code: 'journal/missing', params: { path } });
}

/** Throws a PipelineError (`journal`) when the file cannot be written, is damaged, or is of a newer version. */
export function openJournal(path: string, { create = true, check = true }: OpenOptions = {}): Journal {
  if (!create) requireJournal(path);
  const unclean = endedUncleanly(path);
  const database = openDatabase(path, BUSY_MS);
  try {
    for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
      database.prepare(`PRAGMA ${pragma}`).all();
    migrate(database);
    if (check) checkJournal(database, unclean);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Closes after sending: all is in the one file, and the next sender sees that this one came to its end. */
export function closeInOrder(journal: Journal): void {
  try {
    journal.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  } catch {
    // What is committed stays so; the next one looks the journal over.
  }
  journal.close();
}

const versionOf = (database: Database): number =>
  database.prepare('PRAGMA user_version').first<{ user_version: number }>()?.user_version ?? 0;

function migrate(database: Database): void {
  if (versionOf(database) > JOURNAL_VERSION)
    stop('journal', { code: 'journal/newer', params: { path: database.path } });
  if (versionOf(database) === JOURNAL_VERSION) return;
  database.transaction(() => {
    // Another process may have been first.
    const found = versionOf(database);
    if (found === 0) database.exec(JOURNAL_SCHEMA);
    else for (let version = found; version < JOURNAL_VERSION; version++) database.exec(MIGRATIONS[version]!);
    database.exec(`PRAGMA user_version = ${JOURNAL_VERSION}`);
  });
}
