import { sum } from '../../src/toolkit/core/decimal.js';
import { prepareFiles } from '../support/prepare-file.js';
import { type GoldenCounts, accountsForColumns, agreesOnIssues, losesNothing } from './agrees.js';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Document = Record<string, Record<string, string>>;

interface Golden extends GoldenCounts {
  readonly control: { accrued_total: string; deductions_total: string };
  readonly documents: readonly Document[];
}

const LAYOUTS = [
  ['desordenada', 'samples/payroll/desordenada/mapeo.yaml'],
  ['quincenas', 'samples/payroll/quincenas/mapeo.yaml'],
  ['abreviada', 'mappings/payroll/nomexp.yaml'],
  ['ingles', 'samples/payroll/ingles/mapeo.yaml'],
  ['multihoja', 'mappings/payroll/multi-sheet.yaml'],
  ['conceptos', 'mappings/payroll/long.yaml'],
  ['ajustes', 'mappings/payroll/adjust.yaml'],
] as const;

describe.each(LAYOUTS)('%s', async (name, mapping) => {
  const folder = join('samples/payroll', name);
  const book = readdirSync(folder).find((file) => file.endsWith('.xlsx'))!;
  const params = JSON.parse(readFileSync(join(folder, 'params.json'), 'utf8')) as Record<string, unknown>;
  const golden = JSON.parse(readFileSync(`test/golden/payroll/${name}.json`, 'utf8')) as Golden;
  const prepared = await prepareFiles({ files: [join(folder, book)], mapping, params });

  test('gives exactly the golden documents', () => {
    const first = Number(params['first_consecutive']);
    const numbered = prepared.drafts.map(({ body: document }, index) => ({ ...document, consecutive: first + index }));
    expect(numbered).toEqual(golden.documents);
  });

  test('adds up to the cent', () => {
    const total = (part: string, leaf: string): string =>
      sum(prepared.drafts.map(({ body: document }) => (document as unknown as Document)[part]?.[leaf] ?? '0'));
    expect(total('accrued', 'accrued_total')).toBe(golden.control.accrued_total);
    expect(total('deductions', 'deductions_total')).toBe(golden.control.deductions_total);
  });

  test('names every mistake at its cell, and nothing else as an error', () => {
    agreesOnIssues(prepared.issues, golden);
  });

  test('accounts for every column', () => {
    accountsForColumns(prepared.issues);
  });

  test('loses no record', () => {
    losesNothing(prepared, golden);
  });
});
