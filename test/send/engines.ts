import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Journal, openJournal } from '../../src/send/journal.js';
import type { Journals } from '../../src/send/journals.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { serverJournals } from '../../src/send/postgres-journals.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';

let server: Promise<PostgresServer> | undefined;
let address: Promise<string> | undefined;

/** One a worker, for all its files: it ends with the worker. */
export const testServer = (): Promise<PostgresServer> => {
  server ??= startPostgres();
  return server;
};

/** A database with the tables, shared: each test has companies of its own. */
export const testDatabase = (): Promise<string> => {
  address ??= testServer().then(async (running) => {
    const made = await running.database();
    await migrateDatabase(postgresAddress(made));
    return made;
  });
  return address;
};

let shared: Promise<Journals> | undefined;

async function openOnServer(name: string): Promise<Journal> {
  shared ??= testDatabase().then((url) => serverJournals(url, mkdtempSync(join(tmpdir(), 'cargue-'))));
  const journals = await shared;
  const whose = { url: 'http://127.0.0.1:8080', company: name };
  return journals.open(journals.newPath(whose), { warn: () => {} });
}

/** What a journal promises, it promises on every engine: a project of the tests runs them again on this one. */
const onServer = process.env['CARGUE_TEST_ENGINE'] === 'postgres';

/** Opens the journal of a name, which is a path, on the engine of the project; closed with the test. */
export async function journalAt(path: string): Promise<Journal> {
  const journal = await (onServer ? openOnServer(path) : openJournal(path));
  onTestFinished(() => journal.close());
  return journal;
}

const TABLES = ['run', 'document', 'content', 'answer', 'attempt', 'finding'];

/** All that the engine keeps of a journal. */
export async function bytesOf(journal: Journal): Promise<string> {
  if (onServer) {
    const rows = TABLES.map(async (table) => JSON.stringify(await journal.all(`SELECT * FROM ${table}`)));
    return (await Promise.all(rows)).join();
  }
  await journal.all('PRAGMA wal_checkpoint(TRUNCATE)');
  return readFileSync(journal.path, 'latin1');
}
