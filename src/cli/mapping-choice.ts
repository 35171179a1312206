import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { stop } from '../issues/pipeline-error.js';
import { packageFile } from '../values/package-file.js';

const EXTENSION = '.yaml';

/** Names of the ready-made mappings: `payroll/wide`. */
export async function readyMappings(): Promise<readonly string[]> {
  const folder = packageFile('mappings');
  const found = await readdir(folder, { recursive: true }).catch(() => []);
  return found
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(EXTENSION) && !file.startsWith('synonyms/'))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

/**
 * The mapping's file: a path, or the name of a ready-made one.
 * @throws PipelineError('usage', run/no-mapping or run/mapping-not-found)
 */
export async function chooseMapping(given: string | undefined): Promise<string> {
  if (given !== undefined && existsSync(given)) return given;
  const names = await readyMappings();
  const ready = names.join(', ');
  if (given === undefined) return stop('usage', { code: 'run/no-mapping', params: { ready } });
  const name = given
    .replaceAll('\\', '/')
    .replace(/^mappings\//, '')
    .replace(/\.yaml$/, '');
  if (names.includes(name)) return packageFile('mappings', `${name}${EXTENSION}`);
  return stop('usage', { code: 'run/mapping-not-found', value: given, params: { ready } });
}
