import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import {
  JOURNAL_SCHEMA,
  JOURNAL_VERSION,
  journalPath,
  lockSender,
  openJournal,
  readJournal,
} from '../../src/send/journal.js';
import { purgeRuns } from '../../src/send/journal-purge.js';
import { openMailbook } from '../../src/send/mailbook.js';
import { openFile } from '../../src/send/sqlite.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { childProgram } from '../support/child-program.js';
import { bytesOf } from './engines.js';
import { envelope, payroll, spool, tempFolder, tempJournal } from './support.js';

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof PipelineError) return `${error.key} ${error.issues[0]?.code}`;
    throw error;
  }
  return 'nothing';
};

function readFirstPage(path: string): Uint8Array {
  const page = new Uint8Array(4096);
  const file = openSync(path, 'r');
  readSync(file, page, 0, 4096, 0);
  closeSync(file);
  return page;
}

describe('where it lies', () => {
  const at = (url: string, company: string): string => journalPath({ workspace: '/w', url, company });
  test.each([
    ['https://api.example.com', '900123456', '/w/api.example.com/900123456/journal.db'],
    ['https://api.example.com/', '900123456', '/w/api.example.com/900123456/journal.db'],
    ['http://127.0.0.1:8080', '900123456', '/w/127.0.0.1_8080/900123456/journal.db'],
  ])('%s, %s', (url, company, path) => expect(at(url, company)).toBe(path));

  test('different companies and addresses never share one', () => {
    const paths = ['A&B', 'A-B', 'a_b', '../../etc', '..'].flatMap((company) =>
      ['https://h', 'https://h/a', 'https://h/A', 'https://h:444'].map((url) => at(url, company)),
    );
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path).toMatch(/^\/w\/[^/]+\/[^/]+\/journal\.db$/);
  });
});

describe('opening', () => {
  test('files are private from the first moment', async () => {
    const folder = join(tempFolder(), 'host', 'company');
    const journal = await tempJournal(join(folder, 'journal.db'));
    await journal.transaction(async () => {});
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(folder))
      expect([file, statSync(join(folder, file)).mode & 0o777]).toEqual([file, 0o600]);
    expect(readdirSync(folder)).toContain('journal.db-wal');
  });

  test('every commit reaches the disk', async () => {
    const journal = await tempJournal();
    expect(await journal.first('PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' });
    expect(await journal.first('PRAGMA synchronous')).toMatchObject({ synchronous: 2 });
  });

  test('what cannot be used is told in plain codes', async () => {
    const folder = tempFolder();
    const file = (name: string): string => join(folder, name);
    writeFileSync(file('text.db'), 'this is not a database'.repeat(200));
    writeFileSync(file('occupied'), '');
    mkdirSync(file('directory.db'));
    const newer = openFile(file('newer.db'), 0);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    expect(await codeOf(() => openJournal(file('text.db')))).toBe('journal journal/damaged');
    expect(await codeOf(() => openJournal(file('newer.db')))).toBe('journal journal/newer');
    expect(await codeOf(() => openJournal(file('occupied/journal.db')))).toBe('journal journal/not-writable');
    expect(await codeOf(() => openJournal(file('directory.db')))).toBe('journal journal/not-writable');
    expect(await codeOf(() => openJournal(file('none.db'), { create: false }))).toBe(
      'journal journal/missing',
    );
    expect(readdirSync(folder)).not.toContain('none.db');
  });

  test.skipIf(process.getuid?.() === 0)('a folder without permission', async () => {
    const folder = tempFolder();
    chmodSync(folder, 0o500);
    expect(await codeOf(() => openJournal(join(folder, 'journal.db')))).toBe('journal journal/not-writable');
  });

  test('a damaged page is told when it is met', async () => {
    const path = join(tempFolder(), 'journal.db');
    const journal = await openJournal(path);
    const insert = `INSERT INTO run (id, state, created, meta) VALUES (?, 'open', 0, ?)`;
    for (let id = 0; id < 500; id++) await journal.run(insert, String(id), 'x'.repeat(500));
    await journal.close();
    const rest = Buffer.alloc(statSync(path).size - 4096, 0xff);
    writeFileSync(path, Buffer.concat([readFirstPage(path), rest]));
    expect(await codeOf(async () => (await openJournal(path)).all('SELECT * FROM run'))).toBe(
      'journal journal/damaged',
    );
  });

  test('readers look in while a sender works', async () => {
    const path = join(tempFolder(), 'journal.db');
    const sender = await tempJournal(path);
    await sender.transaction(async () => {
      const reader = await readJournal(path);
      expect(await reader.first('SELECT count(*) AS runs FROM run')).toMatchObject({ runs: 0 });
      await reader.close();
    });
  });
});

describe('one sender at a time', () => {
  test('the second is refused until the first is done', async () => {
    const path = join(tempFolder(), 'journal.db');
    const first = lockSender(path);
    expect(await codeOf(() => lockSender(path))).toBe('busy send/locked');
    first.release();
    lockSender(path).release();
  });

  test('a killed one leaves no lock', async () => {
    const path = join(tempFolder(), 'journal.db');
    const script = await childProgram(new URL('lock-child.ts', import.meta.url));
    const child = spawn(process.execPath, [script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(await codeOf(() => lockSender(path))).toBe('busy send/locked');
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockSender(path).release();
  });
});

test('a journal of the first released version becomes one of today', async () => {
  const path = join(tempFolder(), 'journal.db');
  const old = openFile(path, 0);
  const added = /CREATE INDEX (attempt_document|document_(earlier|predecessor|waits_for))[^;]*;/g;
  old.exec(`${JOURNAL_SCHEMA.replaceAll(added, '')}; PRAGMA user_version = 4`);
  const indexes = (sql: string) =>
    `SELECT name FROM sqlite_master WHERE type IN ('index', 'table') ${sql} ORDER BY name`;
  expect(old.prepare(indexes(`AND name LIKE 'document_w%'`)).all()).toEqual([{ name: 'document_waiting' }]);
  old.close();
  const journal = await tempJournal(path);
  expect(await journal.first('PRAGMA user_version')).toMatchObject({ user_version: JOURNAL_VERSION });
  expect(await journal.all(indexes(''))).toEqual(await (await tempJournal()).all(indexes('')));
});

test('a deleted row is found by an index in every table that refers to it', async () => {
  const journal = await tempJournal();
  await openMailbook(journal);
  const references = await journal.all<{ name: string }>(`
    SELECT t.name || '.' || f."from" AS name FROM sqlite_master t, pragma_foreign_key_list(t.name) f
    WHERE t.type = 'table' ORDER BY 1`);
  const indexed = await journal.all<{ name: string }>(`
    SELECT DISTINCT t.name || '.' || c.name AS name
    FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c WHERE c.seqno = 0
    UNION SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND c.pk = 1`);
  const names = new Set(indexed.map(({ name }) => name));
  expect(references.length).toBeGreaterThan(5);
  expect(references.filter(({ name }) => !names.has(name))).toEqual([]);
});

test('what was purged stands nowhere in the file, nor where rows grew and were moved', async () => {
  const journal = await tempJournal();
  const names = Array.from({ length: 11 }, (_, at) => `Persona${at}x de la Cruz ${'y'.repeat(at % 7)}`);
  async function* documents() {
    yield names.map((name, at) => ({ ...envelope(at + 1, payroll(at + 1)), name }));
  }
  const { run } = await spool(journal, [], { documents: documents() });
  const writer = await journal.writer();
  for (const { id } of await journal.all<{ id: number }>('SELECT id FROM document')) {
    await writer.commit([`UPDATE document SET state = 'sending', attempts = 1 WHERE id = ?`, id]);
    const accepted = `UPDATE document SET state = 'accepted', document_code = ? WHERE id = ?`;
    await writer.commit([accepted, `${id}`.padEnd(96, 'a'), id]);
  }
  await writer.close();
  const left = async () => {
    const bytes = await bytesOf(journal);
    return names.filter((name) => bytes.includes(name));
  };
  expect(await left()).toEqual(names);
  await purgeRuns(journal, [run], [{ ...PAYROLL, schemas: ['payroll/payroll'] }], 1);
  expect((await journal.forget?.()) ?? true).toBe(true);
  expect(await left()).toEqual([]);
});
