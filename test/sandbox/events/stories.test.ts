import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/options.js';
import type { Sandbox } from '../../../src/sandbox/server.js';
import { result } from '../client.js';
import {
  ANA,
  as,
  BUYER,
  byCufe,
  cufeOf,
  eventsAtDian,
  IN_BOOK,
  morning,
  outcome,
  SELLER,
  sendAll,
  sendEvent,
} from './requests.js';

/** The invoice, the hour and the PIN of service.md 13.9. */
const CUFE =
  '1bc079219cbc8e38482c9dc14323fc3ef0ba89ca455d0007f357c338c23a889875d5c96507ce868f8f83afbe85bbb3b4';
const CUDE =
  'ec6c117f30acb43d5596771ddabc624efeffd9d995ff8e77516214f6e58d0fbb6980af52bb5cc47b6d5053b186293e08';
const INVOICE = {
  cufe: CUFE,
  buyer: BUYER,
  seller: SELLER,
  sellerName: 'Vendedor SAS',
  number: 'FE2301',
  issueDate: '2026-03-10',
  total: '1190000.00',
  tax: '190000.00',
};

const worked = (more: SandboxOptions = {}): Promise<Sandbox> =>
  morning({
    companies: [
      { nit: BUYER, name: 'Comprador SAS', softwarePin: '12345' },
      { nit: SELLER, name: 'Vendedor SAS' },
    ],
    invoices: [INVOICE],
    ...more,
  });

const DAY = 24 * 3600;

describe('the worked example', () => {
  it('accepted', async () => {
    const reply = await sendEvent(await worked(), byCufe('030', CUFE, { issuer_party: ANA }));
    expect(reply.json).toEqual({
      success: true,
      message: expect.any(String),
      certificate_days_left: 210,
      cude: CUDE,
      consecutive: '860012345FE2301030',
      transmitter_id: SELLER,
      transmitter_name: 'Vendedor SAS',
      receiver_id: BUYER,
      receiver_name: 'Comprador SAS',
      invoice_number: 'FE2301',
      invoice_date: '2026-03-10',
      invoice_cufe: CUFE,
      invoice_total: '1190000.00',
      invoice_tax: '190000.00',
      ResponseDian: expect.anything(),
    });
    expect(result(reply)).toMatchObject({
      ErrorMessage: { _attributes: { nil: 'true' } },
      IsValid: 'true',
      StatusCode: '00',
      XmlDocumentKey: CUDE,
    });
  });

  it('rejected: success is true all the same', async () => {
    const reply = await sendEvent(await worked(), byCufe('032', CUFE));
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json as object).sort()).toEqual([
      'ResponseDian',
      'certificate_days_left',
      'consecutive',
      'cude',
      'message',
      'success',
    ]);
    expect([reply.at('/success'), result(reply)['IsValid'], result(reply)['StatusCode']]).toEqual([
      true,
      'false',
      '99',
    ]);
    expect(result(reply)['ErrorMessage']).toEqual({
      string: expect.stringMatching(/^Regla: LGC09, Rechazo: /),
    });
  });

  it('already in the book', async () => {
    const box = await worked();
    await sendEvent(box, byCufe('030', CUFE));
    box.controls.advanceClock(DAY);
    expect((await sendEvent(box, byCufe('030', CUFE))).json).toEqual({
      success: false,
      message: IN_BOOK,
      cude: CUDE,
      date_issue: '2026-03-11',
      seller_id: SELLER,
      seller_name: 'Vendedor SAS',
      invoice_number: 'FE2301',
      invoice_cufe: CUFE,
    });
  });

  it('the CUDE changes with the PIN and the clock', async () => {
    const companies = [{ nit: BUYER, softwarePin: '54321' }];
    const otherPin = await sendEvent(await worked({ companies }), byCufe('030', CUFE));
    const later = await worked();
    later.controls.advanceClock(1);
    const otherTime = await sendEvent(later, byCufe('030', CUFE));
    expect(new Set([CUDE, otherPin.at('/cude'), otherTime.at('/cude')]).size).toBe(3);
  });
});

describe('stories of a buyer', () => {
  const cufe = cufeOf('story');

  it('acknowledged, received, accepted', async () => {
    const box = await morning();
    expect(await sendAll(box, cufe, '030', '032', '033')).toEqual(['accepted', 'accepted', 'accepted']);
    expect(await eventsAtDian(box, cufe)).toBe('030 032 033');
    expect(await sendAll(box, cufe, '031')).toEqual(['LGC02']);
  });

  it('claimed', async () => {
    const box = await morning();
    expect(await sendAll(box, cufe, '030', '032', '031', '033')).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'LGC04',
    ]);
    expect(await eventsAtDian(box, cufe)).toBe('030 032 031');
  });

  it('a rejected event leaves no mark', async () => {
    const box = await morning();
    expect(await sendAll(box, cufe, '032', '032', '030', '032')).toEqual([
      'LGC09',
      'LGC09',
      'accepted',
      'accepted',
    ]);
  });

  it('one mark for both acceptances', async () => {
    const box = await morning();
    expect(await sendAll(box, cufe, '030', '032', '033', '034')).toEqual([
      'accepted',
      'accepted',
      'accepted',
      IN_BOOK,
    ]);
    const again = byCufe('034', cufe, { resend_consecutive: true });
    expect(outcome(await sendEvent(box, again))).toBe('LGC05');
  });

  it('resent: the mark is cleared, the number gets a digit, and DIAN knows the event', async () => {
    const box = await morning({ resendDigit: () => 7 });
    const first = await sendEvent(box, byCufe('030', cufe));
    const resent = await sendEvent(box, byCufe('030', cufe, { resend_consecutive: true }));
    expect([outcome(resent), resent.at('/consecutive')]).toEqual(['LGC01', `${first.at('/consecutive')}7`]);
    expect(resent.at('/cude')).not.toBe(first.at('/cude'));
    // The mark is gone, so the next one reaches DIAN, whose 90 brings the mark back.
    const ninety = await sendEvent(box, byCufe('030', cufe));
    expect([outcome(ninety), result(ninety)['XmlDocumentKey']]).toEqual(['90', first.at('/cude')]);
    expect(result(ninety)['ErrorMessage']).toEqual({
      string: 'Regla: 90, Rechazo: Documento procesado anteriormente.',
    });
    expect(await sendAll(box, cufe, '030')).toEqual([IN_BOOK]);
    expect(await eventsAtDian(box, cufe)).toBe('030');
  });

  it('two resends collide when they get the same digit', async () => {
    const box = await morning({ resendDigit: () => 7 });
    const resend = byCufe('030', cufe, { resend_consecutive: true });
    expect(outcome(await sendEvent(box, resend))).toBe('accepted');
    expect(outcome(await sendEvent(box, resend))).toBe('90');
  });

  it('random digits stay digits', async () => {
    const box = await morning();
    const numbers = new Set<string>();
    for (let at = 0; at < 40; at++) {
      const body = byCufe('030', cufeOf(`digit ${at}`), { resend_consecutive: true });
      numbers.add(String((await sendEvent(box, body)).at('/consecutive')).slice(-4));
    }
    expect([...numbers].every((end) => /^030\d$/.test(end))).toBe(true);
    expect(numbers.size).toBeGreaterThan(2);
  });

  it('a cash sale', async () => {
    const box = await morning({ invoices: [{ cufe, payment: 'cash' }] });
    expect(await sendAll(box, cufe, '030', '032')).toEqual(['LGC62', 'LGC09']);
    expect(await eventsAtDian(box, cufe)).toBe('67');
  });

  it('DIAN’s own events are let through, and have no mark', async () => {
    const box = await morning();
    expect(await sendAll(box, cufe, '02', '04', '02', '030')).toEqual([
      'accepted',
      'accepted',
      '90',
      'accepted',
    ]);
    expect(await eventsAtDian(box, cufe)).toBe('02 04 030');
  });

  it('an expired certificate stops every event', async () => {
    const box = await morning({ companies: [{ nit: BUYER, certificateDaysLeft: 0 }] });
    const reply = await sendEvent(box, byCufe('030', cufe));
    expect([reply.at('/success'), reply.at('/certificate_days_left')]).toEqual([false, 0]);
    expect(box.controls.events()).toEqual([]);
  });
});

describe('tacit acceptance', () => {
  it('by the seller, when the term has run out', async () => {
    const box = await worked();
    const [buyer, seller] = [as(box, BUYER), as(box, SELLER)];
    expect(await sendAll(buyer, CUFE, '030', '032')).toEqual(['accepted', 'accepted']);
    expect(await sendAll(seller, CUFE, '034')).toEqual(['LGC14']);
    // 032 was on a Wednesday: the third business day is Monday.
    box.controls.advanceClock(5 * DAY);
    expect(await sendAll(seller, CUFE, '034')).toEqual(['LGC14']);
    box.controls.advanceClock(DAY);
    expect(await sendAll(seller, CUFE, '034')).toEqual(['accepted']);
    expect([await eventsAtDian(buyer, CUFE), await eventsAtDian(seller, CUFE)]).toEqual([
      '030 032 034',
      '030 032 034',
    ]);
    expect(await sendAll(buyer, CUFE, '033', '031')).toEqual(['LGC07', 'LGC02']);
  });

  it('not by the buyer, and nothing else by the seller', async () => {
    const box = await worked();
    expect(await sendAll(as(box, BUYER), CUFE, '034')).toEqual([expect.stringContaining(BUYER)]);
    expect(await sendAll(as(box, SELLER), CUFE, '030')).toEqual([expect.stringContaining(SELLER)]);
    expect(box.controls.requests().requests.map(({ effect }) => effect)).toEqual(['refused', 'refused']);
  });
});

describe('invoices that DIAN does not know', () => {
  it('are invented, always the same', async () => {
    const cufe = cufeOf('invented');
    const [one, two] = [await morning(), await morning()];
    const [first, second] = [
      await sendEvent(one, byCufe('030', cufe)),
      await sendEvent(two, byCufe('030', cufe)),
    ];
    expect(first.json).toEqual(second.json);
    expect(first.json).toMatchObject({
      receiver_id: BUYER,
      transmitter_id: expect.stringMatching(/^999\d{6}$/),
      invoice_number: expect.stringMatching(/^FE\d+$/),
      invoice_total: expect.stringMatching(/^\d+\.00$/),
    });
  });

  it('or refused, when told so', async () => {
    const box = await morning({ unknownInvoices: 'refuse', invoices: [{ cufe: cufeOf('known') }] });
    const reply = await sendEvent(box, byCufe('030', cufeOf('unknown')));
    expect([reply.status, reply.at('/success'), reply.at('/ResponseDian')]).toEqual([200, false, undefined]);
    expect(await sendAll(box, cufeOf('known'), '030')).toEqual(['accepted']);
  });

  it.each(['z', 'A'])('96 characters %s are no CUFE', async (letter) => {
    const reply = await sendEvent(await morning(), byCufe('030', letter.repeat(96)));
    expect([reply.status, reply.at('/success')]).toEqual([200, false]);
  });
});
