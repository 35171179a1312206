import { stop } from '../core/issue.js';
import { type CsvOptions, textTable } from './csv.js';
import type { Bytes } from './encoding.js';
import { type InputFile, type RowSource, signatureOf } from './table.js';
import type { ZipArchive, ZipPart } from './xlsx/zip.js';

/** What macOS adds to a zip, and hidden files. */
export const OF_THE_SYSTEM = /(^|[\\/])(__MACOSX[\\/]|\.[^.])/;

/** Parts that a person put into the zip and that hold nothing to read; folders are no parts. */
export const passedOver = ({ file, parts }: ZipArchive, read: (part: ZipPart) => boolean): string[] =>
  parts
    .filter((part) => !read(part) && !/[\\/]$/.test(part.name) && !OF_THE_SYSTEM.test(part.name))
    .map(({ name }) => `${file}/${name.replaceAll('\\', '/')}`);
/** A name that would leave the folder that it is unpacked to. */
const LEAVES_FOLDER = /(^|[\\/])\.\.([\\/]|$)|^[\\/]|^[A-Za-z]:/;

/** The bytes of a part from a byte on; it is unpacked anew each time, and never onto the disk. */
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
 * Nothing is unpacked here, but no honest program writes a name that leads out of the folder.
 * @throws PipelineError `input`: `file/zip-path`
 */
export function refusePaths(zip: ZipArchive): void {
  const outside = zip.parts.find(({ name }) => LEAVES_FOLDER.test(name));
  if (outside !== undefined) refuse('file/zip-path', zip, outside);
}

/**
 * A zip or a book inside may hold what is looked for: it is taken out of the zip by a person rather than passed over.
 * @throws PipelineError `input`: `file/zip-nested`
 */
export function refuseNested(zip: ZipArchive, part: ZipPart, head: Buffer): void {
  const { kind } = signatureOf(head);
  if (kind === 'zip' || kind === 'ole' || kind === 'biff') refuse('file/zip-nested', zip, part);
}

/** The table of a part, called `zip/part`; undefined when it holds none: a picture, a PDF, an empty file. */
async function tableOf(zip: ZipArchive, part: ZipPart, options: CsvOptions): Promise<RowSource | undefined> {
  const head = await headOf(part);
  refuseNested(zip, part, head);
  if (signatureOf(head).kind !== 'text' || head.length === 0) return undefined;
  return textTable(partBytes(part), `${zip.file}/${part.name.replaceAll('\\', '/')}`, options);
}

/**
 * The texts of a zip, such as the flat files of Resolución 3374, each a table. The zip stays open until the input is closed.
 * @throws PipelineError `input`: `file/zip-path`, `file/zip-nested`, `file/zip-without-table`, and what zip and text can say.
 */
export async function openTextZip(path: string, zip: ZipArchive, options: CsvOptions): Promise<InputFile> {
  const { file } = zip;
  refusePaths(zip);
  const tables = new Map<ZipPart, RowSource>();
  for (const part of zip.parts) {
    const table = OF_THE_SYSTEM.test(part.name) ? undefined : await tableOf(zip, part, options);
    if (table !== undefined) tables.set(part, table);
  }
  if (tables.size === 0) stop('input', { code: 'file/zip-without-table', place: { file } });
  return {
    path,
    file,
    kind: 'zip',
    tables: [...tables.values()],
    passedOver: passedOver(zip, (part) => tables.has(part)),
    close: () => zip.close(),
  };
}
