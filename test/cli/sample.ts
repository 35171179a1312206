import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { freshFolder } from './run-cli.js';

/** A month of 25 invented workers without a mistake. */
export const SAMPLE = packageFile('samples', 'payroll', 'nomina-octubre-2026.xlsx');
export const PARAMS = packageFile('samples', 'payroll', 'params.json');
export const WIDE = { mapping: 'payroll/wide', params: PARAMS } as const;

const quoted = (text: string | undefined): string => `"${(text ?? '').replaceAll('"', '""')}"`;

/** The sample as CSV, its grid changed first; row 0 is the header. Returns the file. */
export async function sampleCsv(change: (grid: string[][]) => void): Promise<string> {
  const input = await openInput(SAMPLE);
  const grid: string[][] = [];
  for await (const rows of input.tables[0]!.batches())
    for (const { texts } of rows) grid.push(Array.from(texts, (text) => text ?? ''));
  await input.close();
  change(grid);
  const file = join(freshFolder(), 'nomina.csv');
  writeFileSync(file, grid.map((row) => row.map(quoted).join(',')).join('\n'));
  return file;
}

/** Column of a header text. */
export const columnOf = (grid: readonly string[][], label: string): number => {
  const column = grid[0]!.indexOf(label);
  if (column < 0) throw new Error(`no column ${label}`);
  return column;
};
