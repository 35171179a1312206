import { request as rawRequest } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createChance } from '../../src/sandbox/chance.js';
import { isLoopback } from '../../src/sandbox/server.js';
import { admin, EVENING, production, request, sandbox, send, sendTest, verdict, zipKeyOf } from './client.js';
import { byCufe, cufeOf } from './events/requests.js';
import { payroll, payrollOf } from './payroll-requests.js';
import {
  configure,
  createAppointment,
  createDocument,
  createPatient,
  createProvider,
} from './rips/clinic.js';

const ONE = '900123456';
const TWO = '901111222';

describe('reset and state', () => {
  it('a reset begins anew, with the same tokens and what was arranged at the start', async () => {
    const box = await sandbox({
      companies: [{ nit: ONE, environment: 'production' }, { nit: TWO }],
      faults: [{ match: { operation: 'sendPayroll' }, kind: '500' }],
    });
    expect((await send(box, payroll())).status).toBe(500);
    expect(verdict(await send(box, payroll()))).toBe('accepted');
    await createPatient(box);
    await admin(box, 'POST', '/clock', { advance: 86_400 });
    await admin(box, 'POST', '/outcomes', { match: {}, verdict: 'reject', rules: ['NIE024'] });

    expect((await admin(box, 'POST', '/reset')).json).toEqual({ reset: true });
    expect(box.controls.documents()).toEqual([]);
    expect(box.controls.view('patients')).toEqual([]);
    expect(box.controls.outcomes()).toEqual([]);
    expect(box.controls.requests().count).toBe(0);
    expect(box.controls.state().clock).toBe(EVENING.toISOString());
    expect((await send(box, payroll())).status).toBe(500);
    expect(verdict(await send(box, payroll()))).toBe('accepted');
    expect((await createPatient({ url: box.url, token: box.tokens[TWO]! })).at('/data/id')).toBe(1);
  });

  it('a snapshot goes from one sandbox to another', async () => {
    const one = await sandbox({ zipPolls: 0 });
    const zipKey = zipKeyOf(await sendTest(one, payroll()));
    await createPatient(one);
    await createAppointment(one, { patient_id: 1 });
    await admin(one, 'POST', '/clock', { now: '2026-05-01T12:00:00Z' });
    const state = (await admin(one, 'GET', '/state')).json;

    const two = await sandbox({ zipPolls: 0 });
    await createProvider(two);
    expect((await admin(two, 'POST', '/state', state)).json).toEqual({ restored: true });
    expect(two.controls.view('providers')).toEqual([]);
    const asked = await request(two, 'POST', `/api/ubl2.1/status/zip/${zipKey}`, { is_payroll: true });
    expect(verdict(asked)).toBe('accepted');
    expect((await createAppointment(two, { patient_id: 1 })).at('/data/id')).toBe(2);
    expect((await send(two, payroll({ consecutive: 2 }))).at('/ResponseDian')).toBeDefined();
    expect(two.controls.state().clock).toBe('2026-05-01T12:00:00.000Z');
  });

  it.each([
    {},
    { clock: 'yesterday', collections: {} },
    { clock: EVENING.toISOString(), collections: { rows: 1 } },
  ])('no state: %j', async (state) => {
    const box = await sandbox();
    await createPatient(box);
    expect((await admin(box, 'POST', '/state', state)).status).toBe(400);
    expect(box.controls.view('patients')).toHaveLength(1);
  });
});

it('views say what the service remembers, by company, without tokens and PINs', async () => {
  const box = await sandbox({ companies: [{ nit: ONE }, { nit: TWO }] });
  await createPatient(box);
  await createProvider(box);
  await createAppointment(box, { patient_id: 1 });
  await configure(box);
  await createDocument(box, { appointment_id: 1 });
  for (const [name, count] of [
    ['companies', 1],
    ['ranges', 2],
    ['patients', 1],
    ['providers', 1],
    ['appointments', 1],
    ['rips-documents', 1],
  ] as const) {
    const all = await admin(box, 'GET', `/${name}?company=${ONE}`);
    expect([name, all.at('/count'), (all.at(`/${name}`) as object[]).length]).toEqual([name, count, count]);
    expect((await admin(box, 'GET', `/${name}?company=none`)).at('/count')).toBe(0);
    expect(all.text).not.toContain(box.token);
    expect(all.text).not.toContain('"12345"');
  }
});

describe('the log', () => {
  it('keeps bodies and headers, secrets masked, and routes that are none', async () => {
    const box = await sandbox();
    await configure(box, { password: 'geheim' });
    await request(
      box,
      'POST',
      '/api/ubl2.1/invoice?x=1',
      { password: 'geheim', number: 3 },
      { 'x-trace': 'abc' },
    );
    const log = await admin(box, 'GET', '/requests');
    expect(log.text).not.toContain('geheim');
    expect(log.text).not.toContain(box.token);
    expect(log.at('/requests')).toMatchObject([
      { route: 'POST /api/rips/configuration', operation: 'configureRips', body: { password: '***' } },
      {
        route: 'POST /api/ubl2.1/invoice',
        operation: 'unknown',
        status: 404,
        body: { password: '***', number: 3 },
        headers: { authorization: '***', 'x-trace': 'abc' },
      },
    ]);
    expect((await admin(box, 'GET', '/requests?route=POST+*/invoice')).at('/count')).toBe(1);
  });

  it('forgets the bodies of what is long past, and counts on', async () => {
    const box = await sandbox();
    for (let n = 0; n < 1002; n++) await request(box, 'GET', '/api/rips/patients');
    const { count, requests } = box.controls.requests();
    expect([count, requests.length]).toEqual([1002, 1002]);
    expect([1, 2].map((at) => 'headers' in requests[at]!)).toEqual([false, true]);
  });
});

describe('faults', () => {
  const codes = async (box: Awaited<ReturnType<typeof sandbox>>, times: number): Promise<number[]> => {
    const found: number[] = [];
    for (let n = 0; n < times; n++) found.push((await request(box, 'GET', '/api/rips/patients')).status);
    return found;
  };

  it('strike by chance, the same with the same seed', async () => {
    const course = async (seed: number): Promise<number[]> => {
      const box = await sandbox({ seed });
      await admin(box, 'POST', '/faults', { match: {}, kind: '500', probability: 0.3 });
      return codes(box, 100);
    };
    const [first, again, other] = [await course(7), await course(7), await course(8)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    const struck = first.filter((status) => status === 500).length;
    expect(struck).toBeGreaterThan(15);
    expect(struck).toBeLessThan(45);
  });

  it('let some by first, and then strike so often', async () => {
    const box = await sandbox();
    box.controls.addFault({ match: {}, kind: '500', skip: 2, times: 2 });
    expect(await codes(box, 6)).toEqual([200, 200, 500, 500, 200, 200]);
  });

  it('by route, with wildcards', async () => {
    const box = await sandbox();
    box.controls.addFault({ match: { route: 'GET /api/rips/*' }, kind: '500', times: 9 });
    const status = async (method: string, path: string, body?: object): Promise<number> =>
      (await request(box, method, path, body)).status;
    expect(await status('GET', '/api/rips/services/tables')).toBe(500);
    expect(await status('GET', '/api/rips/patients?search=x')).toBe(500);
    expect(await status('GET', '/api/table/health_coverages')).toBe(200);
    expect(await status('POST', '/api/ubl2.1/send-event-data', byCufe('030', cufeOf('route')))).toBe(200);
  });

  it.each([
    { match: {}, kind: '500', probability: 1.5 },
    { match: {}, kind: '500', skip: -1 },
  ])('are no such: %j', async (fault) => {
    expect((await admin(await sandbox(), 'POST', '/faults', fault)).status).toBe(400);
  });
});

describe('latency', () => {
  it('is lognormal around its median, never beyond the longest', () => {
    const chance = createChance(1);
    const waits = Array.from({ length: 4001 }, () =>
      chance.wait({ median: 100, sigma: 0.5, longest: 300 }),
    ).sort((a, b) => a - b);
    expect(waits[2000]).toBeGreaterThan(95);
    expect(waits[2000]).toBeLessThan(105);
    // One standard deviation up.
    expect(waits[3365]! / 100).toBeGreaterThan(Math.exp(0.5) * 0.9);
    expect(waits[3365]! / 100).toBeLessThan(Math.exp(0.5) * 1.1);
    expect(waits.at(-1)).toBe(300);
    expect([chance.wait('none'), chance.wait('three-minutes')]).toEqual([0, 180_000]);
  });

  it('holds for every call, and can be set while it runs', async () => {
    const box = await sandbox({ latency: { median: 400, sigma: 0, longest: 400 } });
    const took = async (): Promise<number> => {
      const begin = performance.now();
      await request(box, 'GET', '/api/rips/patients');
      return performance.now() - begin;
    };
    expect(await took()).toBeGreaterThan(390);
    expect((await admin(box, 'POST', '/latency', { latency: 'none' })).status).toBe(200);
    expect(await took()).toBeLessThan(390);
    expect((await admin(box, 'POST', '/latency', { latency: 'glacial' })).status).toBe(400);
  });
});

it('the clock begins where it is told', async () => {
  const box = await production({ clock: '2026-02-01T03:00:00Z' });
  const reply = await send(box, payrollOf('5', 5));
  const xml = Buffer.from(String(reply.at('/payrollxml')), 'base64').toString('utf8');
  expect(/HoraGen="([^"]+)"/.exec(xml)?.[1]).toBe('22:00:00-05:00');
});

describe('beyond this machine', () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;

  it('knows which addresses are this machine alone', () => {
    expect(['127.0.0.1', '127.1.2.3', 'localhost', '::1'].map(isLoopback)).toEqual([true, true, true, true]);
    expect(['0.0.0.0', '::', '10.0.0.7', 'sandbox', '127.0.0.1.evil'].map(isLoopback)).toEqual(
      Array(5).fill(false),
    );
  });

  const status = (host: string, port: number, name: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      rawRequest({ host, port, path: '/api/rips/patients', headers: { host: name } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  it('listens on any address, under any name, still with tokens', async () => {
    const box = await sandbox({ host: '0.0.0.0' });
    expect(box.url).toBe(`http://127.0.0.1:${box.port}`);
    expect(await status('127.0.0.1', box.port, 'cargue-sandbox:8080')).toBe(401);
    expect((await admin({ ...box, adminToken: 'wrong' }, 'GET', '/requests')).status).toBe(401);
  });

  it.skipIf(outside === undefined)('and is not reached from outside unless told', async () => {
    const [open, closed] = [await sandbox({ host: '0.0.0.0' }), await sandbox()];
    expect(await status(outside!, open.port, 'x')).toBe(401);
    await expect(status(outside!, closed.port, 'x')).rejects.toThrow(/ECONNREFUSED/);
  });
});
