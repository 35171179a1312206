import type { CodeEntry, Text } from '../codes.js';

const entry = (title: Text, message: Text, fix: Text): CodeEntry => ({ level: 'error', title, message, fix });

const ASK_AGAIN: Text = {
  es: 'Pida al vendedor el archivo completo, o descárguelo de nuevo.',
  en: 'Ask the seller for the whole file, or download it again.',
};

/** Trouble with one XML document of several; the others go on. Param: `detail`, what was found or where. */
export const XML_CODES = {
  'xml/malformed': entry(
    { es: 'XML dañado', en: 'Damaged XML' },
    {
      es: 'El XML está cortado o mal formado, y no se puede leer.',
      en: 'The XML breaks off or is malformed, and cannot be read.',
    },
    ASK_AGAIN,
  ),
  'xml/doctype': entry(
    { es: 'XML con DOCTYPE', en: 'XML with a DOCTYPE' },
    {
      es: 'El XML declara un DOCTYPE, que ninguna factura electrónica tiene y puede ser un ataque.',
      en: 'The XML declares a DOCTYPE, which no electronic invoice has and may be an attack.',
    },
    { es: 'No lo use; pida el original al vendedor.', en: 'Do not use it; ask the seller for the original.' },
  ),
  'xml/too-deep': entry(
    { es: 'XML demasiado anidado', en: 'XML nested too deep' },
    {
      es: 'El XML tiene más elementos anidados que cualquier factura.',
      en: 'The XML has elements nested deeper than in any invoice.',
    },
    ASK_AGAIN,
  ),
  'xml/too-large': entry(
    { es: 'XML demasiado grande', en: 'XML too large' },
    {
      es: 'El XML es más grande que cualquier factura (8 MB).',
      en: 'The XML is larger than any invoice (8 MB).',
    },
    ASK_AGAIN,
  ),
  'xml/not-utf8': entry(
    { es: 'XML que no está en UTF-8', en: 'XML not in UTF-8' },
    { es: 'El XML no está en UTF-8, como la DIAN exige.', en: 'The XML is not in UTF-8, as DIAN demands.' },
    ASK_AGAIN,
  ),
  'xml/not-attached-document': entry(
    { es: 'No es un AttachedDocument', en: 'Not an AttachedDocument' },
    {
      es: 'El XML no es un AttachedDocument, sino {detail}.',
      en: 'The XML is not an AttachedDocument but {detail}.',
    },
    {
      es: 'Use el XML que el vendedor envía en el zip de la factura, con la factura y la respuesta de la DIAN dentro.',
      en: 'Use the XML that the seller mails in the zip of the invoice, with the invoice and the answer of DIAN inside.',
    },
  ),
  'xml/not-an-invoice': entry(
    { es: 'No trae una factura', en: 'No invoice inside' },
    {
      es: 'El AttachedDocument no trae una factura dentro.',
      en: 'The AttachedDocument has no invoice inside.',
    },
    {
      es: 'Los eventos son solo de facturas: deje por fuera notas y otros documentos.',
      en: 'Events are about invoices only: leave out notes and other documents.',
    },
  ),
  'xml/incomplete': entry(
    { es: 'Factura incompleta', en: 'Incomplete invoice' },
    {
      es: 'A la factura le falta un dato, o no es válido: {detail}.',
      en: 'The invoice lacks a value, or it is not valid: {detail}.',
    },
    ASK_AGAIN,
  ),
  'xml/other-invoice': entry(
    { es: 'La respuesta es de otra factura', en: 'The answer is of another invoice' },
    {
      es: 'La respuesta de la DIAN dentro del archivo habla de otra factura: {detail}.',
      en: 'The answer of DIAN inside the file speaks of another invoice: {detail}.',
    },
    ASK_AGAIN,
  ),
} satisfies Readonly<Record<string, CodeEntry>>;
