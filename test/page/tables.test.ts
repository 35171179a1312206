import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type {
  Change,
  EditsView,
  FilePreviews,
  PageIssue,
  TableName,
  TableRows,
  TaskUpdate,
  TaskView,
  UploadView,
} from '../../src/page/api.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { bookOf } from '../support/edit-workbook.js';
import { SAMPLE } from '../support/prepare-file.js';
import { openBrowser, openPage, type Served, serve, violations } from './browser.js';
import { visit } from './visit.js';

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

const MONTH = 'samples/payroll/multihoja/Nomina_octubre_multihoja.xlsx';

const PARAMS = readFileSync('samples/payroll/multihoja/params.json', 'utf8');

const NAME = basename(MONTH);
const cell = (sheet: string, column: string, row: number, text: string): Change => ({
  file: NAME,
  sheet,
  row,
  column,
  text,
});

/** Gives the upload that a page shows what else its screens would. */
const put = (page: Page, what: string, body: string): Promise<number> =>
  page.evaluate(
    async ([path, text]) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(path!, { method: 'PUT', headers, body: text! })).status;
    },
    [`/api/uploads/${/upload\/([\w-]+)/.exec(page.url())![1]}/${what}`, body],
  );

/** The month with cells changed by hand, on the screen that shows what is wrong in it. */
async function review(...changes: readonly Change[]): ReturnType<typeof openPage> {
  const page = await openPage(browser, await served.invite());
  onTestFinished(() => page.context().close());
  await page.locator('input[type=file]').setInputFiles(MONTH);
  await page.getByRole('button', { name: 'Continuar', exact: true }).click();
  await page.getByText('Todo quedó reconocido').waitFor();
  expect([await put(page, 'params', PARAMS), await put(page, 'edits', JSON.stringify(changes))]).toEqual([
    200, 200,
  ]);
  await page.goto(page.url().replace(/columns$/, 'review'));
  await page.getByText(/previstos/).waitFor();
  return page;
}

test('every sheet that was read has its tab, and each cell that an issue names is gone to', async () => {
  const page = await review(
    cell('Vacaciones', 'E', 2, 'mucho'),
    ...[2, 3, 4, 5].map((row) => cell('Sindicato', 'C', row, 'nada')),
  );
  const tab = (name: RegExp | string) => page.getByRole('tab', { name });
  await tab('AFC y pension vol').waitFor();
  expect(await page.getByRole('tab').count()).toBe(27);
  expect(await tab('Instrucciones').count()).toBe(0);
  // The first with errors is shown first.
  expect(await tab(/^Forma de pago 1 con error/).getAttribute('aria-selected')).toBe('true');
  await page.locator('#cell-5-4.bad').waitFor();
  await page.getByText('Los demás lugares').first().click();
  await page.getByRole('button', { name: 'Sindicato!C5' }).click();
  await page.locator('#cell-4-2.bad:focus').waitFor();
  expect(await tab(/^Sindicato 4 con error/).getAttribute('aria-selected')).toBe('true');
  await page.getByRole('button', { name: 'Vacaciones!E2' }).click();
  await page.locator('#cell-1-4.bad:focus').waitFor();
  await tab(/^Vacaciones 1/).press('Home');
  await tab('Empleados').and(page.locator(':focus')).waitFor();
  await page.getByRole('columnheader', { name: 'A Tipo Documento' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await tab('Forma de pago').and(page.locator(':focus')).waitFor();
  await page.getByRole('gridcell', { name: 'Ahorros' }).first().waitFor();
  // A key is not checked at once, and that is said until all is.
  await page.locator('#cell-1-0').dblclick();
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await page.getByText('aún no está revisado').waitFor();
  await page.getByText('aún no está revisado').waitFor({ state: 'detached' });
  expect(await violations(page)).toEqual([]);
  expect(page.faults).toEqual([]);
});

test('the tables of a zip have their rows, by their names', async () => {
  const ask = await visit(await served.invite());
  const { id } = await ask<UploadView>('POST', '/uploads', {});
  const zip = 'RIPS000123.zip';
  await ask('PUT', `/uploads/${id}/files?name=${zip}`, readFileSync(`samples/rips/3374/${zip}`));
  await ask(
    'PUT',
    `/uploads/${id}/files?name=complemento.csv`,
    readFileSync('samples/rips/3374/complemento.csv'),
  );
  await ask(
    'PUT',
    `/uploads/${id}/params`,
    JSON.parse(readFileSync('samples/rips/3374/params.json', 'utf8')),
  );
  for (const name of ['inspect', 'check']) {
    const { id: task } = await ask<TaskView>('POST', `/uploads/${id}/tasks/${name}`, {});
    await ask.text(`/task/${task}/events`);
  }
  const { tables } = await ask<{ readonly tables: readonly TableName[] }>('GET', `/uploads/${id}/read`);
  expect(tables.length).toBeGreaterThan(4);
  for (const { file, sheet } of tables) {
    expect(sheet).toBe(null);
    const { rows } = await ask<TableRows>(
      'GET',
      `/uploads/${id}/rows?name=${encodeURIComponent(file)}&from=0&count=1`,
    );
    expect(rows.length, file).toBe(1);
  }
});

/** The rows of the sample month. */
async function sampleRows(): Promise<(string | number | undefined)[][]> {
  const input = await openInput(SAMPLE);
  const rows: (string | number | undefined)[][] = [];
  for await (const batch of input.tables[0]!.batches())
    for (const { texts, kinds } of batch)
      rows.push(texts.map((text, at) => (kinds?.[at] === 'number' ? Number(text) : text)));
  await input.close();
  return rows;
}

test('the row of titles is seen and can be another, and a sheet that is not read says why', async () => {
  const [titles, ...records] = await sampleRows();
  const file = await bookOf({
    // The titles stand twice: over an example, and over the records.
    Nomina: [titles!, records[0]!, [], titles!, ...records],
    Instrucciones: [['Llene una fila por trabajador']],
  });
  const page = await openPage(browser, await served.invite());
  onTestFinished(() => page.context().close());
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Los títulos están en la fila 1.', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  // By the keyboard, and by a click.
  await page.getByRole('button', { name: 'Los títulos están en la fila 4' }).press('Enter');
  await page.getByText('Los títulos están en la fila 4.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await page.getByText('Los títulos están en la fila 1.', { exact: true }).waitFor();
  const fourth = page.getByRole('row').filter({
    has: page.getByRole('button', { name: 'Los títulos están en la fila 4' }),
  });
  await fourth.getByRole('cell').nth(3).click();
  await page.getByText('Los títulos están en la fila 4.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Los títulos están en la fila 4', pressed: true }).waitFor();
  await page.getByRole('tab', { name: 'Instrucciones no se lee' }).click();
  await page.getByText('No se lee: Hoja de ayuda').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Continuar', exact: true }).click();
  await page.getByText('Todo quedó reconocido').waitFor();
  await put(page, 'params', readFileSync('samples/payroll/params.json', 'utf8'));
  await page.goto(page.url().replace(/columns$/, 'review'));
  await page.getByText('25 leídos').waitFor();
  expect(page.faults).toEqual([]);
});

test('of more tables than are shown it is said how many there are', async () => {
  const ask = await visit(await served.invite());
  const { id } = await ask<UploadView>('POST', '/uploads', {});
  const sheets = Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`Hoja ${at}`, [[`a${at}`]]]));
  await ask('PUT', `/uploads/${id}/files?name=muchas.xlsx`, readFileSync(await bookOf(sheets)));
  const { tables, more } = await ask<FilePreviews>('GET', `/uploads/${id}/tables`);
  expect([tables.length, more]).toEqual([100, 3]);
});

/** The month and what the check found wrong in it. */
async function checkedMonth() {
  const ask = await visit(await served.invite());
  const { id } = await ask<UploadView>('POST', '/uploads', {});
  await ask('PUT', `/uploads/${id}/files?name=${NAME}`, readFileSync(MONTH));
  await ask('PUT', `/uploads/${id}/params`, JSON.parse(PARAMS));
  const task = async (name: string): Promise<readonly PageIssue[]> => {
    const { id: begun } = await ask<TaskView>('POST', `/uploads/${id}/tasks/${name}`, {});
    const text = await ask.text(`/task/${begun}/events`);
    const turns = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as TaskUpdate);
    return turns
      .flatMap(({ events }) => events)
      .filter(({ event }) => event === 'issue') as unknown as readonly PageIssue[];
  };
  await task('inspect');
  await task('check');
  return {
    task,
    mend: (...changes: readonly Change[]) => ask<EditsView>('PUT', `/uploads/${id}/edits`, changes),
  };
}

const told = (issues: readonly PageIssue[]) =>
  issues.map(({ code, sheet, cell: at }) => [code, sheet, at].join(' ')).sort();

test('a row of joined tables is checked at once, as the whole check does; a key is left to that', async () => {
  const { task, mend } = await checkedMonth();
  for (const change of [
    cell('Vacaciones', 'E', 2, 'mucho'),
    cell('Sindicato', 'C', 3, 'nada'),
    cell('Empleados', 'P', 4, 'x'),
  ]) {
    const { checked } = await mend(change);
    expect(checked!.rows).toContainEqual({ file: NAME, sheet: change.sheet, row: change.row });
    const rows = new Set(checked!.rows.map(({ sheet, row }) => `${sheet} ${row}`));
    const whole = (await task('check')).filter(({ sheet, row }) => rows.has(`${sheet} ${row}`));
    expect(told(checked!.issues)).toEqual(told(whole));
    expect(told(checked!.issues)).toContainEqual(expect.stringContaining(`${change.sheet} `));
  }
  // Whose it is then, only all rows together say.
  expect((await mend(cell('Vacaciones', 'A', 2, '9000300111'))).checked).toBe(null);
});
