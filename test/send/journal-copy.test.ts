import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Journal } from '../../src/send/journal.js';
import { copyJournal } from '../../src/send/journal-copy.js';
import { emitRecords } from '../../src/send/journal-records.js';
import { fileJournals, type Journals } from '../../src/send/journals.js';
import { serverJournals } from '../../src/send/postgres-journals.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { testDatabase } from './engines.js';
import { ACCEPTED, clientOf, type Reply, send, service, spool, workers } from './support.js';

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof PipelineError) return `${error.key} ${error.issues[0]?.code}`;
    throw error;
  }
  return 'nothing';
};

const folder = (): string => mkdtempSync(join(tmpdir(), 'cargue-'));
const SERVICE = 'http://127.0.0.1:8080';
const options = { warn: () => {} };

async function allOfIt(journal: Journal): Promise<readonly unknown[]> {
  const records: unknown[] = [];
  await emitRecords(
    journal,
    (record) => void records.push(record),
    (part) => records.push({ damaged: part }),
  );
  return records;
}

const read = async (journals: Journals, path: string): Promise<readonly unknown[]> => {
  const journal = await journals.read(path);
  const records = await allOfIt(journal);
  await journal.close();
  return records;
};

const company = '900555444';
const whose = { url: SERVICE, company };
const owner = { address: '127.0.0.1:8080', company };

test('a journal goes to a database and back, every row of it, and only one place sends', async () => {
  const files = fileJournals(folder());
  const server = await serverJournals(await testDatabase(), folder());
  const path = files.newPath(whose);
  const first = await files.open(path, { ...options, owner });
  await first.claim?.(owner, 'fingerprint');
  const { run } = await spool(first, workers(6));
  const reset: Reply = 'reset';
  const { url } = await service((_, turn) => (turn % 3 === 0 ? reset : ACCEPTED));
  const client = clientOf(url);
  const once = { policy: { tries: 1, retryBudget: 0 } };
  const sent = await send(first, run, client, once);
  expect(sent.counts.accepted).toBeGreaterThan(0);
  expect(sent.counts.accepted).toBeLessThan(6);
  // Somebody sends: nothing is copied.
  const [found] = await files.all();
  expect(found).toMatchObject({ path, owner, tokens: ['fingerprint'] });
  expect(await codeOf(() => copyJournal(files, found!, server))).toBe('busy send/locked');
  await first.close();
  const before = await read(files, path);

  const { path: there, rows } = await copyJournal(files, found!, server);
  expect(rows).toBeGreaterThan(18);
  expect(await read(server, there)).toEqual(before);
  expect(await codeOf(() => files.open(path, options))).toBe('journal journal/moved');
  expect(await files.all()).toEqual([]);
  expect((await server.at(whose)).find((one) => one.path === there)).toMatchObject({
    names: [company],
    tokens: ['fingerprint'],
  });

  // It goes on there, with numbers and rows of its own behind those that came.
  const second = await server.open(there, options);
  expect(second.restored).toBeUndefined();
  await send(second, run, client, { policy: { tries: 1 } });
  await send(second, (await spool(second, workers(9))).run, client, { policy: { tries: 1 } });
  await second.close();
  const after = await read(server, there);
  expect(after.length).toBeGreaterThan(before.length);

  // The other way: what was left in the files is set aside.
  const [again] = (await server.all()).filter((one) => one.path === there);
  const back = await copyJournal(server, again!, files);
  expect(back.path).toBe(path);
  expect(await read(files, path)).toEqual(after);
  expect(await codeOf(() => server.open(there, options))).toBe('journal journal/moved');
  const last = await files.open(path, options);
  expect(last.restored).toBeUndefined();
  expect((await send(last, run, client)).counts).toMatchObject({ accepted: 6, unknown: 0 });
  await last.close();

  // And there again: what the database had is replaced by what came.
  const [third] = await files.all();
  await copyJournal(files, third!, server);
  expect(await read(server, there)).toEqual(await read(files, path));
});

test('where there are runs, nothing is copied; the source goes on as it was', async () => {
  const [one, two] = [fileJournals(folder()), await serverJournals(await testDatabase(), folder())];
  const mine = { url: SERVICE, company: '900555445' };
  const own = { ...owner, company: mine.company };
  const source = await one.open(one.newPath(mine), { ...options, owner: own });
  await spool(source, workers(1));
  await source.close();
  const target = await two.open(two.newPath(mine), { ...options, owner: own });
  await spool(target, workers(2));
  await target.close();
  const [found] = await one.all();
  expect(await codeOf(() => copyJournal(one, found!, two))).toBe('usage journal/not-empty');
  await (await one.open(found!.path, options)).close();
  const still = await two.read(two.newPath(mine));
  expect(await still.first('SELECT count(*) AS n FROM document')).toMatchObject({ n: 2 });
});
