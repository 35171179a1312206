import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.js';
import { type Reply, request, result } from '../client.js';
import { as, askEvents, BUYER, cufeOf, eventsAtDian, morning, SELLER, sendAll } from './requests.js';

const CUFE = cufeOf('query');
const THIRD = '900000003';

/** A buyer, a seller and a third company, in DIAN's environment for tests. */
const three = (): Promise<Sandbox> =>
  morning({
    companies: [{ nit: BUYER, name: 'Comprador SAS' }, { nit: SELLER, name: 'Vendedor SAS' }, { nit: THIRD }],
    invoices: [{ cufe: CUFE, seller: SELLER, sellerName: 'Vendedor SAS', number: 'FE2301' }],
  });

type Box = Pick<Sandbox, 'url' | 'token'>;

const E4 = (box: Box, cufe = CUFE, ambiente = '2'): Promise<Reply> =>
  request(box, 'POST', `/api/ubl2.1/query-events-cufe-dian/${cufe}/${ambiente}`, {});
const E5 = (box: Box, uuid = CUFE): Promise<Reply> =>
  request(box, 'POST', `/api/ubl2.1/query-events-uuid/${uuid}`, {});
const E6 = (box: Box, prefix = 'FE', number = '2301'): Promise<Reply> =>
  request(box, 'POST', `/api/ubl2.1/query-events-prefix-number/${prefix}/${number}`, {});

describe('E3', () => {
  it('lists what DIAN approved', async () => {
    const box = await three();
    await sendAll(box, CUFE, '030', '033', '032');
    const reply = await askEvents(box, CUFE);
    expect(reply.json).toMatchObject({ success: true, cufecude: CUFE, certificate_days_left: 210 });
    expect(reply.at('/events')).toEqual([
      {
        event_number: `${SELLER}FE2301030`,
        dian_code: '030',
        description: expect.stringContaining('Acuse'),
        date: '2026-03-11',
        time: '10:00:00-05:00',
        cude: expect.stringMatching(/^[0-9a-f]{96}$/),
      },
      expect.objectContaining({ event_number: `${SELLER}FE2301032`, dian_code: '032' }),
    ]);
    expect(result(reply)).toMatchObject({ IsValid: 'true', StatusCode: '00' });
  });

  it.each([CUFE, cufeOf('never seen'), 'nonsense'])('none: %s', async (cufe) => {
    const reply = await askEvents(await three(), cufe);
    expect([reply.status, reply.at('/success'), reply.at('/events')]).toEqual([200, false, undefined]);
    expect(result(reply)).toMatchObject({ IsValid: 'false', StatusCode: '67' });
  });

  it('shows what others registered', async () => {
    const box = await three();
    box.controls.addEvent({ cufe: CUFE, code: '030' });
    expect(await eventsAtDian(box, CUFE)).toBe('030');
    expect(await sendAll(box, CUFE, '030', '032')).toEqual(['LGC01', 'accepted']);
  });
});

describe('E4', () => {
  it('lists by code, with success as text', async () => {
    const box = await three();
    await sendAll(box, CUFE, '030', '032');
    const reply = await E4(box);
    const event = {
      success: 'true',
      Fecha: '2026-03-11',
      Nit_Emisor: BUYER,
      Emisor: 'Comprador SAS',
      Nit_Receptor: SELLER,
      Receptor: 'Vendedor SAS',
      Descripción: expect.any(String),
    };
    expect(reply.json).toEqual({
      success: 'true',
      Evento_030: [{ ...event, Evento_030: '030' }],
      Evento_031: [],
      Evento_032: [{ ...event, Evento_032: '032' }],
      Evento_033: [],
      Evento_034: [],
    });
    expect((await E4(as(box, SELLER))).json).toEqual(reply.json);
  });

  it('none', async () => {
    expect((await E4(await three())).json).toEqual({ success: 'false', message: expect.any(String) });
  });

  it('looks into the environment that is asked for', async () => {
    const box = await morning({ companies: [{ nit: BUYER, environment: 'production' }] });
    await sendAll(box, CUFE, '030');
    const asked = [await E4(box, CUFE, '1'), await E4(box, CUFE, '2')];
    expect(asked.map((reply) => reply.at('/success'))).toEqual(['true', 'false']);
  });
});

describe('E5 and E6', () => {
  const SENTENCES = {
    'Acuse de recibo de Factura Electrónica de Venta': true,
    'Recibo del bien y/o prestación del servicio': true,
    'Aceptación expresa': false,
    'Reclamo de la Factura Electrónica de Venta': true,
  };
  const MAIL = { send_email_success: false, send_email_date_time: null };

  it('tell the seller what happened', async () => {
    const box = await three();
    const seller = as(box, SELLER);
    for (const reply of [await E5(seller), await E6(seller)])
      expect(reply.json).toEqual({ success: true, 'Aceptación Tácita': true, ...MAIL });
    await sendAll(as(box, BUYER), CUFE, '030', '032', '031');
    for (const reply of [await E5(seller), await E6(seller)])
      expect(reply.json).toEqual({ success: true, ...SENTENCES, ...MAIL });
  });

  it('are not for received invoices', async () => {
    const box = await three();
    await sendAll(box, cufeOf('received'), '030');
    const found = [await E5(box, cufeOf('received')), await E6(box), await E6(as(box, THIRD))];
    expect(found.map((reply) => reply.at('/success'))).toEqual([false, false, false]);
  });

  it('E5 is not confined to the company', async () => {
    expect((await E5(as(await three(), THIRD))).at('/success')).toBe(true);
  });

  it('E6 wants the whole number', async () => {
    const seller = as(await three(), SELLER);
    const found = [
      await E6(seller, 'FE', '230'),
      await E6(seller, 'F', '2301'),
      await E6(seller, 'FE', '2301'),
    ];
    expect(found.map((reply) => reply.at('/success'))).toEqual([false, false, true]);
  });
});

describe('companies are kept apart', () => {
  it('the same unknown CUFE is an invoice of each', async () => {
    const box = await three();
    const cufe = cufeOf('shared');
    expect(await sendAll(as(box, BUYER), cufe, '030', '032')).toEqual(['accepted', 'accepted']);
    expect(await eventsAtDian(as(box, THIRD), cufe)).toBe('67');
    expect(await sendAll(as(box, THIRD), cufe, '032', '030')).toEqual(['LGC09', 'accepted']);
    expect(await eventsAtDian(as(box, BUYER), cufe)).toBe('030 032');
  });

  it('a third company sees and does nothing', async () => {
    const box = await three();
    await sendAll(as(box, BUYER), CUFE, '030');
    const third = as(box, THIRD);
    expect([await eventsAtDian(third, CUFE), (await E4(third)).at('/success')]).toEqual(['67', 'false']);
    expect(await sendAll(third, CUFE, '032', '034')).toEqual([
      expect.stringContaining(THIRD),
      expect.stringContaining(THIRD),
    ]);
  });
});
