import { SaxesParser } from 'saxes';
import { type Decimal, sum, toMoney } from '../../../toolkit/core/decimal.js';
import { isDecimal } from '../../../toolkit/core/decimal-text.js';
import { isDocumentCode } from '../../../toolkit/core/json.js';
import { XML_DOCUMENT } from '../../../toolkit/core/limits.js';
import { isPlainDate, type PlainDate } from '../../../toolkit/core/plain-date.js';
import { unreachable } from '../../../toolkit/core/required.js';

export interface Party {
  /** NIT without check digit, or another identification. */
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

/** Facts of the invoice that an event needs. */
export interface ReceivedInvoice {
  /** 96 lower-case hex characters. */
  readonly cufe: string;
  /** Number with prefix: `FE2301`. */
  readonly number: string;
  /** Empty if the number has no prefix. */
  readonly prefix: string;
  /** InvoiceTypeCode, `01` for a sale. */
  readonly type: string;
  readonly issueDate: PlainDate;
  /** Time with its zone: `09:15:00-05:00`. */
  readonly issueTime: string;
  readonly seller: Party;
  readonly buyer: Party;
  /**
   * Payment form by PaymentMeansID, 2 or 1; `mixed` if it has both, `unknown` if it has another one, undefined if it
   * has none.
   */
  readonly payment: 'credit' | 'cash' | 'mixed' | 'unknown' | undefined;
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

/** Returns the leading letters of a number, in place of an unknown prefix. */
export const lettersOf = (number: string): string => number.replace(/[^A-Za-z][\s\S]*/, '');

/** The facts read from an invoice. */
const INVOICE_PATHS: ReadonlySet<XmlPath> = new Set([
  ...Object.values(PATHS),
  ...[SELLER, BUYER].flatMap((party) => Object.values(PARTY).map((path) => `${party}/${path}`)),
]);

/** Removes dots, blanks and the check digit. */
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
  if (ids.some((id) => id !== '1' && id !== '2')) return 'unknown';
  const [isCredit, isCash] = [ids.includes('2'), ids.includes('1')];
  return isCredit && isCash ? 'mixed' : isCredit ? 'credit' : 'cash';
}

/** Returns the invoice, or the path of the first text that is missing or invalid. */
function invoiceOf(texts: XmlTexts): ReceivedInvoice | XmlPath {
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

/** Path of local names from the root, joined by `/`: `Invoice/PaymentMeans/ID`. */
type XmlPath = string;

/** The requested texts of a document, by path and in document order. */
interface XmlTexts {
  /** Local name of the root element. */
  readonly root: string;
  first(path: XmlPath): string | undefined;
  all(path: XmlPath): readonly string[];
}

type XmlRefusal = 'xml-too-deep' | 'xml-doctype' | 'xml-malformed';

/**
 * Reads the texts at some paths, whatever the namespace prefixes, from plain text and CDATA alike.
 * A DOCTYPE is refused, so that no entity is ever defined; depth is limited. Never throws.
 */
function readXmlTexts(xml: string, wanted: ReadonlySet<XmlPath>): XmlTexts | XmlRefusal {
  const texts = new Map<XmlPath, string[]>();
  /** Paths of the open elements, and the text that each has so far. */
  const open: { path: XmlPath; text: string }[] = [];
  let root = '';
  let refusal: XmlRefusal = 'xml-malformed';
  const refuse = (reason: XmlRefusal): never => {
    refusal = reason;
    throw new Error(reason);
  };
  const take = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined && wanted.has(element.path)) element.text += text;
  };

  // Without an error handler the parser throws.
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('doctype', () => refuse('xml-doctype'));
  parser.on('opentag', ({ name }) => {
    if (open.length >= XML_DOCUMENT.maxDepth) refuse('xml-too-deep');
    const parent = open.at(-1);
    const local = name.slice(name.indexOf(':') + 1);
    if (parent === undefined) root = local;
    open.push({ path: parent === undefined ? local : `${parent.path}/${local}`, text: '' });
  });
  parser.on('closetag', () => {
    const { path, text } = open.pop() ?? unreachable('open element');
    if (!wanted.has(path)) return;
    const found = texts.get(path);
    if (found === undefined) texts.set(path, [text.trim()]);
    else found.push(text.trim());
  });
  parser.on('text', take);
  parser.on('cdata', take);
  try {
    parser.write(xml).close();
  } catch {
    return refusal;
  }
  return { root, first: (path) => texts.get(path)?.[0], all: (path) => texts.get(path) ?? [] };
}

/** The answer of DIAN about the invoice, from its ApplicationResponse. */
interface DianAnswer {
  /** `02` valid, `04` rejected. */
  readonly code: string;
}

/** The container that a seller mails: the invoice, and the answer of DIAN if it has one. */
export interface AttachedDocument {
  readonly invoice: ReceivedInvoice;
  readonly dianAnswer?: DianAnswer;
}

export type AttachedDocumentRefusal =
  | XmlRefusal
  | 'too-large'
  | 'not-utf8'
  /** The root is not AttachedDocument. */
  | 'not-attached-document'
  /** It contains no invoice, but a note or a bare reference. */
  | 'not-an-invoice'
  /** An event needs the text of the invoice that is missing; `detail` is its path. */
  | 'invoice-incomplete'
  /** The answer of DIAN is about another CUFE than the invoice. */
  | 'other-invoice';

export type AttachedDocumentReading =
  | { readonly is: 'read'; readonly document: AttachedDocument }
  | { readonly is: 'refused'; readonly refusal: AttachedDocumentRefusal; readonly detail?: string };

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

/** Trims an embedded document, before which people and programs put a blank or a mark. */
const embedded = (text: string, paths: ReadonlySet<string>): XmlTexts | XmlRefusal =>
  readXmlTexts(text.trim(), paths);

/** Returns the first embedded document that is an answer of DIAN. */
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
  if (bytes.byteLength > XML_DOCUMENT.maxBytes) return refused('too-large');
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
  // The container's own statements about the invoice come from many programs and are ignored.
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
