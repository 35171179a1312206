import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { decodePdf, pdfName } from '../../src/app/preview.js';
import type { Options } from '../../src/cli/options.js';
import { type Fake, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { sentRuns, WORKERS } from './sent-run.js';
import { convert, preview } from './use-cases.js';

const runs = sentRuns();
const requests = (): number => runs.sandbox.controls.requests({ operation: 'previewPayroll' }).count;
const previews = (call: Fake) => call.events().at(-1)?.['previews'];
const codes = (call: Fake) => call.events().flatMap(({ event, code }) => (event === 'issue' ? [code] : []));
const target = (): string => join(runs.folder, 'pdf');

async function show(options: Options = {}, call = runs.here()) {
  const exit = await preview(call.context, [], {
    folder: target(),
    json: true,
    showValues: true,
    ...options,
  });
  return { call, exit };
}

/** A service that gives one kind of answer. */
async function serve(answer: () => unknown): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ALL = { documents: WORKERS, written: WORKERS, there: 0, failed: 0, left: 0 };

describe('a run', () => {
  test('becomes a folder of PDFs that only their owner can read', async () => {
    await runs.sent();
    const { call, exit } = await show();
    expect([exit, previews(call)]).toEqual([0, ALL]);
    const files = readdirSync(target()).sort();
    expect(files[0]).toBe(`${runs.numberAt(0)}-9000100000.pdf`);
    expect(files).toHaveLength(WORKERS);
    for (const file of files) {
      expect(readFileSync(join(target(), file)).subarray(0, 5).toString()).toBe('%PDF-');
      if (process.platform !== 'win32') expect(statSync(join(target(), file)).mode & 0o777).toBe(0o600);
    }
    expect(runs.sandbox.controls.requests({ operation: 'sendPayrollTestSet' }).count).toBe(0);
  });

  test('is taken up where it stopped, each PDF asked for once', async () => {
    await runs.sent();
    const stuck = runs.sandbox.controls.addFault({
      match: { operation: 'previewPayroll', number: runs.numberAt(2) },
      kind: '500',
      times: 50,
    });
    const first = await show();
    expect([first.exit, previews(first.call)]).toEqual([1, { ...ALL, written: WORKERS - 1, failed: 1 }]);
    expect(codes(first.call)).toEqual(['service/unreadable-answer']);
    runs.sandbox.controls.remove('faults', stuck.id);
    runs.sandbox.controls.clearRequests();
    const second = await show();
    expect([second.exit, previews(second.call)]).toEqual([0, { ...ALL, written: 1, there: WORKERS - 1 }]);
    expect(requests()).toBe(1);
  });

  test('loses answers without losing previews', async () => {
    await runs.sent();
    runs.sandbox.controls.addFault({ match: { operation: 'previewPayroll' }, kind: 'reset-after', times: 2 });
    expect(previews((await show()).call)).toEqual(ALL);
  });

  test('never overwrites what is no PDF, nor follows a folder of that name', async () => {
    await runs.sent();
    mkdirSync(target());
    const [text, folder] = [0, 1].map((at) => `${runs.numberAt(at)}-${['9000100000', '9000100037'][at]}.pdf`);
    writeFileSync(join(target(), text!), 'mío');
    mkdirSync(join(target(), folder!));
    const { call, exit } = await show();
    expect([exit, previews(call)]).toEqual([1, { ...ALL, written: WORKERS - 2, failed: 2 }]);
    expect(codes(call)).toEqual(['preview/in-the-way', 'preview/in-the-way']);
    expect(readFileSync(join(target(), text!), 'utf8')).toBe('mío');
  });

  test('is previewed whatever DIAN said, when the document has a number', async () => {
    const chosen = runs.sandbox.controls.addOutcome({
      match: { worker: '9000100037' },
      verdict: 'reject',
      rules: ['NIE024'],
    });
    await runs.sent();
    runs.sandbox.controls.remove('outcomes', chosen.id);
    expect(previews((await show()).call)).toEqual(ALL);
  });

  test('of which one number is wanted', async () => {
    await runs.sent();
    const { call } = await show({ only: [runs.numberAt(3)] });
    expect(previews(call)).toEqual({ ...ALL, documents: 1, written: 1 });
    await expect(show({ only: ['NOM7'] })).rejects.toMatchObject({ issues: [{ code: 'run/unknown-name' }] });
  });

  test('sent twice has the numbers of the first time', async () => {
    await runs.sent();
    await show();
    await runs.sent();
    expect(previews((await show()).call)).toEqual({ ...ALL, written: 0, there: WORKERS });
  });

  test('keeps to a pace', async () => {
    await runs.sent();
    const started = performance.now();
    await show({ rate: 1200, only: [0, 1, 2, 3].map((at) => runs.numberAt(at)) });
    expect(performance.now() - started).toBeGreaterThanOrEqual(3 * 50 - 5);
  });

  test('with a wrong token: exit 3, nothing written', async () => {
    await runs.sent();
    const call = runs.here();
    const { exit } = await show({}, { ...call, context: { ...call.context, token: 'wrong' } });
    expect([exit, previews(call)]).toEqual([3, { ...ALL, written: 0, left: WORKERS }]);
    expect(readdirSync(target())).toEqual([]);
  });
});

test('documents that convert wrote are previewed before anything is sent', async () => {
  const file = join(runs.folder, 'documentos.jsonl');
  await convert(runs.here().context, [SAMPLE], { ...WIDE, output: file });
  const { call, exit } = await show({ documents: file });
  expect([exit, previews(call)]).toEqual([0, { documents: 25, written: 25, there: 0, failed: 0, left: 0 }]);
  // No journal: only what was said, and that the documents were written, is remembered.
  expect(readdirSync(join(runs.folder, 'ws'))).toEqual(['params.json', 'written']);
});

test.each([
  ['no JSON', '{"worker":{}}\n{"worker"'],
  ['no document', '[]'],
])('a line with %s is refused', async (_, text) => {
  const file = join(runs.folder, 'documentos.jsonl');
  writeFileSync(file, text);
  await expect(show({ documents: file })).rejects.toMatchObject({ issues: [{ code: 'preview/bad-line' }] });
});

test('two documents never share a file', async () => {
  const file = join(runs.folder, 'documentos.jsonl');
  const body = { prefix: 'NI', consecutive: 1, worker: { identification_number: 'AB1' } };
  const other = { ...body, worker: { identification_number: 'ab1' } };
  writeFileSync(
    file,
    [body, other, { ...body, consecutive: undefined }].map((one) => JSON.stringify(one)).join('\n'),
  );
  const { call } = await show({ documents: file });
  expect(codes(call).filter((code) => code !== 'preview/refused')).toEqual([
    'preview/name-taken',
    'preview/no-number',
  ]);
});

test.each([
  ['text', 'hola'],
  ['base64 of something else', Buffer.from('<html>').toString('base64')],
])('%s in place of a PDF is not written', async (_, base64payrollpdf) => {
  await runs.sent();
  const url = await serve(() => ({ success: true, base64payrollpdf }));
  const file = join(freshFolder(), 'documentos.jsonl');
  writeFileSync(file, JSON.stringify({ prefix: 'NI', consecutive: 1, worker: { identification_number: 1 } }));
  const { call, exit } = await show({ documents: file }, fake({ url, token: 'token' }));
  expect([exit, codes(call), readdirSync(target())]).toEqual([1, ['preview/not-a-pdf'], []]);
});

test('an interrupted call finishes what has left, and the next one goes on', async () => {
  const file = join(runs.folder, 'documentos.jsonl');
  const documents = [1, 2, 3, 4].map((consecutive) => ({
    prefix: 'NI',
    consecutive,
    worker: { identification_number: 1 },
  }));
  writeFileSync(file, documents.map((one) => JSON.stringify(one)).join('\n'));
  let asked = 0;
  let onAsked = (): void => undefined;
  const url = await serve(() => {
    asked += 1;
    onAsked();
    return { success: true, base64payrollpdf: Buffer.from('%PDF-1.4').toString('base64') };
  });
  const first = fake({ url, token: 'token' });
  onAsked = () => {
    if (asked === 2) first.interrupt();
  };
  const { exit } = await show({ documents: file, concurrency: 1 }, first);
  expect([exit, previews(first)]).toEqual([130, { documents: 4, written: 2, there: 0, failed: 0, left: 2 }]);
  const second = await show({ documents: file }, fake({ url, token: 'token' }));
  expect([second.exit, asked]).toEqual([0, 4]);
  expect(previews(second.call)).toEqual({ documents: 4, written: 2, there: 2, failed: 0, left: 0 });
});

test.each([
  ['NOM12', '9000100000', 'NOM12-9000100000.pdf'],
  ['../../NI1', '..\\x', '_NI1-_x.pdf'],
  ['COM1', '', 'COM1-x.pdf'],
  ['NI1', 'AUX:é/ñ', 'NI1-AUX_.pdf'],
  ['NI1', 'A'.repeat(300), `NI1-${'A'.repeat(40)}.pdf`],
])('file name of %s and %s', (number, worker, name) => {
  expect(pdfName(number, worker)).toBe(name);
});

test.each([
  ['plain', Buffer.from('%PDF-1.4 x').toString('base64'), true],
  [
    'in lines',
    Buffer.from('%PDF-1.4 x')
      .toString('base64')
      .replace(/(.{4})/g, '$1\n'),
    true,
  ],
  ['as a data address', `data:application/pdf;base64,${Buffer.from('%PDF-1.4').toString('base64')}`, true],
  ['blank', '', false],
  ['not base64', '%PDF-1.4', false],
])('base64 %s', (_, text, good) => {
  expect(decodePdf(text) !== undefined).toBe(good);
});
