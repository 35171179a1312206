import type { Format } from '../../../toolkit/tables/formats.js';

/** Received invoices as sellers mail them, with the answer of DIAN; each file is a record of one table. */
export const ATTACHED_DOCUMENTS: Format = {
  name: /\.xml$/i,
  // A declaration, or a root element of the kind that UBL has.
  start: /^\s*(<\?xml\b|<(\w+:)?AttachedDocument\b)/,
  open: async (path) => (await import('./open.js')).openXml(path),
  openZip: async (path, zip) => (await import('./open.js')).openXmlZip(path, zip),
};
