import { createReadStream } from 'node:fs';

/** What the first bytes of a file say it is; `name` is how people call a format that is not read. */
export type Signature = { kind: 'zip' | 'ole' | 'text' | 'xml' } | { kind: 'other'; name: string };

const MAGIC: readonly (readonly [string, string])[] = [
  ['%PDF', 'PDF'],
  ['\x89PNG', 'PNG'],
  ['\xff\xd8\xff', 'JPEG'],
  ['GIF8', 'GIF'],
  ['Rar!', 'RAR'],
  ["7z\xbc\xaf'\x1c", '7-Zip'],
  ['\x1f\x8b', 'gzip'],
  ['{\\rtf', 'RTF'],
  ['SQLite format 3', 'SQLite'],
];

/** Programs save web pages and tables in XML as `.xls`; read as text they would look like a table of one column. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!doctype html|html|head|body|table|meta)\b/i, 'HTML'],
  [/^\s*<\?xml\b[^>]*>\s*(<\?mso-|<(\w+:)?workbook\b)/i, 'XML'],
];

/** A declaration, or a root element of the kind that UBL has. */
const XML = /^\s*(<\?xml\b|<(\w+:)?AttachedDocument\b)/;

export function signatureOf(head: Buffer): Signature {
  const bytes = head.toString('latin1');
  if (bytes.startsWith('PK\x03\x04') || bytes.startsWith('PK\x05\x06')) return { kind: 'zip' };
  if (bytes.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return { kind: 'ole' };
  const magic = MAGIC.find(([start]) => bytes.startsWith(start));
  if (magic !== undefined) return { kind: 'other', name: magic[1] };
  const text = bytes.replace(/^\xef\xbb\xbf/, '');
  const markup = MARKUP.find(([start]) => start.test(text));
  if (markup !== undefined) return { kind: 'other', name: markup[1] };
  return { kind: XML.test(text) ? 'xml' : 'text' };
}

/** An encrypted workbook is an OLE file with a stream of this name ([MS-OFFCRYPTO] 2.3.4.4). */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

export async function isEncryptedWorkbook(path: string): Promise<boolean> {
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([tail, chunk]);
    if (bytes.includes(ENCRYPTED)) return true;
    tail = bytes.subarray(-ENCRYPTED.length + 1);
  }
  return false;
}
