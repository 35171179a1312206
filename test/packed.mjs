// The package as a customer gets it: packed, and installed in a throw-away project that has none of our overrides.
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** npm as a script, so that any Node can run it. */
export const npm = [
  process.env.npm_execpath,
  join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
].find((path) => path?.endsWith('.js') && spawnSync(process.execPath, [path, '--version']).status === 0);

/** Runs a script to its good end; what it said, and what it warned of. */
export function run(cwd, script, args, node = process.execPath) {
  const { status, stdout, stderr } = spawnSync(node, [script, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === 0) return { said: stdout, warned: stderr };
  console.error(`${stdout}${stderr}`);
  throw new Error(`${script} ${args.join(' ')} ended with ${status}`);
}

/** Packs the project into a folder; the path of the tarball. */
export function pack(folder) {
  run(root, npm, ['pack', '--silent', '--pack-destination', folder]);
  return join(
    folder,
    readdirSync(folder).find((file) => file.endsWith('.tgz')),
  );
}

/** What npm says of the machine that it runs on is none of the package's business. */
const OF_MACHINE = /Unknown \w+ config/;

/** A line of npm 11 about scripts that it has not run; those of named packages are not needed, as the tests of the package show. */
const SCRIPTS = /^npm warn install-scripts\b/;
const NAMED_PACKAGE = /^npm warn install-scripts\s+(\S+)@\d\S* \(/;
const WORKS_WITHOUT_SCRIPT = ['@photostructure/sqlite'];
const isNeedlessScript = (line) =>
  SCRIPTS.test(line) &&
  WORKS_WITHOUT_SCRIPT.includes(NAMED_PACKAGE.exec(line)?.[1] ?? WORKS_WITHOUT_SCRIPT[0]);

/** Installs a tarball in an empty project by some Node; where it is. Throws on any warning. */
export function install(folder, tarball, node = process.execPath) {
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', type: 'module', private: true }),
  );
  const { warned } = run(
    folder,
    npm,
    ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball],
    node,
  );
  const warnings = warned
    .split('\n')
    .filter((line) => /warn/i.test(line) && !OF_MACHINE.test(line) && !isNeedlessScript(line));
  if (warnings.length > 0) throw new Error(`npm install warns:\n${warnings.join('\n')}`);
  return join(folder, 'node_modules', 'cargue');
}
