import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { HomeView, TaskView, UploadView } from '../../src/page/api.js';
import { sampleCsv } from '../cli/sample.js';
import { FILE, SHEET, servedVisitor } from './demo-month.js';
import { ended } from './visit.js';

const { ask, demo } = servedVisitor();

const view = (id: string) => ask<UploadView>('GET', `/uploads/${id}`);
const start = (id: string, name: string, options: object = {}) =>
  ask<TaskView>('POST', `/uploads/${id}/tasks/${name}`, { options });

/** Waits until an act asks for a yes. */
async function asking({ id }: TaskView): Promise<TaskView> {
  for (;;) {
    const task = await ask<TaskView>('GET', `/task/${id}`);
    if (task.pending !== null || task.state === 'ended') return task;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isNow = async (id: string, name: string): Promise<boolean | undefined> => {
  const { tasks, revision } = await view(id);
  const task = tasks.find((one) => one.name === name);
  return task && task.revision === revision;
};

const mend = (id: string, text: string) =>
  ask('PUT', `/uploads/${id}/edits`, [{ file: FILE, sheet: SHEET, row: 3, column: 'E', text }]);

/** What a person can change, and how it is begun. */
const CHANGES: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'a cell': (id) => mend(id, 'Ana'),
  'a cell, taken back': async (id) => {
    await mend(id, 'Ana');
    await ask('DELETE', `/uploads/${id}/edits`);
  },
  'a row left out': (id) => ask('PUT', `/uploads/${id}/edits/left-out`, { file: FILE, sheet: SHEET, row: 3 }),
  'an answer': (id) => ask('PUT', `/uploads/${id}/answers`, { 'workers.E': 'ignore' }),
  'a parameter': async (id) =>
    ask('PUT', `/uploads/${id}/params`, { ...(await view(id)).params, prefix: 'OTRO' }),
};

describe.each(Object.entries(CHANGES))('%s', (_, change) => {
  test('outdates a check and withdraws a plan that waits for a yes; nothing of it is sent', async () => {
    const id = await demo();
    await ended(ask, await start(id, 'check'));
    const plan = await asking(await start(id, 'send'));
    expect(plan.pending?.kind).toBe('confirm');
    expect([await isNow(id, 'check'), await isNow(id, 'send')]).toEqual([true, true]);
    await change(id);
    expect([await isNow(id, 'check'), await isNow(id, 'send')]).toEqual([false, false]);
    const yes = { id: plan.pending!.id, said: true };
    expect(await ask('POST', `/task/${plan.id}/answer`, yes)).toEqual({ taken: false });
    await ended(ask, plan);
    expect(await asking(plan)).toMatchObject({ state: 'ended', hasBegunToSend: false });
    // What is prepared anew is of the data as they are now.
    await ended(ask, await start(id, 'check'));
    expect(await isNow(id, 'check')).toBe(true);
  });

  test('leaves what was sent as it was, and says that it is of before', async () => {
    const id = await demo();
    const sent = await start(id, 'send');
    await ended(ask, sent);
    await change(id);
    expect(await isNow(id, 'send')).toBe(false);
    expect(await ask('GET', `/task/${sent.id}`)).toMatchObject({ hasBegunToSend: true, outcome: 'fine' });
  });
});

test('another file drops all that was made of the one before', async () => {
  const id = await demo();
  await ended(ask, await start(id, 'check'));
  const plan = await asking(await start(id, 'send'));
  await ask('POST', `/task/${plan.id}/stop`);
  await ended(ask, plan);
  const { revision } = await view(id);
  await ask('PUT', `/uploads/${id}/files?name=otra.csv`, readFileSync(await sampleCsv(() => undefined)));
  const now = await view(id);
  expect([now.tasks, now.revision > revision]).toEqual([[], true]);
});

test.each([
  [
    'the same parameters',
    (id: string) => view(id).then(({ params }) => ask('PUT', `/uploads/${id}/params`, params)),
  ],
  ['the text that the cell has', (id: string) => mend(id, 'Natalia')],
  ['nothing taken back', (id: string) => ask('DELETE', `/uploads/${id}/edits`)],
])('%s outdate nothing', async (_, same) => {
  const id = await demo();
  await ended(ask, await start(id, 'check'));
  await same(id);
  expect(await isNow(id, 'check')).toBe(true);
});

describe('the company', () => {
  const add = (name: string) =>
    ask<TaskView>('POST', '/tasks/profileAdd', {
      args: [name],
      options: { url: 'http://127.0.0.1:9', environment: 'test', company: '900555321' },
      secrets: { askProfileToken: 'clave' },
    }).then((task) => ended(ask, task));
  const profileOf = async () => (await ask<HomeView>('GET', '/home')).profile;

  test('is chosen by itself while there is one; of several none is', async () => {
    expect(await profileOf()).toBe('');
    const { id } = await ask<UploadView>('POST', '/uploads', {});
    await add('andina');
    expect(await profileOf()).toBe('andina');
    await add('boreal');
    expect(await profileOf()).toBe('');
    await ask('PUT', '/preferences', { profile: 'boreal' });
    expect(await profileOf()).toBe('boreal');
    // And an open upload is taken for it; its answers stay.
    const file = await sampleCsv(() => undefined);
    await ask('PUT', `/uploads/${id}/files?name=nomina.csv`, readFileSync(file));
    await ended(ask, await start(id, 'inspect'));
    await ask('PUT', `/uploads/${id}/answers`, { 'workers.E': 'ignore' });
    await ended(ask, await start(id, 'check'));
    const before = await view(id);
    const now = await ask<UploadView>('PUT', `/uploads/${id}/company`, { profile: 'andina' });
    expect(now).toMatchObject({ profile: 'andina', hasService: true, answers: before.answers });
    expect(now.revision).toBeGreaterThan(before.revision);
    expect(now.tasks.map(({ name }) => name)).not.toContain('inspect');
  });

  test('cannot be changed once documents were sent for it', async () => {
    const id = await demo();
    await ended(ask, await start(id, 'send'));
    expect((await view(id)).hasFixedCompany).toBe(true);
    await expect(ask('PUT', `/uploads/${id}/company`, { profile: 'andina' })).rejects.toThrow(
      'web/company-fixed',
    );
  });
});
