import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Provider from 'oidc-provider';
import { request } from 'undici';
import { stringify } from 'yaml';
import { startWeb } from '../../src/page/server/server.js';
import { fake } from '../cli/fake-context.js';
import { testDatabase } from '../send/engines.js';
import { PIN } from '../send/support.js';

/** Claims of an account at the provider, by its login. */
type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const CLIENT = { id: 'cargue', secret: 'secreto-de-prueba' };

/** An address of this machine that nobody listens on. */
async function freeOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

/** A real provider of OpenID Connect, whose log-in form takes any password. */
async function startProvider(
  origin: string,
  accounts: Accounts,
): Promise<{ readonly issuer: string; close(): void }> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${origin}/login/back`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['una-clave-de-prueba'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_, login) => ({ accountId: login, claims: () => ({ sub: login, ...accounts[login] }) }),
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new oidc.provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  server.on('request', provider.callback());
  return { issuer, close: () => void server.close() };
}

interface Company {
  readonly url: string;
  readonly nit: string;
  readonly token: string;
}

function workspaceOf(profiles: Readonly<Record<string, Company>>): string {
  const workspace = mkdtempSync(join(tmpdir(), 'cargue-people-'));
  mkdirSync(join(workspace, 'profiles'), { mode: 0o700 });
  for (const [name, { url, nit, token }] of Object.entries(profiles))
    writeFileSync(
      join(workspace, 'profiles', `${name}.yaml`),
      stringify({ url, environment: 'test', company: { nit }, token, software_pin: PIN }),
      { mode: 0o600 },
    );
  return workspace;
}

interface Shared {
  readonly accounts: Accounts;
  readonly profiles: Readonly<Record<string, Company>>;
  readonly companies: object;
  /** How far the server's clock is ahead, in ms. */
  readonly ahead?: () => number;
}

/** The page for several people, in this process, with a provider and a database. */
export async function servePeople({ accounts, profiles, companies, ahead = () => 0 }: Shared) {
  const origin = await freeOrigin();
  const provider = await startProvider(origin, accounts);
  const workspace = workspaceOf(profiles);
  const file = join(workspace, 'servidor.yaml');
  const write = (settings: object): void => writeFileSync(file, stringify(settings));
  const settings = { url: origin, issuer: provider.issuer, client_id: CLIENT.id };
  const writeRoles = (roles: object = companies): void => write({ ...settings, companies: roles });
  writeRoles();
  const {
    tell: _t,
    taken: _k,
    ask: _a,
    onInterrupt: _i,
    ...surroundings
  } = fake({
    workspace,
    now: () => new Date(Date.now() + ahead()),
  }).context;
  const journal = await testDatabase();
  const server = await startWeb({
    surroundings: { ...surroundings, journal, oidcSecret: CLIENT.secret },
    options: {},
    port: Number(new URL(origin).port),
    server: file,
  });
  return {
    origin,
    workspace,
    journal,
    write,
    writeRoles,
    async close() {
      await server.close();
      provider.close();
    },
  };
}

/** Cookies by name, as a browser keeps them for one host. */
class Jar {
  private readonly cookies = new Map<string, string>();

  take(headers: Readonly<Record<string, string | string[] | undefined>>): void {
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** A browser on its way through the log-in: stops before it comes back to the page. */
export async function atProvider(origin: string, login: string) {
  const [page, provider] = [new Jar(), new Jar()];
  const begun = await request(`${origin}/login`);
  page.take(begun.headers);
  let next = String(begun.headers.location);
  const { origin: issuer } = new URL(next);
  while (!next.startsWith(origin)) {
    const isForm = next.includes('/interaction/');
    const { headers, body } = await request(new URL(next, issuer), {
      method: isForm ? 'POST' : 'GET',
      headers: {
        cookie: provider.header,
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(isForm && { body: `prompt=login&login=${login}&password=x` }),
    });
    const text = await body.text();
    provider.take(headers);
    if (headers.location === undefined) throw new Error(text);
    next = new URL(String(headers.location), issuer).href;
  }
  return { back: next, cookie: page.header };
}

/** Logs a person in and returns the session's cookie. */
export async function logIn(origin: string, login: string): Promise<string> {
  const { back, cookie } = await atProvider(origin, login);
  const { statusCode, headers, body } = await request(back, { headers: { cookie } });
  if (statusCode !== 302) throw new Error(`${statusCode} ${await body.text()}`);
  const jar = new Jar();
  jar.take(headers);
  return jar.header;
}
