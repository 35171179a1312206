import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** They put modules of their own in place of the program's, which no other file may see. */
const REPLACING = ['test/cli/confirmed-run.test.ts', 'test/cli/disk-full.test.ts'];

const each = { root: fileURLToPath(new URL('..', import.meta.url)), testTimeout: 60_000 };

export default defineConfig({
  test: {
    root: each.root,
    globalSetup: ['test/support/built-program.ts', 'test/support/temporary-folder.ts'],
    maxWorkers: '100%',
    projects: [
      { test: { ...each, name: 'alone', include: REPLACING } },
      // Loading the modules takes longer than most files' tests: a worker does it once, for all its files.
      {
        test: { ...each, name: 'shared', include: ['test/**/*.test.ts'], exclude: REPLACING, isolate: false },
      },
    ],
  },
});
