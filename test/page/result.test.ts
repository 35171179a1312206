import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { PageEvent, RuleView, RunView, TaskUpdate, TaskView, UploadView } from '../../src/page/api.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { explainRule } from '../../src/toolkit/schema/rule-data.js';
import { freshFolder } from '../cli/run-cli.js';
import { ended, serveHere, type Visit, visit } from './visit.js';

const FILE = 'nomina-octubre-2026.xlsx';
const PARAMS = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as Record<string, unknown>;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(() => sandbox.close());

async function open({ url, token } = sandbox): Promise<{ readonly ask: Visit; readonly id: string }> {
  const { link, close } = await serveHere({
    workspace: freshFolder(),
    url,
    token,
  });
  onTestFinished(close);
  const ask = await visit(link);
  const { id } = await ask<UploadView>('POST', '/uploads', {});
  await ask('PUT', `/uploads/${id}/files?name=${FILE}`, readFileSync(`samples/payroll/${FILE}`));
  await ask('PUT', `/uploads/${id}/params`, PARAMS);
  return { ask, id };
}

async function task(ask: Visit, path: string, options: object = {}): Promise<readonly PageEvent[]> {
  const text = await ended(ask, await ask<TaskView>('POST', path, { options }));
  const turns = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as TaskUpdate);
  expect(turns.at(-1)!.task.failure).toEqual([]);
  return turns.flatMap(({ events }) => events);
}

const countOf = (events: readonly PageEvent[], name: string): number =>
  events.filter(({ event }) => event === name).length;

test('who was left out for an error stands in the result, now and later', async () => {
  const { ask, id } = await open();
  const cell = { file: FILE, sheet: 'Nomina', row: 4, column: 'V', text: 'dos millones' };
  await ask('PUT', `/uploads/${id}/edits`, [cell]);
  const sent = await task(ask, `/uploads/${id}/tasks/send`, { partial: true });
  const { run } = sent.find(({ event }) => event === 'plan') as unknown as { run: string };
  const later = await task(ask, `/runs/${run}/tasks/status`);
  for (const events of [sent, later]) {
    expect([countOf(events, 'outcome'), countOf(events, 'left-out')]).toEqual([24, 1]);
    expect(events.find(({ event }) => event === 'left-out')).toMatchObject({
      name: expect.stringMatching(/\w/) as string,
      state: 'held-back',
      file: FILE,
      row: 4,
      reasons: [{ code: 'cell/not-a-number' }],
    });
  }
});

test('a rejection leads to what its rule says, in the language of the page, without a command', async () => {
  const box = await startSandbox();
  onTestFinished(() => box.close());
  const { ask, id } = await open(box);
  box.controls.addOutcome({ match: { worker: '9000100074' }, verdict: 'reject', rules: ['NIE024'] });
  const sent = await task(ask, `/uploads/${id}/tasks/send`);
  const rejected = sent.find(({ event, state }) => event === 'outcome' && state === 'rejected');
  expect(rejected).toMatchObject({ reasons: [{ rule: 'NIE024' }] });
  const hint = sent.find(({ key }) => key === 'explainHint');
  expect(hint?.['text']).toContain('NIE024');
  expect(hint?.['text']).not.toContain('cargue ');
  const { meaning, fix } = explainRule('NIE024')!;
  expect(await ask<RuleView>('GET', '/rules/NIE024')).toMatchObject({
    family: 'nómina electrónica',
    meaning: meaning.es,
    fix: fix.es,
  });
  await expect(ask('GET', '/rules/XYZ1')).rejects.toThrow(/^4\d\d/);
});

test('a report that the page makes links to no file: where the person has them is not known', async () => {
  const { ask, id } = await open();
  await task(ask, `/uploads/${id}/tasks/send`);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load((await ask.bytes(`/uploads/${id}/outputs/reporte.xlsx`)) as never);
  const links: string[] = [];
  let rows = 0;
  book.eachSheet((sheet) =>
    sheet.eachRow((row) => {
      rows += 1;
      row.eachCell(({ hyperlink }) => void (hyperlink !== undefined && links.push(hyperlink)));
    }),
  );
  expect(rows).toBeGreaterThan(25);
  expect(links.filter((link) => !link.startsWith('http') && !link.startsWith('#'))).toEqual([]);
});

test('what was only prepared is no run; what waits for an approval is one without anything accepted', async () => {
  const { ask, id } = await open();
  const runs = () => ask<readonly RunView[]>('GET', '/runs?profile=');
  const prepared = await ask<TaskView>('POST', `/uploads/${id}/tasks/send`, {});
  const pending = async () => (await ask<TaskView>('GET', `/task/${prepared.id}`)).pending;
  await expect.poll(pending).not.toBeNull();
  expect(await runs()).toEqual([]);
  await ask('POST', `/task/${prepared.id}/answer`, { id: (await pending())!.id, said: false });
  await expect.poll(async () => (await ask<TaskView>('GET', `/task/${prepared.id}`)).state).toBe('ended');
  expect(await runs()).toEqual([]);
  await task(ask, `/uploads/${id}/tasks/send`, { hold: true });
  expect(await runs()).toMatchObject([{ state: 'held', documents: { accepted: 0, unsent: 25 } }]);
  // Nobody approves what was changed since.
  const { params } = await ask<UploadView>('GET', `/uploads/${id}`);
  await ask('PUT', `/uploads/${id}/params`, { ...params, payment_date: '2026-10-28' });
  expect(await runs()).toEqual([]);
});
