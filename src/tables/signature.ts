import { createReadStream } from 'node:fs';

/** What the first bytes of a file say it is; `name` is how people call a format that is not read. */
export type Signature = { kind: 'zip' | 'ole' | 'biff' | 'text' | 'xml' } | { kind: 'other'; name: string };

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

/** Workbooks of Excel 2 to 4, which are no OLE files: their first record says so ([MS-XLS] 2.4.21). */
const BIFF = ['\x09\x00\x04\x00', '\x09\x02\x06\x00', '\x09\x04\x06\x00'];

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
  if (BIFF.some((start) => bytes.startsWith(start))) return { kind: 'biff' };
  const magic = MAGIC.find(([start]) => bytes.startsWith(start));
  if (magic !== undefined) return { kind: 'other', name: magic[1] };
  const text = bytes.replace(/^\xef\xbb\xbf/, '');
  const markup = MARKUP.find(([start]) => start.test(text));
  if (markup !== undefined) return { kind: 'other', name: markup[1] };
  return { kind: XML.test(text) ? 'xml' : 'text' };
}

/** Streams by which an OLE file tells what it is; an encrypted workbook has one of its own ([MS-OFFCRYPTO] 2.3.4.4). */
const OLE_STREAMS = [
  ['EncryptedPackage', 'encrypted'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['WordDocument', 'DOC'],
  ['PowerPoint Document', 'PPT'],
] as const;
export type OleKind = (typeof OLE_STREAMS)[number][1] | 'OLE';

const MARKS = OLE_STREAMS.map(([stream, kind]) => [Buffer.from(`${stream}\0`, 'utf16le'), kind] as const);

export async function oleKindOf(path: string): Promise<OleKind> {
  const found = new Set<OleKind>();
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([tail, chunk]);
    for (const [mark, kind] of MARKS) if (bytes.includes(mark)) found.add(kind);
    tail = bytes.subarray(-64);
  }
  return MARKS.find(([, kind]) => found.has(kind))?.[1] ?? 'OLE';
}
