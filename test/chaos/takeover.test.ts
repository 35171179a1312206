import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { migrateDatabase, postgresAddress } from '../../src/send/postgres.js';
import { serverJournals } from '../../src/send/postgres-journals.js';
import { openQueue } from '../../src/send/queue.js';
import { startPostgres } from '../support/postgres.js';
import { endWorker, startWorker, writeProfile } from './fleet.js';
import { handOver, layOut } from './lay-out.js';

const NIT = '900123456';
const DOCUMENTS = 400;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(25);
}

test.concurrent.for(['SIGKILL', 'SIGSTOP'] as const)(
  'the run of a worker that was ended by %s goes on within 30 seconds, each document sent once',
  { timeout: 180_000 },
  async (signal, { onTestFinished }) => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const workspace = mkdtempSync(join(tmpdir(), 'cargue-takeover-'));
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
    const box = await startSandbox({ companies: [{ nit: NIT, environment: 'production' }] });
    onTestFinished(() => box.close());
    const match = { operation: 'sendPayroll' } as const;
    // Slow enough that documents are left when the second worker has started, however busy the machine is.
    const slow = box.controls.addFault({ kind: 'delay', ms: 3_000, match });
    writeProfile(workspace, NIT, box.url, box.tokens[NIT]!);
    const database = await server.database();
    await migrateDatabase(postgresAddress(database));
    const journals = await serverJournals(database, workspace);
    onTestFinished(() => journals.shared!.close());
    const queue = await openQueue(journals.shared!.database);
    const company = await layOut(journals, { url: box.url, nit: NIT, index: 0, count: DOCUMENTS });
    await handOver(journals, queue, [company]);

    const sent = (): number => box.controls.requests({ operation: 'sendPayroll' }).count;
    const options = { database, workspace, places: 4 };
    const first = startWorker(0, options);
    onTestFinished(() => endWorker(first, 'SIGKILL').then(() => {}));
    await until(() => sent() > 10);
    const second = startWorker(1, options);
    onTestFinished(() => endWorker(second, 'SIGKILL').then(() => {}));
    await until(() => second.said.some(({ msg }) => msg === 'started'));
    box.controls.addFault({ kind: 'delay', ms: 100, match });
    box.controls.remove('faults', slow.id);

    first.killed = true;
    first.child.kill(signal);
    const gone = performance.now();
    await wait(500); // what was on its way arrives
    const before = sent();
    expect(before).toBeLessThan(DOCUMENTS);
    await until(() => sent() > before);
    const seconds = (performance.now() - gone) / 1_000;
    console.log(`  taken over ${seconds.toFixed(1)} s after ${signal}`);
    expect(seconds).toBeLessThanOrEqual(30);

    // When it wakes up, it finds that it was replaced.
    first.child.kill('SIGCONT');
    await until(async () => !(await queue.has(company)));
    const numbers = box.controls.documents().map(({ number }) => number);
    expect([numbers.length, new Set(numbers).size]).toEqual([DOCUMENTS, DOCUMENTS]);
    const journal = await journals.read(company.path);
    expect(await journal.all('SELECT state, count(*) AS n FROM document GROUP BY state')).toEqual([
      { state: 'accepted', n: DOCUMENTS },
    ]);
  },
);
