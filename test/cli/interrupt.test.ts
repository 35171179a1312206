import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { freshFolder, runCli, startCli } from './run-cli.js';
import { PARAMS, SAMPLE } from './sample.js';

// Each test starts processes of its own.
vi.setConfig({ testTimeout: 60_000 });

const DOCUMENTS = 25;
const CONCURRENCY = 4;

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** A sender in a process of its own, at a sandbox that takes each document at once and answers so much later. */
async function startSend(ms: number) {
  const box = await startSandbox({ companies: [{ nit: '900123456', environment: 'production' }] });
  onTestFinished(() => box.close());
  const { id } = box.controls.addFault({
    kind: 'delay',
    match: { operation: 'sendPayroll' },
    times: 1_000,
    phase: 'after',
    ms,
  });
  const folder = freshFolder();
  copyFileSync(SAMPLE, join(folder, 'octubre.xlsx'));
  const call = { folder, env: { CARGUE_URL: box.url, CARGUE_TOKEN: box.token } };
  const sending = ['send', 'octubre.xlsx', '-m', 'payroll/wide', '--params', PARAMS, '--yes'];
  const child = startCli([...sending, '--concurrency', String(CONCURRENCY)], call);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stdout.resume();
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  await until(() => box.controls.documents().length >= CONCURRENCY);
  const outcomes = async () => {
    const { events } = await runCli(['status', '--json'], call);
    return events[0]?.['documents'];
  };
  const resume = async () => {
    box.controls.remove('faults', id);
    // That what is under its number is ours, the PIN tells.
    const env = { ...call.env, CARGUE_SOFTWARE_PIN: '12345' };
    return runCli(['resume', '--yes', '--json'], { ...call, env });
  };
  return { box, call, child, exit, said: () => said, outcomes, resume, sending };
}

const sendsTo = (box: Sandbox): readonly string[] =>
  box.controls
    .requests()
    .requests.filter(({ operation }) => operation === 'sendPayroll')
    .map(({ number }) => String(number));

/** Every worker once, whatever was sent again. */
function expectAllOnce(box: Sandbox): void {
  const numbers = box.controls.documents().map(({ number }) => number);
  expect([numbers.length, new Set(numbers).size]).toEqual([DOCUMENTS, DOCUMENTS]);
}

const onPosix = test.skipIf(process.platform === 'win32');

onPosix(
  'Ctrl-C once: what is under way is finished, the rest waits for resume, which sends it once',
  async () => {
    const { box, child, exit, outcomes, resume } = await startSend(300);
    child.kill('SIGINT');
    expect(await exit).toBe(130);
    const sent = sendsTo(box).length;
    expect(sent).toBeLessThan(DOCUMENTS);
    expect(await outcomes()).toMatchObject({ accepted: sent, unknown: 0, unsent: DOCUMENTS - sent });
    expect((await resume()).code).toBe(0);
    expect(sendsTo(box)).toHaveLength(DOCUMENTS);
    expectAllOnce(box);
  },
);

onPosix('Ctrl-C twice: it hangs up, and resume clears up what had landed', async () => {
  const { box, child, exit, said, outcomes, resume } = await startSend(20_000);
  child.kill('SIGINT');
  await until(() => said().includes('Ctrl-C'));
  child.kill('SIGINT');
  expect(await exit).toBe(130);
  expect(box.controls.documents()).toHaveLength(CONCURRENCY);
  expect(await outcomes()).toMatchObject({ accepted: 0, unknown: CONCURRENCY });
  expect((await resume()).code).toBe(0);
  expectAllOnce(box);
});

onPosix(
  'a second process is refused while the first one sends, and not after that one was killed',
  async () => {
    const { box, call, child, exit, resume, sending } = await startSend(20_000);
    for (const args of [sending, ['resume', '--yes']]) {
      const second = await runCli([...args, '--json'], call);
      expect([second.code, second.events.map(({ code }) => code)]).toEqual([4, ['send/in-progress']]);
    }
    expect(box.controls.documents()).toHaveLength(CONCURRENCY);
    child.kill('SIGKILL');
    await exit;
    expect((await resume()).code).toBe(0);
    expectAllOnce(box);
  },
);
