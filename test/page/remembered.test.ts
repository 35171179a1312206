import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TaskView, UploadView } from '../../src/page/api.js';
import { fake } from '../cli/fake-context.js';
import { freshFolder } from '../cli/run-cli.js';
import { columnOf, PARAMS, sampleCsv } from '../cli/sample.js';
import { check, inspect, mappingList } from '../cli/use-cases.js';
import { ended, serveHere, type Visit, visit } from './visit.js';

/** A file whose title the program does not know. */
const titled = (title: string) =>
  sampleCsv((grid) => {
    grid[0]![columnOf(grid, 'Comisiones')] = title;
  });

async function open(workspace: string): Promise<Visit> {
  const { link, close } = await serveHere({ workspace });
  onTestFinished(close);
  return visit(link);
}

/** Uploads a file under a name and has it inspected with answers; the number of open questions comes back. */
async function look(ask: Visit, file: string, name: string, answers: Record<string, string> = {}) {
  const { id } = await ask<UploadView>('POST', '/uploads', {});
  await ask('PUT', `/uploads/${id}/files?name=${encodeURIComponent(name)}`, readFileSync(file));
  await ask('PUT', `/uploads/${id}/answers`, answers);
  const told = await ended(ask, await ask<TaskView>('POST', `/uploads/${id}/tasks/inspect`, {}));
  return told.match(/"event":"question"/g)?.length ?? 0;
}

const names = async (workspace: string): Promise<readonly string[]> => {
  const { context, shown } = fake({ workspace });
  await mappingList(context, [], {});
  return shown
    .out()
    .filter((line) => /\t\d{4}-\d\d-\d\d$/.test(line))
    .map((line) => line.split('\t')[0]!)
    .sort();
};

test('what the page settles is remembered by the name of its file, each shape apart, and read by the terminal', async () => {
  const workspace = freshFolder();
  const ask = await open(workspace);
  const [one, other] = [await titled('PREMIO VENTAS'), await titled('VALE ESPECIAL')];
  await look(ask, one, 'Nómina octubre.csv', { 'PREMIO VENTAS': 'commission' });
  await look(ask, other, 'Obra.csv', { 'VALE ESPECIAL': 'commission' });
  // The same shape keeps the name that people know.
  expect(await look(ask, one, 'Nómina noviembre.csv')).toBe(0);
  expect(await names(workspace)).toEqual(['nomina-octubre', 'obra']);
  for (const file of [one, other])
    expect(await check(fake({ workspace }).context, [file], { params: PARAMS })).toBe(0);
});

test('what the terminal settles asks nothing on the page', async () => {
  const workspace = freshFolder();
  const file = await titled('PREMIO VENTAS');
  const ask = await open(workspace);
  expect(await look(ask, file, 'nomina.csv')).toBe(1);
  const write = join(freshFolder(), 'oficina.yaml');
  await inspect(fake({ workspace }).context, [file], { write, answer: ['PREMIO VENTAS=commission'] });
  expect(await look(ask, file, 'nomina.csv')).toBe(0);
  expect(await names(workspace)).toEqual(['oficina']);
});
