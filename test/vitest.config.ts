import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
const BUILT = fileURLToPath(new URL('../dist/', import.meta.url));

/** They put modules of their own in place of the program's, which no other file may see. */
const REPLACING = [
  'test/cli/confirmed-run.test.ts',
  'test/cli/disk-full.test.ts',
  'test/cli/unsafe-sqlite.test.ts',
  'test/mapping/toy-concept.test.ts',
  'test/mapping/vocabulary-faults.test.ts',
];

const inFolder = (folder: string, ...names: readonly string[]): string[] =>
  names.map((name) => `test/${folder}/${name}.test.ts`);

/**
 * Figures over all cases, faults by chance, programs that are killed, a database server, all that is generated made anew: a script of
 * their own (`npm run test:long`), run in CI beside the tests.
 */
const LONG = [
  'test/chaos/*.test.ts',
  'test/fuzz/*.test.ts',
  ...inFolder('app', 'worker'),
  ...inFolder('cli', 'causes', 'inspect', 'interrupt', 'json', 'left-behind', 'proof-needs', 'watch'),
  ...inFolder('codegen', 'generate', 'one-source', 'openapi-lint'),
  ...inFolder('golden', 'answers', 'next-month'),
  ...inFolder('property', 'proposal'),
  ...inFolder('inspect', 'ablation', 'affiliates', 'decisions', 'evidence', 'half-codes', 'joins'),
  ...inFolder('inspect', 'rips-layouts', 'variants'),
  ...inFolder('report', 'zip-writer'),
  ...inFolder('sandbox', 'empties'),
  ...inFolder('schema', 'one-edit'),
  ...inFolder('send', 'crash', 'pace', 'postgres', 'queue', 'rips-crash', 'rips-foreign', 'shared-pace'),
  ...inFolder('page', 'edits', 'approval', 'outdated', 'people', 'restart', 'same', 'stalls'),
];

/** Of the tests, but with more trials there. */
const LONGER = [...inFolder('core', 'decimal'), ...inFolder('property', 'values')];

/** What a journal promises, whatever the engine: run on files with the tests, and again on a PostgreSQL server. */
const JOURNAL = inFolder(
  'send',
  ...['answers', 'documents', 'event-proof', 'mailbook', 'notes'],
  ...['predecessors', 'sandbox', 'send', 'spool', 'stages'],
);

/** The page as people see it, in a browser: a script of their own (`npm run test:browser`), run in CI beside the tests. */
const BROWSER = inFolder(
  'page',
  'bureau',
  'cells',
  'columns',
  'confirm',
  'data',
  'days',
  'frame',
  'inbox',
  'killed',
  'long-month',
  'mending',
  'month',
  'page',
  'settings',
  'settle',
  'tables',
  'two-people',
  'widths',
);

/** What pages say to type, typed into the installed program: run by the test of the package. */
const INSTALLED = inFolder('docs', 'examples', 'executed', 'repository');

/** The dearest, by folder and name. */
const LONGEST = [
  'page/stalls',
  'property/proposal',
  'property/values',
  'page/outdated',
  'page/page',
  'inspect/evidence',
  'inspect/ablation',
  'inspect/half-codes',
  'cli/json',
  'golden/answers',
  'page/restart',
  'inspect/variants',
  'page/tables',
  'page/long-month',
  'page/same',
  'chaos/workers',
  'cli/adjust',
  'fuzz/fuzz',
  'chaos/takeover',
  'chaos/kills',
  'page/killed',
  'page/mending',
  'cli/left-behind',
  'chaos/chaos',
  'inspect/rips-layouts',
  'cli/interrupt',
  'send/postgres',
  'cli/journal-identity',
  'inspect/joins',
  'cli/run',
  'cli/send',
  'inspect/decisions',
  'report/template',
  'chaos/answer',
  'chaos/secrets',
  'send/pace',
  'cli/inspect',
  'send/answers',
  'cli/follow-up',
  'inspect/flat',
  'sandbox/empties',
];

/** One that takes long and is begun last leaves the other workers idle; where no earlier run is known, vitest goes by size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      // A worker that is shared ends where a file of the other project follows.
      if (project.name === 'alone') return -1;
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** What tests import of the sources is what is built of them: it runs as it is, a fifth faster than through a loader. */
const built = {
  name: 'built',
  enforce: 'pre' as const,
  resolveId(source: string, importer = '') {
    const file = source.startsWith('.') ? resolve(dirname(importer), source) : '';
    return file.startsWith(SOURCES) && !importer.startsWith(SOURCES)
      ? { id: file.replace(SOURCES, BUILT), external: true }
      : undefined;
  },
};

const each = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  // A busy machine answers late.
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  // All cores are busy: what is thrown away young is collected seldom, by the thread that made it.
  execArgv: [
    ...['--min-semi-space-size=32', '--max-semi-space-size=64', '--single-threaded-gc'],
    // Most code of a test runs too seldom to be worth optimizing; Node 22 and newer have a cheaper compiler for it.
    ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
  ],
};

/** Of the tests, or of those alone that have a script of their own. */
export const configOf = (own?: 'long' | 'browser' | 'installed') =>
  defineConfig({
    test: {
      root: each.root,
      globalSetup: [
        ...(own === 'browser' ? ['test/support/browser.ts'] : []),
        'test/support/built-program.ts',
        'test/support/temporary-folder.ts',
      ],
      // Where a test waits for a service, a timer or a program, a core would be idle.
      maxWorkers: availableParallelism() + 1,
      sequence: { sequencer: LongestFirst },
      projects: [
        ...(own ? [] : [{ test: { ...each, name: 'alone', include: REPLACING } }]),
        ...(own !== 'long'
          ? []
          : [
              {
                plugins: [built],
                test: {
                  ...each,
                  name: 'postgres',
                  include: JOURNAL,
                  env: { CARGUE_TEST_ENGINE: 'postgres' },
                  isolate: false,
                  server: { deps: { external: [/\/dist\//] } },
                },
              },
            ]),
        // Loading the modules takes longer than most files' tests: a worker does it once, for all its files.
        {
          plugins: [built],
          test: {
            ...each,
            name: 'shared',
            include: own
              ? { long: [...LONG, ...LONGER], browser: BROWSER, installed: INSTALLED }[own]
              : ['test/**/*.test.ts'],
            ...(own === 'long' && {
              env: {
                CARGUE_TEST_AMOUNTS: '1000000',
                CARGUE_TEST_SEEDS: process.env['CARGUE_TEST_SEEDS'] ?? '8',
              },
            }),
            exclude: own
              ? ['**/node_modules/**']
              : ['**/node_modules/**', ...REPLACING, ...LONG, ...BROWSER, ...INSTALLED],
            isolate: false,
            server: { deps: { external: [/\/dist\//] } },
          },
        },
      ],
    },
  });

export default configOf();
