import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check } from '../../src/app/check.js';
import type { Ask, Context } from '../../src/app/context.js';
import type { AppEvent } from '../../src/app/events.js';
import type { SendOptions } from '../../src/app/options.js';
import { report } from '../../src/app/report.js';
import { send } from '../../src/app/send.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import type { Message } from '../../src/toolkit/messages/texts.js';

// As a page or a worker calls the use cases: with a listener and answers of its own, and no command line at all.

const SAMPLE = packageFile('samples', 'payroll', 'nomina-octubre-2026.xlsx');
const OPTIONS: SendOptions = {
  mapping: packageFile('mappings', 'payroll', 'wide.yaml'),
  params: packageFile('samples', 'payroll', 'params.json'),
  testSet: 'trunk',
};
const WORKERS = 25;

let sandbox: Sandbox;
const folder = mkdtempSync(join(tmpdir(), 'cargue-app-'));
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A call that remembers what it was told and asked. */
function recorded(yes: boolean) {
  const told: AppEvent[] = [];
  const asked: Message[] = [];
  const never = async (): Promise<never> => Promise.reject(new Error('not asked here'));
  const ask: Ask = {
    confirm: async (question) => {
      asked.push(question);
      return yes;
    },
    choose: never,
    text: never,
    secret: never,
  };
  const context: Context = {
    language: 'es',
    now: () => new Date('2026-11-21T15:00:00Z'),
    tell: (event) => {
      told.push(event);
    },
    taken: async () => undefined,
    ask,
    url: sandbox.url,
    token: sandbox.token,
    workspace: join(folder, 'workspace'),
    onInterrupt: () => () => undefined,
  };
  const of = <Name extends AppEvent['event']>(name: Name) =>
    told.filter((event): event is Extract<AppEvent, { event: Name }> => event.event === name);
  return { context, asked, of };
}

test('check, send and report the sample through the use cases alone', async () => {
  const checked = recorded(false);
  expect(await check(checked.context, [SAMPLE], OPTIONS)).toBe('fine');
  expect(checked.of('accounts').map(({ accounts }) => accounts.documents.made)).toEqual([WORKERS]);
  expect(checked.of('issue').filter(({ issue }) => issue.level === 'error')).toEqual([]);

  const file = join(folder, 'report.xlsx');
  const refused = recorded(false);
  expect(await send(refused.context, [SAMPLE], { ...OPTIONS, report: file })).toBe('fine');
  expect(refused.asked).toEqual([{ key: 'askSend', params: { count: String(WORKERS) } }]);
  expect(refused.of('outcome')).toEqual([]);

  const sent = recorded(true);
  expect(await send(sent.context, [SAMPLE], { ...OPTIONS, report: file })).toBe('fine');
  const [plan] = sent.of('plan');
  expect(sent.of('figures').map(({ planned, environment }) => [planned, environment])).toEqual([
    [WORKERS, 'test'],
  ]);
  expect(sent.of('outcome').map(({ outcome }) => outcome.state)).toEqual(Array(WORKERS).fill('accepted'));
  expect(sent.of('progress').length).toBeGreaterThan(0);
  expect(sent.of('summary').at(-1)).toMatchObject({ run: plan!.run, report: file });
  expect(existsSync(file)).toBe(true);

  const again = join(folder, 'again.xlsx');
  const reported = recorded(false);
  expect(await report(reported.context, [], { output: again })).toBe('fine');
  expect(reported.of('report')).toEqual([{ event: 'report', run: plan!.run, report: again }]);
  expect(existsSync(again)).toBe(true);
});
