import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { READ_LIMITS } from '../core/limits.js';
import { signatureOf } from './table.js';
import { openZip } from './xlsx/zip.js';

const WORKBOOK = /\.xls[xm]$/i;

async function isZip(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => undefined);
  if (handle === undefined) return false; // reported when it is opened
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return signatureOf(buffer.subarray(0, bytesRead)).kind === 'zip';
  } finally {
    await handle.close();
  }
}

/**
 * Runs `work` with the only workbook of a zip, extracted for that time, or with the file itself if there is no such
 * workbook.
 */
export async function withPackedWorkbook<T>(path: string, work: (path: string) => Promise<T>): Promise<T> {
  if (!(await isZip(path))) return work(path);
  const zip = await openZip(path, basename(path), READ_LIMITS);
  let folder: string | undefined;
  try {
    const [book, ...others] = zip.parts.filter(({ name }) => WORKBOOK.test(name));
    if (book === undefined || others.length > 0) return await work(path);
    folder = await mkdtemp(join(tmpdir(), 'cargue-table-'));
    const file = join(folder, basename(book.name.replaceAll('\\', '/')));
    await pipeline(Readable.from(book.chunks()), createWriteStream(file));
    return await work(file);
  } finally {
    await zip.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
