import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All temporary files of a run lie in one folder, which goes with it: tests and killed programs leave none behind. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-test-'));
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
