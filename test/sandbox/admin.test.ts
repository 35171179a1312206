import { request as rawRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { admin, EVENING, production, request, sandbox, send, sendTest } from './client.js';
import { payroll, payrollOf, worker } from './payroll-requests.js';

describe('admin routes', () => {
  it.each([
    ['no token', { authorization: '' }],
    ['wrong token', { authorization: 'Bearer wrong' }],
    ['token of a company', {}],
  ])('refuse %s', async (_name, headers) => {
    const box = await sandbox();
    expect((await request(box, 'GET', '/admin/requests', undefined, headers)).status).toBe(401);
    expect((await request(box, 'POST', '/admin/faults', { match: {}, kind: '500' }, headers)).status).toBe(
      401,
    );
    expect(box.controls.faults()).toEqual([]);
  });

  it('take the token in a header of its own', async () => {
    const box = await sandbox({ adminToken: 'secret' });
    const reply = await request(box, 'GET', '/admin/outbox', undefined, {
      authorization: '',
      'x-admin-token': 'secret',
    });
    expect(reply.json).toEqual({ mails: [] });
  });

  it.each([
    ['/faults', {}, 'match'],
    ['/faults', { match: {}, kind: 'nonsense' }, 'kind'],
    ['/faults', { match: { operation: 'nonsense' }, kind: '500' }, 'match'],
    ['/faults', { match: { colour: 'blue' }, kind: '500' }, 'match'],
    ['/faults', { match: {}, kind: '500', times: 0 }, 'times'],
    ['/faults', { match: {}, kind: '500', often: true }, 'often'],
    ['/outcomes', { match: {}, verdict: 'praise' }, 'verdict'],
    ['/outcomes', { match: {}, verdict: 'reject', rules: 'NIE024' }, 'rules'],
    ['/clock', { now: 'yesterday' }, 'now'],
  ])('refuse %s %j', async (path, body, member) => {
    const reply = await admin(await sandbox(), 'POST', path, body);
    expect([reply.status, reply.at('/message')]).toEqual([400, expect.stringContaining(member)]);
  });

  it('show what arrived, without secrets, and count it', async () => {
    const box = await production();
    await send(box, payroll());
    await send(box, payroll());
    await send(box, { ...payroll(), consecutive: 3, worker: {} });
    await request(box, 'POST', '/api/ubl2.1/payroll', {}, { authorization: 'Bearer wrong' });
    const all = await admin(box, 'GET', '/requests');
    expect(all.at('/count')).toBe(4);
    expect(all.at('/requests/0')).toEqual({
      sequence: 1,
      at: EVENING.toISOString(),
      route: 'POST /api/ubl2.1/payroll',
      operation: 'sendPayroll',
      company: '900123456',
      number: 'NI1001',
      worker: '1020304050',
      headers: expect.objectContaining({ authorization: '***' }),
      body: payroll(),
      bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      effect: 'accepted',
      status: 200,
    });
    const found = await admin(box, 'GET', '/requests?number=NI1001');
    expect([found.at('/count'), found.at('/requests/1/effect')]).toEqual([2, 'already-sent']);
    expect(found.at('/requests/0/bodyHash')).toBe(found.at('/requests/1/bodyHash'));
    expect(all.text).not.toContain('12345"');
    await admin(box, 'DELETE', '/requests');
    expect((await admin(box, 'GET', '/requests')).json).toEqual({ count: 0, requests: [] });
  });

  it('count also where no log is kept', async () => {
    const box = await sandbox({ requestLog: false });
    await sendTest(box, payroll());
    expect((await admin(box, 'GET', '/requests')).json).toEqual({ count: 1, requests: [] });
  });

  it('show what DIAN holds, and make it forget', async () => {
    const box = await production();
    const cune = (await send(box, payroll())).at('/cune');
    const held = await admin(box, 'GET', '/documents?company=900123456');
    expect(held.at('/documents/0')).toMatchObject({
      number: 'NI1001',
      worker: '1020304050',
      month: '2026-03',
      cune,
    });
    expect((await admin(box, 'GET', '/documents?company=1')).at('/count')).toBe(0);
    expect((await admin(box, 'DELETE', `/documents/${cune}`)).status).toBe(200);
    expect((await admin(box, 'DELETE', `/documents/${cune}`)).status).toBe(404);
    expect((await admin(box, 'DELETE', '/companies/900123456')).status).toBe(404);
    expect((await send(box, payrollOf('1020304050', 1001))).text).toContain('ha sido autorizada');
  });

  it('move the clock, and with it the CUNE', async () => {
    const box = await production();
    const issueTime = async (consecutive: number): Promise<string> => {
      const reply = await send(box, payrollOf(String(consecutive), consecutive));
      const xml = Buffer.from(String(reply.at('/payrollxml')), 'base64').toString('utf8');
      return /HoraGen="([^"]+)"/.exec(xml)?.[1] ?? '';
    };
    expect(await issueTime(1)).toBe('17:05:12-05:00');
    await admin(box, 'POST', '/clock', { advance: 60 });
    expect(await issueTime(2)).toBe('17:06:12-05:00');
    await admin(box, 'POST', '/clock', { now: '2026-04-01T03:00:00Z' });
    expect(await issueTime(3)).toBe('22:00:00-05:00');
  });

  it('show the mails of accepted documents', async () => {
    const box = await production();
    const mailed = { sendmail: true, worker: { ...worker('1020304050'), email: 'ana@example.com' } };
    await send(box, payroll({ ...mailed, notes: 'cargue:reject NIE024' }));
    expect((await admin(box, 'GET', '/outbox')).json).toEqual({ mails: [] });
    const cune = (await send(box, payroll(mailed))).at('/cune');
    const id = (await admin(box, 'GET', '/outbox')).at('/mails/0/id');
    expect(box.controls.outbox()).toMatchObject([
      { to: 'ana@example.com', number: 'NI1001', documentCode: cune },
    ]);
    await admin(box, 'DELETE', `/outbox/${id}`);
    expect(box.controls.outbox()).toEqual([]);
  });
});

describe('the door', () => {
  /** fetch does not let a caller choose the Host header. */
  const withHost = (port: number, host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      rawRequest({ port, host: '127.0.0.1', path: '/admin/requests', headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });

  it('opens to names of this machine only', async () => {
    const { port } = await sandbox();
    for (const name of ['127.0.0.1', 'localhost', '[::1]'])
      expect(await withHost(port, `${name}:${port}`)).toBe(401);
    for (const host of [
      `evil.example:${port}`,
      'localhost',
      `localhost:${port + 1}`,
      `127.0.0.1.evil.example:${port}`,
    ])
      expect(await withHost(port, host)).toBe(421);
  });

  it('lets no other site read', async () => {
    const box = await sandbox();
    const reply = await request(box, 'OPTIONS', '/api/ubl2.1/payroll', undefined, {
      origin: 'https://evil.example',
    });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  });

  it('gives every company a random token unless one is given', async () => {
    const [one, two] = [await sandbox(), await sandbox()];
    expect(one.token).toMatch(/^[0-9a-f]{48}$/);
    expect(new Set([one.token, two.token, one.adminToken, two.adminToken]).size).toBe(4);
  });

  it('says when its port is taken', async () => {
    const { port } = await sandbox();
    await expect(sandbox({ port })).rejects.toThrow(/EADDRINUSE/);
  });
});
