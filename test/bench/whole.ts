import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkbook } from './inputs.js';

/** The program as a person starts it, from the prompt to the prompt: it has run before, but on no such file. */

export const MAIN = 'dist/cli/main.js';

export const SMALL_CHECK = [
  'check',
  'samples/payroll/nomina-octubre-2026.xlsx',
  '--params',
  'samples/payroll/params.json',
];

interface WholeCase {
  readonly what: string;
  readonly args: readonly string[];
  /** Milliseconds, over a bare Node of the same rounds where `over` says so. */
  readonly most: number;
  readonly over?: true;
  readonly rounds: number;
}

async function timed(args: readonly string[], workspace: string): Promise<number> {
  const start = performance.now();
  const env = { ...process.env, HOME: workspace, CARGUE_WORKSPACE: workspace, NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[all.length >> 1]!;

/** `--help`, the check of 25 rows with and without a mapping, and `inspect` of 5,000 × 40. */
export async function starts(folder: string): Promise<boolean> {
  const wide = join(folder, 'nomina-2026-5000x40.xlsx');
  await makeWorkbook(wide, 5_000);
  const cases: readonly WholeCase[] = [
    { what: '--help, over a bare Node', args: ['--help'], most: 40, over: true, rounds: 11 },
    { what: 'check of 25 rows with -m', args: [...SMALL_CHECK, '-m', 'payroll/wide'], most: 300, rounds: 5 },
    { what: 'check of 25 rows without -m', args: SMALL_CHECK, most: 400, rounds: 5 },
    { what: 'inspect of 5,000 × 40', args: ['inspect', wide], most: 3_000, rounds: 3 },
  ];
  let good = true;
  for (const { what, args, most, over, rounds } of cases) {
    const bare: number[] = [];
    const mine: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const workspace = mkdtempSync(join(tmpdir(), 'cargue-bench-workspace-'));
      const [alone, whole] = [await timed(['-e', '0'], workspace), await timed([MAIN, ...args], workspace)];
      if (round < 0) continue; // keeps what is compiled
      bare.push(alone);
      mine.push(whole);
    }
    const figure = median(mine) - (over ? median(bare) : 0);
    good &&= figure <= most;
    console.log(
      `${figure <= most ? 'ok  ' : 'MISS'} start: ${what}\n     ${figure.toFixed(0)} ms (at most ${most}); bare Node ${median(bare).toFixed(0)} ms`,
    );
  }
  return good;
}
