import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import {
  catalogueNames,
  storeTable,
  wholeCatalogue,
  withLoadedTables,
} from '../../src/toolkit/schema/catalogue.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-loaded-'));
const SOURCE = { source: 'cups.csv', kind: 'file' } as const;
const NOW = new Date('2026-10-05T15:00:00Z');

const store = (code: string, from?: string) =>
  storeTable(
    folder,
    { name: 'cups', columns: ['code'], rows: [{ code }] },
    { ...SOURCE, ...(from !== undefined && { from }) },
    NOW,
  );

afterEach(() => {
  vi.useRealTimers();
});

test('the same rows for the same days are no new version', () => {
  expect([store('890201'), store('890202', '2027-01-01'), store('890201')].map(({ isNew }) => isNew)).toEqual(
    [true, true, false],
  );
  expect(withLoadedTables(folder, catalogueNames)).toContain('cups');
});

test('a table with one version is listed', () => {
  const table = { name: 'ips_no_reps', columns: ['code'], rows: [{ code: '050010000001' }] };
  const other = mkdtempSync(join(tmpdir(), 'cargue-loaded-'));
  storeTable(other, table, SOURCE, NOW);
  expect(withLoadedTables(other, catalogueNames).includes('ips_no_reps')).toBe(true);
  expect(catalogueNames().includes('ips_no_reps')).toBe(false);
});

test.each([
  ['2027-01-01T04:59:59Z', '890201'],
  ['2027-01-01T05:00:00Z', '890202'],
])('a version begins with its day in Bogotá: at %s the list has %s', (now, code) => {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
  store('890201');
  store('890202', '2027-01-01');
  const list = withLoadedTables(folder, () => wholeCatalogue('cups'));
  expect(list?.rows.map((row) => row['code'])).toEqual([code]);
});
