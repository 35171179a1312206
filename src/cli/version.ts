import { readFileSync } from 'node:fs';
import { packageFile } from '../values/package-file.js';

/** As package.json has it. */
export const programVersion = (): string =>
  (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
