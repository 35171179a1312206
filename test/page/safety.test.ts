import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Served, serve } from './browser.js';
import { visit } from './visit.js';

let served: Served;
let origin: string;
let cookie: string;

beforeAll(async () => {
  served = await serve();
  origin = new URL(served.link).origin;
  const { statusCode, headers } = await request(served.link);
  expect([statusCode, headers.location]).toEqual([302, '/']);
  expect(headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
  cookie = String(headers['set-cookie']).split(';')[0]!;
});

afterAll(() => served.kill());

type Init = NonNullable<Parameters<typeof request>[1]>;

const ask = async (path: string, { headers, ...init }: Init = {}) =>
  request(origin + path, { ...init, headers: { cookie, ...(headers as Record<string, string>) } });

const upload = async (): Promise<string> => {
  const { body } = await ask('/api/uploads', {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await body.json()) as { id: string }).id;
};

describe('nobody else gets in', () => {
  test('an invitation works once', async () => {
    expect((await request(served.link)).statusCode).toBe(401);
  });

  test.each([
    ['without a cookie', { cookie: '' }, 401],
    ['with one that is not known', { cookie: 'cargue=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }, 401],
    ['under another name that leads here', { host: 'evil.example:80' }, 421],
    ['from another page', { origin: 'https://evil.example' }, 403],
    ['from another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['as another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s nothing is read', async (_, headers, status) => {
    expect((await ask('/api/home', { headers })).statusCode).toBe(status);
  });

  test('nothing is changed by a request whose page is not known', async () => {
    const { statusCode } = await ask('/api/uploads', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(statusCode).toBe(403);
  });

  test('another visitor does not see an upload', async () => {
    const id = await upload();
    const { body } = await ask('/api/invitations', { method: 'POST', headers: { origin } });
    const { path } = (await body.json()) as { path: string };
    const entered = await request(origin + path);
    const theirs = String(entered.headers['set-cookie']).split(';')[0]!;
    const seen = async (of: string) =>
      (await request(`${origin}/api/uploads/${id}`, { headers: { cookie: of } })).statusCode;
    expect([await seen(theirs), await seen(cookie)]).toEqual([422, 200]);
  });
});

test('every answer forbids what the page does not need', async () => {
  for (const path of ['/', '/api/home', '/assets/none.js']) {
    const { headers, body } = await ask(path);
    await body.dump();
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(String(headers['content-security-policy'])).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  }
});

test.each([
  ['/api/tasks/check', { args: ['package.json'] }],
  ['/api/tasks/send', { args: ['package.json'] }],
  ['/api/tasks/catalogueImport', { args: ['package.json'] }],
  ['/api/runs/2026-10-03-1/tasks/check', {}],
  ['/api/runs/package.json/tasks/send', {}],
])('%s reads no file of this machine that was not uploaded', async (path, body) => {
  const { statusCode, body: said } = await ask(path, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([statusCode, await said.json()]).toMatchObject([422, { issues: [{ code: 'web/not-there' }] }]);
});

test.each([
  ['PUT', 'params', 'null'],
  ['PUT', 'params', '[1]'],
  ['PUT', 'answers', 'null'],
  ['POST', 'tasks/check', '{"options":{"profile":{}}}'],
] as const)('%s %s with %s is refused in words', async (method, path, body) => {
  const answer = await ask(`/api/uploads/${await upload()}/${path}`, {
    method,
    headers: { origin, 'content-type': 'application/json' },
    body,
  });
  expect(answer.statusCode).toBe(400);
  expect(await answer.body.json()).toHaveProperty('issues');
});

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ['nested too deep', `{"x":${nested(100_000)}}`, 400],
  ['of too many values', `{"x":[${'0,'.repeat(300_000)}0]}`, 413],
  ['larger than any', `{"x":"${'x'.repeat(2 ** 20)}"}`, 413],
  ['that is no JSON', '{', 400],
  ['that would change every object', '{"__proto__":{"x":1}}', 400],
])('a body %s is refused before anything looks at it', async (_, body, status) => {
  for (const path of ['/api/uploads', '/api/uploads/none/params', '/api/preferences']) {
    const method = path === '/api/uploads' ? 'POST' : 'PUT';
    const answer = await ask(path, { method, headers: { origin, 'content-type': 'application/json' }, body });
    expect(answer.statusCode).toBe(status);
    expect(await answer.body.json()).toHaveProperty('issues');
  }
});

describe('files that are uploaded', () => {
  const put = async (id: string, name: string, body: Init['body'] = 'a;b\n1;2\n') =>
    ask(`/api/uploads/${id}/files?name=${encodeURIComponent(name)}`, {
      method: 'PUT',
      headers: { origin, 'content-type': 'application/octet-stream' },
      body,
    });

  test('lie in a folder of their own, for their owner alone, and go with the upload', async () => {
    const id = await upload();
    expect((await put(id, 'datos.csv')).statusCode).toBe(200);
    const folder = join(served.workspace, 'web');
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('datos.csv'),
    );
    const file = join(folder, found!);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    expect((await ask(`/api/uploads/${id}`, { method: 'DELETE', headers: { origin } })).statusCode).toBe(200);
    expect(existsSync(file)).toBe(false);
  });

  test.each(['../fuera.csv', '..\\..\\fuera.csv', '/etc/fuera.csv'])(
    '%s stays in that folder',
    async (name) => {
      const id = await upload();
      const { body } = await put(id, name);
      expect(await body.json()).toMatchObject({ files: [{ name: 'fuera.csv' }] });
    },
  );

  test.each(['', '..', '.oculto', 'con\u0000nulo.csv', 'x'.repeat(300)])('%j is no name', async (name) => {
    const { statusCode, body } = await put(await upload(), name);
    expect([statusCode, await body.json()]).toMatchObject([422, { issues: [{ code: 'web/bad-name' }] }]);
  });

  test('nothing but what was written is given out', async () => {
    const id = await upload();
    for (const name of ['..%2Fmapping.yaml', 'mapping.yaml', '..%2F..%2F..%2Fetc%2Fpasswd'])
      expect((await ask(`/api/uploads/${id}/outputs/${name}`)).statusCode).toBe(422);
  });
});

const start = async (): Promise<Served> => {
  const one = await serve();
  onTestFinished(() => one.kill());
  return one;
};

describe('sessions are of their server', () => {
  test('a second program leaves the first one its visitor, whose browser has the cookies of both', async () => {
    const [first, second] = [await start(), await start()];
    const cookies: string[] = [];
    for (const { link } of [first, second]) {
      const { headers } = await request(link);
      cookies.push(String(headers['set-cookie']).split(';')[0]!);
    }
    expect(new Set(cookies.map((one) => one.split('=')[0])).size).toBe(2);
    const cookie = cookies.join('; ');
    for (const { link } of [first, second]) {
      const { origin } = new URL(link);
      expect((await request(`${origin}/api/home`, { headers: { cookie } })).statusCode).toBe(200);
    }
    // The link again, from a browser that is in already, leads in.
    expect((await request(first.link, { headers: { cookie } })).statusCode).toBe(302);
  });

  test.each([
    ['es', 'Esta página se cerró'],
    ['en', 'This page was closed'],
  ])('who is not known is told how to come in: %s', async (language, title) => {
    const { link } = await start();
    const { origin } = new URL(link);
    const ask = await visit(link);
    await ask('PUT', '/preferences', { language });
    for (const path of ['/', '/enter/none', '/api/uploads/x/outputs/reporte.xlsx']) {
      const { statusCode, headers, body } = await request(origin + path, {
        headers: { accept: 'text/html,*/*' },
      });
      expect([statusCode, headers['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
      expect(await body.text()).toContain(`<h1>${title}</h1>`);
    }
    const { statusCode, body } = await request(`${origin}/api/home`, { headers: { 'x-language': language } });
    expect([statusCode, await body.json()]).toMatchObject([401, { issues: [{ code: 'web/not-entered' }] }]);
  });
});
