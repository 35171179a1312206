import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stop } from '../issues/pipeline-error.js';
import { putInPlace } from '../report/put-in-place.js';
import { transactionOf } from '../rips/attention.js';
import type { JsonObject } from '../values/json.js';
import type { Context } from './context.js';
import type { Job } from './job.js';
import type { Options } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';

/** Personal data in full: for its owner alone. */
const OWN_FOLDER = 0o700;

const noteOf = (attention: JsonObject): string =>
  String((attention['document'] as JsonObject | undefined)?.['note_number'] ?? '');

/** A number as a name that every system takes. */
const fileName = (number: string): string =>
  `${number.replace(/[^\p{L}\p{N}._-]+/gu, '_') || 'paquete'}.json`;

/** Writes the national JSON of packages, a file each. */
export interface PackageFiles {
  write(attention: JsonObject): Promise<void>;
}

/**
 * Files of a folder that is made when missing, named by the number of the package; one of an earlier call is written anew.
 * @throws PipelineError('usage', run/no-output, run/not-packages, run/output-exists); `output` when the folder cannot be written
 */
export async function openPackageFiles(
  context: Context,
  { files, mapping, params }: Job,
  options: Options,
): Promise<PackageFiles> {
  const { output: folder } = options;
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
  const { mayReplace, placed } = outputOf(context, options, 'package');
  const written = new Set<string>();
  return {
    async write(attention) {
      const output = join(folder, fileName(noteOf(attention)));
      const isNew = !written.has(output.toLowerCase());
      if (isNew) refuseOutput(context, options, { purpose: 'package', output, files });
      const text = `${JSON.stringify(transactionOf(attention, typeof nit === 'string' ? nit : null), null, 2)}\n`;
      await putInPlace(output, (temporary) => writeFile(temporary, text), {
        // Two numbers that differ in signs only would have one name.
        mayReplace: async (file) => !written.has(file.toLowerCase()) && mayReplace!(file),
        async placed(file) {
          written.add(file.toLowerCase());
          await placed!(file);
        },
      });
    },
  };
}
