import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Coded, IssueCode } from '../../../toolkit/core/issue.js';
import { XML_DOCUMENT } from '../../../toolkit/core/limits.js';
import { unreachable } from '../../../toolkit/core/required.js';
import type { InputFile, Row, RowSource } from '../../../toolkit/tables/table.js';
import { headOf, ignoredParts, refuseNested, refusePaths } from '../../../toolkit/tables/text-zip.js';
import { isOfficeFile } from '../../../toolkit/tables/xlsx/workbook.js';
import { openZip, type ZipArchive, type ZipPart } from '../../../toolkit/tables/xlsx/zip.js';
import {
  type AttachedDocument,
  type AttachedDocumentRefusal,
  readAttachedDocument,
} from './received-invoice.js';

/** An XML file, on the disk or in a zip. */
interface XmlFile {
  /** Base name. */
  readonly name: string;
  /** Reads the bytes, and stops soon after `most`. */
  read(most: number): Promise<Buffer>;
}

/** Reads XML documents as a table: a header, then a record per file. */
interface XmlInput extends InputFile {
  readonly kind: 'xml';
  readonly files: readonly XmlFile[];
}

/** Columns of the table: their titles, and their paths in a document. */
const COLUMNS: readonly (readonly [
  title: string,
  read: (document: AttachedDocument, name: string, bytes: Buffer) => string | undefined,
])[] = [
  ['Archivo', (_, name) => name],
  ['AttachedDocument', (_document, _name, bytes) => bytes.toString('base64')],
  ['CUFE', ({ invoice }) => invoice.cufe],
  ['Factura', ({ invoice }) => invoice.number],
  ['Tipo de factura', ({ invoice }) => invoice.type],
  ['Fecha de la factura', ({ invoice }) => invoice.issueDate],
  ['NIT del vendedor', ({ invoice }) => invoice.seller.id],
  ['Vendedor', ({ invoice }) => invoice.seller.name],
  ['NIT del comprador', ({ invoice }) => invoice.buyer.id],
  ['Comprador', ({ invoice }) => invoice.buyer.name],
  ['Forma de pago', ({ invoice: { payment } }) => payment && PAYMENTS[payment]],
  ['Impuestos', ({ invoice }) => invoice.tax],
  ['Total', ({ invoice }) => invoice.total],
  ['Respuesta de la DIAN', ({ dianAnswer }) => dianAnswer?.code],
];

const PAYMENTS = {
  credit: 'crédito',
  cash: 'contado',
  mixed: 'contado y crédito',
  unknown: 'desconocida',
} as const;

const CODES = {
  'xml-malformed': 'xml/malformed',
  'xml-doctype': 'xml/doctype',
  'xml-too-deep': 'xml/too-deep',
  'too-large': 'xml/too-large',
  'not-utf8': 'xml/not-utf8',
  'not-attached-document': 'xml/not-attached-document',
  'not-an-invoice': 'xml/not-an-invoice',
  'invoice-incomplete': 'xml/incomplete',
  'other-invoice': 'xml/other-invoice',
} as const satisfies Readonly<Record<AttachedDocumentRefusal, IssueCode>>;

const HEADER: Row = {
  number: 1,
  hidden: false,
  texts: COLUMNS.map(([title]) => title),
  kinds: undefined,
};

/** Max documents in memory at a time. */
const AT_ONCE = 8;

const inOrder = (files: readonly XmlFile[]): readonly XmlFile[] =>
  [...files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

async function rowOf(file: XmlFile, number: number): Promise<Row> {
  const bytes = await file.read(XML_DOCUMENT.maxBytes);
  const reading = readAttachedDocument(bytes);
  const row = { number, hidden: false, kinds: undefined, file: file.name };
  if (reading.is === 'refused') {
    const fault = {
      code: CODES[reading.refusal],
      params: { detail: reading.detail ?? '' },
    } as Coded;
    return { ...row, texts: [], fault };
  }
  const texts = COLUMNS.map(([, read]) => read(reading.document, file.name, bytes) || undefined);
  return { ...row, texts };
}

async function* rowsOf(files: readonly XmlFile[]): AsyncGenerator<readonly Row[]> {
  yield [HEADER];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const rows: Row[] = [];
    for (const [index, file] of files.slice(at, at + AT_ONCE).entries())
      rows.push(await rowOf(file, HEADER.number + 1 + at + index));
    yield rows;
  }
}

/**
 * Reads AttachedDocuments as one table, in the order of their names. Any other file is a record with an error, and the
 * others are read.
 */
function xmlInput(
  path: string,
  file: string,
  files: readonly XmlFile[],
  {
    close = async () => undefined,
    ignoredParts = [],
  }: Partial<Pick<InputFile, 'close' | 'ignoredParts'>> = {},
): XmlInput {
  const sorted = inOrder(files);
  const table: RowSource = { file, batches: () => rowsOf(sorted) };
  return { path, file, kind: 'xml', files: sorted, tables: [table], ignoredParts, together, close };
}

/** Reads all documents as one table, named after the first: a folder of files is one list. */
function together(inputs: readonly InputFile[]): InputFile {
  const all = inputs.filter((input): input is XmlInput => input.kind === 'xml');
  const { path, file } = all[0] ?? unreachable('XML file');
  return xmlInput(
    path,
    file,
    all.flatMap(({ files }) => files),
    {
      ignoredParts: all.flatMap((input) => input.ignoredParts ?? []),
      async close() {
        for (const input of all) await input.close();
      },
    },
  );
}

/** Reads a little more than `most` bytes, enough to see that there are too many. */
async function upTo(chunks: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > most) break;
  }
  return Buffer.concat(parts);
}

const onDisk = (path: string): XmlFile => ({
  name: basename(path),
  read: (most) => upTo(createReadStream(path) as AsyncIterable<Buffer>, most),
});

const nameOf = ({ name }: ZipPart): string => name.replace(/^.*[\\/]/, '');

/** True for files of another operating system itself in an archive: `__MACOSX/._a.xml`. */
const isDocument = (part: ZipPart): boolean => /^[^.].*\.xml$/i.test(nameOf(part));

/** Returns the XML documents of a zip; none for a workbook, which is a zip with XML parts too. */
const documentsIn = (zip: ZipArchive): readonly ZipPart[] =>
  isOfficeFile(zip) ? [] : zip.parts.filter(isDocument);

export const openXml = (path: string): XmlInput => xmlInput(path, basename(path), [onDisk(path)]);

/**
 * Reads the parts of a zip, which is opened for the first one and closed after the last: a folder may hold thousands of
 * zips.
 */
function partsOf(path: string, { file, limits }: ZipArchive, parts: readonly ZipPart[]) {
  let zip: ZipArchive | undefined;
  let left = 0;
  const close = async (): Promise<void> => {
    await zip?.close();
    zip = undefined;
  };
  const files = parts.map(
    (part): XmlFile => ({
      name: nameOf(part),
      async read(most) {
        if (zip === undefined) {
          zip = await openZip(path, file, limits);
          left = parts.length;
        }
        const opened = zip.part(part.name) ?? unreachable(`part ${part.name}`);
        const bytes = await upTo(opened.chunks(), most);
        left -= 1;
        if (left === 0) await close();
        return bytes;
      },
    }),
  );
  return { files, close };
}

/**
 * Opens the documents of a zip, which this closes; nothing is unpacked to the disk. Undefined if it holds none.
 * @throws PipelineError `input`: `file/zip-path`, `file/zip-nested`; while rows are read, what the zip can say
 */
export async function openXmlZip(path: string, zip: ZipArchive): Promise<XmlInput | undefined> {
  const parts = documentsIn(zip);
  if (parts.length === 0) return undefined;
  try {
    refusePaths(zip);
    for (const part of zip.parts) if (!parts.includes(part)) refuseNested(zip, part, await headOf(part));
  } finally {
    await zip.close();
  }
  const { files, close } = partsOf(path, zip, parts);
  return xmlInput(path, zip.file, files, {
    close,
    ignoredParts: ignoredParts(zip, (part) => parts.includes(part)),
  });
}
