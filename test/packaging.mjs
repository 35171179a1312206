// Packs the project, installs it in a throw-away project without our overrides, and uses it there.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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

const TSC = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** Compiles the program of the throw-away project as it would itself; library types are checked too. */
function compile(moduleKind, resolution, ...more) {
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
  const modules = ['--module', moduleKind, '--moduleResolution', resolution];
  run(folder, TSC, 'main.ts', '--strict', '--target', 'es2022', ...modules, ...types, ...more);
}

try {
  run(root, npm, 'pack', '--silent', '--pack-destination', folder);
  const [tarball] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', type: 'module', private: true }),
  );
  run(folder, npm, 'install', '--silent', '--no-audit', '--no-fund', join(folder, tarball));

  const installed = join(folder, 'node_modules', 'cargue');
  const cli = join(installed, 'dist', 'cli', 'main.js');
  const sample = join(installed, 'samples', 'payroll');
  const documents = join(folder, 'documents.jsonl');
  must(run(folder, cli, '--help').includes('convert'), 'the command answers');
  run(
    folder,
    cli,
    'convert',
    join(sample, 'nomina-octubre-2026.xlsx'),
    '-m',
    join(installed, 'mappings', 'payroll', 'wide.yaml'),
    '--params',
    join(sample, 'params.json'),
    '-o',
    documents,
  );
  const lines = readFileSync(documents, 'utf8').trim().split('\n');
  must(lines.length === 25, 'it converts the sample payroll to 25 documents');
  const api = JSON.parse(run(folder, cli, 'schema', 'openapi'));
  must(Object.keys(api.paths).length > 30, 'it prints its OpenAPI document');

  const starters = ['cargue.cmd', 'cargue.command'].map((name) => join(installed, name));
  must(starters.every(existsSync), 'a double-click starts it on Windows and macOS');
  if (process.platform === 'win32') {
    const { stdout } = spawnSync(starters[0], ['--help'], { shell: true, encoding: 'utf8' });
    must(stdout.includes('--no-open'), 'by a .cmd that works');
  } else {
    must((statSync(starters[1]).mode & 0o111) !== 0, 'by a .command that may be executed');
    const { stdout } = spawnSync(starters[1], ['--help'], { encoding: 'utf8' });
    must(stdout.includes('--no-open'), 'and works');
  }

  copyFileSync(join(root, 'test', 'consumer', 'main.ts'), join(folder, 'main.ts'));
  compile('esnext', 'bundler', '--noEmit');
  must(true, 'a TypeScript project compiles against it with a bundler');
  compile('nodenext', 'nodenext');
  must(true, 'and with Node');
  console.log(run(folder, join(folder, 'main.js'), documents).trim());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
