import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, lockSender, openJournal } from '../../src/send/journal.js';
import type { Journals } from '../../src/send/journals.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { serverJournals } from '../../src/send/postgres-journals.js';
import { startPostgres } from '../support/postgres.js';

let journals: Journals | undefined;

/** From here on every journal of this process is one of a database. */
export async function usePostgres(): Promise<void> {
  const server = await startPostgres({ settings: { fsync: 'on', full_page_writes: 'on' } });
  const database = await server.database();
  await migrateDatabase(postgresAddress(database));
  journals = await serverJournals(database, mkdtempSync(join(tmpdir(), 'cargue-chaos-')));
}

export const isOnServer = (): boolean => journals !== undefined;

/** The journal of a path, with the right to send, on the engine that was chosen; on a server each path is a company. */
export async function openToSend(path: string): Promise<Journal> {
  if (journals !== undefined)
    return journals.open(journals.newPath({ url: 'http://127.0.0.1:8080', company: path }), {
      warn: () => {},
    });
  const journal = await openJournal(path);
  const lock = lockSender(path);
  return {
    ...journal,
    async close() {
      lock.release();
      await journal.close();
    },
  };
}
