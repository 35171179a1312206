/** What can be different in an AttachedDocument made for a test; texts go in as they are. */
export interface AttachedParts {
  readonly doctype?: string;
  readonly root?: string;
  readonly wrap?: 'cdata' | 'escaped';
  /** In front of the embedded invoice, and of the embedded answer. */
  readonly before?: string;
  readonly beforeAnswer?: string;
  readonly cufe?: string;
  readonly containerCufe?: string;
  readonly answerCufe?: string;
  readonly answerCode?: string;
  /** The embedded answer as a whole; empty for none. */
  readonly answer?: string;
  readonly number?: string;
  readonly issueDate?: string;
  readonly type?: string;
  readonly sellerId?: string;
  readonly sellerName?: string;
  readonly buyerId?: string;
  readonly contact?: string;
  readonly extension?: string;
  readonly payment?: string;
  readonly taxes?: string;
  readonly totals?: string;
}

export const CUFE =
  '1bc079219cbc8e38482c9dc14323fc3ef0ba89ca455d0007f357c338c23a889875d5c96507ce868f8f83afbe85bbb3b4';

const escaped = (xml: string): string =>
  xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An AttachedDocument: without parts the invoice of service.md 13.9, sold on credit and validated. */
export function attached(parts: AttachedParts = {}): string {
  const { doctype = '', root = 'Invoice', before = '', beforeAnswer = '', cufe = CUFE } = parts;
  const {
    containerCufe = cufe,
    answerCufe = cufe,
    answerCode = '02',
    number = 'FE2301',
    issueDate = '2026-03-10',
    type = '01',
    sellerId = '860012345',
    sellerName = 'Vendedor SAS',
    buyerId = '900123456',
    contact = '',
    extension = '',
    payment = '<cac:PaymentMeans><cbc:ID>2</cbc:ID></cac:PaymentMeans>',
    taxes = '<cac:TaxTotal><cbc:TaxAmount>190000.00</cbc:TaxAmount></cac:TaxTotal>',
    totals = '<cbc:LineExtensionAmount>1000000.00</cbc:LineExtensionAmount><cbc:PayableAmount>1190000.00</cbc:PayableAmount>',
  } = parts;
  const party = (id: string, name: string, more: string): string =>
    `<cac:Party><cac:PartyTaxScheme><cbc:RegistrationName>${name}</cbc:RegistrationName>` +
    `<cbc:CompanyID schemeName="31">${id}</cbc:CompanyID></cac:PartyTaxScheme>${more}</cac:Party>`;
  const invoice =
    `${before}<${root}>${extension}<cbc:ID>${number}</cbc:ID><cbc:UUID>${cufe}</cbc:UUID>` +
    `<cbc:IssueDate>${issueDate}</cbc:IssueDate><cbc:IssueTime>09:15:00-05:00</cbc:IssueTime>` +
    `<cbc:InvoiceTypeCode>${type}</cbc:InvoiceTypeCode>` +
    `<cac:AccountingSupplierParty>${party(sellerId, sellerName, contact)}</cac:AccountingSupplierParty>` +
    `<cac:AccountingCustomerParty>${party(buyerId, 'Comprador SAS', '')}</cac:AccountingCustomerParty>` +
    `${payment}${taxes}<cac:LegalMonetaryTotal>${totals}</cac:LegalMonetaryTotal></${root}>`;
  const {
    answer = `${beforeAnswer}<ApplicationResponse><cac:DocumentResponse><cac:Response>` +
      `<cbc:ResponseCode>${answerCode}</cbc:ResponseCode></cac:Response><cac:DocumentReference>` +
      `<cbc:UUID>${answerCufe}</cbc:UUID></cac:DocumentReference></cac:DocumentResponse></ApplicationResponse>`,
  } = parts;
  const wrapped = (xml: string): string =>
    `<cac:Attachment><cac:ExternalReference><cbc:Description>${
      parts.wrap === 'escaped' ? escaped(xml) : `<![CDATA[${xml}]]>`
    }</cbc:Description></cac:ExternalReference></cac:Attachment>`;
  const reference =
    `<cac:ParentDocumentLineReference><cac:DocumentReference><cbc:UUID>${containerCufe}</cbc:UUID>` +
    `${answer === '' ? '' : wrapped(answer)}</cac:DocumentReference></cac:ParentDocumentLineReference>`;
  return `<?xml version="1.0" encoding="UTF-8"?>${doctype}<AttachedDocument>${wrapped(invoice)}${reference}</AttachedDocument>`;
}
