import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/client.js';

/** Test only: see tls/README.md. */
const pem = (name: string): string => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');
const CA = pem('ca.pem');

/** A real HTTPS server with one of the certificates; counts what it was asked. */
async function secureService(certificate: string) {
  const seen = { requests: 0 };
  const server = createServer({ cert: pem(certificate), key: pem('server.key') }, (_request, response) => {
    seen.requests += 1;
    response.end('{"success":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function ask(url: string, ca?: string) {
  const client = createClient({ url, token: 'secret-token', ...(ca !== undefined && { ca }) });
  onTestFinished(() => client.close());
  return client.call('sendPayroll', { bodyText: '{}' });
}

test.each(['127.0.0.1', 'localhost'])(
  'the private authority of %s is taken where it is given',
  async (host) => {
    const { url, seen } = await secureService('server.pem');
    expect(await ask(url.replace('127.0.0.1', host), CA)).toMatchObject({ kind: 'json', status: 200 });
    expect(seen.requests).toBe(1);
  },
);

describe('nothing is sent', () => {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  beforeEach(() => {
    // Whoever switched checking off for something else has not switched it off here.
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  });
  afterEach(() => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  });

  test.each([
    ['to a certificate that nobody vouches for', 'server.pem', undefined, 'untrusted-certificate'],
    ['to one that has expired', 'expired.pem', CA, 'expired-certificate'],
    ['to one of another host', 'other-host.pem', CA, 'certificate-of-another-host'],
    ['to one of another authority', 'server.pem', pem('server.pem'), 'untrusted-certificate'],
  ])('%s', async (_, certificate, ca, reason) => {
    const { url, seen } = await secureService(certificate);
    expect(await ask(url, ca)).toEqual({ kind: 'failure', reason, sent: false });
    expect(seen.requests).toBe(0);
  });
});
