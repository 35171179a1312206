import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import { OPERATIONS, type Operation } from '../../src/generated/operations.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { CONFIGURATION } from '../schema/health-examples.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { api as run } from './use-cases.js';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fileOf(body: unknown): string {
  const file = join(freshFolder(), 'body.json');
  writeFileSync(file, JSON.stringify(body));
  return file;
}

/** What a call prints, and how it ends. */
async function call(
  id: string,
  options: Options,
  at: { readonly url: string; readonly token?: string },
): Promise<{ readonly exit: number; readonly out: string }> {
  const { context, shown } = fake({ token: 'token', ...at });
  const exit = await run(context, [id], options);
  return { exit, out: shown.out().join('\n') };
}

describe('every operation can be called', () => {
  test.each<Operation>(Object.values(OPERATIONS))('$id', async (operation) => {
    const { id, method, pathParameters, queryParameters, body } = operation;
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end(JSON.stringify({ asked: `${request.method} ${request.url} ${body}` }));
    });
    const options: Options = {
      path: pathParameters.map((name) => `${name}=x`),
      query: queryParameters.map((name) => `${name}=y`),
      ...(body !== null && { body: fileOf({ of: id }) }),
    };
    const { exit, out } = await call(id, options, { url });
    const path = operation.path.replaceAll(/\{\w+\}/g, 'x');
    const query =
      queryParameters.length > 0 ? `?${queryParameters.map((name) => `${name}=y`).join('&')}` : '';
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({
      asked: `${method} ${path}${query} ${body === null ? '' : `{"of":"${id}"}`}`,
    });
  });
});

test.each([
  ['JSON', 422, '{"message":"no"}', { body: { message: 'no' } }],
  ['a page', 502, '<h1>Bad Gateway</h1>', { text: '<h1>Bad Gateway</h1>' }],
])('--json gives the status with the answer, on one line: %s', async (_, status, answer, shown) => {
  const url = await serve((_request, response) => response.writeHead(status).end(answer));
  const { exit, out } = await call('getCurrentNumber', { path: ['type=9'], json: true }, { url });
  expect([exit, JSON.parse(out)]).toEqual([
    1,
    { event: 'response', operation: 'getCurrentNumber', status, ...shown },
  ]);
});

describe('secrets that the service shows do not reach the screen', () => {
  test('the password of the national system', async () => {
    const box = await startSandbox();
    onTestFinished(() => box.close());
    const { exit, out } = await call('configureRips', { body: fileOf(CONFIGURATION) }, box);
    expect(exit).toBe(0);
    expect(out).not.toContain(CONFIGURATION.password);
    expect(JSON.parse(out)).toMatchObject({ configuration: { password: '•••', url: CONFIGURATION.url } });
  });

  test('the PINs of the software', async () => {
    const box = await startSandbox();
    onTestFinished(() => box.close());
    const body = fileOf({ id: 'a1', pin: '54321', idpayroll: 'b2', pinpayroll: '98765' });
    const { exit, out } = await call('configurePayrollSoftware', { body }, box);
    expect(exit).toBe(0);
    expect(out).not.toMatch(/54321|98765/);
    expect(JSON.parse(out)).toMatchObject({ software: { idpayroll: 'b2', pinpayroll: '•••' } });
  });

  const body = { idpayroll: 'b2', pinpayroll: '98765' };
  test.each([
    ['under a name of its own', '{"row":{"clave":"98765","codigo":98765}}'],
    ['under a name that a pattern knows', '{"software":{"pin_eqdocs":"11111"}}'],
    ['in a sentence', '{"message":"PIN 98765 inválido"}'],
    ['in a page', '<html>pinpayroll = 98765</html>'],
    ['where a page is cut', `<html>${'.'.repeat(291)}98765</html>`],
  ])('%s', async (_, answer) => {
    const url = await serve((_request, response) => response.end(answer));
    const { out } = await call('configurePayrollSoftware', { body: fileOf(body) }, { url });
    expect(out).toContain('•••');
    expect(out).not.toMatch(/987|11111/);
  });
});

const DEEP = '['.repeat(200_000) + ']'.repeat(200_000);

test.each([
  ['no JSON', '{', 'not-json'],
  ['nested without end', DEEP, 'json-too-deep'],
  ['of more values than are read', `[${'0,'.repeat(1_000_000)}0]`, 'json-too-many'],
])('a body that is %s is not sent', async (_, text, reason) => {
  const file = join(freshFolder(), 'body.json');
  writeFileSync(file, text);
  await expect(
    call('configurePayrollSoftware', { body: file }, { url: 'http://127.0.0.1:9' }),
  ).rejects.toMatchObject({ key: 'usage', issues: [{ code: 'run/bad-body', params: { reason } }] });
});

test('an answer nested without end is shown by its beginning', async () => {
  const url = await serve((_request, response) => response.end(`{"row":${DEEP}}`));
  const { exit, out } = await call('getCurrentNumber', { path: ['type=9'] }, { url });
  expect([exit, out.startsWith('{"row":[['), out.length]).toEqual([0, true, 300]);
});

test('what an operation does not take is refused before it is called', async () => {
  const at = { url: 'http://127.0.0.1:9' };
  const refused = { key: 'usage', issues: [{ code: 'run/bad-option' }] };
  await expect(call('getPatient', { path: ['ident=1'] }, at)).rejects.toMatchObject(refused);
  await expect(call('getPatient', { query: ['search=x'] }, at)).rejects.toMatchObject(refused);
});
