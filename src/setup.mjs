// Makes a fresh clone ready: installs from the lock file, generates what is missing, builds what has changed.
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);

/** Returns a hash of files and folders, by name and content. */
function fingerprint(...paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const full = join(path, entry.name);
      if (entry.isDirectory()) visit(full);
      else hash.update(full.slice(root.length)).update(readFileSync(full));
    }
  };
  for (const path of paths) {
    if (path.includes('.')) hash.update(readFileSync(at(path)));
    else visit(at(path));
  }
  return hash.digest('hex');
}

/** Runs a step unless its stamp says that it was done for the same input. */
function once(stamp, input, step) {
  const file = at(stamp);
  if (existsSync(file) && readFileSync(file, 'utf8') === input) return;
  step();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, input);
}

function run(what, script, ...args) {
  console.error(`cargue: ${what}…`);
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error(`cargue: ${what} failed`);
    process.exit(status ?? 1);
  }
}

/** Returns the path of npm's script: Windows refuses to start npm.cmd without a shell. */
function npmScript() {
  const candidates = [
    process.env.npm_execpath,
    join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const found = candidates.find((path) => path?.endsWith('.js') && existsSync(path));
  if (found === undefined) {
    console.error('cargue: npm was not found; run `npm ci` first');
    process.exit(1);
  }
  return found;
}

once('node_modules/.cargue-installed', fingerprint('package-lock.json'), () =>
  run('installing', npmScript(), 'ci', '--no-audit', '--no-fund', '--loglevel=error'),
);
if (!existsSync(at('src/generated/operations.ts')))
  run('generating', at('node_modules/tsx/dist/cli.mjs'), 'src/codegen/main.ts');
once('dist/.built', fingerprint('src', 'tsconfig.json', 'package-lock.json'), () => {
  rmSync(at('dist'), { recursive: true, force: true });
  run('building', at('node_modules/typescript/bin/tsc'), '-p', '.');
  const vite = (what, config) =>
    run(what, at('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error', '--config', config);
  vite('building the page', 'src/page/client/vite.config.ts');
  vite('building the writer of workbooks', 'src/report/vite.config.mjs');
  vite('building the program', 'src/cli/vite.config.mjs');
});
once('dist/.shipped', fingerprint('mappings', 'schemas'), () =>
  run('checking the ready-made mappings', at('dist/built.js')),
);
