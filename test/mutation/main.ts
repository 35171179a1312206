/**
 * `npm run mutate -- [--seed N] [--each N] [--room NAME] [--only ID,…]`: puts faults into a built copy of the program, one at a time,
 * and runs the tests that reach them. A fault that no test finds is listed; those of `equivalent.json` change nothing, with the reason.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseMutants, type Mutant, mutated, ROOMS } from './mutants.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '29' },
    room: { type: 'string' },
    only: { type: 'string' },
  },
});

/** A run that takes longer than so many times its time without a fault, and a minute, is one that the fault keeps from ending. */
const MAX_SLOWDOWN = 4;
const MIN_TIMEOUT_S = 60;

interface Cover {
  readonly file: string;
  readonly seconds: number;
  readonly mutants: readonly number[];
}

interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const equivalents = JSON.parse(
  readFileSync(new URL('./equivalent.json', import.meta.url), 'utf8'),
) as readonly Equivalent[];

/** Makes a copy of the project whose program is not bundled, so that a fault reaches the processes that tests start. */
function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'cargue-mutation-'));
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !['node_modules', '.git'].includes(basename(path)) || path === ROOT,
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const script of [['src/setup.mjs'], ['node_modules/typescript/bin/tsc', '-p', '.']]) {
    const { status } = spawnSync(process.execPath, script, { cwd: copy, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`${script[0]} ended with ${status}`);
  }
  return copy;
}

/** Runs test files; `passed` is undefined where they did not end in time. */
function runTests(
  cwd: string,
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  timeoutS?: number,
  reporters: readonly string[] = ['--reporter', 'dot'],
): Promise<boolean | undefined> {
  const script = join(cwd, 'node_modules/vitest/vitest.mjs');
  const bail = timeoutS === undefined ? [] : ['--bail', '1'];
  const child = spawn(
    process.execPath,
    [script, 'run', '--config', 'test/mutation/vitest.config.ts', ...reporters, ...bail, ...files],
    { cwd, env: { ...process.env, ...env }, stdio: 'ignore', detached: true },
  );
  return new Promise((resolve) => {
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer =
      timeoutS === undefined
        ? undefined
        : setTimeout(() => {
            end();
            resolve(undefined);
          }, timeoutS * 1000);
    child.on('exit', (code) => {
      clearTimeout(timer);
      end();
      resolve(code === 0);
    });
  });
}

/** Lists the test files that fail in the copy without a fault: they look at the bundled program. */
function failingFiles(results: string, copy: string): ReadonlySet<string> {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    readonly testResults: readonly { readonly name: string; readonly status: string }[];
  };
  const failed = testResults.filter(({ status }) => status !== 'passed');
  return new Set(failed.map(({ name }) => relative(copy, name).replaceAll('\\', '/')));
}

/** The tests of the room first, then the cheap ones. */
const inOrder = (covers: readonly Cover[], room: string): readonly Cover[] =>
  covers.toSorted(
    (a, b) =>
      Number(b.file.startsWith(`test/${room}/`)) - Number(a.file.startsWith(`test/${room}/`)) ||
      a.seconds - b.seconds,
  );

/** Test files that are run together before the others. */
const FIRST = 12;

async function judge(copy: string, mutant: Mutant, covers: readonly Cover[]): Promise<string> {
  const own = inOrder(
    covers.filter(({ mutants }) => mutants.includes(mutant.id)),
    mutant.room,
  );
  if (own.length === 0) return 'not covered';
  const path = join(copy, 'dist', mutant.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(text, mutant));
  try {
    for (const some of [own.slice(0, FIRST), own.slice(FIRST)]) {
      if (some.length === 0) continue;
      const seconds = some.reduce((sum, one) => sum + one.seconds, 0);
      const passed = await runTests(
        copy,
        some.map(({ file }) => file),
        {},
        Math.max(MIN_TIMEOUT_S, seconds * MAX_SLOWDOWN),
      );
      if (passed !== true) return 'found';
    }
    return 'survived';
  } finally {
    writeFileSync(path, text);
  }
}

const copy = makeCopy();
try {
  const built = join(copy, 'dist');
  const all = chooseMutants(built, Number(values.seed), Number(values.each));
  const only = values.only?.split(',').map(Number);
  const chosen = all.filter(({ id, room }) => (values.room ?? room) === room && (only?.includes(id) ?? true));
  const files = { mutants: join(copy, 'mutants.json'), cover: join(copy, 'cover.jsonl') };
  writeFileSync(files.mutants, JSON.stringify(chosen));
  writeFileSync(files.cover, '');
  console.log(`seed ${values.seed}: ${chosen.length} faults; finding the tests that reach them…`);
  const env = {
    CARGUE_MUTATION_BUILT: built,
    CARGUE_MUTATION_MUTANTS: files.mutants,
    CARGUE_MUTATION_COVER: files.cover,
  };
  const results = join(copy, 'results.json');
  await runTests(copy, [], env, undefined, ['--reporter', 'json', '--outputFile', results]);
  const failing = failingFiles(results, copy);
  for (const file of failing) console.log(`fails without a fault, not used: ${file}`);
  const covers = readFileSync(files.cover, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Cover)
    .filter(({ file }) => !failing.has(file));
  const outcomes = new Map<string, string>();
  for (const mutant of chosen) {
    const same = equivalents.find(
      ({ file, before, after }) => file === mutant.file && before === mutant.before && after === mutant.after,
    );
    const outcome = same === undefined ? await judge(copy, mutant, covers) : 'equivalent';
    outcomes.set(`${mutant.id}`, outcome);
    const { id, file, line, before, after } = mutant;
    console.log(`${String(id).padStart(3)} ${outcome.padEnd(11)} ${file}:${line}`);
    if (outcome !== 'found') console.log(`    - ${before}\n    + ${after}`);
  }
  for (const room of ROOMS) {
    const own = chosen.filter((mutant) => mutant.room === room).map(({ id }) => outcomes.get(`${id}`));
    const real = own.filter((outcome) => outcome !== 'equivalent');
    const found = real.filter((outcome) => outcome === 'found').length;
    if (own.length > 0)
      console.log(`${room}: ${found} of ${real.length} found (${own.length - real.length} equivalent)`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
