import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ActView, Change, TableName, TableRows, UploadView } from '../../src/web/api.js';
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

/** The month with cells changed by hand, on the screen that shows what is wrong in it. */
async function review(...changes: readonly Change[]): ReturnType<typeof openPage> {
  const page = await openPage(browser, await served.invite());
  onTestFinished(() => page.context().close());
  await page.locator('input[type=file]').setInputFiles(MONTH);
  await page.getByRole('button', { name: 'Continuar', exact: true }).click();
  await page.getByText('Todo quedó reconocido').waitFor();
  const put = (what: string, body: string) =>
    page.evaluate(
      async ([path, text]) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(path!, { method: 'PUT', headers, body: text! })).status;
      },
      [`/api/uploads/${/upload\/([\w-]+)/.exec(page.url())![1]}/${what}`, body],
    );
  expect([await put('params', PARAMS), await put('edits', JSON.stringify(changes))]).toEqual([200, 200]);
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
  await page.getByText('Los demás lugares').click();
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
    const { id: act } = await ask<ActView>('POST', `/uploads/${id}/acts/${name}`, {});
    await ask.text(`/act/${act}/events`);
  }
  const tables = await ask<readonly TableName[]>('GET', `/uploads/${id}/read`);
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
