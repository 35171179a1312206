import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type AttachedDocument,
  type AttachedDocumentReading,
  readAttachedDocument,
} from '../../../src/families/events/xml/received-invoice.js';
import { attached, CUFE } from './attached.js';

const FOLDER = new URL('../../sandbox/events/adjuntos/', import.meta.url);
const bytesOf = (name: string): Buffer => readFileSync(new URL(name, FOLDER));

const read = (xml: string | Uint8Array): AttachedDocumentReading =>
  readAttachedDocument(typeof xml === 'string' ? Buffer.from(xml, 'utf8') : xml);

function documentIn(xml: string | Uint8Array): AttachedDocument {
  const reading = read(xml);
  if (reading.is === 'refused') throw new Error(`${reading.refusal} ${reading.detail ?? ''}`);
  return reading.document;
}

const refusalOf = (xml: string | Uint8Array): string => {
  const reading = read(xml);
  return reading.is === 'refused' ? [reading.refusal, reading.detail].filter(Boolean).join(' ') : 'read';
};

describe('the sample files', () => {
  const READ: Readonly<Record<string, readonly string[]>> = {
    'ad08300990020002600000002.xml': ['FE2301', '2026-10-11', '830099002', 'Ferretería La Estrella Ltda.'],
    'ad08300990020002600000005.xml': ['FE2304', '2026-10-14', '830099002', 'Ferretería La Estrella Ltda.'],
    'ad08600990010002600000001.xml': [
      'SETP99000300',
      '2026-10-10',
      '860099001',
      'Papeles & Cartones del Sur S.A.S.',
    ],
    'ad09010990030002600000003.xml': ['CM7302', '2026-10-12', '901099003', 'Café Montaña Alta S.A.S.'],
    'ad09010990030002600000006.xml': ['CM7305', '2026-10-15', '901099003', 'Café Montaña Alta S.A.S.'],
  };

  it.each(Object.entries(READ))('%s', (name, [number, issueDate, sellerId, sellerName]) => {
    expect(documentIn(bytesOf(name))).toMatchObject({
      invoice: {
        number,
        issueDate,
        type: '01',
        payment: 'credit',
        seller: { id: sellerId, name: sellerName },
        buyer: { id: '900555321', name: 'Comercial El Cóndor S.A.S.' },
      },
      dianAnswer: { code: '02' },
    });
  });

  it('the one that breaks off', () => {
    expect(refusalOf(bytesOf('ad08600990010002600000004.xml'))).toBe('xml-malformed');
  });

  it('are all there, one with a mark, one with another prefix', () => {
    const names = readdirSync(FOLDER);
    expect(names).toHaveLength(Object.keys(READ).length + 1);
    expect(names.filter((name) => bytesOf(name)[0] === 0xef)).toHaveLength(1);
    expect(names.filter((name) => bytesOf(name).includes('<x1:SenderParty>'))).toHaveLength(1);
  });

  it('totals', () => {
    const { invoice } = documentIn(bytesOf('ad08300990020002600000002.xml'));
    expect(invoice).toEqual({
      cufe: '787bae9cb6d3f350bbd64ee4a961fd94fecb9d7fad682d4401acf4424d0e8e011a15972bb868ef0e2679d4d88b5d7050',
      number: 'FE2301',
      prefix: 'FE',
      type: '01',
      issueDate: '2026-10-11',
      issueTime: '09:15:00-05:00',
      seller: { id: '830099002', name: 'Ferretería La Estrella Ltda.' },
      buyer: { id: '900555321', name: 'Comercial El Cóndor S.A.S.' },
      payment: 'credit',
      subtotal: '300301.00',
      discount: '0.00',
      tax: '57057.19',
      total: '357358.19',
    });
  });
});

describe('forms', () => {
  it('escaped text instead of CDATA, blanks around, a mark inside', () => {
    const plain = documentIn(attached());
    expect(documentIn(attached({ wrap: 'escaped' }))).toEqual(plain);
    expect(documentIn(attached({ before: '\uFEFF\n ' }))).toEqual(plain);
    expect(documentIn(`\uFEFF${attached()}`)).toEqual(plain);
  });

  it.each([
    ['<cac:PaymentMeans><cbc:ID>2</cbc:ID></cac:PaymentMeans>', 'credit'],
    ['<cac:PaymentMeans><cbc:ID>1</cbc:ID></cac:PaymentMeans>', 'cash'],
    [
      '<cac:PaymentMeans><cbc:ID>1</cbc:ID></cac:PaymentMeans><cac:PaymentMeans><cbc:ID>2</cbc:ID></cac:PaymentMeans>',
      'mixed',
    ],
    ['', undefined],
  ])('%s is %s', (payment, expected) => {
    expect(documentIn(attached({ payment })).invoice.payment).toBe(expected);
  });

  it('several taxes add up, a line’s tax does not count', () => {
    const taxes = '<cac:TaxTotal><cbc:TaxAmount>0.1</cbc:TaxAmount></cac:TaxTotal>'.repeat(2);
    const line = `<cac:InvoiceLine>${taxes}</cac:InvoiceLine>`;
    expect(documentIn(attached({ taxes: taxes + line })).invoice.tax).toBe('0.20');
    expect(documentIn(attached({ taxes: '' })).invoice.tax).toBe('0.00');
  });

  it('prefix from the numbering range, discount, addresses, a NIT written for people', () => {
    const { invoice } = documentIn(
      attached({
        extension:
          '<ext:UBLExtensions><ext:UBLExtension><ext:ExtensionContent><sts:DianExtensions><sts:InvoiceControl>' +
          '<sts:AuthorizedInvoices><sts:Prefix>FE2</sts:Prefix></sts:AuthorizedInvoices></sts:InvoiceControl>' +
          '</sts:DianExtensions></ext:ExtensionContent></ext:UBLExtension></ext:UBLExtensions>',
        totals:
          '<cbc:LineExtensionAmount>100.00</cbc:LineExtensionAmount>' +
          '<cbc:AllowanceTotalAmount>7.5</cbc:AllowanceTotalAmount><cbc:PayableAmount>92.50</cbc:PayableAmount>',
        contact: '<cac:Contact><cbc:ElectronicMail>ventas@example.com</cbc:ElectronicMail></cac:Contact>',
        sellerId: '860.012.345-6',
      }),
    );
    expect(invoice).toMatchObject({
      prefix: 'FE2',
      discount: '7.50',
      seller: { id: '860012345', email: 'ventas@example.com' },
    });
  });

  it('a CUFE in capitals', () => {
    expect(documentIn(attached({ cufe: CUFE.toUpperCase() })).invoice.cufe).toBe(CUFE);
  });

  it('a container that names another code', () => {
    expect(documentIn(attached({ containerCufe: 'e'.repeat(96) })).invoice.cufe).toBe(CUFE);
  });

  it('without DIAN’s answer, or with its no', () => {
    expect(documentIn(attached({ answer: '' })).dianAnswer).toBeUndefined();
    expect(documentIn(attached({ answerCode: '04' })).dianAnswer).toEqual({ code: '04' });
  });
});

describe('refusals', () => {
  const doctype = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  const external = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>';
  const deep = (levels: number): string => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`;

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'xml-malformed'],
    ['no XML', 'hola', 'xml-malformed'],
    ['a PDF', '%PDF-1.4\n', 'xml-malformed'],
    ['bytes that are no UTF-8', Buffer.from(attached({ sellerName: 'Peña' }), 'latin1'), 'not-utf8'],
    ['UTF-16', Buffer.from(`\uFEFF${attached()}`, 'utf16le'), 'not-utf8'],
    ['an undefined entity', attached({ sellerName: '&nbsp;' }), 'xml-malformed'],
    ['a DOCTYPE', attached({ doctype }), 'xml-doctype'],
    ['an external entity', attached({ doctype: external, sellerName: '&e;' }), 'xml-doctype'],
    ['a DOCTYPE inside', attached({ before: doctype }), 'xml-doctype'],
    ['a DOCTYPE in the answer', attached({ beforeAnswer: doctype }), 'xml-doctype'],
    ['too deep', `<AttachedDocument>${deep(100)}</AttachedDocument>`, 'xml-too-deep'],
    ['too deep inside', attached({ taxes: deep(100) }), 'xml-too-deep'],
    ['too large', attached({ taxes: `<!--${'x'.repeat(9 * 2 ** 20)}-->` }), 'too-large'],
    ['another root', '<Invoice/>', 'not-attached-document Invoice'],
    ['nothing inside', '<AttachedDocument/>', 'not-an-invoice'],
    ['a credit note', attached({ root: 'CreditNote' }), 'not-an-invoice CreditNote'],
    ['a broken invoice', attached({ taxes: '<cac:TaxTotal>' }), 'xml-malformed'],
    ['no CUFE', attached({ cufe: '' }), 'invoice-incomplete Invoice/UUID'],
    ['a short CUFE', attached({ cufe: CUFE.slice(1) }), 'invoice-incomplete Invoice/UUID'],
    ['no number', attached({ number: '' }), 'invoice-incomplete Invoice/ID'],
    ['no such date', attached({ issueDate: '2026-02-30' }), 'invoice-incomplete Invoice/IssueDate'],
    [
      'no seller',
      attached({ sellerId: '' }),
      'invoice-incomplete Invoice/AccountingSupplierParty/Party/PartyTaxScheme/CompanyID',
    ],
    [
      'no total',
      attached({ totals: '<cbc:LineExtensionAmount>1.00</cbc:LineExtensionAmount>' }),
      'invoice-incomplete Invoice/LegalMonetaryTotal/PayableAmount',
    ],
    [
      'a tax that is no number',
      attached({ taxes: '<cac:TaxTotal><cbc:TaxAmount>1,5</cbc:TaxAmount></cac:TaxTotal>' }),
      'invoice-incomplete Invoice/TaxTotal/TaxAmount',
    ],
    [
      'an answer on another invoice',
      attached({ answerCufe: 'f'.repeat(96) }),
      `other-invoice ${'f'.repeat(96)}`,
    ],
  ])('%s', (_name, xml, refusal) => expect(refusalOf(xml)).toBe(refusal));

  it('wherever a file breaks off', () => {
    const whole = bytesOf('ad09010990030002600000006.xml');
    const end = whole.lastIndexOf('>');
    for (let length = 0; length <= end; length += 13)
      expect(refusalOf(whole.subarray(0, length))).toMatch(/^(xml-malformed|not-utf8)$/);
  });

  it('whatever byte is wrong', () => {
    const whole = bytesOf('ad08600990010002600000001.xml');
    for (let at = 0; at < whole.length; at += 7) {
      const bytes = Buffer.from(whole);
      bytes[at] = bytes[at]! ^ 0x15;
      expect(() => read(bytes)).not.toThrow();
    }
  });
});
