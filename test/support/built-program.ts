import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests that start the program start what is built, as people do; it must be of these sources. */
export default function setup(): void {
  const script = fileURLToPath(new URL('../../src/setup.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`src/setup.mjs ended with ${status}`);
}
