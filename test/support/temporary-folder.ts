import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps it in memory: a journal is written to the disk at every commit, and the disk of the machine is not what is tested. */
const MEMORY = '/dev/shm';

/** Database servers whose workers were ended: by themselves they would notice within a minute. */
function endServers(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.startsWith('cargue-postgres-')))
    try {
      const [pid] = readFileSync(join(folder, name, 'data', 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
    } catch {
      // It was stopped.
    }
}

/** All temporary files of a run lie in one folder, which goes with it: tests and killed programs leave none behind. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'cargue-test-'));
  chmodSync(folder, 0o711); // a database server runs in it as another user
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;
  // Programs that tests start take what earlier ones compiled.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  return () => {
    endServers(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
