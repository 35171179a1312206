import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { type ClientOptions, createClient, shareConnections } from '../../src/client/client.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';

const TOKEN = 'very-secret-token';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(url: string, options: Partial<ClientOptions> = {}) {
  const client = createClient({ url, token: TOKEN, ...options });
  onTestFinished(() => client.close());
  return client;
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof PipelineError) return `${error.key} ${error.issues[0]?.code}`;
    throw error;
  }
  return 'nothing';
};

describe('the door', () => {
  test.each([
    ['http://example.com', 'usage send/insecure-url'],
    ['http://127.0.0.1.example.com', 'usage send/insecure-url'],
    ['ftp://127.0.0.1', 'usage send/insecure-url'],
    ['not a url', 'usage send/bad-url'],
    ['https://user:pass@example.com', 'usage send/bad-url'],
    ['https://example.com/?token=x', 'usage send/bad-url'],
    ['https://example.com/base/', 'nothing'],
    ['http://127.0.0.1:8080', 'nothing'],
    ['http://localhost:8080', 'nothing'],
    ['http://[::1]:8080', 'nothing'],
  ])('%s: %s', (url, expected) => expect(codeOf(() => clientOf(url))).toBe(expected));

  test.each(['', 'two words', 'line\nbreak', 'ñ'])('the token %o is refused unseen', (token) => {
    try {
      clientOf('http://127.0.0.1', { token });
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(token || 'nothing');
      expect((error as PipelineError).issues[0]?.code).toBe('send/bad-token');
    }
  });
});

describe('a call', () => {
  test('says who it is, where it goes and exactly what it was given', async () => {
    const seen: unknown[] = [];
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { accept, authorization } = request.headers;
      seen.push([request.method, request.url, accept, authorization, request.headers['content-type'], body]);
      response.end('{}');
    });
    const client = clientOf(`${url}/base/`);
    await client.call('sendPayroll', { bodyText: '{"consecutive": 1}' });
    await client.call('getZipStatus', { path: { ZipKey: 'a/b' }, body: { is_payroll: true } });
    await client.call('getCurrentNumber', { path: { type: 9 } });
    const common = ['application/json', `Bearer ${TOKEN}`, 'application/json'];
    expect(seen).toEqual([
      ['POST', '/base/api/ubl2.1/payroll', ...common, '{"consecutive": 1}'],
      ['POST', '/base/api/ubl2.1/status/zip/a%2Fb', ...common, '{"is_payroll":true}'],
      ['GET', '/base/api/ubl2.1/payroll/current_number/9', ...common, ''],
    ]);
  });

  test.each(['', '..'])('the test set %o does not become a production send', async (testSetId) => {
    const client = clientOf('http://127.0.0.1:9');
    await expect(client.call('sendPayrollTestSet', { path: { testSetId } })).rejects.toMatchObject({
      key: 'usage',
      issues: [{ code: 'send/bad-parameter' }],
    });
  });

  const ANSWERS: readonly [
    name: string,
    status: number,
    headers: Record<string, string>,
    body: string,
    answer: Answer,
  ][] = [
    [
      'JSON with status 500',
      500,
      {},
      '{"message":"x"}',
      { kind: 'json', status: 500, body: { message: 'x' } },
    ],
    [
      'JSON declared as HTML',
      200,
      { 'content-type': 'text/html' },
      '[1]',
      { kind: 'json', status: 200, body: [1] },
    ],
    ['a bare sentence', 200, {}, 'Undefined index', { kind: 'text', status: 200, text: 'Undefined index' }],
    ['an empty body', 502, {}, '', { kind: 'text', status: 502, text: '' }],
    ['the token blotted out', 500, {}, `no ${TOKEN}!`, { kind: 'text', status: 500, text: 'no …!' }],
    [
      'Retry-After',
      429,
      { 'retry-after': '7' },
      '{}',
      { kind: 'json', status: 429, body: {}, retryAfter: '7' },
    ],
    ['a redirect, not followed', 302, { location: '/login' }, '', { kind: 'text', status: 302, text: '' }],
  ];
  test.each(ANSWERS)('%s', async (_, status, headers, body, answer) => {
    const url = await serve((_request, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
    expect(await clientOf(url).call('sendPayroll', { bodyText: '{}' })).toEqual(answer);
  });

  test('a long text is cut', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(5_000)));
    const answer = await clientOf(url).call('sendPayroll', { bodyText: '{}' });
    expect(answer.kind === 'text' && answer.text.length).toBe(300);
  });
});

describe('no answer', () => {
  const failed = (reason: string, sent: boolean) => ({ kind: 'failure', reason, sent });

  test('refused connection: nothing was sent', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createTcpServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
      });
    });
    expect(await clientOf(`http://127.0.0.1:${port}`).call('sendPayroll', { bodyText: '{}' })).toEqual(
      failed('refused', false),
    );
  });

  test('no such host: nothing was sent', async () => {
    const answer = await clientOf('https://no-such-host.invalid').call('sendPayroll', { bodyText: '{}' });
    expect(answer).toEqual(failed('dns', false));
  });

  test('http behind https: nothing was sent', async () => {
    const url = await serve((_request, response) => response.end('{}'));
    const answer = await clientOf(url.replace('http:', 'https:')).call('sendPayroll', { bodyText: '{}' });
    expect(answer).toEqual(failed('tls', false));
  });

  test('the line is cut: it may have been processed', async () => {
    const url = await serve((request, response) => request.resume().on('end', () => response.destroy()));
    expect(await clientOf(url).call('sendPayroll', { bodyText: '{}' })).toEqual(failed('reset', true));
  });

  test('time-out: it may have been processed', async () => {
    const url = await serve(() => {});
    expect(await clientOf(url, { timeoutMs: 50 }).call('sendPayroll', { bodyText: '{}' })).toEqual(
      failed('timeout', true),
    );
  });

  test('an answer that comes byte by byte has an end', async () => {
    const url = await serve((_request, response) => {
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    });
    const client = clientOf(url, { timeoutMs: 10_000, wholeTimeoutMs: 100 });
    expect(await client.call('sendPayroll', { bodyText: '{}' })).toEqual(failed('timeout', true));
  });

  const DEEP = '['.repeat(200_000) + ']'.repeat(200_000);
  test.each([
    ['nested without end', DEEP],
    ['nested without end below', `{"message":${DEEP}}`],
    ['of more values than are read', `[${'0,'.repeat(1_000_000)}0]`],
  ])('an answer %s is no JSON that can be read', async (_, text) => {
    const url = await serve((_request, response) => response.end(text));
    expect(await clientOf(url).call('sendPayroll', { bodyText: '{}' })).toEqual({
      kind: 'text',
      status: 200,
      text: text.slice(0, 300),
    });
  });

  test('an answer that names a key twice says where', async () => {
    const url = await serve((_request, response) => response.end('{"data":{"id":1,"id":2}}'));
    expect(await clientOf(url).call('createPatient', { bodyText: '{}' })).toEqual({
      kind: 'json',
      status: 200,
      body: { data: { id: 2 } },
      duplicateKeys: ['/data/id'],
    });
  });

  test('an answer without end is not read to its end', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(5_000)));
    expect(await clientOf(url, { maxAnswerBytes: 1_000 }).call('sendPayroll', { bodyText: '{}' })).toEqual(
      failed('too-large', true),
    );
  });

  test('hung up by the caller, before and after it left', async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort());
    const client = clientOf(url);
    const { signal } = controller;
    expect(await client.call('sendPayroll', { bodyText: '{}' }, { signal })).toEqual(failed('aborted', true));
    expect(await client.call('sendPayroll', { bodyText: '{}' }, { signal })).toEqual(
      failed('aborted', false),
    );
  });
});

test('a client keeps its token to itself', () => {
  const client = clientOf('http://127.0.0.1:9');
  expect(JSON.stringify(client)).not.toContain(TOKEN);
  expect(client.url).toBe('http://127.0.0.1:9');
});

test('clients that share what is connected keep their own tokens, and closing one hangs up nobody', async () => {
  const tokens: (string | undefined)[] = [];
  const sockets = new Set<unknown>();
  const url = await serve((request, response) => {
    tokens.push(request.headers.authorization);
    sockets.add(request.socket);
    setTimeout(() => response.end('{}'), 50);
  });
  const connections = shareConnections();
  onTestFinished(() => connections.close());
  const [one, other, patient] = [
    clientOf(url, { token: 'one', connections }),
    clientOf(url, { token: 'other', connections }),
    clientOf(url, { token: 'patient', connections, timeoutMs: 400_000 }),
  ];
  const call = async (client = one!) =>
    expect(await client.call('listServiceProviders')).toMatchObject({ status: 200 });
  for (let times = 0; times < 5; times++) for (const client of [one, other]) await call(client);
  expect(new Set(tokens)).toEqual(new Set(['Bearer one', 'Bearer other']));
  const few = sockets.size;
  expect(few).toBeLessThanOrEqual(2); // one in use, and one that stands by
  const answer = call(other);
  await one!.close();
  await answer;
  await call(patient); // what is set otherwise is another way to the service
  expect(sockets.size).toBe(few + 1);
});

test.each([
  [true, true],
  [undefined, true],
  [false, false],
])('requests share a connection on the loopback, or where they may: %s', async (keepAlive, isShared) => {
  const sockets = new Set<unknown>();
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    response.end('{}');
  });
  const client = clientOf(url, keepAlive === undefined ? {} : { keepAlive });
  for (let at = 0; at < 5; at++) await client.call('getServiceTables');
  expect(sockets.size < 5).toBe(isShared);
});
