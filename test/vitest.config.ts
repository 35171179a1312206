import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
const BUILT = fileURLToPath(new URL('../dist/', import.meta.url));

/** They put modules of their own in place of the program's, which no other file may see. */
const REPLACING = ['test/cli/confirmed-run.test.ts', 'test/cli/disk-full.test.ts'];

/** Figures over all cases and faults by chance: a script of their own (`npm run measures`), run in CI beside the tests. */
const MEASURES = [
  'test/chaos/answer.test.ts',
  'test/chaos/chaos.test.ts',
  'test/chaos/kills.test.ts',
  'test/chaos/rips.test.ts',
  'test/chaos/takeover.test.ts',
  'test/chaos/workers.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/golden/answers.test.ts',
  'test/propose/ablation.test.ts',
  'test/propose/evidence.test.ts',
  'test/propose/rips-layouts.test.ts',
  'test/propose/variants.test.ts',
];

/** Of the tests, but with more trials as a measure. */
const ALSO_MEASURED = ['test/core/decimal.test.ts'];

const inSend = (...names: readonly string[]): string[] => names.map((name) => `test/send/${name}.test.ts`);

/** What a journal promises, whatever the engine: run on files, and again on a PostgreSQL server; there the longer ones with the measures. */
const JOURNAL = inSend('documents', 'mailbook', 'predecessors', 'spool');
const MORE_JOURNAL = inSend('answers', 'event-proof', 'notes', 'sandbox', 'send', 'stages');

/** The page as people see it, in a browser: a script of their own (`npm run test:browser`), run in CI beside the tests. */
const BROWSER = ['columns', 'long-month', 'mending', 'page', 'settings', 'tables'].map(
  (name) => `test/web/${name}.test.ts`,
);

/** The dearest, by folder and name. */
const LONGEST = [
  'web/page',
  'propose/evidence',
  'golden/answers',
  'propose/variants',
  'web/tables',
  'web/long-month',
  'cli/adjust',
  'cli/confirmed-run',
  'cli/inspect',
  'web/same',
  'web/edits',
  'chaos/kills',
  'cli/send',
  'cli/left-behind',
  'cli/remembered',
  'propose/rips-layouts',
  'propose/joins',
  'report/template',
  'cli/run',
  'send/pace',
  'chaos/secrets',
  'fuzz/fuzz',
  'propose/decisions',
  'cli/follow-up',
  'cli/conversation',
  'cli/journal-identity',
  'cli/interrupt',
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
  testTimeout: 60_000,
  // All cores are busy: what is thrown away young is collected seldom, and by the thread that made it.
  execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
};

/** Of the tests, or of those alone that have a script of their own. */
export const configOf = (own?: 'measures' | 'browser') =>
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
        ...(own === 'browser'
          ? []
          : [
              {
                plugins: [built],
                test: {
                  ...each,
                  name: 'postgres',
                  include: own ? MORE_JOURNAL : JOURNAL,
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
              ? { measures: [...MEASURES, ...ALSO_MEASURED], browser: BROWSER }[own]
              : ['test/**/*.test.ts'],
            ...(own === 'measures' && { env: { CARGUE_TEST_AMOUNTS: '1000000' } }),
            exclude: own
              ? ['**/node_modules/**']
              : ['**/node_modules/**', ...REPLACING, ...MEASURES, ...BROWSER],
            isolate: false,
            server: { deps: { external: [/\/dist\//] } },
          },
        },
      ],
    },
  });

export default configOf();
