import { readAttachedDocument } from '../source/xml/attached-document.js';
import type { ReceivedInvoice } from '../source/xml/received-invoice.js';
import type { JsonObject } from '../values/json.js';

/** The invoice that the body of an event is about, as far as the body tells. */
export interface EventInvoice {
  readonly cufe: string;
  /** Only a body with a file tells more. */
  readonly invoice?: ReceivedInvoice;
}

/** Reads option A and option B (service.md 7.1); undefined when the body names no invoice. */
export function invoiceOfEvent(body: JsonObject): EventInvoice | undefined {
  const file = body['base64_attacheddocument'];
  if (typeof file === 'string') {
    const reading = readAttachedDocument(Buffer.from(file, 'base64'));
    if (reading.is === 'refused') return undefined;
    const { invoice } = reading.document;
    return { cufe: invoice.cufe, invoice };
  }
  const { cufe } = (body['document_reference'] ?? {}) as { cufe?: unknown };
  return typeof cufe === 'string' ? { cufe } : undefined;
}
