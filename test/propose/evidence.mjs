// Measures what inspecting proposes for every case, question by question.
import { spawnSync } from 'node:child_process';

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    'test/propose/evidence.test.ts',
  ],
  { stdio: 'inherit', env: { ...process.env, EVIDENCE: 'all' } },
);
process.exitCode = status ?? 1;
