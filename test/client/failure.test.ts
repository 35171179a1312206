import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { failureOf } from '../../src/client/failure.js';

const error = (code: string): Error => Object.assign(new Error(code), { code });

const CODES: readonly [code: string, connecting: string, connected: string][] = [
  ['ECONNREFUSED', 'refused', 'other'],
  ['ENOTFOUND', 'dns', 'other'],
  ['EAI_AGAIN', 'dns', 'other'],
  ['ETIMEDOUT', 'unreachable', 'timeout'],
  ['EHOSTUNREACH', 'unreachable', 'unreachable'],
  ['ENETUNREACH', 'unreachable', 'unreachable'],
  ['ECONNRESET', 'unreachable', 'reset'],
  ['EPIPE', 'unreachable', 'reset'],
  ['UND_ERR_CONNECT_TIMEOUT', 'unreachable', 'other'],
  ['UND_ERR_HEADERS_TIMEOUT', 'unreachable', 'timeout'],
  ['UND_ERR_SOCKET', 'unreachable', 'reset'],
  ['CERT_HAS_EXPIRED', 'expired-certificate', 'expired-certificate'],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'tls', 'tls'],
  ['EWHATEVER', 'unreachable', 'other'],
];

test.each(CODES)('%s says that nothing was sent only before there is a connection', (code, before, after) => {
  expect(failureOf(error(code), true)).toEqual({ kind: 'failure', reason: before, sent: false });
  expect(failureOf(error(code), false)).toEqual({ kind: 'failure', reason: after, sent: true });
});

test('several addresses, none of which answers', () =>
  expect(failureOf(Object.assign(new AggregateError([error('ETIMEDOUT')]), {}), true).sent).toBe(false));

/** A server that takes so many requests and then does as it is told. */
async function line(good: number, end: 'reset' | 'silence'): Promise<string> {
  let taken = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      taken += 1;
      if (taken <= good)
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
      else if (end === 'reset') socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

test.each([
  ['a new connection', 0, 'reset', 'reset'],
  ['a connection that was kept', 1, 'reset', 'reset'],
  ['a new connection', 0, 'silence', 'timeout'],
  ['a connection that was kept', 2, 'silence', 'timeout'],
] as const)(
  'what was written on %s after %i answers, then %s, may have arrived',
  async (_, good, end, reason) => {
    const client = createClient({
      url: await line(good, end),
      token: 'x',
      timeoutMs: 300,
      maxConnections: 1,
    });
    onTestFinished(() => client.close());
    for (let request = 0; request < good; request++)
      expect((await client.call('getServiceTables')).kind).toBe('json');
    expect(await client.call('sendPayroll', { bodyText: '{}' })).toMatchObject({ reason, sent: true });
  },
);
