import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TaskView, UploadView } from '../../src/page/api.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { worker } from '../../src/server/worker.js';
import { fake } from '../cli/fake-context.js';
import { freshFolder } from '../cli/run-cli.js';
import { send } from '../cli/use-cases.js';
import { testDatabase } from '../send/engines.js';
import { serve } from './browser.js';
import { visit } from './visit.js';

async function box(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** What arrived, by worker: the number and the hash of the bytes. */
const arrived = ({ controls }: Sandbox) =>
  controls
    .requests()
    .requests.filter(({ operation, number }) => operation?.startsWith('send') && number !== undefined)
    .map(({ number, worker, bodyHash }) => `${worker} ${number} ${bodyHash}`)
    .sort();

async function byCommandLine(file: string, params: string): Promise<readonly string[]> {
  const sandbox = await box();
  const { context } = fake({ url: sandbox.url, token: sandbox.token });
  const report = join(freshFolder(), 'report.xlsx');
  await send(context, [file], { params, report, yes: true, partial: true });
  return arrived(sandbox);
}

async function byPage(
  file: string,
  params: string,
  sandbox: Sandbox,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const served = await serve({ env: { CARGUE_URL: sandbox.url, CARGUE_TOKEN: sandbox.token, ...more } });
  onTestFinished(() => served.kill());
  const ask = await visit(served.link);
  const { id } = await ask<UploadView>('POST', '/uploads', {});
  const task = async (name: string): Promise<TaskView> => {
    const started = await ask<TaskView>('POST', `/uploads/${id}/tasks/${name}`, {});
    for (;;) {
      const now = await ask<TaskView>('GET', `/task/${started.id}`);
      if (now.state === 'ended') return now;
      if (now.pending !== null)
        await ask('POST', `/task/${now.id}/answer`, { id: now.pending.id, said: true });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await ask('PUT', `/uploads/${id}/files?name=${encodeURIComponent(basename(file))}`, readFileSync(file));
  expect((await task('inspect')).outcome).toBe('fine');
  await ask('PUT', `/uploads/${id}/params`, JSON.parse(readFileSync(params, 'utf8')));
  expect((await task('send')).failure).toEqual([]);
  return arrived(sandbox);
}

test.each([
  ['payroll/nomina-octubre-2026.xlsx', 'payroll/params.json', 25],
  ['payroll/multihoja/Nomina_octubre_multihoja.xlsx', 'payroll/multihoja/params.json', undefined],
])('%s goes out of the page byte for byte as from the command line', async (file, params, count) => {
  const call = [join('samples', file), join('samples', params)] as const;
  const sent = await byCommandLine(...call);
  if (count !== undefined) expect(sent).toHaveLength(count);
  expect(sent.length).toBeGreaterThan(0);
  expect(await byPage(...call, await box())).toEqual(sent);
});

test('where a worker is there for the company, the page hands over and shows what becomes of it', async () => {
  const call = [
    join('samples/payroll/nomina-octubre-2026.xlsx'),
    join('samples/payroll/params.json'),
  ] as const;
  const sandbox = await box();
  const journal = await testDatabase();
  const one = fake({ url: sandbox.url, token: sandbox.token });
  const ended = worker({ ...one.context, journal }, [], { concurrency: 2 });
  const turns = () => one.shown.out().filter((line) => line.includes('"how":"finished"'));
  await expect.poll(() => one.shown.out().length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await byPage(...call, sandbox, { CARGUE_JOURNAL: journal })).toEqual(await byCommandLine(...call));
  expect(turns()).toHaveLength(1);
  one.interrupt();
  expect(await ended).toBe('fine');
});
