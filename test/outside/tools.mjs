// Tools of other people that look at the project from outside; nothing of the project needs them, so they are installed when asked for.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../packed.mjs';

export const here = dirname(fileURLToPath(import.meta.url));

/** Runs a script in this folder to its good end; what it said. */
export function run(script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: here,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status === 0) return stdout;
  console.error(`${stdout}${stderr}`);
  throw new Error(`${script} ${args.join(' ')} ended with ${status}`);
}

const stamp = join(here, 'node_modules', '.installed');
const lock = createHash('sha256')
  .update(readFileSync(join(here, 'package-lock.json')))
  .digest('hex');

/** The path of a tool; all are there once this is called. */
export function tool(...path) {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    run(npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error');
    writeFileSync(stamp, lock);
  }
  return join(here, 'node_modules', ...path);
}
