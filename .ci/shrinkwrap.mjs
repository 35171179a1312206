// Writes npm-shrinkwrap.json from the lock file, for the time of `npm pack`: who installs the package gets the versions that
// were tested. `--remove` takes it away again, as npm would prefer it to the lock file.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'npm-shrinkwrap.json');

/** Returns a lock file without packages of development, and without where packages were fetched from. */
export function shrinkwrapOf({ packages, ...lock }) {
  const kept = Object.entries(packages).flatMap(([path, { resolved, funding, devDependencies, ...entry }]) =>
    entry.dev || entry.devOptional ? [] : [[path, entry]],
  );
  return { ...lock, packages: Object.fromEntries(kept) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--remove')) rmSync(target, { force: true });
  else {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    writeFileSync(target, `${JSON.stringify(shrinkwrapOf(lock), undefined, 2)}\n`);
  }
}
