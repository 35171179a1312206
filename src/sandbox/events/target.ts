import { type EventCode, eventCode } from '../../events/kinds.js';
import {
  type AttachedDocumentReading,
  type AttachedDocumentRefusal,
  readAttachedDocument,
} from '../../source/xml/attached-document.js';
import type { ReceivedInvoice } from '../../source/xml/received-invoice.js';
import type { Call } from '../answer.js';
import type { Company } from '../companies.js';
import { text } from '../members.js';
import type { Settings } from '../options.js';
import type { EventContext } from './context.js';
import { inventedInvoice, partyOf } from './invoices.js';
import type { InvoiceKey } from './registry.js';

/** The invoice that a request speaks of, or what the service says when there is none. */
export type Target = FoundInvoice | { readonly is: 'refused'; readonly message: string };

export interface FoundInvoice {
  readonly is: 'found';
  readonly invoice: ReceivedInvoice;
  readonly invented: boolean;
}

const NOT_LOADED = 'El archivo no se pudo cargar, revise los problemas asociados';
const REFUSALS: Readonly<Record<AttachedDocumentRefusal, string>> = {
  'not-utf8': NOT_LOADED,
  'too-large': NOT_LOADED,
  'xml-too-deep': NOT_LOADED,
  'xml-doctype': NOT_LOADED,
  'xml-malformed': NOT_LOADED,
  'not-attached-document': 'El archivo no es un AttachedDocument XML',
  'not-an-invoice': 'El archivo no corresponde al AttachedDocument de una factura',
  'invoice-incomplete': 'A la factura del archivo le faltan datos',
  'other-invoice': 'El archivo habla de otra factura',
};

const refused = (message: string): Target => ({ is: 'refused', message });
const found = (invoice: ReceivedInvoice, invented = false): Target => ({ is: 'found', invoice, invented });

/** What the service says of a file that is no received invoice. */
export const refusalText = (refusal: AttachedDocumentRefusal): string => REFUSALS[refusal];

export const readFile = (base64: string): AttachedDocumentReading =>
  readAttachedDocument(Buffer.from(base64, 'base64'));

/** Option A carries a file, option B the CUFE; which one counts depends on the path, unless both are taken on both. */
function carriesFile({ eventPaths }: Settings, { operation, body }: Call): boolean {
  return eventPaths === 'observed' ? operation === 'sendEvent' : 'base64_attacheddocument' in body;
}

function inFile({ invoices }: EventContext, { body }: Call): Target {
  const reading = readFile(text(body, 'base64_attacheddocument'));
  if (reading.is === 'refused') return refused(refusalText(reading.refusal));
  const { invoice, dianAnswer } = reading.document;
  if (dianAnswer === undefined) return refused('En el archivo no se encontró la respuesta de la DIAN');
  if (dianAnswer.code !== '02') return refused('El documento no fue validado por la DIAN');
  return found(invoices.fixed(invoice.cufe) ?? invoice);
}

function atDian({ invoices, settings }: EventContext, { body, company }: Call): Target {
  const cufe = text(body, 'document_reference', 'cufe');
  const fixed = invoices.fixed(cufe);
  if (fixed !== undefined) return found(fixed);
  const invented =
    settings.unknownInvoices === 'invent' ? inventedInvoice(cufe, partyOf(company)) : undefined;
  return invented === undefined ? refused('El CUFE no se encuentra en la DIAN') : found(invented, true);
}

export const targetOf = (context: EventContext, call: Call): Target =>
  carriesFile(context.settings, call) ? inFile(context, call) : atDian(context, call);

/** Whether the event is the company's to register: 034 is the seller's, all others are the buyer's (events.md 2). */
export const mayRegister = (
  { nit }: Company,
  code: EventCode,
  { invoice, invented }: FoundInvoice,
): boolean => invented || (code === '034' ? invoice.seller : invoice.buyer).id === nit;

export const codeOf = ({ body }: Call): EventCode | undefined => eventCode(body['event_id']);

/** The copy of the invoice that a company looks at: as its seller that of the buyer, else its own. */
export function invoiceKey({ invoices }: EventContext, company: Company, cufe: string): InvoiceKey {
  const fixed = invoices.fixed(cufe);
  const buyer = fixed?.seller.id === company.nit ? fixed.buyer.id : company.nit;
  return { environment: company.environment, buyer, cufe };
}
