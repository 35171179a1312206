// Packs the project, installs it in a throw-away project without our overrides, looks at what is there, and uses it.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run as outside, tool } from './outside/tools.mjs';
import { install, npm, pack, root, run as runScript } from './packed.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cargue-pack-'));
const project = join(folder, 'project');
const run = (script, ...args) => runScript(project, script, args).said;

function must(condition, what) {
  if (!condition) throw new Error(what);
  console.log(`ok: ${what}`);
}

const TSC = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** Compiles the program of the throw-away project as it would itself; library types are checked too. */
function compile(moduleKind, resolution, ...more) {
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
  const modules = ['--module', moduleKind, '--moduleResolution', resolution];
  run(TSC, 'main.ts', '--strict', '--target', 'es2022', ...modules, ...types, ...more);
}

/** Every folder of a package below `node_modules`, nested ones too. */
function packagesIn(modules) {
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => join(name, inner)) : [name],
    );
  return names.flatMap((name) => [join(modules, name), ...packagesIn(join(modules, name, 'node_modules'))]);
}

/** As its package.json says, or the title of the licence that lies beside it. */
function licenceOf(path) {
  const { license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const file = join(path, 'LICENSE');
  const [title = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return license ?? (title.trim() === 'MIT License' ? 'MIT' : undefined);
}

const FREE = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', '0BSD'];
const LARGEST = 2_000_000;

/** What the package is made of; what else lies in the project stays there. */
const CONTENTS = [
  'LEAME.md',
  'LICENSE',
  'README.md',
  'cargue.cmd',
  'cargue.command',
  'dist',
  'docs',
  'mappings',
  'npm-shrinkwrap.json',
  'package.json',
  'samples',
  'schemas',
  'src',
];

try {
  mkdirSync(project);
  const tarball = pack(folder);
  must(
    statSync(tarball).size <= LARGEST,
    `the package has at most ${LARGEST} bytes: ${statSync(tarball).size}`,
  );
  const installed = install(project, tarball);
  must(true, 'it installs without a warning');
  must(readdirSync(installed).sort().join() === CONTENTS.join(), 'it holds what it should, and no more');
  // As the image and the action install it.
  const own = join(folder, 'image', 'cargue');
  mkdirSync(own, { recursive: true });
  spawnSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1']);
  for (const words of [
    ['pkg', 'delete', 'devDependencies'],
    ['ci', '--prefer-offline', '--no-audit', '--no-fund'],
  ])
    runScript(own, npm, words);
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const versions = new Map(
    packagesIn(join(own, 'node_modules')).map((path) => [
      relative(own, path).replaceAll('\\', '/'),
      JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version,
    ]),
  );
  const strays = [...versions].filter(
    ([path, version]) => locked[path]?.version !== version || locked[path].dev,
  );
  must(
    strays.length === 0,
    `each of its ${versions.size} packages has the version that was tested ${strays}`,
  );
  const missing = Object.entries(locked).filter(
    ([path, { dev, optional }]) => path !== '' && !dev && !optional && !versions.has(path),
  );
  must(missing.length === 0, `and none is missing ${missing.map(([path]) => path)}`);
  const ownCli = join(own, 'dist', 'cli', 'main.js');
  must(runScript(own, ownCli, ['--help']).said.includes('convert'), 'and the command answers with them');
  // What the pages and the image say of a journal in PostgreSQL, whose packages are optional.
  const away = { CARGUE_JOURNAL: 'postgres://127.0.0.1:1/cargue', CARGUE_WORKSPACE: join(folder, 'ws') };
  const lookup = (program) =>
    spawnSync(process.execPath, [program, 'status', '--all', '--json'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, ...away },
    });
  const endsWith = (program, status, code) => {
    const end = lookup(program);
    return end.status === status && end.stdout.includes(`"${code}"`);
  };
  must(endsWith(ownCli, 2, 'journal/needs-package'), 'without its packages a database is refused by name');
  const [, image] = /npm (install --prefix .*?) \\$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  runScript(own, npm, [...image.split(' '), '--prefer-offline']);
  must(endsWith(ownCli, 3, 'journal/away'), 'the image has what a database needs');
  const [, beside] = /^npm (install -g .*?) +#/m.exec(
    readFileSync(join(root, 'docs', 'operations.md'), 'utf8'),
  );
  const everywhere = join(folder, 'global');
  mkdirSync(everywhere);
  for (const words of [['install', '-g', tarball], beside.split(' ')])
    runScript(folder, npm, [...words, '--prefix', everywhere, '--prefer-offline', '--no-audit', '--no-fund']);
  const modules = join(everywhere, ...(process.platform === 'win32' ? [] : ['lib']), 'node_modules');
  must(
    endsWith(join(modules, 'cargue', 'dist', 'cli', 'main.js'), 3, 'journal/away'),
    'beside a global installation the packages of a database are found',
  );
  const licensed = ['dist/report/exceljs.LICENCES.txt', 'dist/program/LICENCES.txt'];
  const pages = ['src/sandbox/FIDELITY.md', ...licensed];
  must(
    pages.every((page) => existsSync(join(installed, page))),
    'the pages that the README refers to are in it, and what bundled packages want said',
  );
  must(readdirSync(join(installed, 'src')).join() === 'sandbox', 'and none of the sources');
  const licences = packagesIn(join(project, 'node_modules')).map(licenceOf);
  const odd = licences.filter((licence) => !FREE.includes(licence));
  must(
    licences.length > 40 && odd.length === 0,
    `all ${licences.length} packages are freely licensed ${odd}`,
  );
  outside(tool('publint', 'src', 'cli.js'), tarball, '--strict');
  must(true, 'publint finds nothing');
  outside(
    tool('@arethetypeswrong', 'cli', 'dist', 'index.js'),
    tarball,
    '--profile',
    'esm-only',
    '--exclude-entrypoints',
    'schemas',
  );
  must(true, 'attw finds nothing');

  const cli = join(installed, 'dist', 'cli', 'main.js');
  const sample = join(installed, 'samples', 'payroll');
  const documents = join(project, 'documents.jsonl');
  must(run(cli, '--help').includes('convert'), 'the command answers');
  run(
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
  const api = JSON.parse(run(cli, 'schema', 'openapi'));
  must(Object.keys(api.paths).length > 30, 'it prints its OpenAPI document');
  run(cli, 'demo');
  must(existsSync(join(project, 'demo-report.xlsx')), 'its demo writes a report');

  // As people have it: installed globally, with the packages of a database beside it.
  process.env['CARGUE_TEST_PROGRAM'] = join(modules, 'cargue', 'dist', 'cli', 'main.js');
  runScript(root, join(root, 'node_modules', 'vitest', 'vitest.mjs'), [
    ...['run', '--config', 'test/installed.config.ts'],
  ]);
  delete process.env['CARGUE_TEST_PROGRAM'];
  must(true, 'what pages and help say to type ends as it should');

  const starters = ['cargue.cmd', 'cargue.command'].map((name) => join(installed, name));
  must(starters.every(existsSync), 'a double-click starts it on Windows and macOS');
  if (process.platform === 'win32') {
    const { stdout } = spawnSync(starters[0], ['web', '--help'], { shell: true, encoding: 'utf8' });
    must(stdout.includes('--no-open'), 'by a .cmd that works');
  } else {
    must((statSync(starters[1]).mode & 0o111) !== 0, 'by a .command that may be executed');
    const { stdout } = spawnSync(starters[1], ['web', '--help'], { encoding: 'utf8' });
    must(stdout.includes('--no-open'), 'and works');
  }

  copyFileSync(join(root, 'test', 'consumer', 'main.ts'), join(project, 'main.ts'));
  compile('esnext', 'bundler', '--noEmit');
  must(true, 'a TypeScript project compiles against it with a bundler');
  compile('nodenext', 'nodenext');
  must(true, 'and with Node');
  console.log(run(join(project, 'main.js'), documents).trim());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
