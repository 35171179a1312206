import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { attached, CUFE as WORKED } from '../../families/events/attached.js';
import { admin, rules } from '../client.js';
import {
  ANA,
  askEvents,
  BUYER,
  byCufe,
  byFile,
  cufeOf,
  eventsAtDian,
  IN_BOOK,
  MORNING,
  morning,
  outcome,
  SELLER,
  sendAll,
  sendEvent,
} from './requests.js';

const CUFE = cufeOf('control');
const wish = (text: string): JsonObject => ({
  issuer_party: { ...ANA, job_title: `Auxiliar cargue:${text}` },
});

describe('chosen verdicts', () => {
  it.each<[string, JsonObject, JsonObject | undefined, string[], string]>([
    ['by wish', wish('reject AAD09e'), undefined, ['AAD09e'], 'AAD09e'],
    ['by wish', wish('reject LGC01 LGC62'), undefined, ['LGC01', 'LGC62'], 'LGC01 LGC62'],
    ['by wish', wish('notify AAD05'), undefined, ['AAD05'], 'accepted'],
    ['by admin', {}, { verdict: 'reject', rules: ['AAD09e'] }, ['AAD09e'], 'AAD09e'],
    ['by admin', {}, { verdict: 'notify', rules: ['AAD05'] }, ['AAD05'], 'accepted'],
    ['by admin', {}, { verdict: 'set-accepted' }, [], 'false "2"'],
  ])('%s %j %j', async (_name, more, arranged, told, expected) => {
    const box = await morning();
    if (arranged !== undefined) {
      const match = { key: `${CUFE}-030` };
      expect((await admin(box, 'POST', '/outcomes', { match, ...arranged })).status).toBe(200);
    }
    const reply = await sendEvent(box, byCufe('030', CUFE, more));
    expect([rules(reply), outcome(reply)]).toEqual([told, expected]);
    expect(box.controls.events()).toHaveLength(expected === 'accepted' ? 1 : 0);
    expect(await sendAll(box, cufeOf('another'), '030')).toEqual(['accepted']);
  });

  it('a chosen 90 sets the mark without an event at DIAN', async () => {
    const box = await morning();
    box.controls.addOutcome({ match: {}, verdict: 'reject', rules: ['90'], times: 1 });
    expect(await sendAll(box, CUFE, '030', '030')).toEqual(['90', IN_BOOK]);
    expect(await eventsAtDian(box, CUFE)).toBe('67');
  });

  it('notified and rejected for another reason', async () => {
    const reply = await sendEvent(await morning(), byCufe('032', CUFE, wish('notify AAD05')));
    expect([rules(reply), outcome(reply)]).toEqual([['LGC09', 'AAD05'], 'LGC09']);
  });
});

describe('faults', () => {
  const seen = async (reply: Promise<{ status: number }>): Promise<string> =>
    reply.then(({ status }) => String(status)).catch(() => 'reset');

  it.each([
    ['reset-before', 'reset', false],
    ['reset-after', 'reset', true],
    ['500', '500', false],
    ['502-html', '502', false],
    ['429', '429', false],
    ['bare-string', '200', true],
    ['truncated-json', '200', true],
    ['dian-503', '200', false],
    ['delay', '200', true],
  ] as const)('%s, arranged and wished, strikes one event once', async (kind, sees, lands) => {
    const box = await morning();
    await admin(box, 'POST', '/faults', { match: { key: `${CUFE}-030` }, kind, ms: 1 });
    expect(await seen(sendEvent(box, byCufe('030', CUFE)))).toBe(sees);
    expect(await eventsAtDian(box, CUFE)).toBe(lands ? '030' : '67');
    expect(await sendAll(box, CUFE, '030')).toEqual([lands ? IN_BOOK : 'accepted']);

    const other = cufeOf('wished');
    const body = byCufe('030', other, wish(`${kind} 1`));
    expect(await seen(sendEvent(box, body))).toBe(sees);
    expect(outcome(await sendEvent(box, body))).toBe(lands ? IN_BOOK : 'accepted');
    // Another event of the invoice has its own wish.
    expect(await seen(sendEvent(box, byCufe('032', other, wish(`${kind} 1`))))).toBe(sees);
  });

  it('strike queries as well', async () => {
    const box = await morning();
    box.controls.addFault({ match: { operation: 'getInvoiceEvents', key: CUFE }, kind: '500' });
    expect((await askEvents(box, CUFE)).status).toBe(500);
    expect((await askEvents(box, CUFE)).status).toBe(200);
  });
});

describe('the request log', () => {
  it('goes by CUFE and event, and has persons in the bodies alone', async () => {
    const box = await morning();
    await sendEvent(box, byCufe('030', CUFE, { issuer_party: ANA }));
    await sendEvent(box, byCufe('030', CUFE, { issuer_party: ANA }));
    await sendEvent(box, byCufe('033', CUFE));
    await sendEvent(box, byFile('030', attached()));
    await sendEvent(box, byFile('030', 'hola'));
    await askEvents(box, CUFE);
    const log = box.controls.requests().requests;
    expect(log.map(({ operation, key, number, effect }) => [operation, key, number, effect])).toEqual([
      ['sendEventData', `${CUFE}-030`, expect.stringMatching(/^FE\d+$/), 'accepted'],
      ['sendEventData', `${CUFE}-030`, expect.stringMatching(/^FE\d+$/), 'already-sent'],
      ['sendEventData', `${CUFE}-033`, expect.stringMatching(/^FE\d+$/), 'rejected'],
      ['sendEvent', `${WORKED}-030`, 'FE2301', 'accepted'],
      ['sendEvent', undefined, undefined, 'refused'],
      ['getInvoiceEvents', CUFE, undefined, 'answered'],
    ]);
    expect(box.controls.requests({ key: `${CUFE}-030` }).count).toBe(2);
    expect(log[0]).toMatchObject({ body: { issuer_party: ANA } });
    const outside = log.map(({ body: _, ...request }) => request);
    expect(JSON.stringify(outside)).not.toContain(ANA.identification_number);
  });
});

describe('admin routes', () => {
  it('list what DIAN holds of an invoice, and make it forget', async () => {
    const box = await morning();
    const cude = (await sendEvent(box, byCufe('030', CUFE))).at('/cude');
    await sendAll(box, cufeOf('another'), '030');
    expect((await admin(box, 'GET', '/events')).at('/count')).toBe(2);
    const listed = await admin(box, 'GET', `/events?cufe=${CUFE}`);
    expect(listed.json).toMatchObject({
      count: 1,
      events: [{ code: '030', cufe: CUFE, cude, buyer: BUYER, environment: 'test', date: '2026-03-11' }],
    });
    expect((await admin(box, 'DELETE', `/events/${cude}`)).status).toBe(200);
    expect((await admin(box, 'DELETE', `/events/${cude}`)).status).toBe(404);
    expect(await eventsAtDian(box, CUFE)).toBe('67');
    // The service's book does not know.
    expect(await sendAll(box, CUFE, '030')).toEqual([IN_BOOK]);
  });

  it('make an invoice known', async () => {
    const box = await morning();
    const invoice = {
      cufe: CUFE,
      seller: SELLER,
      number: 'SETP77',
      payment: 'cash',
      total: '100.00',
      tax: '15.97',
    };
    const reply = await admin(box, 'POST', '/invoices', invoice);
    expect(reply.json).toMatchObject({
      number: 'SETP77',
      prefix: 'SETP',
      payment: 'cash',
      buyer: { id: BUYER },
      seller: { id: SELLER },
      subtotal: '84.03',
      total: '100.00',
    });
    expect((await admin(box, 'GET', '/invoices')).at('/invoices')).toEqual([reply.json]);
    expect(await sendAll(box, CUFE, '030')).toEqual(['LGC62']);
    await admin(box, 'DELETE', `/invoices/${CUFE}`);
    expect(await sendAll(box, CUFE, '030')).toEqual(['accepted']);
  });

  it('register what others did', async () => {
    const box = await morning();
    expect((await admin(box, 'POST', '/events', { cufe: CUFE, code: '030' })).at('/code')).toBe('030');
    expect(await sendAll(box, CUFE, '032')).toEqual(['accepted']);
  });

  it.each<[string, JsonObject, string]>([
    ['/invoices', {}, 'cufe'],
    ['/invoices', { cufe: 'short' }, 'cufe'],
    ['/invoices', { cufe: CUFE, payment: 'barter' }, 'payment'],
    ['/invoices', { cufe: CUFE, total: '1' }, 'total'],
    ['/invoices', { cufe: CUFE, issueDate: '2026-02-30' }, 'issueDate'],
    ['/events', { cufe: CUFE }, 'code'],
    ['/events', { cufe: CUFE, code: '035' }, 'code'],
  ])('refuse %s %j', async (path, body, member) => {
    const reply = await admin(await morning(), 'POST', path, body);
    expect([reply.status, reply.at('/message')]).toEqual([400, expect.stringContaining(member)]);
  });

  it('options with a CUFE that is none stop the start', async () => {
    await expect(morning({ invoices: [{ cufe: 'short' }] })).rejects.toThrow(TypeError);
  });
});

describe('mail', () => {
  const contact = '<cac:Contact><cbc:ElectronicMail>ventas@example.com</cbc:ElectronicMail></cac:Contact>';
  const copies = { email_cc_list: [{ email: 'uno@example.com' }, { email: 'dos@example.com' }] };

  it.each<[string, JsonObject, string[]]>([
    [
      'with copies',
      { sendmail: true, ...copies },
      ['ventas@example.com', 'uno@example.com', 'dos@example.com'],
    ],
    ['to the seller', { sendmail: true }, ['ventas@example.com']],
    ['copies alone send nothing', copies, []],
    ['not wanted', { sendmail: false }, []],
  ])('%s', async (_name, more, recipients) => {
    const box = await morning();
    const reply = await sendEvent(box, byFile('030', attached({ contact }), more));
    const mails = box.controls.outbox();
    expect(mails.map(({ to }) => to)).toEqual(recipients);
    for (const mail of mails)
      expect(mail).toMatchObject({
        company: BUYER,
        number: reply.at('/consecutive'),
        documentCode: reply.at('/cude'),
      });
  });

  it('not for a rejected event', async () => {
    const box = await morning();
    await sendEvent(box, byFile('032', attached({ contact }), { sendmail: true }));
    expect(box.controls.outbox()).toEqual([]);
  });
});

describe('state', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-events-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('outlives the process: events, marks, invoices', async () => {
    const stateFile = join(folder, 'state.jsonl');
    const before = await morning({ stateFile });
    await admin(before, 'POST', '/invoices', { cufe: cufeOf('cash'), payment: 'cash' });
    expect(await sendAll(before, CUFE, '030', '032')).toEqual(['accepted', 'accepted']);
    await before.close();
    const after = await morning({ stateFile, now: () => MORNING });
    expect(await eventsAtDian(after, CUFE)).toBe('030 032');
    expect(await sendAll(after, CUFE, '030', '033')).toEqual([IN_BOOK, 'accepted']);
    expect(await sendAll(after, cufeOf('cash'), '030')).toEqual(['LGC62']);
  });
});
