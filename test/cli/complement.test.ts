import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { sheetCells } from './sheet-cells.js';
import { check, inspect } from './use-cases.js';

/** A table that the files lack is named with its columns, and written to be filled in. */

const FOLDER = 'samples/rips/3374';
const ZIP = join(FOLDER, 'RIPS000123.zip');
const SIDE = join(FOLDER, 'complemento.csv');
const params = join(FOLDER, 'params.json');

const rowsOf = (file: string): string[][] =>
  readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(';'));

test('without it the files are known, and one issue says what is missing instead of one a record', async () => {
  const { context, shown, events } = fake();
  await check(context, [ZIP], { params, json: true });
  expect(shown.said().join('\n')).toContain('rips/3374-zip');
  const errors = events().filter(({ level }) => level === 'error');
  // The other is of the record with a comma too many.
  expect(errors.map(({ code }) => code)).toEqual(['header/complement-missing', 'header/field-count']);
  const [header] = rowsOf(SIDE);
  for (const title of header!) expect(errors[0]!['message']).toContain(title);
  expect(errors[0]!['fix']).toContain('--write-complement');
});

test.each([
  ['check', check],
  ['inspect', inspect],
])(
  '%s writes it with the keys that the files know; filled in, it makes the same documents',
  async (_, run) => {
    const folder = freshFolder();
    const file = join(folder, 'complemento.xlsx');
    const { context } = fake();
    // Whatever extension it was given: it is a workbook.
    expect(await run(context, [ZIP], { writeComplement: join(folder, 'complemento.csv') })).toBe(0);
    const [titles = [], ...rows] = (await sheetCells(file))['complemento']!.map((row) =>
      row.map((cell) => String(cell ?? '')),
    );
    expect(statSync(file).mode & 0o077).toBe(0);
    const [known = [], ...filled] = rowsOf(SIDE);
    expect(titles.toSorted()).toEqual(known.toSorted());
    expect(rows.every((row) => row.filter((cell) => cell !== '').length === 3)).toBe(true);
    expect(new Set(rows.map((row) => row.slice(0, 3).join())).size).toBe(rows.length);
    const invoice = (row: readonly string[]): string => row[known.indexOf('FACTURA')]!;
    const byInvoice = new Map(filled.map((row) => [invoice(row), row]));
    // The sample lacks the row of one invoice.
    expect(rows.map(invoice).filter((one) => !byInvoice.has(one))).toEqual(['FC1007']);
    const whole = rows.flatMap((row) => {
      const own = byInvoice.get(invoice(row));
      return own === undefined ? [] : [titles.map((title, at) => row[at] || own[known.indexOf(title)]!)];
    });
    const full = join(freshFolder(), 'lleno.csv');
    writeFileSync(full, [titles, ...whole].map((row) => row.join(';')).join('\n'));
    const codes = async (side: string): Promise<unknown> => {
      const { context, events } = fake();
      await check(context, [ZIP, side], { params, json: true });
      return events().flatMap(({ code }) => code ?? []);
    };
    expect(await codes(full)).toEqual(await codes(SIDE));
  },
);

test('identifiers keep their zeros, and what begins like a formula is text', async () => {
  const folder = freshFolder();
  const users = 'CC,0012345,EPS999,4,URIBE,MUNOZ,JUAN,,77,1,M,05,615,U\r\n';
  const visit = (invoice: string) =>
    `${invoice},1100109901,CC,0012345,01/10/2026,,890203,10,13,K021,,,,3,38000.00,0.00,38000.00\r\n`;
  writeFileSync(join(folder, 'US000001.txt'), users);
  writeFileSync(join(folder, 'AC000001.txt'), visit('=1+1') + visit('000123') + visit('000123'));
  const file = join(folder, 'complemento.xlsx');
  const files = [join(folder, 'US000001.txt'), join(folder, 'AC000001.txt')];
  expect(await check(fake().context, files, { writeComplement: file })).toBe(0);
  const { complemento: rows = [] } = await sheetCells(file);
  expect(rows.slice(1).map((row) => row.slice(0, 3))).toEqual([
    ['=1+1', 'CC', '0012345'],
    ['000123', 'CC', '0012345'],
  ]);
});

test('is not written over what stands there, nor where nothing is missing', async () => {
  const file = join(freshFolder(), 'complemento.xlsx');
  writeFileSync(file, 'FACTURA\n');
  const codeOf = (files: readonly string[], writeComplement: string): Promise<unknown> =>
    check(fake().context, files, { writeComplement }).then(
      () => undefined,
      (error: unknown) => (error instanceof PipelineError ? error.issues.map(({ code }) => code) : error),
    );
  expect(await codeOf([ZIP], file)).toEqual(['run/output-exists']);
  expect(await codeOf([ZIP, SIDE], join(freshFolder(), 'otro.xlsx'))).toEqual(['run/nothing-lacking']);
});
