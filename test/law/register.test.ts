import { statSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { fake } from '../cli/fake-context.js';
import { freshFolder } from '../cli/run-cli.js';
import { SAMPLE, sampleCsv, WIDE } from '../cli/sample.js';
import { report, send } from '../cli/use-cases.js';

/** Rows of the register of a month that was sent, the labels first. */
async function registerOf(input: string, param: readonly string[] = []) {
  const box = await startSandbox();
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const here = () => fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') });
  const options = { ...WIDE, param: [...param], testSet: 'set-1', yes: true, json: true };
  expect(await send(here().context, [input], { ...options, report: join(folder, 'informe.xlsx') })).toBe(0);
  const file = join(folder, 'horas.xlsx');
  const call = here();
  const code = await report(call.context, [], { output: join(folder, 'otra.xlsx'), overtime: file });
  expect(code).toBe(0);
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const rows: unknown[][] = [];
  book.worksheets[0]!.eachRow((row) => rows.push((row.values as unknown[]).slice(1)));
  return { rows, mode: statSync(file).mode & 0o777 };
}

const timed = ['overtime_start_time=2026-10-06T17:00:00', 'overtime_end_time=2026-10-06T18:30:00'];

test('the register has each item of overtime with worker, day, hours and kind, for its owner alone', async () => {
  const { rows, mode } = await registerOf(SAMPLE, timed);
  expect(mode).toBe(0o600);
  expect(rows[0]).toEqual([
    'Documento',
    'Nombre',
    'Día',
    'Desde',
    'Hasta',
    'Horas',
    'Clase de hora',
    'Actividad (a mano)',
  ]);
  expect(rows.length).toBeGreaterThan(1);
  for (const [key, name, day, from, to, hours, kind] of rows.slice(1)) {
    expect(key).toMatch(/^\d+$/);
    expect(name).not.toBe('');
    expect([(day as Date).toISOString().slice(0, 10), from, to]).toEqual(['2026-10-06', '17:00', '18:30']);
    expect(hours).toBeGreaterThan(0);
    expect(kind).toMatch(/^Hora extra/);
  }
});

test('items without a day show from when to when they are', async () => {
  const { rows } = await registerOf(SAMPLE);
  expect(rows.slice(1).map((row) => row[2])).toEqual(rows.slice(1).map(() => undefined));
  expect(rows[1]![3]).toBe('2026-10-01 00:00');
});

test('a name that is a formula stays text', async () => {
  const file = await sampleCsv((grid) => {
    const at = grid[0]!.indexOf('Primer apellido');
    for (const row of grid.slice(1)) row[at] = '=1+1';
  });
  const { rows } = await registerOf(file, timed);
  for (const [, name] of rows.slice(1)) expect(name).toMatch(/=1\+1/);
});
