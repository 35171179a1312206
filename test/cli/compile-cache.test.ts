import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from './run-cli.js';

const folder = freshFolder();
const workspace = join(folder, 'workspace');
const preload = join(folder, 'preload.cjs');

/** Says of each compiled script whether it was kept, and whether V8 took it. */
writeFileSync(
  preload,
  `const vm = require('node:vm');
const { Script } = vm;
const uses = { compiled: 0, taken: 0, refused: 0 };
vm.Script = class extends Script {
  constructor(text, options) {
    super(text, options);
    uses[options.cachedData === undefined ? 'compiled' : this.cachedDataRejected ? 'refused' : 'taken'] += 1;
  }
};
process.on('exit', () => console.error('uses ' + JSON.stringify(uses)));
`,
);

const { NODE_COMPILE_CACHE: _, ...environment } = process.env;

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', preload, 'dist/cli/main.js', ...args],
    { encoding: 'utf8', env: { ...environment, CARGUE_WORKSPACE: workspace } },
  );
  const [, uses = '{}'] = /^uses (.*)$/m.exec(stderr) ?? [];
  return { status, stdout, uses: JSON.parse(uses) as Record<'compiled' | 'taken' | 'refused', number> };
}

const CHECK = [
  'check',
  'samples/payroll/nomina-octubre-2026.xlsx',
  '--params',
  'samples/payroll/params.json',
];
const hasOwn = 'enableCompileCache' in module;

test('nothing is kept without a workspace', () => {
  expect(run('schema', 'list').status).toBe(0);
  expect(existsSync(workspace)).toBe(false);
});

test.runIf(hasOwn)('Node keeps what it compiles', () => {
  mkdirSync(workspace);
  expect(run('schema', 'list').status).toBe(0);
  expect(readdirSync(join(workspace, 'compiled')).length).toBeGreaterThan(0);
});

test.skipIf(hasOwn)('what is compiled is kept for the next call, and made anew if it is damaged', () => {
  mkdirSync(workspace);
  const list = run('schema', 'list');
  expect(list.status).toBe(0);
  expect(list.uses).toMatchObject({ taken: 0, refused: 0 });
  const kept = join(workspace, 'compiled', process.version);
  const files = () => readdirSync(kept).map((name) => join(kept, name));
  if (process.platform !== 'win32')
    for (const file of files()) expect(statSync(file).mode & 0o077, file).toBe(0);

  // A command adds what it needs the first time, and finds it the second.
  const first = run(...CHECK);
  expect(first.status).toBe(0);
  expect(first.uses.taken).toBeGreaterThan(0);
  expect(first.uses.compiled).toBeGreaterThan(0);
  const second = run(...CHECK);
  expect(second.uses).toEqual({ compiled: 0, taken: first.uses.taken + first.uses.compiled, refused: 0 });
  expect(second.stdout).toBe(first.stdout);

  for (const file of files()) if (statSync(file).size > 0) writeFileSync(file, 'not compiled code');
  const damaged = run(...CHECK);
  expect(damaged.uses).toEqual({ compiled: 0, taken: 0, refused: second.uses.taken });
  expect(damaged).toMatchObject({ status: 0, stdout: first.stdout });
  expect(run(...CHECK).uses).toEqual(second.uses);
});
