import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Options } from '../cli/options.js';
import { stop } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import { transactionOf } from '../families/rips/attention.js';
import { putInPlace } from '../report/put-in-place.js';
import type { Context } from './context.js';
import type { Job } from './job.js';
import { outputOf, refuseOutput } from './outputs.js';

const isPattern = (name: string): boolean => /[*?]/.test(name);

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'su',
  );

/** What tables come in; a folder holds other things besides. */
const TABLE = /\.(xlsx|xlsm|csv|tsv|txt|zip|xml)$/i;

/** In the order in which people see them; hidden files and the locks that Excel leaves (`~$`) are left out. */
async function tablesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && TABLE.test(entry.name) && !/^(\.|~\$)/.test(entry.name),
  );
  if (files.length === 0) stop('usage', { code: 'run/no-match', value: folder });
  return files
    .map((entry) => join(folder, entry.name))
    .sort(new Intl.Collator('es', { numeric: true }).compare);
}

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function matches(pattern: string): Promise<string[]> {
  const folder = dirname(pattern);
  const name = basename(pattern);
  const wanted = expression(name);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  // As in a shell, a hidden file needs a dot, and `~$` is the lock that Excel leaves beside an open book.
  const visible = entries.filter(
    (entry) => !entry.isDirectory() && (name.startsWith('.') || !/^(\.|~\$)/.test(entry.name)),
  );
  const found = visible.filter((entry) => wanted.test(entry.name)).map((entry) => join(folder, entry.name));
  if (found.length === 0) stop('usage', { code: 'run/no-match', value: pattern });
  return found.sort(new Intl.Collator('es', { numeric: true }).compare);
}

/**
 * The files of a call: `*` and `?` in the last part are expanded here, since not every shell does it. A name that
 * exists as it is stands for itself, a folder for the tables in it, and a file named twice is taken once.
 * @throws PipelineError('usage', run/no-match)
 */
export async function expandFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const files = new Map<string, string>();
  for (const pattern of patterns) {
    const plain = !isPattern(basename(pattern)) || existsSync(pattern);
    const found = !plain
      ? await matches(pattern)
      : (await isFolder(pattern))
        ? await tablesIn(pattern)
        : [pattern];
    for (const file of found) files.set(resolve(file), file);
  }
  return [...files.values()];
}

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

/** Windows keeps rights elsewhere, and shows 666 for every file. */
const OTHERS = 0o077;

export interface PrivateText {
  readonly text: string;
  /** Whether others than its owner may read or change the file. */
  readonly open: boolean;
}

/** A text file and who may read it, of one and the same file. Errors of the file system come through. */
export async function readWithRights(file: string): Promise<PrivateText> {
  const handle = await open(file, 'r');
  try {
    const { mode } = await handle.stat();
    const text = (await handle.readFile('utf8')).replace(/^\uFEFF/, '');
    return { text, open: process.platform !== 'win32' && (mode & OTHERS) !== 0 };
  } finally {
    await handle.close();
  }
}

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
