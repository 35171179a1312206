import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EditsView, HomeView, TaskView, UploadView } from '../../src/page/api.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { type Served, serve } from './browser.js';
import { ended, type Visit, visit } from './visit.js';

const FILE = 'nomina-octubre-2026.xlsx';
const PARAMS = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as Record<string, unknown>;
const DAY_S = 86_400;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(() => sandbox.close());

const start = async (workspace?: string): Promise<Served> => {
  const env = { CARGUE_URL: sandbox.url, CARGUE_TOKEN: sandbox.token };
  const served = await serve({ env, ...(workspace !== undefined && { workspace }) });
  onTestFinished(() => served.kill('SIGKILL'));
  return served;
};

const begin = async (ask: Visit, name = FILE): Promise<string> => {
  const { id } = await ask<UploadView>('POST', '/uploads', {});
  await ask('PUT', `/uploads/${id}/files?name=${name}`, readFileSync(`samples/payroll/${FILE}`));
  return id;
};

const task = async (ask: Visit, id: string, name: string): Promise<string> =>
  ended(ask, await ask<TaskView>('POST', `/uploads/${id}/tasks/${name}`, {}));

/** Waits for the question before documents leave. */
async function asked(ask: Visit, { id }: TaskView): Promise<void> {
  while ((await ask<TaskView>('GET', `/task/${id}`)).pending === null)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

const cell = (row: number, text: string) => [{ file: FILE, sheet: 'Nomina', row, column: 'V', text }];

/** What a person has done on each screen when the program is killed. */
const SCREENS: readonly (readonly [screen: string, work: (ask: Visit, id: string) => Promise<unknown>])[] = [
  ['files', async () => undefined],
  ['columns', (ask, id) => task(ask, id, 'inspect')],
  ['columns, an answer just given', (ask, id) => ask('PUT', `/uploads/${id}/answers`, { 'Nomina!A': '' })],
  ['data', (ask, id) => ask('PUT', `/uploads/${id}/params`, PARAMS)],
  [
    'review',
    async (ask, id) => {
      await ask('PUT', `/uploads/${id}/params`, PARAMS);
      await task(ask, id, 'check');
      for (const row of [2, 3, 4]) await ask('PUT', `/uploads/${id}/edits`, cell(row, '1750900'));
      await ask('DELETE', `/uploads/${id}/edits`);
    },
  ],
  [
    'confirm',
    async (ask, id) => {
      await ask('PUT', `/uploads/${id}/params`, PARAMS);
      await asked(ask, await ask<TaskView>('POST', `/uploads/${id}/tasks/send`, {}));
    },
  ],
];

const shown = ({ files, answers, params, profile }: UploadView) => ({ files, answers, params, profile });

describe('a program that is killed loses nothing', () => {
  test.each(SCREENS)('on the screen of %s', async (screen, work) => {
    const first = await start();
    const ask = await visit(first.link);
    const id = await begin(ask);
    await work(ask, id);
    const before = await ask<UploadView>('GET', `/uploads/${id}`);
    const { log } = await ask<EditsView>('GET', `/uploads/${id}/edits`);
    await first.kill('SIGKILL');

    const again = await visit((await start(first.workspace)).link);
    expect((await again<HomeView>('GET', '/home')).uploads.map((one) => one.id)).toEqual([id]);
    const after = await again<UploadView>('GET', `/uploads/${id}`);
    expect(shown(after)).toEqual(shown(before));
    expect((await again<EditsView>('GET', `/uploads/${id}/edits`)).log).toEqual(log);
    expect(log).toHaveLength(screen === 'review' ? 2 : 0);
    if (screen === 'confirm')
      await expect
        .poll(async () => (await again<UploadView>('GET', `/uploads/${id}`)).tasks.map(({ name }) => name))
        .not.toContain('send');
    await again('PUT', `/uploads/${id}/params`, PARAMS);
    // Two salaries no longer go with their totals.
    expect(await task(again, id, 'check')).toContain(`"made":${screen === 'review' ? 23 : 25}`);
  });

  test('what was sent stands in the result, and leaves once', async () => {
    const first = await start();
    const ask = await visit(first.link);
    const id = await begin(ask);
    await ask('PUT', `/uploads/${id}/params`, PARAMS);
    await task(ask, id, 'send');
    await first.kill('SIGKILL');

    const again = await visit((await start(first.workspace)).link);
    const sending = async () =>
      (await again<UploadView>('GET', `/uploads/${id}`)).tasks.find(({ name }) => name === 'send')!;
    await expect.poll(async () => (await sending())?.outcome).toBe('fine');
    const told = await again.text(`/task/${(await sending()).id}/events`);
    expect(told.match(/"event":"outcome"/g)).toHaveLength(25);
    expect(told.match(/"state":"accepted"/g)).toHaveLength(25);
    expect((await sending()).run).toMatch(/-1$/);
  });
});

describe('an upload that is kept', () => {
  const folderOf = ({ workspace }: Served, id: string): string => {
    const web = join(workspace, 'web');
    const found = readdirSync(web, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(id));
    return join(web, found!);
  };

  test('is for its owner alone, and is offered after an orderly end too', async () => {
    const first = await start();
    const ask = await visit(first.link);
    const id = await begin(ask);
    await ask('PUT', `/uploads/${id}/edits`, cell(2, '1750900'));
    await first.kill();
    const folder = folderOf(first, id);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const mode = statSync(join(folder, name)).mode & 0o077;
      if (process.platform !== 'win32') expect([name, mode]).toEqual([name, 0]);
    }
    const second = await start(first.workspace);
    const again = await visit(second.link);
    expect((await again<HomeView>('GET', '/home')).uploads).toHaveLength(1);
    await again('DELETE', `/uploads/${id}`);
    expect(() => folderOf(second, id)).toThrow();
  });

  test('is removed after 30 days without a touch', async () => {
    const first = await start();
    const ask = await visit(first.link);
    const [old, young] = [await begin(ask, 'vieja.xlsx'), await begin(ask)];
    await first.kill('SIGKILL');
    const now = Date.now() / 1000;
    for (const [id, days] of [
      [old, 31],
      [young, 29],
    ] as const)
      for (const name of ['upload.json', 'params.json', 'edits.jsonl']) {
        const file = join(folderOf(first, id), name);
        utimesSync(file, now - days * DAY_S, now - days * DAY_S);
      }
    const again = await visit((await start(first.workspace)).link);
    expect((await again<HomeView>('GET', '/home')).uploads.map(({ id }) => id)).toEqual([young]);
  });

  test('stays with the server that has it open, and goes to the other when that one ends', async () => {
    const first = await start();
    const ask = await visit(first.link);
    const id = await begin(ask);
    const second = await start(first.workspace);
    const other = await visit(second.link);
    const offered = async (of: Visit) => (await of<HomeView>('GET', '/home')).uploads.map((one) => one.id);
    expect([await offered(ask), await offered(other)]).toEqual([[id], []]);
    await first.kill();
    expect(await offered(other)).toEqual([id]);
  });
});
