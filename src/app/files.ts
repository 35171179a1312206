import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stop } from '../toolkit/core/issue.js';
import { isWild } from '../toolkit/core/text.js';
import { type Opened, withOpened } from '../toolkit/documents/opened.js';
import { type Edit, editsOf } from '../toolkit/tables/edits.js';
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

/** What tables come in; a folder holds other things besides. */
const TABLE = /\.(xlsx|xlsm|csv|tsv|txt|zip|xml|json)$/i;

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

/** Makes a use case of work on files. */
export const onFiles =
  <O extends JobOptions>(
    work: (context: Context, opened: Opened, options: O, patterns: readonly string[]) => Promise<Outcome>,
  ): UseCase<O> =>
  (context, patterns, options) =>
    withFiles(patterns, options, (opened) => work(context, opened, options, patterns));

interface HashedFile {
  /** Base name, as places call it. */
  readonly file: string;
  readonly path: string;
  readonly sha256: string;
}

async function hashFile(path: string, edits: readonly Edit[]): Promise<HashedFile> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { end: false });
  if (edits.length > 0) hash.update(JSON.stringify(edits));
  return { file: basename(path), path: resolve(path), sha256: hash.digest('hex') };
}

/** Which files a run was made from, to know them again; one that was mended is another. */
export const hashFiles = (
  paths: readonly string[],
  edits: readonly Edit[] = [],
): Promise<readonly HashedFile[]> =>
  Promise.all(paths.map((path) => hashFile(path, editsOf(edits, basename(path)))));

/** Windows keeps rights elsewhere, and shows 666 for every file. */
const OTHERS = 0o077;

interface PrivateText {
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
    return { text, open: platform() !== 'win32' && (mode & OTHERS) !== 0 };
  } finally {
    await handle.close();
  }
}
