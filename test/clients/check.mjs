// The interface as others see it: clients made of our OpenAPI by public generators are compiled against our bodies, and call everything.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const made = join(here, 'made');

function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: here,
    encoding: 'utf8',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (status === 0) return stdout;
  console.error(`${stdout}${stderr}`);
  throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}

const tool = (...path) => join(here, 'node_modules', ...path);
const stamp = tool('.installed');
const lock = createHash('sha256')
  .update(readFileSync(join(here, 'package-lock.json')))
  .digest('hex');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  run('npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(stamp, lock);
}

rmSync(made, { recursive: true, force: true });
mkdirSync(made);
const api = join(made, 'openapi.json');
writeFileSync(api, run(process.execPath, join(root, 'dist', 'cli', 'main.js'), 'schema', 'openapi'));
run(
  process.execPath,
  tool('openapi-typescript', 'bin', 'cli.js'),
  api,
  '-o',
  join(made, 'openapi-typescript.ts'),
);
run(process.execPath, tool('@hey-api', 'openapi-ts', 'bin', 'run.js'), '-i', api, '-o', join(made, 'hey'));
run(process.execPath, tool('typescript', 'bin', 'tsc'), '-p', '.');
process.stdout.write(run(process.execPath, join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), 'main.ts'));
