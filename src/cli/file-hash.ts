import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface HashedFile {
  /** Base name, as places call it. */
  readonly file: string;
  readonly path: string;
  readonly sha256: string;
}

async function hashFile(path: string): Promise<HashedFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { file: basename(path), path: resolve(path), sha256: hash.digest('hex') };
}

/** Which files a run was made from, to know them again. */
export const hashFiles = (paths: readonly string[]): Promise<readonly HashedFile[]> =>
  Promise.all(paths.map(hashFile));
