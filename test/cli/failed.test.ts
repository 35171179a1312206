import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { cellsOf } from '../report/annotate-reading.js';
import { editedSample, workbookOf } from '../support/edit-workbook.js';
import { type Fake, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, SAMPLE, sampleCsv, WIDE } from './sample.js';
import { approve, check, report, send } from './use-cases.js';

const STATE = 'Por corregir (cargue)';
const MULTI = packageFile('samples', 'payroll', 'multihoja', 'Nomina_octubre_multihoja.xlsx');

const sheetsOf = async (file: string): Promise<ExcelJS.Workbook> => {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  return book;
};

/** What a column of the first sheet holds below its label. */
async function column(file: string, label: string): Promise<readonly string[]> {
  const sheet = (await sheetsOf(file)).worksheets[0]!;
  const at = (sheet.getRow(1).values as unknown[]).indexOf(label);
  expect(at).toBeGreaterThan(0);
  return sheet.getColumn(at).values.slice(2).map(String);
}

async function change(file: string, cells: Readonly<Record<string, ExcelJS.CellValue>>): Promise<void> {
  const book = await sheetsOf(file);
  for (const [address, value] of Object.entries(cells)) book.worksheets[0]!.getCell(address).value = value;
  await book.xlsx.writeFile(file);
}

async function site() {
  const box = await startSandbox();
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const failed = join(folder, 'por-corregir.xlsx');
  const sending = async (input: string, more: object = {}) => {
    const call = fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') });
    const options = { ...WIDE, testSet: 'set-1', yes: true, json: true, force: true, partial: true };
    const report = join(folder, 'informe.xlsx');
    const code = await send(call.context, [input], { ...options, report, failed, ...more });
    const sent = call
      .events()
      .filter(({ event, earlier, state }) => event === 'outcome' && !earlier && state === 'accepted');
    const run = call.events().find(({ event }) => event === 'plan')?.['run'];
    return { code, accepted: sent.length, run: String(run) };
  };
  const here = () => fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') });
  return { box, failed, sending, here };
}

test('a row that a missing parameter holds back says which, whatever is missing elsewhere', async () => {
  const params: Record<string, unknown> = JSON.parse(readFileSync(WIDE.params, 'utf8'));
  const file = join(freshFolder(), 'octubre.json');
  const { overtime_start_time, overtime_end_time, ...others } = params;
  writeFileSync(file, JSON.stringify(others));
  const failed = join(freshFolder(), 'por-corregir.xlsx');
  const input = await editedSample({ Z5: 'ayer' });
  const call = fake();
  expect(await check(call.context, [input], { ...WIDE, params: file, failed })).toBe(1);
  expect(call.shown.said().find((line) => line.includes(failed))).toContain('-m payroll/wide');
  const reasons = await column(failed, STATE);
  expect(reasons.length).toBeGreaterThan(5);
  const [own, held] = [reasons.filter((one) => /Z5/.test(one)), reasons.filter((one) => !/Z5/.test(one))];
  expect(own).toEqual([expect.not.stringContaining('overtime')]);
  for (const reason of held) {
    expect(reason.match(/overtime_(start|end)_time/g)).toEqual(['overtime_start_time', 'overtime_end_time']);
    expect(reason).not.toMatch(/\.\.|\d documentos?/);
  }
});

test('numbers of documents and reasons can be read in it without making columns wider', async () => {
  const failed = join(freshFolder(), 'por-corregir.xlsx');
  await check(fake().context, [await editedSample({ Z5: 'ayer' })], { ...WIDE, failed });
  const [sheet] = (await sheetsOf(failed)).worksheets;
  const labels = sheet!.getRow(1).values as unknown[];
  for (const label of ['Número documento', STATE]) {
    const { values, width } = sheet!.getColumn(labels.indexOf(label));
    expect(width).toBeGreaterThan(
      Math.min(79, Math.max(...values.slice(1).map((one) => String(one).length))),
    );
  }
  expect(sheet!.views).toEqual([expect.objectContaining({ state: 'frozen', ySplit: 1 })]);
});

test('what is held back and what is rejected comes as a workbook, and is mended there', async () => {
  const { box, failed, sending } = await site();
  const [, , third] = await column(SAMPLE, 'Número documento');
  const arranged = box.controls.addOutcome({
    match: { worker: third! },
    verdict: 'reject',
    rules: ['NIE061'],
  });
  const formula = '=HYPERLINK("http://x.example","y")';
  const input = await editedSample({ O17: '1.75O.905', Z5: formula, C5: null });
  expect(await sending(input)).toMatchObject({ code: 1, accepted: 22 });
  if (process.platform !== 'win32') expect(statSync(failed).mode & 0o777).toBe(0o600);

  const before = Object.values(await cellsOf(input))[0]!;
  const after = Object.values(await cellsOf(failed))[0]!;
  const rowOf = (cells: Readonly<Record<string, unknown>>, row: number): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(cells).flatMap(([cell, value]) => {
        const [, letters, number] = /^([A-Z]+)(\d+)$/.exec(cell)!;
        return Number(number) === row ? [[letters!, value]] : [];
      }),
    );
  for (const [from, to] of [
    [1, 1],
    [4, 2],
    [5, 3],
    [17, 4],
  ] as const)
    expect(rowOf(after, to)).toMatchObject(rowOf(before, from));
  expect(rowOf(after, 5)).toEqual({});
  const formulas = (await sheetsOf(failed)).worksheets[0]!.getCell('Z3');
  expect([formulas.type, formulas.value, formulas.numFmt]).toEqual([ExcelJS.ValueType.String, formula, '@']);
  const reasons = await column(failed, STATE);
  expect(reasons).toEqual([
    expect.stringMatching(/^Rechazado\. .*NIE061/s),
    expect.stringMatching(/^Con errores\. ./),
    expect.stringMatching(/^Con errores\. .*1\.75O\.905/),
  ]);

  box.controls.remove('outcomes', arranged.id);
  const mended = join(freshFolder(), 'corregido.xlsx');
  await (await sheetsOf(failed)).xlsx.writeFile(mended);
  const good = await sheetsOf(SAMPLE);
  const cell = (address: string) => good.worksheets[0]!.getCell(address).value;
  await change(mended, { O4: cell('O17'), C3: cell('C5'), Z3: cell('Z5') });
  expect(await sending(mended)).toMatchObject({ code: 0, accepted: 3 });
  expect(await sending(SAMPLE)).toMatchObject({ code: 0, accepted: 0 });
});

/** What a workbook shows, sheet by sheet. */
const shown = async (file: string) => Object.entries(await cellsOf(file));

test('the journal gives the same rows, as long as the file is as it was', async () => {
  const { box, failed, sending, here } = await site();
  const [, , third] = await column(SAMPLE, 'Número documento');
  box.controls.addOutcome({ match: { worker: third! }, verdict: 'reject', rules: ['NIE061'] });
  const input = await editedSample({ O17: '1.75O.905', C5: null });
  expect(await sending(input)).toMatchObject({ code: 1, accepted: 22 });
  const folder = freshFolder();
  const again = join(folder, 'de-nuevo.xlsx');
  const output = join(folder, 'informe.xlsx');
  expect(await report(here().context, [], { output, failed: again })).toBe(0);
  expect(await shown(again)).toEqual(await shown(failed));
  await change(input, { O17: 1_750_905 });
  const late = report(here().context, [], { output, failed: join(folder, 'tarde.xlsx'), force: true });
  await expect(late).rejects.toMatchObject({ issues: [{ code: 'run/input-changed', value: input }] });
});

test('what was held and approved gives its rows when it is sent', async () => {
  const { box, failed, sending, here } = await site();
  const input = await editedSample({ O17: '1.75O.905' });
  const [first] = await column(SAMPLE, 'Número documento');
  box.controls.addOutcome({ match: { worker: first! }, verdict: 'reject', rules: ['NIE061'] });
  const { run: held } = await sending(input, { hold: true, failed: undefined });
  await approve(here().context, [held], { yes: true, as: 'Ana Ruiz' });
  const report = join(freshFolder(), 'informe.xlsx');
  expect(await send(here().context, [held], { yes: true, failed, report })).toBe(1);
  const documents = await column(failed, 'Número documento');
  expect(documents).toEqual([first, (await column(input, 'Número documento'))[15]]);
});

test('of several files each comes as a sheet that the same mapping takes', async () => {
  const folder = packageFile('samples', 'rips', 'grupos');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .map((name) => join(folder, name));
  const failed = join(freshFolder(), 'por-corregir.xlsx');
  const options = { mapping: 'rips/excel-por-nodo', params: join(folder, 'params.json'), json: true };
  const errors = ({ events }: Fake) =>
    events().flatMap(({ event, level, code, value, documentKey }) =>
      event === 'issue' && level === 'error' ? [JSON.stringify([code, value, documentKey])] : [],
    );
  const first = fake();
  expect(await check(first.context, files, { ...options, failed })).toBe(1);
  const again = fake();
  expect(await check(again.context, [failed], options)).toBe(1);
  expect(errors(first)).not.toEqual([]);
  expect(errors(again).sort()).toEqual(errors(first).sort());
});

test('where nothing failed, nothing is written', async () => {
  const { failed, sending } = await site();
  expect(await sending(SAMPLE)).toMatchObject({ code: 0, accepted: 25 });
  expect(existsSync(failed)).toBe(false);
});

test('a CSV comes as a workbook, its zeros kept, and can be checked as it is', async () => {
  const input = await sampleCsv((grid) => {
    grid[3]![columnOf(grid, 'Sueldo mensual')] = 'mucho';
  });
  const failed = join(freshFolder(), 'por-corregir.xlsx');
  const first = fake();
  expect(await check(first.context, [input], { ...WIDE, json: true, failed })).toBe(1);
  expect(await column(failed, 'Sueldo mensual')).toEqual(['mucho']);
  const again = fake();
  expect(await check(again.context, [failed], { ...WIDE, json: true })).toBe(1);
  const codes = ({ events }: typeof first) =>
    events().flatMap(({ event, level, code }) => (event === 'issue' && level === 'error' ? [code] : []));
  expect(codes(again)).toEqual(codes(first));
});

const AMOUNTS = /valor|Sueldo|devengado|Auxilio|Comisiones|Bonificación|Salud|Pensión|deducciones|Neto/;

/** As somebody types it who has no other cells than of text: `5/3/2024`, `249.095`. */
const typed = (label: string, text: string): string => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year !== undefined) return `${Number(day)}/${Number(month)}/${year}`;
  return AMOUNTS.test(label) && /^\d/.test(text) ? Number(text).toLocaleString('es-CO') : text;
};

test.each([
  ['a CSV', (grid: string[][]) => sampleCsv((to) => to.splice(0, to.length, ...grid))],
  ['a workbook of texts', (grid: string[][]) => workbookOf(grid)],
])(
  '%s: dates and amounts that only the whole file tells how to read come as they were read',
  async (_, write) => {
    const { box, failed, sending, here } = await site();
    let grid: string[][] = [];
    await sampleCsv((all) => {
      all[1]![columnOf(all, 'Fecha ingreso')] = '2024-03-05';
      grid = all.map((cells) => cells.map((text, at) => typed(all[0]![at]!, text)));
    });
    const worker = grid[1]![columnOf(grid, 'Número documento')]!;
    const arranged = box.controls.addOutcome({ match: { worker }, verdict: 'reject', rules: ['NIE061'] });
    expect(await sending(await write(grid))).toMatchObject({ code: 1, accepted: 24 });

    const cells = [
      ['Fecha ingreso', '5/3/2024', '2024-03-05'],
      ['Auxilio de transporte', '249.095', 249_095],
      ['HED valor', '62.532,33', '62.532,33'], // tells by itself
    ] as const;
    const sheet = (await sheetsOf(failed)).worksheets[0]!;
    for (const [label, text, kept] of cells) {
      const at = columnOf(grid, label);
      expect([grid[1]![at], sheet.getRow(2).getCell(at + 1).value]).toEqual([text, kept]);
    }
    const again = join(freshFolder(), 'de-nuevo.xlsx');
    expect(
      await report(here().context, [], { output: join(freshFolder(), 'informe.xlsx'), failed: again }),
    ).toBe(0);
    expect(await shown(again)).toEqual(await shown(failed));

    box.controls.remove('outcomes', arranged.id);
    const mended = join(freshFolder(), 'corregido.xlsx');
    await (await sheetsOf(failed)).xlsx.writeFile(mended);
    expect(await sending(mended)).toMatchObject({ code: 0, accepted: 1 });
  },
);

test('dates whose time stands in a column of its own come as they were read', async () => {
  const folder = freshFolder();
  const source = packageFile('samples', 'rips', 'grupos');
  const files = ['usuarios.csv', 'consultas.csv'].map((name) => {
    const rows = readFileSync(join(source, name), 'utf8').split('\n').slice(0, 3);
    const text = rows.join('\n').replace('fechaInicioAtencion', 'Hora,fechaInicioAtencion');
    const made = text
      .replace('2026-10-01 07:20,', '0720,01/10/2026,')
      .replace('2026-10-01 08:50,', '8:50,13/10/2026,')
      .replace('E119', 'E11999');
    writeFileSync(join(folder, name), made);
    return join(folder, name);
  });
  const failed = join(folder, 'por-corregir.xlsx');
  const options = { mapping: 'rips/excel-por-nodo', params: join(source, 'params.json'), json: true };
  const errors = ({ events }: Fake) =>
    events().flatMap(({ event, level, code, value }) =>
      event === 'issue' && level === 'error' ? [[code, value]] : [],
    );
  const first = fake();
  expect(await check(first.context, files, { ...options, failed })).toBe(1);
  const again = fake();
  expect(await check(again.context, [failed], options)).toBe(1);
  expect(errors(first)).toEqual([['cell/not-a-diagnosis', 'E11999']]);
  expect(errors(again)).toEqual(errors(first));
});

test('of many sheets the rows of a failed document stay, and each sheet keeps its labels', async () => {
  const book = await sheetsOf(MULTI);
  const main = book.getWorksheet('Empleados')!;
  const salary = (main.getRow(1).values as unknown[]).indexOf('Sueldo');
  main.getRow(3).getCell(salary).value = 'nada';
  const input = join(freshFolder(), 'libro.xlsx');
  await book.xlsx.writeFile(input);
  const failed = join(freshFolder(), 'por-corregir.xlsx');
  const params = packageFile('samples', 'payroll', 'multihoja', 'params.json');
  const options = { mapping: 'payroll/multi-sheet', params, json: true };
  const first = fake();
  expect(await check(first.context, [input], { ...options, failed })).toBe(1);
  const again = fake();
  expect(await check(again.context, [failed], options)).toBe(1);
  const facts = ({ events }: typeof first) =>
    events().flatMap(({ event, level, code, value, sheet, documentKey }) =>
      event === 'issue' && level === 'error' ? [[code, value, sheet, documentKey]] : [],
    );
  expect(facts(first)).not.toEqual([]);
  expect(facts(again)).toEqual(facts(first));
  const summary = again.events().find(({ event }) => event === 'summary') as {
    documents?: { planned: number; heldBack: number };
  };
  const { planned = 0, heldBack = 0 } = summary.documents ?? {};
  expect([planned > 0, planned]).toEqual([true, heldBack]);
  const kept = await sheetsOf(failed);
  // Their vacations came with them; nobody of them has a loan, and the sheet is there all the same.
  expect(kept.getWorksheet('Vacaciones')!.getCell('A2').value).toBe(9000300037);
  // What is right in itself says what of its document is not.
  const ofVacations = kept.getWorksheet('Vacaciones')!.getRow(2).values as unknown[];
  expect(ofVacations.at(-1)).toMatch(/^Con errores\. Empleados!\w+: «nada»/);
  expect(kept.getWorksheet('Comisiones')!.rowCount).toBe(1);
});
