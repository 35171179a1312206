import { lettersOf, type Party, type ReceivedInvoice } from '../../source/xml/received-invoice.js';
import { subtract } from '../../values/decimal.js';
import { isDocumentCode } from '../../values/document-code.js';
import type { Company } from '../companies.js';
import type { InvoiceOptions } from '../options.js';
import type { Collection, Store } from '../store.js';

/** The invoices that DIAN holds: those that were fixed, and any other CUFE as an invented one. */
export interface Invoices {
  /** Makes an invoice known, or known anew; `buyer` is who bought unless the options say otherwise. */
  fix(options: InvoiceOptions, buyer: Party): ReceivedInvoice;
  fixed(cufe: string): ReceivedInvoice | undefined;
  forget(cufe: string): boolean;
  list(): readonly ReceivedInvoice[];
}

export const partyOf = ({ nit, name }: Company): Party => ({ id: nit, name });

/** A number that is always the same for the same CUFE. */
const seedOf = (cufe: string): number => Number.parseInt(cufe.slice(0, 8), 16);

/** A credit sale to the buyer by a seller who does not exist; undefined for what cannot be a CUFE. */
export function inventedInvoice(cufe: string, buyer: Party): ReceivedInvoice | undefined {
  if (!isDocumentCode(cufe)) return undefined;
  const seed = seedOf(cufe);
  const thousands = 100 + (seed % 9900);
  return {
    cufe,
    number: `FE${1 + (seed % 99_999)}`,
    prefix: 'FE',
    type: '01',
    issueDate: `2026-01-${String(1 + (seed % 28)).padStart(2, '0')}`,
    issueTime: '10:00:00-05:00',
    seller: { id: String(999_000_000 + (seed % 1_000_000)), name: 'Vendedor de Pruebas S.A.S.' },
    buyer,
    payment: 'credit',
    subtotal: `${thousands}000.00`,
    discount: '0.00',
    // IVA of 19 %.
    tax: `${thousands * 190}.00`,
    total: `${thousands * 1190}.00`,
  };
}

/** Throws a TypeError when the CUFE is none. */
function invoiceOf(options: InvoiceOptions, buyer: Party): ReceivedInvoice {
  const { cufe, number, payment, issueDate } = options;
  const base = inventedInvoice(cufe, {
    id: options.buyer ?? buyer.id,
    name: options.buyerName ?? buyer.name,
  });
  if (base === undefined) throw new TypeError(`Not a CUFE: ${cufe}`);
  const total = options.total ?? base.total;
  const tax = options.tax ?? (options.total === undefined ? base.tax : '0.00');
  return {
    ...base,
    ...(number !== undefined && { number, prefix: lettersOf(number) }),
    ...(payment !== undefined && { payment }),
    ...(issueDate !== undefined && { issueDate }),
    seller: { id: options.seller ?? base.seller.id, name: options.sellerName ?? base.seller.name },
    subtotal: subtract(total, tax),
    tax,
    total,
  };
}

export function openInvoices(store: Store): Invoices {
  const invoices: Collection<ReceivedInvoice> = store.collection('invoices');
  return {
    fix: (options, buyer) => {
      const invoice = invoiceOf(options, buyer);
      invoices.put(invoice.cufe, invoice);
      return invoice;
    },
    fixed: (cufe) => invoices.get(cufe),
    forget: (cufe) => invoices.delete(cufe),
    list: () => [...invoices.values()],
  };
}
