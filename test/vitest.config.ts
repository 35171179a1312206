import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    globalSetup: ['test/support/built-program.ts', 'test/support/temporary-folder.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    maxWorkers: '100%',
  },
});
