import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createClient } from '../../dist/client/client.js';
import { PAYROLL } from '../../dist/families/payroll/delivery.js';
import { spoolRun } from '../../dist/send/documents.js';
import { type Journal, openJournal } from '../../dist/send/journal.js';
import { migrateDatabase, postgresAddress } from '../../dist/send/postgres.js';
import { serverJournals } from '../../dist/send/postgres-journals.js';
import { sendRun } from '../../dist/send/send.js';
import { prepare } from '../../dist/toolkit/documents/prepare.js';
import { loadMapping } from '../../dist/toolkit/mapping/load.js';
import { resolveParams } from '../../dist/toolkit/mapping/params.js';
import { type Document, noDocuments, noRecords } from '../../dist/toolkit/schema/document.js';
import { PARAMS, WIDE } from './payroll.js';

const CONCURRENCY = 64;
const ADDRESS = '/api/ubl2.1/payroll';

async function* documentsIn(
  file: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Document[]> {
  const mapping = await loadMapping(WIDE);
  const params = resolveParams(mapping.params, PARAMS).value!;
  let left = most;
  for await (const events of prepare({ files: [file], mapping, params })) {
    const documents = events.flatMap((event) => (event.kind === 'document' ? [event.document] : []));
    yield documents.slice(0, left);
    left -= documents.length;
    if (left <= 0) return;
  }
}

export interface Timed {
  readonly count: number;
  readonly seconds: number;
}

/** As many as fit in any memory. */
const SAMPLE = 20_000;

async function sampleOf(file: string): Promise<readonly unknown[]> {
  const documents: unknown[] = [];
  for await (const batch of documentsIn(file)) {
    documents.push(...batch.map(({ body }) => body));
    if (documents.length >= SAMPLE) break;
  }
  return documents;
}

/** The least that a sender must do: stringify, send, parse; the documents of the file, again and again up to `count`. */
export async function undiciLoop(file: string, url: string, count: number): Promise<Timed> {
  const documents = await sampleOf(file);
  const dispatcher = new Agent({ connections: CONCURRENCY });
  const start = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const body = JSON.stringify(documents[next++ % documents.length]);
      const answer = await request(url + ADDRESS, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        dispatcher,
      });
      await answer.body.json();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const seconds = (performance.now() - start) / 1000;
  await dispatcher.close();
  return { count, seconds };
}

async function openOn(folder: string, database: string | undefined): Promise<Journal> {
  if (database === undefined) return openJournal(join(folder, 'journal.db'));
  await migrateDatabase(postgresAddress(database));
  const journals = await serverJournals(database, folder);
  const path = journals.newPath({ url: 'http://127.0.0.1', company: 'bench' });
  return journals.open(path, { warn: () => {} });
}

export interface SendScene {
  /** Address of a database; a file where there is none. */
  readonly database?: string;
  readonly concurrency?: number;
  /** Of the file's documents. @default all */
  readonly count?: number;
}

/** The sender on its journal with full durability, a file's or a database's; spooling is measured apart. */
export async function journaledSend(
  file: string,
  url: string,
  { database, concurrency = CONCURRENCY, count }: SendScene = {},
): Promise<Timed & { readonly spoolSeconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-bench-'));
  const journal = await openOn(folder, database);
  const client = createClient({ url, token: 'none', maxConnections: concurrency });
  try {
    const spooling = performance.now();
    const meta = { company: 'bench', url, inputs: [], params: {}, versions: {} };
    const closing = () => ({
      records: noRecords(),
      documents: noDocuments(),
      defaults: {},
      issues: [],
      skipped: [],
    });
    const { run, planned } = await spoolRun({
      journal,
      kind: PAYROLL,
      meta,
      documents: documentsIn(file, count),
      closing,
    });
    const start = performance.now();
    const { counts } = await sendRun({
      journal,
      run,
      client,
      kind: PAYROLL,
      policy: { concurrency },
    });
    const seconds = (performance.now() - start) / 1000;
    if (counts.accepted !== planned) throw new Error(JSON.stringify(counts));
    return { count: planned, seconds, spoolSeconds: (start - spooling) / 1000 };
  } finally {
    await client.close();
    await journal.close();
    rmSync(folder, { recursive: true });
  }
}
