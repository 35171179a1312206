import type { Issue } from '../../issues/issue.js';
import type { InputFile, Row, RowSource } from '../table.js';
import {
  type AttachedDocument,
  type AttachedDocumentRefusal,
  MAX_BYTES,
  readAttachedDocument,
} from './attached-document.js';

/** An XML file, on the disk or in a zip. */
export interface XmlFile {
  /** Base name. */
  readonly name: string;
  /** Its bytes; reading stops soon after so many. */
  read(most: number): Promise<Buffer>;
}

/** XML documents as a table: a header, then a record a file. */
export interface XmlInput extends InputFile {
  readonly kind: 'xml';
  readonly files: readonly XmlFile[];
}

/** The columns of the table: what people call them, and where they are in a document. */
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

const PAYMENTS = { credit: 'crédito', cash: 'contado' } as const;

const CODES: Readonly<Record<AttachedDocumentRefusal, string>> = {
  'xml-malformed': 'xml/malformed',
  'xml-doctype': 'xml/doctype',
  'xml-too-deep': 'xml/too-deep',
  'too-large': 'xml/too-large',
  'not-utf8': 'xml/not-utf8',
  'not-attached-document': 'xml/not-attached-document',
  'not-an-invoice': 'xml/not-an-invoice',
  'invoice-incomplete': 'xml/incomplete',
  'other-invoice': 'xml/other-invoice',
};

const HEADER: Row = {
  number: 1,
  hidden: false,
  texts: COLUMNS.map(([title]) => title),
  kinds: undefined,
};

/** So many documents may be in memory at once. */
const AT_ONCE = 8;

const inOrder = (files: readonly XmlFile[]): readonly XmlFile[] =>
  [...files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

async function rowOf(file: XmlFile, number: number): Promise<Row> {
  const bytes = await file.read(MAX_BYTES);
  const reading = readAttachedDocument(bytes);
  const row = { number, hidden: false, kinds: undefined, file: file.name };
  if (reading.is === 'refused') {
    const fault: Pick<Issue, 'code' | 'params'> = {
      code: CODES[reading.refusal],
      params: { detail: reading.detail ?? '' },
    };
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

/** AttachedDocuments as one table, in the order of their names. A file that is none is a record with a fault, and the others go on. */
export function xmlInput(
  path: string,
  file: string,
  files: readonly XmlFile[],
  { close = async () => undefined, passedOver = [] }: Partial<Pick<InputFile, 'close' | 'passedOver'>> = {},
): XmlInput {
  const sorted = inOrder(files);
  const table: RowSource = { file, batches: () => rowsOf(sorted) };
  return { path, file, kind: 'xml', files: sorted, tables: [table], passedOver, close };
}

const isXml = (input: InputFile): input is XmlInput => input.kind === 'xml';

/** The same inputs, all XML documents among them as one table: a folder of files is one list. */
export function withXmlTogether(inputs: readonly InputFile[]): readonly InputFile[] {
  const [first, ...more] = inputs.filter(isXml);
  if (first === undefined || more.length === 0) return inputs;
  const all = [first, ...more];
  const together = xmlInput(
    first.path,
    first.file,
    all.flatMap(({ files }) => files),
    {
      passedOver: all.flatMap((input) => input.passedOver ?? []),
      async close() {
        for (const input of all) await input.close();
      },
    },
  );
  return inputs.flatMap((input) => (input === first ? together : isXml(input) ? [] : input));
}
