import { beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.js';
import { type AttachedParts, attached } from '../../families/events/attached.js';
import { type Reply, request } from '../client.js';
import {
  ANA,
  as,
  BUYER,
  byCufe,
  byFile,
  cufeOf,
  eventsAtDian,
  FILES,
  IN_BOOK,
  morning,
  outcome,
  sendEvent,
} from './requests.js';

/** Who bought in the sample files. */
const CONDOR = '900555321';
const BROKEN = 'ad08600990010002600000004.xml';
const GOOD = Object.keys(FILES).filter((name) => name !== BROKEN);

const receive = (
  box: Pick<Sandbox, 'url' | 'token'>,
  xml: string | Buffer,
  company_idnumber = CONDOR,
): Promise<Reply> =>
  request(box, 'POST', '/api/process-seller-document-reception', {
    company_idnumber,
    xml_document: Buffer.from(xml).toString('base64'),
  });

let box: Sandbox;
beforeAll(async () => {
  box = await morning({ companies: [{ nit: CONDOR, name: 'Comercial El Cóndor S.A.S.' }] });
});

describe('the sample files', () => {
  it.each(GOOD)('%s: read by E7, taken by E1', async (name) => {
    const read = await receive(box, FILES[name]!);
    const cufe = String(read.at('/data/cufe'));
    expect([read.at('/success'), read.at('/data/acu_recibo')]).toEqual([true, 0]);
    const sent = await sendEvent(box, byFile('030', FILES[name]!, { issuer_party: ANA }));
    expect(outcome(sent)).toBe('accepted');
    expect(sent.json).toMatchObject({
      transmitter_id: read.at('/data/identification_number'),
      transmitter_name: read.at('/data/name_seller'),
      receiver_id: CONDOR,
      invoice_number: read.at('/data/number'),
      invoice_cufe: cufe,
      invoice_total: read.at('/data/total'),
      invoice_tax: read.at('/data/total_tax'),
    });
    // A file and its CUFE are one invoice.
    expect(await eventsAtDian(box, cufe)).toBe('030');
    expect((await receive(box, FILES[name]!)).at('/data/acu_recibo')).toBe(1);
    expect((await sendEvent(box, byFile('030', FILES[name]!))).json).toEqual({
      success: false,
      message: IN_BOOK,
    });
    expect((await sendEvent(box, byCufe('030', cufe))).at('/message')).toBe(IN_BOOK);
  });

  it('the one that breaks off', async () => {
    for (const reply of [
      await sendEvent(box, byFile('030', FILES[BROKEN]!)),
      await receive(box, FILES[BROKEN]!),
    ])
      expect([reply.status, reply.json]).toEqual([200, { success: false, message: expect.any(String) }]);
  });
});

describe('refused with 200', () => {
  const own = attached({ buyerId: CONDOR });

  it.each<[string, string]>([
    ['somebody else’s invoice', attached({ buyerId: '900000001' })],
    ['a credit note', attached({ buyerId: CONDOR, root: 'CreditNote' })],
    ['a bare invoice', '<Invoice/>'],
    ['no XML', 'hola'],
    ['a DOCTYPE', attached({ buyerId: CONDOR, doctype: '<!DOCTYPE x>' })],
  ])('%s', async (_name, xml) => {
    for (const reply of [await sendEvent(box, byFile('030', xml)), await receive(box, xml)])
      expect([reply.status, reply.json]).toEqual([200, { success: false, message: expect.any(String) }]);
  });

  it.each<[string, AttachedParts]>([
    ['without DIAN’s answer', { answer: '' }],
    ['rejected by DIAN', { answerCode: '04' }],
  ])('by E1, %s; E7 only reads', async (_name, parts) => {
    const xml = attached({ buyerId: CONDOR, ...parts });
    expect((await sendEvent(box, byFile('030', xml))).at('/success')).toBe(false);
    expect((await receive(box, xml)).at('/success')).toBe(true);
  });

  it.each(['not base64 at all: %%%', '===='])('base64 that is none: %s', async (base64) => {
    const body = byFile('030', own, { base64_attacheddocument: base64 });
    expect((await sendEvent(box, body)).at('/success')).toBe(false);
  });

  it('E7 for another company', async () => {
    expect((await receive(box, own, '900000001')).at('/success')).toBe(false);
    expect((await receive(box, attached({ buyerId: '900000001' }), '900000001')).at('/success')).toBe(false);
  });
});

describe('a cash sale', () => {
  const payment = '<cac:PaymentMeans><cbc:ID>1</cbc:ID></cac:PaymentMeans>';

  it('says the file', async () => {
    const xml = attached({ buyerId: CONDOR, cufe: cufeOf('cash'), payment });
    expect(outcome(await sendEvent(box, byFile('030', xml)))).toBe('LGC62');
  });

  it('unless DIAN knows better', async () => {
    const cufe = cufeOf('known as credit');
    box.controls.addInvoice({ cufe, buyer: CONDOR, payment: 'credit' });
    expect(outcome(await sendEvent(box, byFile('030', attached({ buyerId: CONDOR, cufe, payment }))))).toBe(
      'accepted',
    );
  });
});

describe('E7', () => {
  it('reads all that it promises', async () => {
    const fresh = await morning();
    const reply = await receive(fresh, attached(), BUYER);
    expect(reply.at('/data')).toEqual({
      identification_number: '860012345',
      dv: '8',
      name_seller: 'Vendedor SAS',
      state_document_id: 1,
      type_document_id: '01',
      customer: BUYER,
      prefix: 'FE',
      number: 'FE2301',
      xml: null,
      cufe: expect.stringMatching(/^1bc07921/),
      date_issue: '2026-03-10 09:15:00',
      sale: '1190000.00',
      total_discount: '0.00',
      subtotal: '1000000.00',
      total_tax: '190000.00',
      total: '1190000.00',
      pdf: null,
      acu_recibo: 0,
      rec_bienes: 0,
      aceptacion: 0,
      rechazo: 0,
    });
    expect([fresh.controls.events(), fresh.controls.invoices()]).toEqual([[], []]);
  });

  it('shows the marks of the service’s book', async () => {
    const fresh = await morning();
    const xml = attached();
    const flags = async (): Promise<unknown[]> => {
      const reply = await receive(fresh, xml, BUYER);
      return ['acu_recibo', 'rec_bienes', 'aceptacion', 'rechazo'].map((name) => reply.at(`/data/${name}`));
    };
    await sendEvent(fresh, byFile('030', xml));
    await sendEvent(fresh, byFile('032', xml));
    expect(await flags()).toEqual([1, 1, 0, 0]);
    await sendEvent(fresh, byFile('031', xml));
    expect(await flags()).toEqual([1, 1, 0, 1]);
  });

  it('is another’s book to another company', async () => {
    const two = await morning({ companies: [{ nit: BUYER }, { nit: CONDOR }] });
    await sendEvent(as(two, BUYER), byFile('030', attached()));
    const other = await receive(as(two, CONDOR), attached({ buyerId: CONDOR }));
    expect(other.at('/data/acu_recibo')).toBe(0);
  });
});
