import { chmod, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { stop } from '../issues/pipeline-error.js';
import { transactionOf } from '../rips/attention.js';
import type { JsonObject } from '../values/json.js';
import type { Job } from './job.js';

/** Personal data in full: for its owner alone. */
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;

const noteOf = (attention: JsonObject): string =>
  String((attention['document'] as JsonObject | undefined)?.['note_number'] ?? '');

/** A number as a name that every system takes. */
const fileName = (number: string): string =>
  `${number.replace(/[^\p{L}\p{N}._-]+/gu, '_') || 'paquete'}.json`;

/** Writes the national JSON of packages, a file each. */
export interface PackageFiles {
  write(attention: JsonObject): Promise<void>;
  readonly count: number;
}

/**
 * Files of a folder that is made when missing, named by the number of the package: a file of that name is written anew.
 * @throws PipelineError('usage', run/no-output or run/not-packages); `output` when the folder cannot be written
 */
export async function openPackageFiles(
  { mapping, params }: Job,
  folder: string | undefined,
): Promise<PackageFiles> {
  if (folder === undefined) stop('usage', { code: 'run/no-output-folder' });
  const other = mapping.targets.find(({ schema }) => schema !== 'rips/attention');
  if (other !== undefined) stop('usage', { code: 'run/not-packages', value: other.schema });
  const nit = params.values['numDocumentoIdObligado'];
  await mkdir(folder, { recursive: true, mode: OWN_FOLDER }).catch((cause: NodeJS.ErrnoException) =>
    stop(
      'output',
      { code: 'run/folder-not-writable', value: folder, params: { reason: cause.code ?? '' } },
      cause,
    ),
  );
  let count = 0;
  return {
    async write(attention) {
      const path = join(folder, fileName(noteOf(attention)));
      try {
        const file = await open(path, 'w', OWN_FILE);
        try {
          await file.writeFile(
            `${JSON.stringify(transactionOf(attention, typeof nit === 'string' ? nit : null), null, 2)}\n`,
          );
        } finally {
          await file.close();
        }
        await chmod(path, OWN_FILE);
      } catch (cause) {
        const { code = '' } = cause as NodeJS.ErrnoException;
        stop('output', { code: 'run/folder-not-writable', value: folder, params: { reason: code } }, cause);
      }
      count += 1;
    },
    get count() {
      return count;
    },
  };
}
