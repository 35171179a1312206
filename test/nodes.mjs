// On each Node that `engines` promises: the tarball installs and runs its demo without a warning, and every form of workbook is read.
// The binaries come from the npm package `node`.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, npm, pack, root, run } from './packed.mjs';

const VERSIONS = ['20.19.0', '22', '24', '26'];
const TESTS = [
  'test/core/engine.test.ts',
  'test/tables/leaving-early.test.ts',
  'test/tables/workbook-forms.test.ts',
];

const folder = mkdtempSync(join(tmpdir(), 'cargue-nodes-'));

try {
  // vitest says nothing of a file that is not there, as long as there is another.
  for (const test of TESTS) if (!existsSync(join(root, test))) throw new Error(`${test} is not there`);
  const tarball = pack(folder);
  const binaries = join(folder, 'nodes');
  mkdirSync(binaries);
  writeFileSync(join(binaries, 'package.json'), '{ "private": true }');
  const packages = VERSIONS.map((version) => `node-${version}@npm:node@${version}`);
  run(binaries, npm, ['install', '--silent', '--no-audit', '--no-fund', ...packages]);
  for (const version of VERSIONS) {
    const node = join(binaries, 'node_modules', `node-${version}`, 'bin', 'node');
    const project = join(folder, version);
    mkdirSync(project);
    const installed = install(project, tarball, node);
    const { said, warned } = run(project, join(installed, 'dist', 'cli', 'main.js'), ['demo'], node);
    if (/warning/i.test(said + warned)) throw new Error(`the demo warns:\n${said}${warned}`);
    if (!existsSync(join(project, 'demo-report.xlsx'))) throw new Error('the demo wrote no report');
    const vitest = join('node_modules', 'vitest', 'vitest.mjs');
    run(root, vitest, ['run', '--config', 'test/vitest.config.ts', ...TESTS], node);
    const { said: name } = run(root, '--version', [], node);
    console.log(`ok: ${name.trim()} installs it, runs the demo and reads every form of workbook`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
