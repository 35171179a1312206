import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import { lockSender, openJournal } from '../../src/send/journal.js';
import { openFile } from '../../src/send/sqlite.js';
import { allOf } from '../support/all-of.js';
import { childProgram } from '../support/child-program.js';
import {
  ACCEPTED,
  clientOf,
  consecutiveOf,
  PIN,
  send,
  service,
  spool,
  tempFolder,
  tempJournal,
  workers,
} from './support.js';

const CHILD = new URL('send-child.ts', import.meta.url);

test('killed in the middle of sending, then resumed: every document once, no number twice', {
  timeout: 60_000,
}, async () => {
  const box = await startSandbox({ companies: [{ nit: '900123456', environment: 'production' }] });
  onTestFinished(() => box.close());
  box.controls.addFault({ kind: 'delay', match: { operation: 'sendPayroll' }, times: 1_000, ms: 30 });
  const path = join(tempFolder(), 'journal.db');
  const prepared = await openJournal(path);
  const { run } = await spool(prepared, workers(60));
  await prepared.close();

  for (const landed of [8, 25]) {
    const child = spawn(process.execPath, [await childProgram(CHILD), path, box.url, run, box.token], {
      stdio: 'inherit',
    });
    while (box.controls.documents().length < landed) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // What was on the wire at the kill may still be landing.
  await new Promise((resolve) => setTimeout(resolve, 100));

  lockSender(path).release();
  const journal = await tempJournal(path);
  expect(journal.restored).toBeUndefined();
  const before = await allOf(outcomes(journal, run));
  expect(before.some(({ state }) => state === 'unknown')).toBe(true);
  const { counts } = await send(journal, run, clientOf(box.url, { token: box.token }), { softwarePin: PIN });
  expect(counts).toEqual({ accepted: 60, rejected: 0, pending: 0, unknown: 0, unsent: 0 });

  const held = box.controls.documents();
  expect(held).toHaveLength(60);
  expect(new Set(held.map(({ number }) => number)).size).toBe(60);
  const ours = (await allOf(outcomes(journal, run)))
    .map(({ number, documentCode }) => `${number} ${documentCode}`)
    .sort();
  expect(ours).toEqual(held.map(({ number, cune }) => `${number} ${cune}`).sort());
});

test('whenever a request arrives, the journal on the disk already says so', async () => {
  const path = join(tempFolder(), 'journal.db');
  const journal = await tempJournal(path);
  const { run } = await spool(journal, workers(200));
  const onlooker = openFile(path, 5_000);
  onTestFinished(() => onlooker.close());
  const stateOf = onlooker.prepare('SELECT state, attempts FROM document WHERE run = ? AND consecutive = ?');
  const accepted = onlooker.prepare(`SELECT count(*) AS count FROM document WHERE state = 'accepted'`);
  const seen: unknown[] = [];
  const { url } = await service((request) => {
    seen.push(stateOf.first(run, consecutiveOf(request)));
    return ACCEPTED;
  });
  await send(journal, run, clientOf(url), {
    onProgress: (counts) => {
      // An answer counts only once it is on the disk.
      expect(accepted.first<{ count: number }>()?.count).toBeGreaterThanOrEqual(counts.accepted);
    },
  });
  expect(seen).toEqual(Array(200).fill({ state: 'sending', attempts: 1 }));
});

test('a disk that takes no more stops the run in plain words, and every request that left is in the journal', async () => {
  const path = join(tempFolder(), 'journal.db');
  const journal = await tempJournal(path);
  const { run } = await spool(journal, workers(400));
  await journal.script(`
    CREATE TRIGGER full BEFORE INSERT ON attempt WHEN (SELECT count(*) FROM attempt) >= 20
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  const { url, requests } = await service(() => ACCEPTED);
  const sending = send(journal, run, clientOf(url), { policy: { concurrency: 4 } });
  await expect(sending).rejects.toMatchObject({ key: 'journal', issues: [{ code: 'journal/not-writable' }] });

  const again = await tempJournal(path);
  const sent = 'SELECT consecutive FROM document WHERE attempts > 0';
  const attempted = (await again.all<{ consecutive: number }>(sent)).map(({ consecutive }) => consecutive);
  expect(requests.length).toBeGreaterThan(10);
  expect(attempted).toEqual(expect.arrayContaining(requests.map(consecutiveOf)));
});
