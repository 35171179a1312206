// Packs the project, installs it in a throw-away project without our overrides, and uses it there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'cargue-pack-'));

function run(cwd, script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(stdout + stderr);
    throw new Error(`${script} ${args.join(' ')} ended with ${status}`);
  }
  return stdout;
}

function must(condition, what) {
  if (!condition) throw new Error(what);
  console.log(`ok: ${what}`);
}

const npm = process.env.npm_execpath?.endsWith('.js')
  ? process.env.npm_execpath
  : [
      join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
      join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    ].find((path) => spawnSync(process.execPath, [path, '--version']).status === 0);

try {
  run(root, npm, 'pack', '--silent', '--pack-destination', folder);
  const [tarball] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', type: 'module', private: true }),
  );
  run(folder, npm, 'install', '--silent', '--no-audit', '--no-fund', join(folder, tarball));

  const cli = join(folder, 'node_modules', 'cargue', 'dist', 'cli', 'main.js');
  const sample = join(folder, 'node_modules', 'cargue', 'samples', 'payroll');
  must(run(folder, cli, '--help').includes('convert'), 'the command answers');
  const lines = run(
    folder,
    cli,
    'convert',
    join(sample, 'nomina-octubre-2026.xlsx'),
    '-m',
    join(folder, 'node_modules', 'cargue', 'mappings', 'payroll', 'wide.yaml'),
    '--params',
    join(sample, 'params.json'),
  );
  must(lines.trim().split('\n').length === 25, 'it converts the sample payroll to 25 documents');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
