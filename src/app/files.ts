import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { stop } from '../toolkit/core/issue.js';
import { isWild } from '../toolkit/core/text.js';
import { type Opened, withOpened } from '../toolkit/documents/opened.js';
import { type Edit, editsOf } from '../toolkit/tables/edits.js';
import { formatNamed } from '../toolkit/tables/formats.js';
import type { InputFile } from '../toolkit/tables/table.js';
import type { Context, Outcome, UseCase } from './context.js';
import type { JobOptions } from './options.js';

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'su',
  );

/** Endings of files taken from a folder, besides those of registered formats. */
const TABLE = /\.(xlsx|xlsm|csv|tsv|txt|zip|json)$/i;

/** Lists the tables of a folder in natural order; hidden files and Excel's lock files (`~$`) are skipped. */
async function tablesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const isTable = (name: string): boolean => TABLE.test(name) || formatNamed(name) !== undefined;
  const files = entries.filter(
    (entry) => entry.isFile() && isTable(entry.name) && !/^(\.|~\$)/.test(entry.name),
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

/** Throws if there is no such folder. @throws PipelineError('usage', inbox/no-folder) */
export async function refuseNoFolder(folder: string): Promise<void> {
  if (!(await isFolder(folder))) stop('usage', { code: 'inbox/no-folder', value: folder });
}

async function matches(pattern: string): Promise<string[]> {
  const folder = dirname(pattern);
  const name = basename(pattern);
  const wanted = expression(name);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  // A pattern finds hidden files only if it begins with a dot, as in a shell; `~$` is Excel's lock file.
  const visible = entries.filter(
    (entry) => !entry.isDirectory() && (name.startsWith('.') || !/^(\.|~\$)/.test(entry.name)),
  );
  const found = visible.filter((entry) => wanted.test(entry.name)).map((entry) => join(folder, entry.name));
  if (found.length === 0) stop('usage', { code: 'run/no-match', value: pattern });
  return found.sort(new Intl.Collator('es', { numeric: true }).compare);
}

/**
 * Expands `*` and `?` in the last part of each pattern, since not every shell does. An existing name is taken
 * literally, a folder stands for its tables, and a file named twice is taken once.
 * @throws PipelineError('usage', run/no-match)
 */
async function expandFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const files = new Map<string, string>();
  for (const pattern of patterns) {
    const plain = !isWild(basename(pattern)) || existsSync(pattern);
    const found = !plain
      ? await matches(pattern)
      : (await isFolder(pattern))
        ? await tablesIn(pattern)
        : [pattern];
    for (const file of found) files.set(resolve(file), file);
  }
  return [...files.values()];
}

/** Does some work on the files of a call, which are opened once, and closes them after it. */
export const withFiles = async <T>(
  patterns: readonly string[],
  { edits }: Pick<JobOptions, 'edits'>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> => withOpened(await expandFiles(patterns), work, edits);

/** Does some work on one file, or on the parts of a zip, and closes it after it. */
export const withInputs = <T>(
  path: string,
  work: (inputs: readonly InputFile[]) => Promise<T>,
  edits?: readonly Edit[],
): Promise<T> => withOpened([path], async (opened) => work(await opened.inputs()), edits);

/** Makes a use case of work on files. */
export const onFiles =
  <O extends JobOptions>(
    work: (context: Context, opened: Opened, options: O, patterns: readonly string[]) => Promise<Outcome>,
  ): UseCase<O> =>
  (context, patterns, options) =>
    withFiles(patterns, options, (opened) => work(context, opened, options, patterns));

async function hashFile(path: string, edits: readonly Edit[]) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { end: false });
  if (edits.length > 0) hash.update(JSON.stringify(edits));
  return { file: basename(path), path: resolve(path), sha256: hash.digest('hex') };
}

/** Hashes the files of a run with their edits, to recognise them later; `file` is the base name that places have. */
export const hashFiles = (paths: readonly string[], edits: readonly Edit[] = []) =>
  Promise.all(paths.map((path) => hashFile(path, editsOf(edits, basename(path)))));

/** Writes lines to a file, waiting for a slow disk, until `work` ends. */
export async function writeLines<T>(
  path: string,
  work: (write: (line: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const file = createWriteStream(path);
  const closed = finished(file);
  closed.catch(() => undefined); // checked below, when all is written
  try {
    return await work(async (line) => {
      file.write(`${line}\n`);
      if (file.errored) throw file.errored;
      if (file.writableNeedDrain) await once(file, 'drain');
    });
  } finally {
    file.end();
    await closed;
  }
}

/** Permission bits of group and others. Windows shows 666 for every file. */
const GROUP_AND_OTHERS = 0o077;

/**
 * Reads a text file, and whether others than its owner may read or change it, through one handle. File system errors
 * pass through.
 */
export async function readWithRights(file: string) {
  const handle = await open(file, 'r');
  try {
    const { mode } = await handle.stat();
    const text = (await handle.readFile('utf8')).replace(/^\uFEFF/, '');
    return { text, isOpenToOthers: platform() !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0 };
  } finally {
    await handle.close();
  }
}
