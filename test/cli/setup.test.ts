import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { tellFailure } from '../../src/cli/failure.js';
import type { Options } from '../../src/cli/options.js';
import { DIAN_ADDRESS } from '../../src/families/payroll/subject.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { type Fake, type FakeOptions, fake } from './fake-context.js';
import { freshFolder, runCli } from './run-cli.js';
import { setupResolution as resolution, setupShow as show, setupSoftware as software } from './use-cases.js';

const PIN = '74185';
const ID = 'f3a0c0de-0001';
const GIVEN: Options = {
  softwareId: ID,
  payrollAddress: 'test',
  invoiceAddress: 'production',
  yes: true,
  json: true,
};

let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  folder = freshFolder();
  sandbox.controls.clearRequests();
  return () => rmSync(folder, { recursive: true, force: true });
});

const here = (more: FakeOptions = {}): Fake =>
  fake({ url: sandbox.url, token: sandbox.token, workspace: join(folder, 'ws'), ...more });
/** With the PIN in the environment. */
const withPin = (call: Fake) => ({ ...call.context, softwarePin: PIN });
const codes = (call: Fake) => call.events().flatMap(({ event, code }) => (event === 'issue' ? [code] : []));
const configured = (): number => sandbox.controls.requests({ operation: 'configurePayrollSoftware' }).count;

/** All that a call left behind: what was said and written. */
const leftBy = (call: Fake): string =>
  [
    ...call.shown.said(),
    ...call.shown.out(),
    ...call.asked,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')),
  ].join('\n');

/** A service of one answer, and the bodies that it got. */
async function serve(answer: unknown, status = 200) {
  const bodies: Record<string, unknown>[] = [];
  const listener: RequestListener = async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push(JSON.parse(text || '{}') as Record<string, unknown>);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const ECHO = {
  success: true,
  software: { idpayroll: ID, pinpayroll: PIN, url: DIAN_ADDRESS.production, urlpayroll: DIAN_ADDRESS.test },
};

describe('setup software', () => {
  test('names both addresses in every call, so that none falls back to the test one', async () => {
    const { url, bodies } = await serve(ECHO);
    const call = here({ url });
    expect(await software(withPin(call), [], GIVEN)).toBe(0);
    expect(bodies).toEqual([
      { idpayroll: ID, pinpayroll: PIN, url: DIAN_ADDRESS.production, urlpayroll: DIAN_ADDRESS.test },
    ]);
  });

  test('a newcomer is led through it', async () => {
    const call = here({
      lines: ['', ID, 'marte', 'Producción', 'same'],
      secrets: ['12', PIN, '74186', PIN, PIN],
      answers: [true],
    });
    expect(await software(call.context, [], {})).toBe(0);
    expect(configured()).toBe(1);
    const said = call.shown.said().join('\n');
    expect(said).toContain(`producción (${DIAN_ADDRESS.production})`);
    expect(leftBy(call)).not.toMatch(/74185|74186/);
    expect(leftBy(call)).not.toContain(sandbox.token);
  });

  test('a no configures nothing', async () => {
    const call = here({ answers: [false], secrets: [PIN, PIN] });
    expect(await software(call.context, [], { ...GIVEN, yes: false })).toBe(0);
    expect([configured(), call.asked.length]).toEqual([0, 3]);
  });

  test('a dry run shows the plan and calls nobody', async () => {
    const call = here();
    expect(await software(withPin(call), [], { ...GIVEN, dryRun: true })).toBe(0);
    expect(sandbox.controls.requests().count).toBe(0);
    expect(call.shown.said().join('\n')).toContain(ID);
    expect(leftBy(call)).not.toContain(PIN);
  });

  test('what is not known is said, what is known is not', async () => {
    const first = here();
    await software(withPin(first), [], GIVEN);
    expect(codes(first)).toEqual(['setup/unknown-present', 'setup/two-addresses']);
    const second = here();
    await software(withPin(second), [], { ...GIVEN, invoiceAddress: 'production' });
    expect(codes(second)).toEqual(['setup/two-addresses']);
  });

  test('keeps what was set before where nothing else is said', async () => {
    await software(withPin(here()), [], GIVEN);
    const call = here();
    expect(await software(withPin(call), [], { yes: true, json: true })).toBe(0);
    expect(call.events().find(({ event }) => event === 'setup')).toMatchObject({
      id: ID,
      payroll: DIAN_ADDRESS.test,
      invoicing: DIAN_ADDRESS.production,
    });
    expect(codes(call)).toEqual(['setup/two-addresses']);
  });

  describe('a change of address needs a word of its own', () => {
    const change: Options = { ...GIVEN, invoiceAddress: 'test' };
    beforeEach(async () => {
      await software(withPin(here()), [], GIVEN);
      sandbox.controls.clearRequests();
    });

    test('--yes alone is refused', async () => {
      const refused = { key: 'usage', issues: [{ code: 'setup/needs-change-address' }] };
      await expect(software(withPin(here()), [], change)).rejects.toMatchObject(refused);
      expect(configured()).toBe(0);
    });

    test('--change-address says it', async () => {
      const call = here();
      expect(await software(withPin(call), [], { ...change, changeAddress: true })).toBe(0);
      expect([configured(), codes(call)]).toEqual([1, ['setup/changes-address']]);
    });

    test.each<[string, readonly boolean[], number]>([
      ['a no to it', [false, true], 0],
      ['a no to the whole', [true, false], 0],
      ['two yes', [true, true], 1],
    ])('%s', async (_, answers, expected) => {
      const call = here({ answers });
      expect(await software(withPin(call), [], { ...change, yes: false, changeAddress: false })).toBe(0);
      expect(configured()).toBe(expected);
    });
  });

  test('an address that the service stored otherwise is an error', async () => {
    const software_ = { ...ECHO.software, url: DIAN_ADDRESS.test };
    const { url } = await serve({ ...ECHO, software: software_ });
    const call = here({ url });
    expect(await software(withPin(call), [], GIVEN)).toBe(1);
    expect(codes(call)).toContain('setup/stored-differs');
    const after = here({ url });
    await show(after.context, [], { json: true }).catch(() => undefined);
    expect(after.events()[0]).toMatchObject({ what: 'software', invoicing: DIAN_ADDRESS.test });
  });

  test('an answer that shows nothing is a warning', async () => {
    const { url } = await serve({ success: true, message: 'ok' });
    const call = here({ url });
    expect(await software(withPin(call), [], GIVEN)).toBe(0);
    expect(codes(call).filter((code) => code === 'setup/not-shown')).toHaveLength(2);
  });

  test.each<[string, Options, string]>([
    ['no id', { softwareId: ' ' }, 'setup/needs-value'],
    ['a word for no address', { payrollAddress: 'marte' }, 'run/bad-option'],
    ['"same" for payroll', { payrollAddress: 'same' }, 'run/bad-option'],
    ['an address without https', { invoiceAddress: 'http://vpfe.dian.gov.co/x' }, 'send/insecure-url'],
  ])('%s is refused before any call', async (name, more, code) => {
    const { softwareId: _, ...rest } = { ...GIVEN, ...more };
    const options = name === 'no id' ? rest : { ...GIVEN, ...more };
    await expect(software(withPin(here()), [], options)).rejects.toMatchObject({
      key: 'usage',
      issues: [{ code }],
    });
    expect(configured()).toBe(0);
  });
});

describe('the PIN', () => {
  const fileWith = (text: string, mode = 0o600): string => {
    const file = join(freshFolder(), 'pin.txt');
    writeFileSync(file, text, { mode });
    chmodSync(file, mode);
    return file;
  };

  test('comes from a private file', async () => {
    const { url, bodies } = await serve(ECHO);
    expect(await software(here({ url }).context, [], { ...GIVEN, pinFile: fileWith(`${PIN}\n`) })).toBe(0);
    expect(bodies[0]).toMatchObject({ pinpayroll: PIN });
  });

  test.runIf(process.platform !== 'win32')('not from one that others can read', async () => {
    const call = software(here().context, [], { ...GIVEN, pinFile: fileWith(PIN, 0o644) });
    await expect(call).rejects.toMatchObject({ issues: [{ code: 'setup/open-pin-file' }] });
  });

  test.each<[string, () => Options, string]>([
    ['nowhere', () => ({}), 'setup/needs-pin'],
    ['a file that is not there', () => ({ pinFile: '/no/such/file' }), 'setup/pin-file'],
    [
      'a file with something else',
      () => ({ pinFile: fileWith('contraseña-secreta') }),
      'document/format-pin',
    ],
  ])('from %s is refused, and not told', async (_, more, code) => {
    const call = here();
    const error = await software(call.context, [], { ...GIVEN, ...more() }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ key: 'usage', issues: [{ code }] });
    await tellFailure(error, call.context.terminal, ['--json', '--debug']);
    expect(leftBy(call)).not.toContain('contraseña-secreta');
    expect(configured()).toBe(0);
  });

  const bad = {
    message: 'The given data was invalid.',
    errors: { pinpayroll: [`The pin ${PIN} is invalid.`] },
  };
  test.each<[string, unknown, number, string]>([
    ['refuses it by name', bad, 422, 'setup/refused'],
    ['refuses it in a sentence', { success: false, message: `PIN ${PIN} inválido` }, 200, 'setup/refused'],
    ['gives the request back', { message: 'Error', payload: { pinpayroll: PIN } }, 500, 'setup/unconfirmed'],
    ['shows a page', `<html>pinpayroll = ${PIN}</html>`, 500, 'setup/unconfirmed'],
    ['does not know the token', { message: 'Unauthenticated.' }, 401, 'service/unauthenticated'],
  ])('is in no output when the service %s', async (_, answer, status, code) => {
    const { url } = await serve(answer, status);
    const call = here({ url });
    const error = await software(withPin(call), [], GIVEN).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ issues: [{ code }] });
    await tellFailure(error, call.context.terminal, ['--json', '--debug']);
    expect(leftBy(call)).not.toContain(PIN);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(PIN);
  });

  test('as an argument is refused without repeating it', async () => {
    const { code, stdout, stderr } = await runCli(['setup', 'software', `--pin=${PIN}`, '--json', '--debug']);
    expect(code).toBe(2);
    expect(stdout + stderr).toContain('--pin');
    expect(stdout + stderr).not.toContain(PIN);
  });

  test('the record of the set-up is private and has neither PIN nor token', async () => {
    await software(withPin(here()), [], GIVEN);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ name }) => name)).toEqual(['setup.json']);
    const file = join(files[0]!.parentPath, 'setup.json');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toMatch(new RegExp(`${PIN}|${sandbox.token}`));
  });
});

describe('setup resolution', () => {
  const RANGE: Options = { documentType: 'payroll', prefix: 'NI', yes: true, json: true };
  const NUMBERS: Options = { firstNumber: 1, lastNumber: 99 };
  const bodies = () => sandbox.controls.requests({ operation: 'configureResolution' });

  test('a newcomer is led through it', async () => {
    const call = here({ lines: ['facturas', 'nomina', 'ni1', 'NI', '', '5000'], answers: [true] });
    expect(await resolution(call.context, [], {})).toBe(0);
    expect(bodies().count).toBe(1);
    const shown = here();
    await show(shown.context, [], { json: true });
    expect(shown.events()).toContainEqual({
      event: 'setup',
      what: 'resolution',
      type: 9,
      prefix: 'NI',
      next: 1,
    });
  });

  test('leaves the other prefixes alone', async () => {
    const { url, bodies: got } = await serve({ success: true });
    expect(await resolution(here({ url }).context, [], RANGE)).toBe(0);
    expect(got.at(-1)).toEqual({ type_document_id: 9, prefix: 'NI', from: 1, to: 99_999_999 });
  });

  test('deletes them only when told', async () => {
    const { url, bodies: got } = await serve({ success: true });
    const call = here({ url });
    expect(await resolution(call.context, [], { ...RANGE, replaceAll: true })).toBe(0);
    expect(codes(call)).toContain('setup/replaces-all');
    expect(got.at(-1)).toMatchObject({ delete_all_type_resolutions: true });
    const asked = here({ url, answers: [false, true] });
    await resolution(asked.context, [], { ...RANGE, ...NUMBERS, replaceAll: true, yes: false });
    expect(asked.asked).toHaveLength(1);
  });

  test.each<[string, Options, unknown, string]>([
    [
      'leaves the next number out',
      { lastNumber: 100 },
      { number: 150, prefix: 'NI', success: true },
      'setup/next-outside',
    ],
    ['is a second one', {}, { number: 3, prefix: 'NOM', success: true }, 'setup/second-prefix'],
    [
      'was stored otherwise',
      {},
      { success: true, resolution: { prefix: 'NI', from: 1, to: 10 } },
      'setup/stored-differs',
    ],
  ])('a range that %s is told', async (_, more, answer, code) => {
    const { url } = await serve(answer);
    const call = here({ url });
    await resolution(call.context, [], { ...RANGE, ...more });
    expect(codes(call)).toContain(code);
  });

  test.each<[string, Options, string]>([
    ['a prefix of five letters', { prefix: 'NOMIN' }, 'document/format-prefix'],
    ['a range that ends before it begins', { firstNumber: 10, lastNumber: 10 }, 'setup/bad-range'],
    ['another kind of document', { documentType: 'invoice' }, 'run/bad-option'],
  ])('%s is refused before any call', async (_, more, code) => {
    const call = resolution(here().context, [], { ...RANGE, ...more });
    await expect(call).rejects.toMatchObject({ key: 'usage', issues: [{ code }] });
    expect(sandbox.controls.requests().count).toBe(0);
  });

  test('beyond this machine nothing is asked before a yes', async () => {
    const call = here({ url: 'https://nowhere.invalid', answers: [false] });
    expect(await resolution(call.context, [], { ...RANGE, ...NUMBERS, yes: false })).toBe(0);
    expect(call.asked).toHaveLength(1);
  });

  test('a dry run calls nobody', async () => {
    expect(await resolution(here().context, [], { ...RANGE, dryRun: true })).toBe(0);
    expect(sandbox.controls.requests().count).toBe(0);
  });
});

test('setup show says what is known, and what is not', async () => {
  const call = here();
  expect(await show(call.context, [], { json: true })).toBe(0);
  expect(call.events()).toEqual([
    { event: 'setup', what: 'software', known: false },
    { event: 'setup', what: 'resolution', type: 9, prefix: expect.any(String), next: 1 },
    { event: 'setup', what: 'resolution', type: 10, prefix: 'NA', next: 1 },
  ]);
});

test.each(['stock', '2026'] as const)('a token that is refused is told as such: %s', async (errorStyle) => {
  const box = await startSandbox({ errorStyle });
  onTestFinished(() => box.close());
  const call = here({ url: box.url, token: 'otro' });
  const refused = { key: 'service', issues: [{ code: 'service/unauthenticated' }] };
  await expect(show(call.context, [], { json: true })).rejects.toMatchObject(refused);
  const range: Options = { documentType: 'payroll', prefix: 'NI', firstNumber: 1, lastNumber: 99, yes: true };
  await expect(resolution(call.context, [], { ...range, json: true })).rejects.toMatchObject(refused);
  expect(call.events().map(({ what }) => what)).not.toContain('resolution');
});

test('a service that does not answer shows no range, and that it has none is not said', async () => {
  const call = here({ url: 'http://127.0.0.1:1' });
  const silent = { key: 'service', issues: [{ code: 'run/no-answer' }] };
  await expect(show(call.context, [], { json: true })).rejects.toMatchObject(silent);
});
