import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../../src/cli/command-line.js';
import type { Family } from '../../../src/families/family.js';
import { PipelineError } from '../../../src/toolkit/core/issue.js';
import { type Fake, type FakeOptions, fake } from '../../cli/fake-context.js';
import { freshFolder } from '../../cli/run-cli.js';
import { adjust, check, convert, preview, resume, send, template } from '../../cli/use-cases.js';
import { childProgram } from '../../support/child-program.js';
import { COUPONS, MAPPING } from './family.js';
import { WHOLE } from './more.js';
import { couponService } from './service.js';

const SENDER = new URL('sender.ts', import.meta.url);
const OPTIONS = { mapping: MAPPING, yes: true, json: true };

/** A file of so many coupons. */
function fileOf(folder: string, count: number, more: readonly string[] = []): string {
  const rows = Array.from({ length: count }, (_, at) => `Titular ${at + 1};${(at + 1) * 1000};2026-12-31`);
  const file = join(folder, 'bonos.csv');
  writeFileSync(file, ['Titular;Valor;Vence', ...rows, ...more].join('\n'));
  return file;
}

const knowing = (more: FakeOptions = {}): Fake => {
  const call = fake(more);
  return { ...call, context: { ...call.context, families: [WHOLE] } };
};

async function sheetsOf(file: string): Promise<Record<string, unknown[][]>> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  return Object.fromEntries(
    book.worksheets.map((sheet) => [
      sheet.name,
      sheet.getSheetValues().flatMap((row) => (Array.isArray(row) ? [row.slice(1)] : [])),
    ]),
  );
}

test('is checked, with the cell named and its own leaves derived', async () => {
  const folder = freshFolder();
  const bad = knowing();
  expect(await check(bad.context, [fileOf(folder, 1, ['Ana;mil;2026-12-31'])], OPTIONS)).toBe(1);
  expect(bad.events()[0]).toMatchObject({ event: 'issue', code: 'cell/not-a-number', row: 3, column: 'B' });

  const good = knowing();
  expect(await convert(good.context, [fileOf(folder, 2)], { mapping: MAPPING })).toBe(0);
  expect(good.shown.out().map((line) => JSON.parse(line))).toEqual([
    {
      prefix: 'CUP',
      holder: 'Titular 1',
      value: '1000.00',
      valid_until: '2026-12-31',
      seal: '1000.00/2026-12-31',
      consecutive: 1,
    },
    expect.objectContaining({ consecutive: 2 }),
  ]);
});

test('is not sent by who does not know it', async () => {
  const call = fake({ url: 'http://127.0.0.1:9', token: 't' });
  const sending = send(call.context, [fileOf(freshFolder(), 1)], OPTIONS);
  await expect(sending).rejects.toThrow(PipelineError);
  await expect(sending).rejects.toMatchObject({ issues: [{ code: 'run/not-sendable' }] });
});

test('is sent, refused where the service refuses, known again, and reported in its own columns and sheet', async () => {
  const service = await couponService();
  onTestFinished(() => service.close());
  const folder = freshFolder();
  const file = fileOf(folder, 3, ['Nadie;5;2026-12-31']);
  const here = () => knowing({ url: service.url, token: 'toy-token', workspace: join(folder, 'ws') });
  const report = join(folder, 'report.xlsx');
  const results = join(folder, 'results');
  const options = { ...OPTIONS, report, results, param: ['first_consecutive=7'] };

  const first = here();
  expect(await send(first.context, [file], options)).toBe(1);
  expect(first.events().at(-1)).toMatchObject({ documents: { made: 4, accepted: 3, rejected: 1 } });
  expect([...service.issued.keys()].sort()).toEqual(['CUP7', 'CUP8', 'CUP9']);
  expect(first.events().filter(({ event }) => event === 'outcome')).toContainEqual(
    expect.objectContaining({ number: 'CUP7', key: 'T••• 1' }),
  );
  const { Documentos: documents, Bonos: coupons } = await sheetsOf(report);
  expect(documents![0]).toEqual(['Documento', 'Valor ($)', 'Número', 'Estado', 'Código único']);
  expect(documents![1]).toEqual(['Titular 1', '1000.00', 'CUP7', 'Aceptado', service.issued.get('CUP7')]);
  expect(documents!.at(-1)).toEqual(['Nadie', '5.00', 'CUP10', 'Rechazado']);
  expect(coupons!.slice(1, 4).flat()).toEqual([...service.issued.values()]);
  expect(readdirSync(results).sort()).toEqual(['CUP7.txt', 'CUP8.txt', 'CUP9.txt']);
  expect(readFileSync(join(results, 'CUP7.txt'), 'utf8')).toBe(service.issued.get('CUP7'));

  const again = here();
  await send(again.context, [fileOf(folder, 3)], options);
  expect(service.posts).toHaveLength(4);
  expect(again.events().at(-1)).toMatchObject({ documents: { made: 3, accepted: 3 } });
});

test('is corrected by what its family says, previewed, and has a template', async () => {
  const service = await couponService();
  onTestFinished(() => service.close());
  const folder = freshFolder();
  const here = () => knowing({ url: service.url, token: 'toy-token', workspace: join(folder, 'ws') });
  const param = ['first_consecutive=1'];
  const outputs = (name: string) => ({ report: join(folder, `${name}.xlsx`), results: join(folder, name) });
  await send(here().context, [fileOf(folder, 2)], { ...OPTIONS, ...outputs('first'), param });

  const corrected = join(folder, 'corregido.csv');
  writeFileSync(corrected, 'Titular;Valor;Vence\nTitular 1;1500;2026-12-31\nTitular 3;7;2026-12-31');
  const call = here();
  expect(await adjust(call.context, [corrected], { ...OPTIONS, ...outputs('corrected'), param })).toBe(0);
  const changes = call.events().filter(({ event }) => event === 'change');
  expect(changes).toMatchObject([
    { change: 'replace', number: 'CUP3', fields: [{ title: 'Value', before: '1000.00', after: '1500.00' }] },
    { change: 'new', number: 'CUP4', fields: [{ before: null, after: '7.00' }] },
  ]);
  expect([...service.issued.keys()]).toEqual(['CUP1', 'CUP2', 'CUP3', 'CUP4']);

  const drawings = join(folder, 'drawings');
  const drawing = here();
  expect(await preview(drawing.context, [], { ...OPTIONS, folder: drawings })).toBe(0);
  expect(readdirSync(drawings).sort()).toEqual(['CUP3-Titular_1.pdf', 'CUP4-Titular_3.pdf']);
  expect(readFileSync(join(drawings, 'CUP3-Titular_1.pdf'), 'utf8')).toBe('%PDF-1.4 coupon');

  const output = join(folder, 'plantilla.xlsx');
  expect(await template(here().context, ['coupons'], { output })).toBe(0);
  expect(JSON.stringify(await sheetsOf(output))).toContain('Titular');
});

test('killed in the middle and resumed: each coupon once', { timeout: 60_000 }, async () => {
  const service = await couponService({ answerAfter: 60 });
  onTestFinished(() => service.close());
  const folder = freshFolder();
  const workspace = join(folder, 'ws');
  const file = fileOf(folder, 20);
  const child = spawn(process.execPath, [await childProgram(SENDER), file, service.url, workspace], {
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  while (service.issued.size < 8 && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  await ended;
  expect(service.issued.size).toBeLessThan(20);
  await new Promise((resolve) => setTimeout(resolve, 100)); // what was on the wire

  service.answerAfter = 0;
  const call = knowing({ url: service.url, token: 'toy-token', workspace });
  const report = join(folder, 'report.xlsx');
  expect(
    await resume(call.context, [], { yes: true, json: true, report, results: join(folder, 'results') }),
  ).toBe(0);
  expect(call.events().at(-1)).toMatchObject({
    documents: { made: 20, accepted: 20, unknown: 0, unsent: 0 },
  });
  expect(service.issued.size).toBe(20);
  expect(service.posts.toSorted()).toEqual([...service.issued.keys()].toSorted());
  const { Documentos: documents } = await sheetsOf(report);
  expect(documents!.slice(1).map((row) => row[3])).toEqual(Array.from({ length: 20 }, () => 'Aceptado'));
});

test('what a family cannot do is no command', () => {
  const helpOf = (...families: Family[]): string =>
    createProgram({
      language: 'en',
      version: '0.0.0',
      write: () => undefined,
      dispatch: async () => undefined,
      families,
    }).helpInformation();
  expect(helpOf(COUPONS)).toMatch(/^ {2}send/m);
  for (const verb of ['adjust', 'preview', 'events', 'setup'])
    expect(helpOf(COUPONS)).not.toMatch(new RegExp(`^ {2}${verb}`, 'm'));
  expect(helpOf(COUPONS, WHOLE)).toMatch(/^ {2}adjust/m);
});
