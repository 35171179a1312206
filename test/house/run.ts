import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeCsv } from '../bench/inputs.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Covered {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

/** How often each function of the program ran, by file. */
function countsOf(folder: string, built: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  const base = pathToFileURL(join(built, '/')).href;
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly result: readonly Covered[];
    };
    for (const { url, functions } of result) {
      if (!url.startsWith(base)) continue;
      // The first is the module itself.
      const counts = functions
        .slice(1)
        .map(({ ranges }) => ranges[0]!.count)
        .filter((count) => count > 0);
      if (counts.length > 0) found.set(url, [...(found.get(url) ?? []), ...counts]);
    }
  }
  return found;
}

/** Workers of the larger payroll. */
const RECORDS = 1_000;

/**
 * Counts the files and functions that `convert` of the sample runs, and those that run at least once a record, in a build that is
 * not bundled.
 */
export async function measureRun(): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-house-'));
  const built = join(folder, 'dist');
  try {
    const compiled = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', ROOT, '--outDir', built],
      { cwd: ROOT, stdio: 'inherit' },
    );
    if (compiled.status !== 0) throw new Error('the sources do not compile');
    for (const name of ['node_modules', 'mappings', 'schemas', 'package.json'])
      symlinkSync(join(ROOT, name), join(folder, name));
    // What the build prepares is not made again in each run.
    for (const name of ['mappings.json', 'outlines.json', 'validators'])
      symlinkSync(join(ROOT, 'dist', name), join(built, name));
    const large = join(folder, `nomina-2026-${RECORDS}x20.csv`);
    await makeCsv(large, RECORDS);
    const run = (name: string, file: string): ReadonlyMap<string, readonly number[]> => {
      const coverage = join(folder, `coverage-${name}`);
      const { status, stderr } = spawnSync(
        process.execPath,
        [
          join(built, 'cli/main.js'),
          'convert',
          file,
          ...['-m', 'payroll/wide', '--params', join(ROOT, 'samples/payroll/params.json')],
          ...['-o', join(folder, `${name}.jsonl`)],
        ],
        { cwd: folder, env: { ...process.env, NODE_V8_COVERAGE: coverage }, encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(`convert ended with ${status}: ${stderr}`);
      return countsOf(coverage, built);
    };
    const few = run('few', join(ROOT, 'samples/payroll/nomina-octubre-2026.xlsx'));
    const many = run('many', large);
    const often = [...many].map(
      ([file, counts]) => [file, counts.filter((count) => count >= RECORDS).length] as const,
    );
    const size = (some: ReadonlyMap<string, readonly number[]>): number =>
      [...some.values()].reduce((total, counts) => total + counts.length, 0);
    return {
      'files that a convert of 25 rows runs': few.size,
      'functions that a convert of 25 rows runs': size(few),
      'files with functions that run once a record or more': often.filter(([, count]) => count > 0).length,
      'functions that run once a record or more': often.reduce((total, [, count]) => total + count, 0),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
