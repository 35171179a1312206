import { fileURLToPath } from 'node:url';

/** Path of a file that ships with the package (`schemas/…`, `mappings/…`), from `src/` and from `dist/` alike. */
export const packageFile = (...segments: readonly string[]): string =>
  fileURLToPath(new URL(['../..', ...segments].join('/'), import.meta.url));
