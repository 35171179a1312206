import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HomeView, PageIssue } from '../../src/page/api.js';
import { atProvider, logIn, servePeople } from './people.js';

const ACCOUNTS = {
  ana: { name: 'Ana Pérez', email: 'Ana@andina.co', email_verified: true },
  beto: { name: 'Beto Ruiz', email: 'beto@andina.co', email_verified: true, groups: ['jefes'] },
  caro: { name: 'Caro Díaz', email: 'caro@andina.co', email_verified: true },
  dani: { name: 'Dani Gil', email: 'dani@bolivar.co', email_verified: true },
  // Says to be Ana, but the provider has not verified it.
  eva: { name: 'Eva', email: 'ana@andina.co', email_verified: false },
  nadie: { name: 'Nadie' },
};

const COMPANIES = {
  andina: { prepara: ['ana@andina.co'], aprueba: ['group:jefes'], mira: ['caro@andina.co', 'sub:nadie'] },
  bolivar: { prepara: ['dani@bolivar.co'] },
};

/** Routes of the server, as `GET /api/home`. */
const routes: string[] = [];
const listRoutes = (message: unknown): void => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) if (name !== 'HEAD') routes.push(`${name} ${url}`);
  });
};

let served: Awaited<ReturnType<typeof servePeople>>;
let origin: string;
let clock = 0;

beforeAll(async () => {
  const url = 'http://127.0.0.1:9';
  subscribe('fastify.initialization', listRoutes);
  served = await servePeople({
    accounts: ACCOUNTS,
    companies: COMPANIES,
    profiles: {
      andina: { url, nit: '900555001', token: 'a' },
      bolivar: { url, nit: '900555002', token: 'b' },
      oculta: { url, nit: '900555003', token: 'c' },
    },
    ahead: () => clock,
  });
  unsubscribe('fastify.initialization', listRoutes);
  ({ origin } = served);
});

afterAll(() => served.close());

type Init = NonNullable<Parameters<typeof request>[1]>;

async function ask(cookie: string, path: string, { headers, ...init }: Init = {}) {
  const { statusCode, body } = await request(origin + path, {
    ...init,
    headers: {
      cookie,
      origin,
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
  });
  const text = await body.text();
  return { status: statusCode, text, code: /"code":"([^"]+)"/.exec(text)?.[1] };
}
const put = (body: unknown, method: 'POST' | 'PUT' = 'POST'): Init => ({
  method,
  body: JSON.stringify(body),
});
const home = async (cookie: string): Promise<HomeView> =>
  JSON.parse((await ask(cookie, '/api/home')).text) as HomeView;

describe('log-in', () => {
  test.each([
    ['ana', 'Ana Pérez', ['andina'], ['see', 'prepare', 'send']],
    ['beto', 'Beto Ruiz', ['andina'], ['see', 'send', 'approve']],
    ['caro', 'Caro Díaz', ['andina'], ['see']],
    ['nadie', 'Nadie', ['andina'], ['see']],
    ['dani', 'Dani Gil', ['bolivar'], ['see', 'prepare', 'send']],
    ['eva', 'Eva', [], undefined],
  ])('%s sees the companies of the roles alone', async (login, name, companies, acts) => {
    const { person, profiles } = await home(await logIn(origin, login));
    expect([person, profiles.map((profile) => profile.name), profiles[0]?.acts]).toEqual([
      name,
      companies,
      acts,
    ]);
  });

  test('who has not logged in gets a page with the way in, and no data', async () => {
    const page = await ask('', '/', { headers: { accept: 'text/html' } });
    expect(page).toMatchObject({ status: 401 });
    expect(page.text).toContain('href="/login"');
    expect(await ask('', '/api/home')).toMatchObject({ status: 401, code: 'web/to-enter' });
    expect((await ask('', '/enter/algo')).status).toBe(401);
  });

  test('the cookie is not for scripts nor for requests of other sites', async () => {
    const { back, cookie } = await atProvider(origin, 'ana');
    const { headers } = await request(back, { headers: { cookie } });
    const set = [headers['set-cookie'] ?? []].flat().find((line) => !line.includes('-login='));
    expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test.each([
    [
      'of another state',
      (back: string, cookie: string) => [back.replace(/state=[^&]+/, 'state=otro'), cookie],
    ],
    ['that this browser did not begin', (back: string) => [back, '']],
    ['of another browser', (back: string, _: string, other: string) => [back, other]],
    [
      'with another code',
      (back: string, cookie: string) => [back.replace(/code=[^&]+/, 'code=otro'), cookie],
    ],
    [
      'that the person refused',
      (back: string, cookie: string) => [back.replace(/code=[^&]+/, 'error=access_denied'), cookie],
    ],
  ])('a log-in %s lets nobody in', async (_, change) => {
    const { back, cookie } = await atProvider(origin, 'ana');
    const other = await atProvider(origin, 'dani');
    const [url, with_] = change(back, cookie, other.cookie);
    const { statusCode, headers, body } = await request(url!, {
      headers: { cookie: with_!, accept: 'text/html' },
    });
    expect([statusCode, await body.text()]).toEqual([401, expect.stringContaining('href="/login"')]);
    expect([headers['set-cookie'] ?? []].flat().some((line) => /^cargue-\d+=./.test(line))).toBe(false);
  });

  test('a code works once', async () => {
    const { back, cookie } = await atProvider(origin, 'ana');
    expect((await request(back, { headers: { cookie } })).statusCode).toBe(302);
    expect((await request(back, { headers: { cookie } })).statusCode).toBe(401);
  });
});

describe('the session ends', () => {
  test('at the log-out, which also leads to that of the provider', async () => {
    const cookie = await logIn(origin, 'ana');
    const { text } = await ask(cookie, '/api/logout', put({}));
    expect(
      new URL((JSON.parse(text) as { to: string }).to).searchParams.get('post_logout_redirect_uri'),
    ).toBe(`${origin}/`);
    expect((await ask(cookie, '/api/home')).status).toBe(401);
  });

  test.each([
    ['idle', 61, 0],
    ['long', 50, 15],
  ])('when it is too %s', async (_, minutes, times) => {
    const cookie = await logIn(origin, 'ana');
    for (let turn = 0; turn < times - 1; turn++) {
      clock += minutes * 60_000;
      expect((await ask(cookie, '/api/home')).status).toBe(turn < 14 ? 200 : 401);
    }
    clock += minutes * 60_000;
    expect(await ask(cookie, '/api/home')).toMatchObject({ status: 401, code: 'web/to-enter' });
  });
});

test.each([
  ['from another site', { origin: 'https://evil.example' }, 403],
  ['without an origin', { origin: '' }, 403],
  ['marked as cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['under another name', { host: 'evil.example' }, 421],
])('a request %s changes nothing', async (_, headers, status) => {
  const cookie = await logIn(origin, 'ana');
  const answer = await ask(cookie, '/api/uploads', { ...put({ profile: 'andina' }), headers });
  expect(answer.status).toBe(status);
  expect((await home(cookie)).uploads).toEqual([]);
});

test('a link of another site opens the first screen, and nothing else', async () => {
  const cookie = await logIn(origin, 'ana');
  const headers = { 'sec-fetch-site': 'cross-site', origin: '' };
  const visit = async (path: string) =>
    (await request(origin + path, { headers: { cookie, 'sec-fetch-site': headers['sec-fetch-site'] } }))
      .statusCode;
  expect([await visit('/'), await visit('/api/home')]).toEqual([200, 403]);
});

describe('roles', () => {
  const open = async (cookie: string, profile = 'andina'): Promise<string> =>
    (JSON.parse((await ask(cookie, '/api/uploads', put({ profile }))).text) as { id: string }).id;

  test('an upload is of the people of its company', async () => {
    const [ana, caro, dani] = [
      await logIn(origin, 'ana'),
      await logIn(origin, 'caro'),
      await logIn(origin, 'dani'),
    ];
    const id = await open(ana);
    expect((await home(caro)).uploads.map((upload) => upload.id)).toContain(id);
    expect((await home(dani)).uploads).toEqual([]);
    const file = {
      method: 'PUT',
      body: 'a;b\n1;2\n',
      headers: { 'content-type': 'application/octet-stream' },
    } as const;
    const rows: readonly (readonly [string, string, Init, number])[] = [
      [ana, `/api/uploads/${id}/files?name=a.csv`, file, 200],
      [caro, `/api/uploads/${id}`, {}, 200],
      [caro, `/api/uploads/${id}/files?name=a.csv`, file, 403],
      [caro, `/api/uploads/${id}/params`, put({ x: 1 }, 'PUT'), 403],
      [caro, `/api/uploads/${id}/tasks/send`, put({}), 403],
      [caro, `/api/uploads/${id}`, { method: 'DELETE' }, 403],
      [dani, `/api/uploads/${id}`, {}, 403],
      [dani, `/api/uploads/${id}/outputs`, {}, 403],
      [dani, `/api/uploads/${id}/tasks/check`, put({}), 403],
      [ana, `/api/uploads/${id}/company`, put({ profile: 'bolivar' }, 'PUT'), 403],
      [ana, `/api/uploads/${id}/company`, put({ profile: '' }, 'PUT'), 403],
      [ana, '/api/uploads', put({ profile: 'bolivar' }), 403],
      [ana, '/api/uploads', put({}), 403],
      [ana, '/api/uploads', put({ profile: 'andina', demo: true }), 403],
    ];
    for (const [cookie, path, { headers, ...init }, status] of rows) {
      const answer = await ask(cookie, path, { ...init, ...(headers && { headers }) });
      expect([path, init.method, answer.status, answer.status === 403 ? answer.code : '']).toEqual([
        path,
        init.method,
        status,
        status === 403 ? 'web/no-right' : '',
      ]);
    }
  });

  test.each([
    ['GET', '/api/runs?profile=bolivar'],
    ['GET', '/api/runs'],
    ['GET', '/api/month?profile=oculta'],
    ['GET', '/api/documents?profile=bolivar&text=a'],
    ['GET', '/api/runs/2026-10-03-1/report?profile=bolivar'],
    ['POST', '/api/runs/2026-10-03-1/tasks/status'],
    ['GET', '/api/settings'],
    ['PUT', '/api/settings/profiles/andina/access'],
    ['PUT', '/api/settings/tables/cups'],
    ['PUT', '/api/settings/law'],
    ['POST', '/api/invitations'],
    ['POST', '/api/tasks/profileAdd'],
    ['POST', '/api/tasks/profileChange'],
    ['POST', '/api/tasks/setup'],
    ['POST', '/api/tasks/lawRemove'],
    ['GET', '/api/nada'],
  ] as const)('%s %s is refused, whoever asks', async (method, path) => {
    for (const login of ['ana', 'beto'])
      expect(
        await ask(await logIn(origin, login), path, method === 'GET' ? {} : { ...put({}), method }),
      ).toMatchObject({ status: 403, code: 'web/no-right' });
  });

  /** What a person without any role may ask for, and besides it what one may who only looks. */
  const OF_ANYONE = [
    'GET /',
    'GET /api/companies',
    'GET /api/home',
    'GET /api/rules/:rule',
    'GET /assets/:name',
    'GET /login',
    'GET /login/back',
    'POST /api/logout',
    'PUT /api/preferences',
  ];
  const OF_WHO_LOOKS = [
    'GET /api/documents',
    'GET /api/month',
    'GET /api/runs',
    'GET /api/runs/:run/report',
    'GET /api/task/:task',
    'GET /api/task/:task/events',
    'GET /api/task/:task/pdf/:name',
    'GET /api/uploads/:id',
    'GET /api/uploads/:id/column',
    'GET /api/uploads/:id/edited',
    'GET /api/uploads/:id/edits',
    'GET /api/uploads/:id/outputs',
    'GET /api/uploads/:id/outputs/*',
    'GET /api/uploads/:id/read',
    'GET /api/uploads/:id/rows',
    'GET /api/uploads/:id/tables',
    'POST /api/runs/:run/tasks/:name status report preview',
    // Of an inspection or a check, which one may start who only looks.
    'POST /api/task/:task/stop',
    'POST /api/uploads/:id/runs/:run/tasks/:name status report preview',
    'POST /api/uploads/:id/tasks/:name inspect check',
  ];

  test.each([
    ['eva', OF_ANYONE],
    ['caro', [...OF_ANYONE, ...OF_WHO_LOOKS]],
  ])('of all routes %s may use these alone', { timeout: 120_000 }, async (login, allowed) => {
    const ana = await logIn(origin, 'ana');
    const id = await open(ana);
    let task = '';
    const names = ['inspect', 'check', 'send', 'adjust', 'events', 'reception', 'resume', 'approve'];
    const more = ['giveBack', 'status', 'report', 'preview', 'email', 'profileAdd', 'lawRemove'];
    const used: string[] = [];
    expect(routes.length).toBeGreaterThan(40);
    for (const route of routes) {
      const [method = '', url = ''] = route.split(' ');
      const isTask = url.endsWith('/tasks/:name');
      const passed: string[] = [];
      // An inspection that another person starts takes the place of the one before.
      for (task = ''; url.includes(':task') && task === ''; ) {
        const { status, text } = await ask(ana, `/api/uploads/${id}/tasks/inspect`, put({}));
        if (status === 200) ({ id: task } = JSON.parse(text) as { id: string });
      }
      for (const name of isTask ? [...names, ...more] : ['x']) {
        const values = { id, task, run: '2026-10-03-1', name, rule: 'x', table: 'x', '*': 'x' };
        const path = url.replaceAll(/:(\w+)|\*/g, (all, key) => values[(key ?? all) as 'id'] ?? 'x');
        const query = url.startsWith('/api') ? `${path}?profile=andina` : path;
        // A log-out would end the session: each request has its own.
        const cookie = await logIn(origin, login);
        const body = JSON.stringify({ profile: 'andina', options: { profile: 'andina' } });
        const answer = await ask(cookie, query, {
          method: method as 'GET',
          ...(method !== 'GET' && method !== 'DELETE' && { body }),
        });
        if (answer.status !== 403) passed.push(name);
      }
      if (passed.length > 0) used.push(isTask ? `${route} ${passed.join(' ')}` : route);
    }
    const sorted = (list: readonly string[]) =>
      [...list].map((entry) => entry.split(' ').sort().join(' ')).sort();
    expect(sorted(used)).toEqual(sorted(allowed));
  });

  test('a company that a person has no role for is named nowhere', async () => {
    const ana = await logIn(origin, 'ana');
    const { text } = await ask(ana, '/api/companies');
    expect(JSON.parse(text)).toMatchObject({ companies: [{ profile: 'andina' }] });
    for (const path of ['/api/home', '/api/companies', '/api/month?profile=andina']) {
      const answer = await ask(ana, path);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toMatch(/bolivar|oculta|90055500[23]/);
    }
  });

  test('the chosen company and language are of each person', async () => {
    const [ana, dani] = [await logIn(origin, 'ana'), await logIn(origin, 'dani')];
    await ask(dani, '/api/preferences', put({ profile: 'bolivar', language: 'en' }, 'PUT'));
    await ask(ana, '/api/preferences', put({ profile: 'bolivar' }, 'PUT'));
    expect([(await home(ana)).profile, (await home(dani)).profile]).toEqual(['andina', 'bolivar']);
    expect([(await ask(ana, '/')).text, (await ask(dani, '/')).text]).toEqual([
      expect.stringContaining('lang="es"'),
      expect.stringContaining('lang="en"'),
    ]);
  });

  test('a role that is taken away in mid-work ends it with words; nothing is lost', async () => {
    const ana = await logIn(origin, 'ana');
    const id = await open(ana);
    const watched = request(`${origin}/api/uploads/${id}`, { headers: { cookie: ana } });
    expect((await watched).statusCode).toBe(200);
    served.writeRoles({
      ...COMPANIES,
      andina: { ...COMPANIES.andina, prepara: [], mira: ['ana@andina.co'] },
    });
    const refused = await ask(ana, `/api/uploads/${id}/params`, put({ month: '2026-10' }, 'PUT'));
    expect(refused).toMatchObject({ status: 403, code: 'web/no-right' });
    const { issues } = JSON.parse(refused.text) as { issues: PageIssue[] };
    expect(issues[0]).toMatchObject({ cure: 'home' });
    expect((await ask(ana, `/api/uploads/${id}`)).status).toBe(200);
    served.writeRoles({ bolivar: COMPANIES.bolivar });
    expect((await ask(ana, `/api/uploads/${id}`)).status).toBe(403);
    expect((await home(ana)).uploads).toEqual([]);
    served.write({ mal: true });
    expect(await ask(ana, `/api/uploads/${id}`)).toMatchObject({ status: 422 });
    served.writeRoles();
    expect((await ask(ana, `/api/uploads/${id}/params`, put({ month: '2026-10' }, 'PUT'))).status).toBe(200);
  });
});

/** Modules that a module loads at once, with those that they load. */
function loadedBy(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(join('src', file), 'utf8');
  for (const [, names = '', from = ''] of text.matchAll(/^(?:import|export) ([^;]*?)from '([^']+)'/gms)) {
    if (names.startsWith('type ')) continue;
    if (!from.startsWith('.')) found.add(from);
    else loadedBy(join(dirname(file), from).replace(/\.js$/, '.ts'), found);
  }
  return found;
}

test('on one computer nothing of this is loaded', () => {
  const loaded = [...loadedBy('page/server/main.ts')];
  expect(loaded).toContain('page/server/safety.ts');
  expect(loaded.filter((name) => /people|openid|pg$/.test(name))).toEqual([]);
});
