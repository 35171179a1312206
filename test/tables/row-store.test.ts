import { fstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { createKeyTable } from '../../src/toolkit/tables/key-table.js';
import { createRowStore, type RowStore, type StoredRow } from '../../src/toolkit/tables/row-store.js';

let folder: string;
let store: RowStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'row-store-'));
});
afterEach(() => {
  store?.close();
  rmSync(folder, { recursive: true });
});

const stored = (number: number, ...texts: (string | undefined)[]): StoredRow => ({
  table: 0,
  row: { number, hidden: false, texts, kinds: undefined },
});

const numbers = (rows: readonly StoredRow[]): number[] => rows.map(({ row }) => row.number);
const groups = (from: RowStore): [string, number[]][] =>
  [...from.groups()].map(({ key, rows }) => [key, numbers(rows)]);

describe.each([
  ['in memory', 1_000],
  ['spilled on the way', 7],
  ['in the file from the start', 0],
])('%s', (_, rowsInMemory) => {
  const make = (keys: readonly string[]): RowStore => {
    store = createRowStore({ rowsInMemory, folder });
    for (const [at, key] of keys.entries()) store.add(key, stored(at));
    return store;
  };

  test('rows come back by key, in their order, as often as asked', () => {
    make(['b', 'a', 'b', 'c', 'a', 'b', '', 'c', 'b', '']);
    const expected = [0, 2, 5, 8];
    expect([numbers(store.take('b')), numbers(store.take('b'))]).toEqual([expected, expected]);
    expect(numbers(store.take(''))).toEqual([6, 9]);
    expect(store.take('x')).toEqual([]);
    expect(store.rows).toBe(10);
  });

  test('keys come in order of first appearance, and those never taken', () => {
    make(['b', 'a', 'b', 'c', 'a', 'z', 'd', 'c', 'b']);
    expect([...store.keys()]).toEqual(['b', 'a', 'c', 'z', 'd']);
    store.take('c');
    store.take('b');
    store.take('nobody');
    expect([...store.unfetched()]).toEqual(['a', 'z', 'd']);
  });

  test('groups come in order of first appearance, before taking and after, and take nothing', () => {
    make(['b', 'a', 'b', 'c', 'a', 'b', 'd', 'c', 'b']);
    const expected = [
      ['b', [0, 2, 5, 8]],
      ['a', [1, 4]],
      ['c', [3, 7]],
      ['d', [6]],
    ];
    expect(groups(store)).toEqual(expected);
    store.take('a');
    expect(groups(store)).toEqual(expected);
    expect([...store.unfetched()]).toEqual(['b', 'c', 'd']);
  });

  test('rows may be added after some were read', () => {
    make(['b', 'a', 'b', 'c', 'b', 'b', 'b']);
    expect(numbers(store.take('a'))).toEqual([1]);
    for (let at = 7; at < 60; at++) store.add(at % 2 ? 'a' : 'new', stored(at));
    expect(numbers(store.take('a'))).toHaveLength(28);
    expect(groups(store).map(([key, rows]) => [key, rows.length])).toEqual([
      ['b', 5],
      ['a', 28],
      ['c', 1],
      ['new', 26],
    ]);
  });

  // Rows leave SQLite by the hundred and enter it by 32: the counts around those.
  test.each([1, 31, 32, 33, 99, 100, 101, 200])('%i rows', (count) => {
    make(Array.from({ length: count }, (_cell, at) => `k${at % 3}`));
    const all = groups(store).flatMap(([, rows]) => rows);
    expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_cell, at) => at));
  });

  test('with no rows', () => {
    make([]);
    expect([groups(store), [...store.keys()], store.take('a')]).toEqual([[], [], []]);
  });

  test('a row comes back as it was', () => {
    make([]);
    const rows: StoredRow[] = [
      stored(2, 'Peña, "Ñandú"', undefined, '', 'a\nb\u001f\u0000', '\ud800', '😀', 'null'),
      { table: 3, row: { number: 1_048_576, line: 7, hidden: true, texts: [], kinds: undefined } },
      {
        table: 1,
        row: {
          number: 3,
          hidden: false,
          texts: ['x', '1.50', '2026-10-31', 'true', '#N/A', '=A1', '4.5%', undefined],
          kinds: ['text', 'number', 'date', 'boolean', 'error', 'uncached', 'percent', undefined],
        },
      },
    ];
    for (const row of rows) store.add('k', row);
    expect(store.take('k')).toEqual(rows);
    expect([...store.groups()]).toEqual([{ key: 'k', rows }]);
  });

  test('a group may be left, and the store closed, half way', () => {
    make(Array.from({ length: 500 }, (_cell, at) => `k${at}`));
    for (const { key } of store.groups()) {
      if (key !== 'k3') continue;
      expect(numbers(store.take('k400'))).toEqual([400]);
      break;
    }
    store.close();
    store.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the temporary file', () => {
  const openFiles = (): number[] =>
    readdirSync('/proc/self/fd')
      .map(Number)
      .filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
        } catch {
          return false;
        }
      });

  test('does not exist before it is needed', () => {
    store = createRowStore({ rowsInMemory: 2, folder });
    store.add('a', stored(1));
    store.add('a', stored(2));
    expect(readdirSync(folder)).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')('is private, has no name, and goes', () => {
    store = createRowStore({ rowsInMemory: 0, folder });
    // More than SQLite holds in memory: it must go on with a file that has no name.
    for (let at = 0; at < 30_000; at++) store.add(`k${at % 9_000}`, stored(at, 'x'.repeat(1_000)));
    expect(readdirSync(folder)).toEqual([]);
    const files = openFiles().map((fd) => fstatSync(fd));
    expect(files.length).toBeGreaterThan(0);
    for (const { mode, size } of files) {
      expect(mode & 0o777).toBe(0o600);
      expect(size).toBeGreaterThan(10_000_000);
    }
    expect(numbers(store.take('k8999'))).toEqual([8_999, 17_999, 26_999]);
    expect(groups(store)[2_999]).toEqual(['k2999', [2_999, 11_999, 20_999, 29_999]]);
    store.close();
    // SQLite lets go of it when it pleases, but nothing is left in it.
    expect(openFiles().map((fd) => fstatSync(fd).size)).toEqual(openFiles().map(() => 0));
  });

  test('that cannot be made stops the run', () => {
    const nowhere = createRowStore({ rowsInMemory: 0, folder: join(folder, 'nowhere') });
    expect(() => nowhere.add('a', stored(1))).toThrow(PipelineError);
    expect(() => nowhere.add('a', stored(1))).toThrow('store/not-writable');
  });
});

describe('the table of keys', () => {
  test('numbers many keys, of all lengths, each once', () => {
    const keys = createKeyTable();
    const texts = Array.from({ length: 20_000 }, (_, at) =>
      at % 100 === 0 ? 'é\u0000'.repeat(at) : `${at * 7919}`,
    );
    expect(texts.map((text) => keys.add(text))).toEqual(texts.map((_, at) => at));
    expect(texts.map((text) => keys.add(text))).toEqual(texts.map((_, at) => at));
    expect(keys.size).toBe(texts.length);
    expect(texts.every((text, at) => keys.find(text) === at && keys.text(at) === text)).toBe(true);
    expect(keys.find('nobody')).toBeUndefined();
  });

  test('tells keys of one hash apart', () => {
    // FNV-1a gives both the same 32 bits.
    const keys = createKeyTable();
    expect([keys.add('costarring'), keys.add('liquid'), keys.find('liquid')]).toEqual([0, 1, 1]);
    expect([keys.text(0), keys.text(1)]).toEqual(['costarring', 'liquid']);
  });
});
