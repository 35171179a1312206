import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { outcomes } from '../../src/send/documents.js';
import { closeInOrder, endedUncleanly, lockSender, openJournal } from '../../src/send/journal.js';
import { placeOf, writeProof } from '../../src/send/journal-proof.js';
import { databaseOf, openFile, type SqliteFile } from '../../src/send/sqlite.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { allOf } from '../support/all-of.js';
import { childProgram } from '../support/child-program.js';
import { ACCEPTED, clientOf, send, service, spool, tempFolder, workers } from './support.js';

const TABLE =
  'PRAGMA journal_mode = WAL; CREATE TABLE line (who TEXT NOT NULL, n INTEGER NOT NULL, text TEXT)';
const INSERT = 'INSERT INTO line VALUES (?, ?, ?)';
const COUNT = 'SELECT count(*) AS lines FROM line';
/** Well above the thousand pages at which the log is moved. */
const MAX_LOG_BYTES = 12 * 2 ** 20;
const TEXT = 'x'.repeat(20_000);

function opened(path = join(tempFolder(), 'a.db')): SqliteFile {
  const file = openFile(path, 0);
  onTestFinished(() => file.close());
  return file;
}

function table(): SqliteFile {
  const file = opened();
  file.exec(TABLE);
  return file;
}

const logBytes = ({ path }: SqliteFile): number => statSync(`${path}-wal`).size;
const linesOf = (file: SqliteFile): number => file.prepare(COUNT).first<{ lines: number }>()!.lines;
const fill = (file: SqliteFile, rows: number): void =>
  file.exec(`INSERT INTO line WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    SELECT 'fill', i, hex(zeroblob(10000)) FROM n`);

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work);
  } catch (error) {
    if (error instanceof PipelineError) return error.issues[0]!.code;
    throw error;
  }
};

test.each(['transactions', 'groups'])(
  'the log stays short behind %s, and is long only for a reader',
  async (how) => {
    const file = table();
    const database = databaseOf(file);
    const writer = await database.writer();
    onTestFinished(() => writer.close());
    const write = (n: number): Promise<unknown> =>
      how === 'groups' ? writer.commit([INSERT, 'a', n, TEXT]) : database.run(INSERT, 'a', n, TEXT);
    const several = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++) await write(n);
    };
    await several(2_000);
    expect(logBytes(file)).toBeLessThan(MAX_LOG_BYTES);

    const reader = opened(file.path);
    reader.exec('BEGIN');
    expect(linesOf(reader)).toBe(2_000);
    await several(1_000);
    expect(linesOf(reader)).toBe(2_000);
    const grown = logBytes(file);
    reader.exec('ROLLBACK');
    await several(1_000);
    expect(linesOf(reader)).toBe(4_000);
    // The first one comes behind the others; the next ones begin the log anew.
    expect(logBytes(file)).toBeLessThan(grown + 100_000);
  },
);

test('the log is moved by nobody while another connection may write', () => {
  const file = table();
  fill(file, 400);
  const before = statSync(file.path).size;
  const other = opened(file.path);
  other.exec('BEGIN IMMEDIATE');
  file.afterCommit();
  expect(statSync(file.path).size).toBe(before);
  other.exec('ROLLBACK');
  file.afterCommit();
  expect(statSync(file.path).size).toBeGreaterThan(before + 400 * 20_000);
  // It gave back the right to write.
  other.exec('BEGIN IMMEDIATE; ROLLBACK');
});

test('a writer that waits holds up nothing else', async () => {
  const file = table();
  const writer = await databaseOf(file).writer();
  onTestFinished(() => writer.close());
  const other = opened(file.path);
  other.exec('BEGIN IMMEDIATE');
  const events: string[] = [];
  const durable = writer.commit([INSERT, 'a', 1, null]).then(() => events.push('durable'));
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
  events.push('turns');
  other.exec('ROLLBACK');
  await durable;
  expect(events).toEqual(['turns', 'durable']);
});

test('a group is written whole or not at all, in the order in which it was asked for', async () => {
  const file = table();
  file.exec('CREATE UNIQUE INDEX line_n ON line (n)');
  const writer = await databaseOf(file).writer();
  await writer.commit([INSERT, 'a', 1, null], ['UPDATE line SET text = who', ...[]], [INSERT, 'b', 2, null]);
  const lost = writer.commit([INSERT, 'c', 3, null], [INSERT, 'd', 1, null]);
  await expect(lost).rejects.toMatchObject({ key: 'journal', issues: [{ code: 'journal/not-writable' }] });
  await writer.commit([INSERT, 'e', 4, null]);
  const rows = file.prepare('SELECT who, text FROM line ORDER BY n').all();
  expect(rows).toEqual([
    { who: 'a', text: 'a' },
    { who: 'b', text: null },
    { who: 'e', text: null },
  ]);
  await writer.close();
  await expect(writer.commit([INSERT, 'f', 5, null])).rejects.toThrow();
});

test('a writer of a damaged file says so', async () => {
  const file = table();
  fill(file, 100);
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const database = databaseOf(file);
  const writer = await database.writer();
  onTestFinished(() => writer.close());
  const bytes = readFileSync(file.path);
  bytes.fill(0x5a, 4096, 4096 * 3);
  writeFileSync(file.path, bytes);
  expect(await codeOf(writer.commit([INSERT, 'a', 1, TEXT]))).toBe('journal/damaged');

  const garbage = opened(join(tempFolder(), 'none.db'));
  writeFileSync(garbage.path, 'no database'.repeat(1_000));
  const another = await databaseOf(garbage).writer();
  expect(await codeOf(another.commit(['SELECT 1 FROM line']))).toBe('journal/damaged');
  expect(await codeOf(another.commit(['SELECT 1 FROM line']))).toBe('journal/damaged');
  await another.close();
});

test('two processes write one file, and nothing of either is lost', async () => {
  const file = table();
  const script = await childProgram(new URL('writing-child.ts', import.meta.url));
  const names = ['one', 'two'];
  const children = names.map((who) =>
    spawn(process.execPath, [script, file.path, who, '600'], { stdio: 'inherit' }),
  );
  const statuses = await Promise.all(children.map((child) => once(child, 'exit')));
  expect(statuses).toEqual([
    [0, null],
    [0, null],
  ]);
  const rows = file.prepare('SELECT who, count(DISTINCT n) AS n FROM line GROUP BY who ORDER BY who').all();
  expect(rows).toEqual(names.map((who) => ({ who, n: 600 })));
  expect(file.prepare('PRAGMA quick_check').all()).toEqual([{ quick_check: 'ok' }]);
});

test('whoever asks for the right to send and does not get it takes it from nobody', async () => {
  const path = join(tempFolder(), 'journal.db');
  const lock = lockSender(path);
  onTestFinished(() => lock.release());
  expect(() => lockSender(path)).toThrow('send/locked');
  const script = await childProgram(new URL('lock-child.ts', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, path], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

/** Of a sender that libsql 0.5.29 (SQLite 3.45.1) wrote for, which was killed: two accepted, two whose answer is not known. */
const OLD_PROOF = { commits: 25, journal: '390ebfa08f0dd016359aad94bb5d06bd', names: [], tokens: [] };

test('a journal of an earlier SQLite is opened with its log, and goes on', async () => {
  const path = join(tempFolder(), 'journal.db');
  for (const end of ['', '-wal'])
    writeFileSync(
      path + end,
      gunzipSync(readFileSync(new URL(`journals/sqlite-3.45.db${end}.gz`, import.meta.url))),
    );
  writeProof(path, { ...OLD_PROOF, ...placeOf(path), at: Date.now() });
  const journal = await openJournal(path);
  expect(journal.restored).toBeUndefined();
  const [{ id }] = (await journal.all<{ id: string }>('SELECT id FROM run')) as [{ id: string }];
  const states = (await allOf(outcomes(journal, id))).map(({ state }) => state);
  expect(states).toEqual(['accepted', 'accepted', 'unknown', 'unknown']);

  const { run } = await spool(journal, workers(6).slice(4));
  const { url } = await service(() => ACCEPTED);
  const { counts } = await send(journal, run, clientOf(url));
  expect(counts).toMatchObject({ accepted: 2, unsent: 0 });
  const numbers = await journal.all('SELECT consecutive FROM document ORDER BY id');
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6].map((consecutive) => ({ consecutive })));
  await closeInOrder(journal);
  expect(endedUncleanly(path)).toBe(false);
  await (await openJournal(path)).close();
});
