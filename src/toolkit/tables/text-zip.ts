import { stop } from '../core/issue.js';
import { type CsvOptions, textTable } from './csv.js';
import type { Bytes } from './encoding.js';
import { type InputFile, type RowSource, signatureOf } from './table.js';
import type { ZipArchive, ZipPart } from './xlsx/zip.js';

/** Entries that macOS adds to a zip, and hidden files. */
export const SYSTEM_ENTRY = /(^|[\\/])(__MACOSX[\\/]|\.[^.])/;

/** Returns the parts of a zip that were not read, folders and system entries aside. */
export const ignoredParts = ({ file, parts }: ZipArchive, read: (part: ZipPart) => boolean): string[] =>
  parts
    .filter((part) => !read(part) && !/[\\/]$/.test(part.name) && !SYSTEM_ENTRY.test(part.name))
    .map(({ name }) => `${file}/${name.replaceAll('\\', '/')}`);
/** Name that leads out of the folder where the zip is unpacked. */
const LEAVES_FOLDER = /(^|[\\/])\.\.([\\/]|$)|^[\\/]|^[A-Za-z]:/;

/** Reads the bytes of a part from `start`, unpacking it each time in memory. */
const partBytes = (part: ZipPart): Bytes =>
  async function* (start) {
    let skip = start;
    for await (const chunk of part.chunks()) {
      const rest = skip === 0 ? chunk : chunk.subarray(skip);
      skip = Math.max(0, skip - chunk.length);
      if (rest.length > 0) yield rest;
    }
  };

export async function headOf(part: ZipPart): Promise<Buffer> {
  for await (const chunk of part.chunks()) return chunk;
  return Buffer.alloc(0);
}

const refuse = (code: 'file/zip-path' | 'file/zip-nested', { file }: ZipArchive, { name }: ZipPart): never =>
  stop('input', { code, params: { part: name }, place: { file } });

/**
 * Refuses a zip with a name that leads out of its folder, although nothing is unpacked here: regular programs write
 * none.
 * @throws PipelineError `input`: `file/zip-path`
 */
export function refusePaths(zip: ZipArchive): void {
  const outside = zip.parts.find(({ name }) => LEAVES_FOLDER.test(name));
  if (outside !== undefined) refuse('file/zip-path', zip, outside);
}

/**
 * Refuses a nested zip or workbook, which may hold the data: the user must extract it.
 * @throws PipelineError `input`: `file/zip-nested`
 */
export function refuseNested(zip: ZipArchive, part: ZipPart, head: Buffer): void {
  const { kind } = signatureOf(head);
  if (kind === 'zip' || kind === 'ole' || kind === 'biff') refuse('file/zip-nested', zip, part);
}

/** Creates the table of a part, named `zip/part`; undefined for a picture, a PDF or an empty file. */
async function tableOf(zip: ZipArchive, part: ZipPart, options: CsvOptions): Promise<RowSource | undefined> {
  const head = await headOf(part);
  refuseNested(zip, part, head);
  if (signatureOf(head).kind !== 'text' || head.length === 0) return undefined;
  return textTable(partBytes(part), `${zip.file}/${part.name.replaceAll('\\', '/')}`, options);
}

/**
 * Opens the texts of a zip, such as the flat files of Resolución 3374, each as a table. The zip stays open until the
 * input is closed.
 * @throws PipelineError `input`: `file/zip-path`, `file/zip-nested`, `file/zip-without-table`, and those of zip and
 * text
 */
export async function openTextZip(path: string, zip: ZipArchive, options: CsvOptions): Promise<InputFile> {
  const { file } = zip;
  refusePaths(zip);
  const tables = new Map<ZipPart, RowSource>();
  for (const part of zip.parts) {
    const table = SYSTEM_ENTRY.test(part.name) ? undefined : await tableOf(zip, part, options);
    if (table !== undefined) tables.set(part, table);
  }
  if (tables.size === 0) stop('input', { code: 'file/zip-without-table', place: { file } });
  return {
    path,
    file,
    kind: 'zip',
    tables: [...tables.values()],
    ignoredParts: ignoredParts(zip, (part) => tables.has(part)),
    close: () => zip.close(),
  };
}
