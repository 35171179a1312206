import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import { OPERATIONS } from '../../src/generated/operations.js';
import { LATENCY_PROFILES } from '../../src/sandbox/chance.js';
import { FAULT_KINDS, VERDICT_WORDS } from '../../src/sandbox/faults.js';
import type { PipelineError } from '../../src/toolkit/core/issue.js';
import { type SchemaNode, schemaJson } from '../../src/toolkit/schema/registry.js';
import { request } from '../sandbox/client.js';
import { payroll } from '../sandbox/payroll-requests.js';
import { fake } from './fake-context.js';
import { freshFolder, startCli } from './run-cli.js';
import { sandbox as run } from './use-cases.js';

interface Told {
  readonly url: string;
  readonly token: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly adminToken: string;
}

/** The command until it tells its address; stopped when the test is done. */
async function started(options: Options, sandboxVariables: Readonly<Record<string, string>> = {}) {
  const call = fake();
  const ended = run({ ...call.context, sandboxVariables }, [], { json: true, ...options });
  let told: Told | undefined;
  const isThere = async (): Promise<Told> => {
    for (;;) {
      told = call.events().find(({ event }) => event === 'sandbox') as unknown as Told | undefined;
      if (told !== undefined) return told;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const box = await Promise.race([isThere(), ended.then(() => Promise.reject(new Error('ended')))]);
  onTestFinished(async () => {
    call.interrupt();
    await ended;
  });
  const issues = call.events().filter(({ event }) => event === 'issue');
  const admin = (method: string, path: string, body?: object) =>
    request(box, method, `/admin${path}`, body, { authorization: `Bearer ${box.adminToken}` });
  return { ...box, issues, admin };
}

const written = (text: string, folder = freshFolder()): string => {
  const file = join(folder, 'sandbox.yaml');
  writeFileSync(file, text);
  return file;
};

const SETTINGS = `
adminToken: admin-1
stateFile: state.jsonl
errorStyle: "2026"
zipPolls: 0
clock: 2026-03-31T22:05:12Z
seed: 7
companies:
  - nit: "900123456"
    token: token-1
    environment: production
    resolutions:
      - { typeDocumentId: 9, prefix: NI, from: 1, to: 9999, resolution: "18760000001" }
  - { nit: "901111222" }
faults:
  - { match: { operation: sendPayroll }, kind: "429", retryAfter: 2, times: 1 }
outcomes:
  - { match: { worker: "1020304050" }, verdict: reject, rules: [NIE024] }
`;

test('a file says everything', async () => {
  const folder = freshFolder();
  const box = await started({ config: written(SETTINGS, folder) });
  expect([box.adminToken, box.token, Object.keys(box.tokens)]).toEqual([
    'admin-1',
    'token-1',
    ['900123456', '901111222'],
  ]);
  expect(box.issues).toEqual([]);
  expect((await request(box, 'GET', '/api/rips/patients', undefined, { authorization: '' })).status).toBe(
    500,
  );
  expect((await request(box, 'POST', '/api/ubl2.1/payroll', payroll())).status).toBe(429);
  expect((await request(box, 'POST', '/api/ubl2.1/payroll', payroll())).text).toContain('NIE024');
  expect((await box.admin('GET', '/ranges?company=900123456')).at('/ranges')).toMatchObject([
    { prefix: 'NI', resolution: '18760000001' },
  ]);
  expect(String((await box.admin('GET', '/state')).at('/clock'))).toMatch(/^2026-03-31T22:05/);
  expect(existsSync(join(folder, 'state.jsonl'))).toBe(true);
});

test('an option goes before the environment, which goes before the file', async () => {
  const config = written('errorStyle: "2026"\ncompanies: [{ nit: "800000001", name: Uno }]\n');
  const variables = {
    ERROR_STYLE: 'stock',
    TOKEN: 'from-the-environment',
    ADMIN_TOKEN: 'admin-2',
    NAME: 'Dos',
  };
  const box = await started({ config, set: ['name=Tres', 'zipPolls=0', 'requestLog=false'] }, variables);
  expect([box.tokens, box.adminToken]).toEqual([{ '800000001': 'from-the-environment' }, 'admin-2']);
  expect((await request(box, 'GET', '/x', undefined, { authorization: '' })).status).toBe(404);
  expect((await request(box, 'GET', '/api/rips/patients', undefined, { authorization: '' })).status).toBe(
    401,
  );
  expect((await box.admin('GET', '/companies')).at('/companies')).toMatchObject([
    { company: '800000001', name: 'Tres' },
  ]);
  expect((await box.admin('GET', '/requests')).at('/requests')).toEqual([]);
});

describe('refused', () => {
  const refusal = (options: Options, variables: Readonly<Record<string, string>> = {}) =>
    run({ ...fake().context, sandboxVariables: variables }, [], options).then(
      () => [],
      ({ issues }: PipelineError) =>
        issues.map(({ code, place, params, value }) => [
          code,
          place.line,
          (params as { key?: string; option?: string }).key ?? (params as { option?: string }).option,
          value,
        ]),
    );

  test.each<[string, unknown[]]>([
    ['zipPols: 1\n', ['sandbox/shape', 1, 'zipPols', undefined]],
    ['port: 1\nerrorStyle: odd\n', ['sandbox/shape', 2, 'errorStyle', undefined]],
    ['companies:\n  - name: X\n', ['sandbox/shape', 2, 'companies.0.nit', undefined]],
    ['a: [\n', ['sandbox/yaml', expect.any(Number), undefined, undefined]],
  ])('a file with %j', async (text, expected) => {
    expect(await refusal({ config: written(text) })).toEqual([expected]);
  });

  test('a file that is none', async () => {
    expect(await refusal({ config: 'nowhere.yaml' })).toEqual([
      ['sandbox/not-readable', undefined, undefined, undefined],
    ]);
  });

  test.each([
    [{ set: ['errorStyle=odd'] }, {}, '--set errorStyle', 'odd'],
    [{ set: ['colour=blue'] }, {}, '--set', 'colour'],
    [{ set: ['zipPolls=many'] }, {}, '--set zipPolls', 'many'],
    [{}, { ZIP_POLLS: '-1' }, 'CARGUE_SANDBOX_ZIP_POLLS zipPolls', '-1'],
    // A token is for nobody to see: not as an argument, and not in a message.
    [{ set: ['adminToken=x'] }, {}, '--set', ''],
    [{}, { ADMIN_TOKEN: 'with space' }, 'CARGUE_SANDBOX_ADMIN_TOKEN adminToken', undefined],
  ])('%j %j', async (options, variables, option, value) => {
    expect(await refusal(options, variables)).toEqual([['run/bad-option', undefined, option, value]]);
  });
});

test('an address beyond this machine is said aloud', async () => {
  const open = await started({ host: '0.0.0.0' });
  expect(open.issues).toMatchObject([{ code: 'sandbox/open-host', level: 'warning' }]);
  expect((await started({ host: '127.0.0.1' })).issues).toEqual([]);
});

test('the program reads the environment', async () => {
  const child = startCli(['sandbox', '--json'], { env: { CARGUE_SANDBOX_ADMIN_TOKEN: 'fixed-admin' } });
  onTestFinished(() => {
    child.kill();
  });
  const [line] = await new Promise<string[]>((resolve) => {
    let text = '';
    child.stdout.on('data', (piece: Buffer) => {
      text += piece;
      if (text.includes('\n')) resolve(text.split('\n'));
    });
  });
  expect(JSON.parse(line!)).toMatchObject({ event: 'sandbox', adminToken: 'fixed-admin' });
});

/** What the schema lists is what the program knows. */
test.each<[string, readonly string[]]>([
  ['/$defs/match/properties/operation/enum', Object.keys(OPERATIONS)],
  ['/$defs/fault/properties/kind/enum', FAULT_KINDS],
  ['/$defs/outcome/properties/verdict/enum', VERDICT_WORDS],
  ['/properties/latency/anyOf/0/enum', LATENCY_PROFILES],
])('%s', (pointer, known) => {
  const listed = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as SchemaNode)[key], schemaJson('sandbox'));
  expect([...(listed as string[])].sort()).toEqual([...known].sort());
});
