import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Connection,
  isSafeVersion,
  openConnection,
  sqliteVersion,
  storageCode,
} from '../../src/toolkit/core/sqlite-engine.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'cargue-engine-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function opened(location: string, busyMs = 0): Connection {
  const db = openConnection(location, busyMs);
  onTestFinished(() => db.close());
  return db;
}

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    return storageCode(error);
  }
  return 'nothing';
};

test.each([
  ['3.7.0', false],
  ['3.44.5', false],
  ['3.44.6', true],
  ['3.45.1', false],
  ['3.50.6', false],
  ['3.50.7', true],
  ['3.51.2', false],
  ['3.51.3', true],
  ['3.52.0', true],
  ['3.53.4', true],
  ['4.0.0', true],
])('SQLite %s keeps what two connections write: %s', (version, isSafe) => {
  expect(isSafeVersion(version)).toBe(isSafe);
});

test('the engine that runs is a safe one, and loading it warns of nothing', () => {
  expect(isSafeVersion(sqliteVersion())).toBe(true);
  const engine = new URL('../../dist/toolkit/core/sqlite-engine.js', import.meta.url);
  const script = `
    const { sqliteVersion } = await import(${JSON.stringify(engine)});
    process.on('warning', ({ message }) => console.log(message));
    const version = sqliteVersion();
    process.emitWarning('another one');
    setImmediate(() => console.log(version));`;
  const shown = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(shown.trim().split('\n')).toEqual(['another one', sqliteVersion()]);
});

test.each([
  ['the largest whole number', 'INTEGER', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['a moment', 'INTEGER', 1_795_862_352_401, 1_795_862_352_401],
  ['a fraction', 'REAL', 0.1, 0.1],
  ['nothing', 'TEXT', null, null],
  ['a text', 'TEXT', 'Ñandú 😀', 'Ñandú 😀'],
  ['half a character', 'TEXT', 'a\ud83db', 'a\ufffdb'],
  ['a NUL', 'TEXT', 'a\0b', 'a\ufffdb'],
])('%s comes back as it is stored', (_, type, value, expected) => {
  const db = opened(':memory:');
  db.exec(`CREATE TABLE t (v ${type}) STRICT`);
  expect(db.prepare('INSERT INTO t VALUES (?)').run(value)).toBe(1);
  const select = db.prepare('SELECT v FROM t');
  const row = { v: expected };
  expect([select.first(), select.all()[0], select.iterate().next().value]).toEqual([row, row, row]);
});

const QUERIES = ['run', 'all', 'first', 'iterate'] as const;

test.each(QUERIES)('the codes of errors by %s', (way) => {
  const path = join(folder(), 'a.db');
  const db = opened(path);
  db.exec('PRAGMA page_size = 4096; CREATE TABLE t (v TEXT)');
  const by = (from: Connection, sql: string) => (): void => {
    const result = from.prepare(sql)[way]();
    if (way === 'iterate') for (const it = result as Iterator<unknown>; !it.next().done; );
  };
  const insert = 'INSERT INTO t VALUES (hex(randomblob(4000))) RETURNING v';

  const other = opened(path);
  other.exec('BEGIN IMMEDIATE');
  expect(codeOf(by(db, insert))).toBe('SQLITE_BUSY');
  other.exec('ROLLBACK');

  const reader = opened(`${pathToFileURL(path)}?mode=ro`);
  expect(codeOf(by(reader, insert))).toBe('SQLITE_READONLY');

  db.exec('PRAGMA max_page_count = 12');
  const fill = `INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
    SELECT hex(randomblob(1000)) FROM n RETURNING v`;
  expect(codeOf(by(db, fill))).toBe('SQLITE_FULL');

  const garbage = join(folder(), 'b.db');
  writeFileSync(garbage, 'no database'.repeat(500));
  expect(codeOf(() => by(opened(garbage), 'SELECT * FROM t')())).toBe('SQLITE_NOTADB');
  expect(codeOf(() => opened(`${pathToFileURL(path)}-none?mode=ro`))).toBe('SQLITE_CANTOPEN');
  expect(codeOf(by(db, 'SELECT v FROM nothing'))).toBe('SQLITE_ERROR');
});

test.each([
  [{ code: 'ENOSPC' }, 'ENOSPC'],
  [{ code: 'SQLITE_FULL' }, 'SQLITE_FULL'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 522, message: 'disk I/O error' }, 'SQLITE_IOERR'],
  [{ code: 'ERR_SQLITE_ERROR', message: 'database disk image is malformed' }, 'SQLITE_CORRUPT'],
  [{ code: 'ERR_INVALID_ARG_TYPE', message: 'a mistake of the program' }, undefined],
  [new TypeError('a mistake of the program'), undefined],
])('%o is %s', (error, code) => {
  expect(storageCode(error)).toBe(code);
});

test('an integer that no double holds is read as the nearest number, and the next rows as they are', () => {
  const db = openConnection('', 0);
  onTestFinished(() => db.close());
  const large = db.prepare('SELECT 9999999999999900 AS large, 7 AS small');
  const rows = [{ large: 9999999999999900, small: 7 }];
  expect([large.all(), large.first()]).toEqual([rows, rows[0]]);
  expect(db.prepare('SELECT 7 AS small').all()).toEqual([{ small: 7 }]);
});
