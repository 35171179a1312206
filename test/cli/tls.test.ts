import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withProfile } from '../../src/app/profile.js';
import type { Options } from '../../src/cli/options.js';
import { PipelineError, paramOf } from '../../src/toolkit/core/issue.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { api, send } from './use-cases.js';

/** Test only: see client/tls/README.md. */
const fixture = (name: string): string => fileURLToPath(new URL(`../client/tls/${name}`, import.meta.url));
const CA = fixture('ca.pem');

/** A real HTTPS server under a private authority, which answers the same to everything. */
async function secureService() {
  const seen: string[] = [];
  const keys = { cert: readFileSync(fixture('server.pem')), key: readFileSync(fixture('server.key')) };
  const server = createServer(keys, (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.end('{"success":true,"number":7,"prefix":"NOM"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work);
  } catch (error) {
    if (error instanceof PipelineError)
      return error.issues
        .map(({ code, params }) => `${code} ${paramOf({ params }, 'reason') ?? ''}`.trim())
        .join();
    throw error;
  }
};

const OPERATION = ['getCurrentNumber'];
const asking: Options = { path: ['type=9', 'prefix=NOM'] };

describe('one call', () => {
  test.each<[string, Options, string, number]>([
    ['without the authority', {}, 'run/no-answer untrusted-certificate', 0],
    ['with it', { ca: CA }, '0', 1],
    ['with a file that is none', { ca: fixture('server.key') }, 'run/ca-file PEM', 0],
    ['with a file that is not there', { ca: '/nowhere/ca.pem' }, 'run/ca-file ENOENT', 0],
  ])('%s', async (_, more, expected, count) => {
    const { url, seen } = await secureService();
    const { context } = fake({ url, token: 'secret-token' });
    expect(await codeOf(api(context, OPERATION, { ...asking, ...more }))).toBe(expected);
    expect(seen).toHaveLength(count);
  });

  test('the authority of a profile, beside the profile', async () => {
    const { url, seen } = await secureService();
    const workspace = join(freshFolder(), 'ws');
    mkdirSync(join(workspace, 'profiles'), { recursive: true });
    copyFileSync(CA, join(workspace, 'profiles', 'own-ca.pem'));
    writeFileSync(
      join(workspace, 'profiles', 'own.yaml'),
      `url: ${url}\nenvironment: test\nca: own-ca.pem\n`,
    );
    const made = fake({ workspace, token: 'secret-token' });
    const call = await withProfile({ context: made.context, options: { ...asking, profile: 'own' } });
    expect(await codeOf(api(call.context, OPERATION, call.options))).toBe('0');
    expect(seen).toHaveLength(1);
  });
});

describe('send', () => {
  const sending = (folder: string, more: Options = {}): Options => ({
    ...WIDE,
    testSet: 'set-1',
    report: join(folder, 'report.xlsx'),
    yes: true,
    json: true,
    ...more,
  });

  test('to a certificate that nobody vouches for: nothing leaves, and the cause is said', async () => {
    const { url, seen } = await secureService();
    const call = fake({ url, token: 'secret-token' });
    expect(await send(call.context, [SAMPLE], sending(freshFolder()))).toBe(3);
    expect(seen).toEqual([]);
    expect(call.events().at(-1)).toMatchObject({ documents: { made: 25, unsent: 25 } });
    expect(call.shown.said().join('\n')).toMatch(/\(nadie conocido lo firma\)/);
  });

  test('http to another machine is refused before the file is read', async () => {
    const call = fake({ url: 'http://api.example.com', token: 'secret-token' });
    expect(await codeOf(send(call.context, [SAMPLE], sending(freshFolder())))).toBe('send/insecure-url');
    expect(call.events()).toEqual([]);
  });
});
