import { readFileSync } from 'node:fs';
import { createServer as plainServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { proxyFor, proxySettings } from '../../src/client/address.js';
import { createClient } from '../../src/client/client.js';

/** Test only: see tls/README.md. */
const pem = (name: string): string => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');

async function listening(server: ReturnType<typeof plainServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A service that only the proxy finds, since nobody else knows its name. */
async function hiddenService() {
  const seen = { requests: 0 };
  const server = createServer(
    { cert: pem('other-host.pem'), key: pem('server.key') },
    (_request, response) => {
      seen.requests += 1;
      response.end('{"success":true}');
    },
  );
  return { seen, port: await listening(server) };
}

type Manner = 'opens' | 'refuses' | 'hangs up' | 'answers without a tunnel' | 'hangs up in the handshake';

async function connectProxy(to: number, manner: Manner = 'opens') {
  const asked: string[] = [];
  const server = plainServer((_request, response) => response.end('a page'));
  server.on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    socket.on('error', () => undefined);
    if (manner === 'refuses') return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (manner === 'hangs up') return socket.destroy();
    if (manner === 'answers without a tunnel') return socket.end('HTTP/1.1 200');
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (manner === 'hangs up in the handshake') return socket.destroy();
    const beyond = connect(to, '127.0.0.1', () => socket.pipe(beyond).pipe(socket));
    beyond.on('error', () => socket.destroy());
  });
  return { asked, port: await listening(server) };
}

function through(proxy: string, port: number) {
  const url = `https://other.invalid:${port}`;
  const client = createClient({
    url,
    token: 'secret-token',
    ca: pem('ca.pem'),
    proxy: proxyFor(new URL(url), { proxy })!,
  });
  onTestFinished(() => client.close());
  return client.call('sendPayroll', { bodyText: '{}' });
}

test('the service is reached through the tunnel, by its own name and certificate', async () => {
  const service = await hiddenService();
  const proxy = await connectProxy(service.port);
  const answer = await through(`http://ana:cl%40ve@127.0.0.1:${proxy.port}`, service.port);
  expect(answer).toMatchObject({ kind: 'json', status: 200 });
  expect(proxy.asked).toEqual([`other.invalid:${service.port} Basic ${btoa('ana:cl@ve')}`]);
});

test.each<Manner>(['refuses', 'hangs up', 'answers without a tunnel', 'hangs up in the handshake'])(
  'a proxy that %s: nothing was sent',
  async (manner) => {
    const service = await hiddenService();
    const proxy = await connectProxy(service.port, manner);
    expect(await through(`http://127.0.0.1:${proxy.port}`, service.port)).toMatchObject({
      kind: 'failure',
      sent: false,
    });
    expect(service.seen.requests).toBe(0);
  },
);

test('a proxy that is not there: nothing was sent', async () => {
  expect(await through('127.0.0.1:1', 443)).toEqual({ kind: 'failure', reason: 'proxy', sent: false });
});

const PROXY = 'http://proxy.example:3128';
test.each([
  ['https://api.example/x', { HTTPS_PROXY: PROXY }, 'proxy.example:3128'],
  ['https://api.example', { https_proxy: 'proxy.example:3128' }, 'proxy.example:3128'],
  ['https://api.example', { HTTP_PROXY: PROXY }, 'proxy.example:3128'],
  ['https://api.example', { HTTP_PROXY: 'http://other.example', HTTPS_PROXY: PROXY }, 'proxy.example:3128'],
  ['https://api.example', {}, undefined],
  ['http://127.0.0.1:8080', { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY }, undefined],
  ['http://localhost', { HTTP_PROXY: PROXY }, undefined],
  ['https://[::1]', { HTTPS_PROXY: PROXY }, undefined],
  ['https://api.example', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, undefined],
  ['https://api.example', { HTTPS_PROXY: PROXY, NO_PROXY: 'other.org, .example' }, undefined],
  ['https://API.example', { HTTPS_PROXY: PROXY, no_proxy: 'api.Example:443' }, undefined],
  ['https://api.example', { HTTPS_PROXY: PROXY, NO_PROXY: 'api.example:8443' }, 'proxy.example:3128'],
  ['https://notexample', { HTTPS_PROXY: PROXY, NO_PROXY: 'example' }, 'proxy.example:3128'],
])('%s with %j', (url, env, host) => {
  expect(proxyFor(new URL(url), proxySettings(env))?.host).toBe(host);
});

test.each(['ftp://proxy.example', 'http://', 'http://a b'])('%s is no proxy', (proxy) => {
  expect(() => proxyFor(new URL('https://api.example'), { proxy })).toThrow('run/bad-proxy');
});
