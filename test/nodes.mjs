// Reads workbooks, and converts the sample payroll, on each Node that `engines` promises; their binaries come from the npm package `node`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSIONS = ['20.19.0', '22', '24'];
const TESTS = ['test/tables/leaving-early.test.ts', 'test/tables/workbook-forms.test.ts'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'cargue-nodes-'));

function run(cwd, command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status === 0) return stdout;
  console.error(`${stdout}${stderr}`);
  throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}

try {
  // vitest says nothing of a file that is not there, as long as there is another.
  for (const test of TESTS) if (!existsSync(join(root, test))) throw new Error(`${test} is not there`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const packages = VERSIONS.map((version) => `node-${version}@npm:node@${version}`);
  run(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', ...packages);
  for (const version of VERSIONS) {
    const node = join(folder, 'node_modules', `node-${version}`, 'bin', 'node');
    const documents = join(folder, `${version}.jsonl`);
    const sample = join('samples', 'payroll');
    run(root, node, 'node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...TESTS);
    run(
      root,
      node,
      'dist/cli/main.js',
      'convert',
      join(sample, 'nomina-octubre-2026.xlsx'),
      '-m',
      'payroll/wide',
      '--params',
      join(sample, 'params.json'),
      '-o',
      documents,
    );
    const count = readFileSync(documents, 'utf8').trim().split('\n').length;
    if (count !== 25) throw new Error(`${count} documents on Node ${version}`);
    console.log(
      `ok: ${run(root, node, '--version').trim()} reads every form of workbook, and makes 25 documents`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
