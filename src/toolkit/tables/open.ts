import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { stop } from '../core/issue.js';
import { READ_LIMITS, type ReadLimits } from '../core/limits.js';
import { flatName } from '../core/text.js';
import { canonicalInput } from './canonical-rows.js';
import { type CsvOptions, openCsv } from './csv.js';
import type { TextEncoding } from './encoding.js';
import { type Format, formatNamed, formats } from './formats.js';
import { jsonKindOf, openJson, openJsonZip } from './json/open.js';
import { EXCEL_2003_XML, type InputFile, oleKindOf, type Signature, signatureOf, textOf } from './table.js';
import { openTextZip } from './text-zip.js';
import { openWorkbook } from './xlsx/workbook.js';
import { openZip, type ZipArchive } from './xlsx/zip.js';

export interface OpenOptions {
  /** Encoding of a CSV file. @default detected */
  readonly encoding?: TextEncoding;
  /** Delimiter of a CSV file, one character. @default detected */
  readonly delimiter?: string;
  /** @default READ_LIMITS */
  readonly limits?: Partial<ReadLimits>;
}

const HEAD_BYTES = 1024;

/**
 * Opens a workbook (`.xlsx`, `.xlsm`), a text table (`.csv`, `.txt`), JSON records, a file of a registered format, or a
 * zip of one of these. The content decides, and the name only if a format says so. The caller closes it. Nothing is
 * unpacked to disk.
 * @throws PipelineError with one `file/…` issue: `usage` if the file does not exist, `input` if it cannot be read;
 * broken rows throw the same while they are read
 */
export async function openInput(path: string, options: OpenOptions = {}): Promise<InputFile> {
  return canonicalInput(await openAsWritten(path, options));
}

/** Opens a file without normalising its texts. */
async function openAsWritten(path: string, options: OpenOptions): Promise<InputFile> {
  const file = basename(path);
  const limits = { ...READ_LIMITS, ...options.limits };
  const { signature, head } = await readSignature(path, file);
  // A damaged file is an error of its own format, whatever folder it is in.
  const mayBeOther =
    signature.kind === 'text' || (signature.kind === 'other' && signature.name !== EXCEL_2003_XML);
  const format = mayBeOther ? formatOf(file, head) : undefined;
  if (format !== undefined) return format.open(path);
  switch (signature.kind) {
    case 'zip': {
      const zip = await openZip(path, file, limits);
      try {
        return await openArchive(path, zip, {
          encoding: options.encoding,
          delimiter: options.delimiter,
          limits,
        });
      } catch (error) {
        await zip.close();
        throw error;
      }
    }
    case 'json':
      return openJson(path, head);
    case 'biff':
      return stop('input', { code: 'file/old-xls', place: { file } });
    case 'ole': {
      const kind = await oleKindOf(path);
      if (kind === 'encrypted') return stop('input', { code: 'file/encrypted', place: { file } });
      if (kind === 'xls') return stop('input', { code: 'file/old-xls', place: { file } });
      return stop('input', { code: 'file/unknown-format', params: { format: kind }, place: { file } });
    }
    case 'other':
      return stop('input', {
        code: 'file/unknown-format',
        params: { format: signature.name },
        place: { file },
      });
    case 'text':
      return openCsv(path, file, { encoding: options.encoding, delimiter: options.delimiter, limits });
  }
}

/** Name of a flat file; the workbook reader reports other files of a zip. */
const TEXT_NAME = /\.(txt|csv|tsv)$/i;
/** Part that every workbook has, and no other zip. */
const WORKBOOK_PART = '[Content_Types].xml';

const formatOf = (file: string, head: Buffer): Format | undefined =>
  formatNamed(file) ?? [...formats()].find(({ start }) => start.test(textOf(head)));

/**
 * Opens a zip of JSON files, of files of a registered format, of texts, or a workbook; the caller closes it if this
 * throws.
 */
async function openArchive(path: string, zip: ZipArchive, options: CsvOptions): Promise<InputFile> {
  if (zip.part(WORKBOOK_PART) !== undefined) return openWorkbook(path, zip);
  const json = await openJsonZip(path, zip);
  if (json !== undefined) return json;
  for (const format of formats()) {
    const found = await format.openZip(path, zip);
    if (found !== undefined) return found;
  }
  const hasTexts = zip.parts.some(({ name }) => TEXT_NAME.test(name) || flatName(name) !== undefined);
  return hasTexts ? openTextZip(path, zip, options) : openWorkbook(path, zip);
}

/**
 * Stops because the system does not give a file.
 * @throws PipelineError `usage`: `file/not-found`; `input`: `file/not-readable`; the cause itself if it is no error of the system
 */
export function stopUnreadable(cause: unknown, file: string): never {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return stop('usage', { code: 'file/not-found', place: { file } }, cause);
  // Excel for Windows locks the file: EBUSY and EPERM.
  if (typeof code === 'string' && 'syscall' in (cause as Error))
    return stop('input', { code: 'file/not-readable', place: { file } }, cause);
  throw cause;
}

async function readSignature(path: string, file: string): Promise<{ signature: Signature; head: Buffer }> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) stop('usage', { code: 'file/is-directory', place: { file } });
    if (!stats.isFile()) stop('input', { code: 'file/not-readable', place: { file } });
    if (stats.size === 0 && formatNamed(file) === undefined)
      stop('input', { code: 'file/empty', place: { file } });
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const head = buffer.subarray(0, bytesRead);
      const signature = signatureOf(head);
      // Other formats begin with a brace too, as RTF does.
      const isJson = signature.kind === 'text' && jsonKindOf(head) !== undefined;
      return { signature: isJson ? { kind: 'json' } : signature, head };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    return stopUnreadable(cause, file);
  }
}
