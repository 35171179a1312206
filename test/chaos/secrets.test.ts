import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type Operation } from '../../src/generated/operations.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { childKeys, resolveNode } from '../../src/toolkit/schema/registry.js';
import { fake } from '../cli/fake-context.js';
import { freshFolder, runCli } from '../cli/run-cli.js';
import { PARAMS, SAMPLE } from '../cli/sample.js';
import { api } from '../cli/use-cases.js';
import { ECHOES, type Echo, echoOf, UNAUTHENTICATED } from './echoes.js';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';
import { heldIn, type Secret, secretDigits, secretWord, spilledIn } from './spilled.js';
import { PATIENCE } from './stage.js';

const TOKEN = secretWord('token', 'Zq7marca/secreta+9x');
const PIN = secretDigits('PIN', '73919');

let box: Sandbox;
let line: FaultProxy;
/** What the service says next in place of its own answers, and for good after that. */
let next: Echo[] = [];
let always: Echo | undefined;

beforeAll(async () => {
  box = await startSandbox({ companies: [{ nit: '900123456', token: TOKEN.value }] });
  line = await startFaultProxy({
    target: box.url,
    patience: PATIENCE,
    answerOf: (passing, headers) => (next.shift() ?? always)?.(echoOf(passing, headers)),
  });
});
afterAll(async () => {
  await line.close();
  await box.close();
});

test('a whole run whose service repeats what it is told leaves no secret in any file, nor on the screen', async () => {
  const folder = freshFolder();
  const outputs = join(folder, 'outputs');
  mkdirSync(outputs);
  const env = { CARGUE_URL: line.url, CARGUE_TOKEN: TOKEN.value, CARGUE_SOFTWARE_PIN: PIN.value };
  const loud = ['--json', '--debug'];
  const results: readonly string[] = ['--report', 'report.xlsx', '--annotate', 'copy.xlsx', '--yes'];
  const sample = ['-m', 'payroll/wide', '--params', PARAMS, '--test-set', 'set-1'];
  const setup = ['setup', 'software', '--software-id', 'id-1', '--payroll-address', 'test'];
  const all = Object.values(ECHOES);
  const calls: readonly (readonly [args: readonly string[], says: readonly Echo[], always?: Echo])[] = [
    [[...setup, '--invoice-address', 'same', '--yes'], all],
    [[...setup, '--invoice-address', 'same', '--yes'], []],
    [['send', SAMPLE, ...sample, ...results, '--show-values'], all, UNAUTHENTICATED],
    [['resume', '--report', 'report.xlsx', '--yes'], all],
  ];
  const codes: (number | null)[] = [];
  for (const [at, [args, says, rest]] of calls.entries()) {
    [next, always] = [[...says], rest];
    const { code, stdout, stderr } = await runCli([...args, ...loud], { folder, env });
    codes.push(code);
    writeFileSync(join(outputs, `${at}.stdout`), stdout);
    writeFileSync(join(outputs, `${at}.stderr`), stderr);
  }
  const { files, spilled } = await spilledIn(folder, [TOKEN, PIN]);
  expect(spilled).toEqual([]);
  // It was looked for where it could have been: the books, the reports, and what was said of the failures.
  expect(files).toEqual(
    expect.arrayContaining(['report.xlsx', 'copy.xlsx', expect.stringMatching(/journal\.db$/)]),
  );
  // Refused, set up, stopped in the middle, and left with what no answer of the service's own decided.
  expect(codes).toEqual([1, 0, 4, 4]);
});

/** Secrets that a body can hold: where each stands, and what is looked for. */
function secretsOf(
  schema: string,
  keys: readonly string[] = [],
): readonly (readonly [keys: readonly string[], secret: Secret])[] {
  const node = resolveNode(schema, keys);
  if (node === undefined || keys.length > 3) return [];
  if (node.writeOnly === true) {
    const name = keys.join('.');
    // Its halves are no part of any name.
    return [[keys, secretWord(name, `Marca/${keys.length}${name.length}qZ+"secreta/ñ9`)]];
  }
  return childKeys(node).flatMap((key) => secretsOf(schema, [...keys, key]));
}

const SECRETIVE = Object.values<Operation>(OPERATIONS).flatMap((operation) => {
  const secrets = operation.body === null ? [] : secretsOf(operation.body);
  return secrets.length > 0 ? [{ ...operation, secrets }] : [];
});

describe('every field that a schema marks writeOnly is hidden, however the service repeats it', () => {
  test('there are such fields', () => {
    expect(SECRETIVE.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['configureRips', 'configurePayrollSoftware', 'sendPayroll']),
    );
  });

  test.each(SECRETIVE)('$id', async ({ id, pathParameters, secrets }) => {
    const body: JsonObject = {};
    for (const [keys, { value }] of secrets) put(body, keys, value);
    const file = join(freshFolder(), 'body.json');
    writeFileSync(file, JSON.stringify(body));
    for (const [form, echo] of Object.entries(ECHOES)) {
      next = [echo];
      const call = fake({ url: line.url, token: TOKEN.value });
      const path = pathParameters.map((name) => `${name}=x`);
      await api(call.context, [id], { body: file, path, json: true, debug: true });
      const shown = [...call.shown.out(), call.shown.raw()].join('\n');
      expect(shown).not.toBe('');
      expect(heldIn(shown, [TOKEN, ...secrets.map(([, secret]) => secret)]), form).toEqual([]);
    }
  });
});

function put(body: JsonObject, keys: readonly string[], value: string): void {
  const [key = '', ...rest] = keys;
  if (rest.length === 0) {
    body[key] = value;
    return;
  }
  body[key] ??= {};
  put(body[key] as JsonObject, rest, value);
}
