import { INVOICE_PATHS, invoiceOf, type ReceivedInvoice } from './received-invoice.js';
import { readXmlTexts, type XmlRefusal, type XmlTexts } from './xml-texts.js';

/** What DIAN said of the invoice, from its ApplicationResponse. */
export interface DianAnswer {
  /** `02` valid, `04` rejected. */
  readonly code: string;
}

/** The container that a seller mails: the invoice, and DIAN's answer when it has one. */
export interface AttachedDocument {
  readonly invoice: ReceivedInvoice;
  readonly dianAnswer?: DianAnswer;
}

export type AttachedDocumentRefusal =
  | XmlRefusal
  | 'too-large'
  | 'not-utf8'
  /** Another root than AttachedDocument. */
  | 'not-attached-document'
  /** No invoice inside: a note, a bare reference. */
  | 'not-an-invoice'
  /** A text of the invoice that an event cannot do without; `detail` is its path. */
  | 'invoice-incomplete'
  /** DIAN's answer speaks of another CUFE than the invoice. */
  | 'other-invoice';

export type AttachedDocumentReading =
  | { readonly is: 'read'; readonly document: AttachedDocument }
  | { readonly is: 'refused'; readonly refusal: AttachedDocumentRefusal; readonly detail?: string };

/** Received invoices with thousands of lines stay below. */
export const MAX_BYTES = 8 * 1024 * 1024;

const EMBEDDED = 'Attachment/ExternalReference/Description';
const CONTAINER = {
  invoice: `AttachedDocument/${EMBEDDED}`,
  answer: `AttachedDocument/ParentDocumentLineReference/DocumentReference/${EMBEDDED}`,
} as const;
const RESPONSE = 'ApplicationResponse/DocumentResponse';
const ANSWER = {
  code: `${RESPONSE}/Response/ResponseCode`,
  cufe: `${RESPONSE}/DocumentReference/UUID`,
} as const;

const CONTAINER_PATHS = new Set(Object.values(CONTAINER));
const ANSWER_PATHS = new Set(Object.values(ANSWER));

const refused = (refusal: AttachedDocumentRefusal, detail?: string): AttachedDocumentReading => ({
  is: 'refused',
  refusal,
  ...(detail !== undefined && { detail }),
});

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** An embedded document, which people and programs like to set off by a blank or a mark. */
const embedded = (text: string, paths: ReadonlySet<string>): XmlTexts | XmlRefusal =>
  readXmlTexts(text.trim(), paths);

/** The first of the embedded documents that is DIAN's answer. */
function answerOf(texts: readonly string[]): XmlTexts | XmlRefusal | undefined {
  for (const text of texts) {
    const answer = embedded(text, ANSWER_PATHS);
    if (typeof answer === 'string' || answer.root === 'ApplicationResponse') return answer;
  }
  return undefined;
}

/**
 * Reads an AttachedDocument (invoice annex 1.9): UTF-8 with or without a mark, any namespace prefixes, the documents
 * inside as CDATA or as escaped text. Signatures and hashes are not checked. Never throws.
 */
export function readAttachedDocument(bytes: Uint8Array): AttachedDocumentReading {
  if (bytes.byteLength > MAX_BYTES) return refused('too-large');
  const text = decode(bytes);
  if (text === undefined) return refused('not-utf8');
  const container = readXmlTexts(text, CONTAINER_PATHS);
  if (typeof container === 'string') return refused(container);
  if (container.root !== 'AttachedDocument') return refused('not-attached-document', container.root);

  const inner = container.first(CONTAINER.invoice);
  if (inner === undefined || inner === '') return refused('not-an-invoice');
  const texts = embedded(inner, INVOICE_PATHS);
  if (typeof texts === 'string') return refused(texts);
  if (texts.root !== 'Invoice') return refused('not-an-invoice', texts.root);
  const invoice = invoiceOf(texts);
  if (typeof invoice === 'string') return refused('invoice-incomplete', invoice);

  const answer = answerOf(container.all(CONTAINER.answer));
  if (typeof answer === 'string') return refused(answer);
  // What the container itself says of it is the work of many programs, and no ground to refuse.
  const other = answer?.all(ANSWER.cufe).find((cufe) => cufe.toLowerCase() !== invoice.cufe);
  if (other !== undefined) return refused('other-invoice', other);
  return {
    is: 'read',
    document: {
      invoice,
      ...(answer !== undefined && { dianAnswer: { code: answer.first(ANSWER.code) ?? '' } }),
    },
  };
}
