/**
 * `npm run mutate -- [--seed N] [--each N] [--room NAME] [--only ID,…] [--tests PATH,…]`: puts faults into a built copy of the
 * program, turns them on one at a time, and runs the test files that reach them: the room's own first, then the fastest, until one
 * fails. A fault that no test finds is listed; those of `equivalent.json` change nothing, with the reason.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { BaseSequencer, createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { chooseMutants, type Mutant, ROOM_NAMES, ROOMS, withSwitches } from './mutants.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    each: { type: 'string', default: '29' },
    room: { type: 'string' },
    only: { type: 'string' },
    tests: { type: 'string', default: 'test' },
  },
});

/** Tests are run for a fault until so many seconds of them, as they take without one, have not found it. */
const MAX_TESTS_S = 40;

/** A run that takes longer than so many times its time without a fault, and some seconds, is one that the fault keeps from ending. */
const MAX_SLOWDOWN = 4;
const MIN_TIMEOUT_S = 30;

/** A test file, how long it takes without a fault, and the faults that it or a process that it starts reaches. */
interface Cover {
  readonly test: TestSpecification;
  readonly file: string;
  readonly seconds: number;
  readonly mutants: ReadonlySet<number>;
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

const isEquivalent = (mutant: Mutant): boolean =>
  equivalents.some(
    ({ file, before, after }) => file === mutant.file && before === mutant.before && after === mutant.after,
  );

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

/** Puts the faults into the built files, all turned off. */
function putIn(built: string, mutants: readonly Mutant[]): void {
  copyFileSync(new URL('./switch.js', import.meta.url), join(built, 'switch.js'));
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const own = mutants.filter((mutant) => mutant.file === file);
    const path = join(built, file);
    const toSwitch = `${relative(dirname(path), built).replaceAll('\\', '/')}/switch.js`;
    writeFileSync(path, withSwitches(readFileSync(path, 'utf8'), own, toSwitch));
  }
}

/** Keeps files in the order in which they are given. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

/** Opens the tests of the copy: one file after the other in one process, which ends at the first test that fails. */
async function openTests(copy: string): Promise<Vitest> {
  const config = pathToFileURL(join(copy, 'test/vitest.config.ts')).href;
  const { configOf } = (await import(config)) as typeof import('../vitest.config.js');
  const { projects, globalSetup } = configOf().test!;
  const { plugins, test } = projects!.at(-1) as import('vite').UserConfig;
  return createVitest(
    'test',
    { config: false, watch: false, root: copy, maxWorkers: 1, bail: 1, reporters: [{}] },
    { plugins: plugins!, test: { ...test, globalSetup: globalSetup!, sequence: { sequencer: AsGiven } } },
  );
}

/** What came of test files that were run with a fault turned on, or none. */
interface TestRun {
  readonly hasPassed: boolean;
  readonly seconds: number;
  /** Faults that were reached, on or not. */
  readonly reached: ReadonlySet<number>;
}

class Trial {
  private readonly log: string;

  constructor(
    private readonly vitest: Vitest,
    private readonly built: string,
  ) {
    this.log = join(built, 'reached');
  }

  /** Runs test files in a process of their own. */
  async run(tests: readonly TestSpecification[], on = -1, timeoutS = 3600): Promise<TestRun> {
    writeFileSync(this.log, '');
    writeFileSync(join(this.built, 'active'), String(on));
    const timer = setTimeout(() => this.end(() => true), timeoutS * 1000);
    const { testModules, unhandledErrors } = await this.vitest.runTestSpecifications([...tests]);
    clearTimeout(timer);
    // The process of the tests ends by itself, and vitest waits for its farewell.
    this.end((parent) => parent !== process.pid);
    const ids = new Set(tests.map(({ moduleId }) => moduleId));
    const own = testModules.filter(({ moduleId }) => ids.has(moduleId));
    const durations = own.map((module) => module.diagnostic());
    return {
      hasPassed: unhandledErrors.length === 0 && own.every((module) => module.ok()),
      // Without what each process takes to start and to load the program: once for all files that are run together.
      seconds:
        durations.reduce((sum, { duration, collectDuration }) => sum + duration + collectDuration, 0) / 1000,
      reached: new Set(this.reached().map(([id]) => id!)),
    };
  }

  private reached(): readonly number[][] {
    const lines = readFileSync(this.log, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => line.split(' ').map(Number));
  }

  /** Ends processes of the tests that a fault keeps from ending. */
  private end(shouldEnd: (parent: number) => boolean): void {
    for (const [, pid, parent] of this.reached())
      try {
        if (shouldEnd(parent!)) process.kill(pid!, 'SIGKILL');
      } catch {
        // It has ended.
      }
  }
}

/** The tests of the room first, then the fastest, until they take long enough. */
function chooseTests(covers: readonly Cover[], { id, room }: Mutant): readonly Cover[] {
  const isOwn = ({ file }: Cover): number => Number(file.startsWith(`test/${ROOMS[room]}/`));
  let left = MAX_TESTS_S;
  return covers
    .filter(({ mutants }) => mutants.has(id))
    .sort((a, b) => isOwn(b) - isOwn(a) || a.seconds - b.seconds)
    .filter(({ seconds }, index) => {
      left -= seconds;
      return left >= 0 || index === 0;
    });
}

type Outcome = 'found' | 'survived' | 'not covered' | 'equivalent';

const copy = makeCopy();
try {
  const built = join(copy, 'dist');
  const only = values.only?.split(',').map(Number);
  const chosen = chooseMutants(built, Number(values.seed), Number(values.each)).filter(
    ({ id, room }) => (values.room ?? room) === room && (only?.includes(id) ?? true),
  );
  putIn(built, chosen);
  const vitest = await openTests(copy);
  const trial = new Trial(vitest, built);
  const fileOf = ({ moduleId }: TestSpecification): string => relative(copy, moduleId).replaceAll('\\', '/');

  async function cover(tests: readonly TestSpecification[]): Promise<readonly Cover[]> {
    const covers: Cover[] = [];
    for (const test of tests) {
      const { hasPassed, seconds, reached } = await trial.run([test]);
      if (hasPassed) covers.push({ test, file: fileOf(test), seconds, mutants: reached });
      else console.log(`fails without a fault, not used: ${fileOf(test)}`);
    }
    return covers;
  }

  async function judge(mutant: Mutant, covers: readonly Cover[]): Promise<Outcome> {
    const { id, file, line, before, after } = mutant;
    const begun = performance.now();
    const own = chooseTests(covers, mutant);
    const timeoutS = MAX_SLOWDOWN * own.reduce((sum, { seconds }) => sum + seconds, 0) + MIN_TIMEOUT_S;
    const specifications = own.map(({ test }) => test);
    const run = own.length > 0 ? await trial.run(specifications, id, timeoutS) : undefined;
    const outcome = run === undefined ? 'not covered' : run.hasPassed ? 'survived' : 'found';
    const seconds = (performance.now() - begun) / 1000;
    const all = covers.filter(({ mutants }) => mutants.has(id)).length;
    const slow = seconds > timeoutS ? ', did not end' : '';
    console.log(
      `${String(id).padStart(3)} ${outcome.padEnd(11)} ${seconds.toFixed(1)} s, ${own.length} of ${all} files, ${file}:${line}${slow}`,
    );
    if (outcome !== 'found') console.log(`    - ${before}\n    + ${after}`);
    return outcome;
  }

  const outcomes = new Map<Mutant, Outcome>(
    chosen.filter(isEquivalent).map((mutant) => [mutant, 'equivalent']),
  );
  const starts = values.tests.split(',');
  const tests = (await vitest.globTestSpecifications()).filter((test) =>
    starts.some((start) => fileOf(test).startsWith(start)),
  );
  const isOfRooms = (test: TestSpecification): boolean =>
    ROOM_NAMES.some((room) => fileOf(test).startsWith(`test/${ROOMS[room]}/`));
  // What stands on the rooms is dearer, and asked only about what the rooms' own tests do not find.
  for (const some of [tests.filter(isOfRooms), tests.filter((test) => !isOfRooms(test))]) {
    const left = chosen.filter((mutant) => !['found', 'equivalent'].includes(outcomes.get(mutant)!));
    if (left.length === 0 || some.length === 0) continue;
    console.log(`${left.length} faults; finding which of ${some.length} test files reach them…`);
    const covers = await cover(some);
    for (const mutant of left) {
      const outcome = await judge(mutant, covers);
      if (outcome !== 'not covered' || !outcomes.has(mutant)) outcomes.set(mutant, outcome);
    }
  }
  for (const room of ROOM_NAMES) {
    const own = chosen.filter((mutant) => mutant.room === room).map((mutant) => outcomes.get(mutant));
    const count = (outcome: Outcome): number => own.filter((one) => one === outcome).length;
    const real = own.length - count('equivalent');
    if (own.length > 0)
      console.log(
        `${room}: ${count('found')} of ${real} found, ${count('survived')} survived, ${count('not covered')} not covered, ${count('equivalent')} equivalent`,
      );
  }
  await vitest.close();
} finally {
  rmSync(copy, { recursive: true, force: true });
}
