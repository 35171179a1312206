import { type Decimal, isDecimal, sum, toMoney } from '../../values/decimal.js';
import { isDocumentCode } from '../../values/document-code.js';
import { isPlainDate, type PlainDate } from '../../values/plain-date.js';
import type { XmlPath, XmlTexts } from './xml-texts.js';

export interface Party {
  /** NIT without check digit, or another identification. */
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

/** What an event needs to know of the invoice it is about. */
export interface ReceivedInvoice {
  /** 96 lower-case hex characters. */
  readonly cufe: string;
  /** Prefix included: `FE2301`. */
  readonly number: string;
  /** Empty when the number has none. */
  readonly prefix: string;
  /** InvoiceTypeCode, `01` for a sale. */
  readonly type: string;
  readonly issueDate: PlainDate;
  /** With its zone: `09:15:00-05:00`. */
  readonly issueTime: string;
  readonly seller: Party;
  readonly buyer: Party;
  /** By PaymentMeansID, 2 or 1; undefined when the invoice does not say. */
  readonly payment: 'credit' | 'cash' | undefined;
  /** Amounts have two decimals. Lines before taxes, discount on the whole, all taxes, and what is to be paid. */
  readonly subtotal: Decimal;
  readonly discount: Decimal;
  readonly tax: Decimal;
  readonly total: Decimal;
}

const SELLER = 'Invoice/AccountingSupplierParty/Party';
const BUYER = 'Invoice/AccountingCustomerParty/Party';
const TOTALS = 'Invoice/LegalMonetaryTotal';

const PATHS = {
  cufe: 'Invoice/UUID',
  number: 'Invoice/ID',
  prefix:
    'Invoice/UBLExtensions/UBLExtension/ExtensionContent/DianExtensions/InvoiceControl/AuthorizedInvoices/Prefix',
  type: 'Invoice/InvoiceTypeCode',
  issueDate: 'Invoice/IssueDate',
  issueTime: 'Invoice/IssueTime',
  payment: 'Invoice/PaymentMeans/ID',
  tax: 'Invoice/TaxTotal/TaxAmount',
  subtotal: `${TOTALS}/LineExtensionAmount`,
  discount: `${TOTALS}/AllowanceTotalAmount`,
  total: `${TOTALS}/PayableAmount`,
} as const satisfies Record<string, XmlPath>;

const PARTY = {
  id: 'PartyTaxScheme/CompanyID',
  name: 'PartyTaxScheme/RegistrationName',
  email: 'Contact/ElectronicMail',
} as const;

/** What stands in for a prefix where only the whole number is told. */
export const lettersOf = (number: string): string => /^[A-Za-z]*/.exec(number)![0];

/** All that is read of an invoice. */
export const INVOICE_PATHS: ReadonlySet<XmlPath> = new Set([
  ...Object.values(PATHS),
  ...[SELLER, BUYER].flatMap((party) => Object.values(PARTY).map((path) => `${party}/${path}`)),
]);

/** Dots, blanks and the check digit are for people. */
const plainId = (text: string): string => text.replace(/[.\s]/g, '').replace(/-\d$/, '');

const moneyOf = (text: string): Decimal | undefined => (isDecimal(text) ? toMoney(text) : undefined);

function partyOf(texts: XmlTexts, at: XmlPath): Party {
  const email = texts.first(`${at}/${PARTY.email}`);
  return {
    id: plainId(texts.first(`${at}/${PARTY.id}`) ?? ''),
    name: texts.first(`${at}/${PARTY.name}`) ?? '',
    ...(email !== undefined && { email }),
  };
}

function paymentOf(ids: readonly string[]): ReceivedInvoice['payment'] {
  if (ids.length === 0) return undefined;
  return ids.includes('2') ? 'credit' : 'cash';
}

/** The invoice, or the path of the first text that is missing or cannot be what it should be. */
export function invoiceOf(texts: XmlTexts): ReceivedInvoice | XmlPath {
  const cufe = texts.first(PATHS.cufe)?.toLowerCase() ?? '';
  const number = texts.first(PATHS.number) ?? '';
  const issueDate = texts.first(PATHS.issueDate) ?? '';
  const seller = partyOf(texts, SELLER);
  const buyer = partyOf(texts, BUYER);
  const taxes = texts.all(PATHS.tax);
  const subtotal = moneyOf(texts.first(PATHS.subtotal) ?? '');
  const discount = moneyOf(texts.first(PATHS.discount) ?? '0');
  const tax = taxes.every(isDecimal) ? moneyOf(sum(taxes)) : undefined;
  const total = moneyOf(texts.first(PATHS.total) ?? '');

  if (!isDocumentCode(cufe)) return PATHS.cufe;
  if (number === '') return PATHS.number;
  if (!isPlainDate(issueDate)) return PATHS.issueDate;
  if (seller.id === '') return `${SELLER}/${PARTY.id}`;
  if (buyer.id === '') return `${BUYER}/${PARTY.id}`;
  if (subtotal === undefined) return PATHS.subtotal;
  if (discount === undefined) return PATHS.discount;
  if (tax === undefined) return PATHS.tax;
  if (total === undefined) return PATHS.total;
  return {
    cufe,
    number,
    prefix: texts.first(PATHS.prefix) ?? lettersOf(number),
    type: texts.first(PATHS.type) ?? '',
    issueDate,
    issueTime: texts.first(PATHS.issueTime) ?? '',
    seller,
    buyer,
    payment: paymentOf(texts.all(PATHS.payment)),
    subtotal,
    discount,
    tax,
    total,
  };
}
