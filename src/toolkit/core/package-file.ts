import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Finds the nearest folder above with a package.json: sources, built modules and bundles lie at different depths. */
function findRoot(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('..', folder);
  return folder;
}

const ROOT = findRoot();

/** Path of a file that ships with the package (`schemas/…`, `mappings/…`), from `src/` and from `dist/` alike. */
export const packageFile = (...segments: readonly string[]): string =>
  fileURLToPath(new URL(segments.join('/'), ROOT));
