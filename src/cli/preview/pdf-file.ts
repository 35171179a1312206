import { link, lstat, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { stop } from '../../issues/pipeline-error.js';
import { withTemporary } from '../../report/put-in-place.js';

const MAGIC = '%PDF-';
const LONGEST_PART = 40;

/** Letters and digits only: no path, no name that some system keeps for itself, no two that differ by case. */
const part = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '_').slice(0, LONGEST_PART) || 'x';

/** `NOM12-9000100037.pdf`: number and worker's document. */
export const pdfName = (number: string, worker: string): string => `${part(number)}-${part(worker)}.pdf`;

/** The bytes of a PDF that came as base64, plain or as a data address; undefined when it is none. */
export function decodePdf(text: string): Buffer | undefined {
  const base64 = text.replace(/^data:application\/pdf;base64,/i, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.subarray(0, MAGIC.length).toString('latin1') === MAGIC ? bytes : undefined;
}

const notWritable = (value: string, error: unknown): never =>
  stop('output', { code: 'preview/not-writable', value, params: { reason: codeOf(error) } }, error);

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/**
 * Makes the folder, closed to others when it is new.
 * @throws PipelineError('output', preview/not-writable)
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    notWritable(folder, error);
  }
}

/** What has that name: nothing, a PDF, or something that is left alone. */
export async function whatIsThere(file: string): Promise<'nothing' | 'pdf' | 'other'> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return 'nothing';
  if (!found.isFile()) return 'other';
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return 'other';
  try {
    const { buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1') === MAGIC ? 'pdf' : 'other';
  } finally {
    await handle.close();
  }
}

/** File systems without hard links; the name was free a moment ago. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Writes a file that did not exist, readable by its owner alone, whole or not at all. False when the name was taken.
 * @throws PipelineError('output', preview/not-writable)
 */
export async function writeNew(folder: string, name: string, bytes: Buffer): Promise<boolean> {
  const file = join(folder, name);
  try {
    return await withTemporary(file, async (temporary) => {
      const handle = await open(temporary, 'r+');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      // Unlike a rename, a link never takes the place of something.
      await link(temporary, file).catch((error) =>
        NO_LINKS.has(codeOf(error)) ? rename(temporary, file) : Promise.reject(error),
      );
      return true;
    });
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? false : notWritable(file, error);
  }
}
