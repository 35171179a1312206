import { readFileSync } from 'node:fs';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnLetter } from '../../src/toolkit/core/text.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { editedSample } from '../support/edit-workbook.js';
import { openBrowser, openPage, type Served, serve, violations } from './browser.js';
import { visit } from './visit.js';

let browser: Browser;
let served: Served;
let invite: () => Promise<string>;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
  const ask = await visit(served.link);
  invite = async () => {
    const { path } = await ask<{ path: string }>('POST', '/invitations');
    return new URL(path, served.link).href;
  };
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

const next = (page: Page) => page.getByRole('button', { name: 'Continuar', exact: true });
const cell = (page: Page, row: number, column: number) => page.locator(`#cell-${row - 1}-${column - 1}`);
const FILE = 'nomina-octubre-2026.xlsx';

/** The demonstration with this file in place of its own, on the screen that shows what is wrong in it. */
async function review(file: string, answer?: RegExp): Promise<Awaited<ReturnType<typeof openPage>>> {
  const page = await openPage(browser, await invite());
  await page.getByRole('button', { name: 'Probar con datos de ejemplo' }).click();
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  const replaced = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: FILE, mimeType: 'application/octet-stream', buffer: readFileSync(file) });
  await replaced;
  await next(page).click();
  if (answer !== undefined) {
    await page.locator('.undecided').click();
    await page.getByRole('option', { name: answer }).click();
  }
  await next(page).click();
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  await next(page).click();
  await page.getByText(/previstos/).waitFor();
  return page;
}

async function textsOf(file: string): Promise<ReadonlyMap<string, string>> {
  const input = await openInput(file);
  const found = new Map<string, string>();
  for (const { sheet, batches } of input.tables)
    for await (const rows of batches())
      for (const { number, texts } of rows)
        for (const [column, text] of texts.entries())
          if (text !== undefined) found.set(`${sheet}!${columnLetter(column)}${number}`, text);
  await input.close();
  return found;
}

test('a month with wrong cells is mended on the page and accepted', async () => {
  const wrong = {
    V2: '1.75O.90S',
    L3: 'Termino indefinidoo',
    L4: 'Termino indefinidoo',
    C28: 'Rojas',
    V28: 'x',
  };
  const page = await review(await editedSample(wrong), /^no decidir/);
  const { keyboard } = page;
  await page.getByText('26 previstos = 21 listos + 5 con errores').waitFor();
  expect(await violations(page)).toEqual([]);
  const amount = cell(page, 2, 22);

  // One wrong value, mended once for all its cells.
  await page.getByRole('textbox', { name: 'En lugar de «Termino indefinidoo»' }).fill('Término indefinido');
  await page.getByRole('button', { name: 'Corregir las 2 celdas' }).click();
  await page.getByText('26 previstos = 23 listos + 3 con errores').waitFor();

  // By the keyboard: typed, thrown away, typed again, taken back.
  await page.getByRole('button', { name: 'Nomina!V2' }).click();
  await amount.and(page.locator(':focus')).waitFor();
  await keyboard.press('Enter');
  await keyboard.type('9');
  await keyboard.press('Escape');
  expect(await amount.innerText()).toBe('1.75O.90S');
  await keyboard.press('F2');
  await keyboard.press('Control+a');
  await keyboard.type('1750906');
  await keyboard.press('Enter');
  await cell(page, 3, 22).and(page.locator(':focus')).waitFor();
  await page.locator('#cell-1-21.edited:not(.bad)').waitFor();
  expect(await amount.innerText()).toBe('1.750.906');
  await keyboard.press('Control+z');
  await page.locator('#cell-1-21.bad:not(.edited)').waitFor();
  expect(await amount.innerText()).toBe('1.75O.90S');

  // What is suggested is put in by one click.
  await keyboard.press('ArrowUp');
  await page.getByRole('status').getByRole('button', { name: 'Poner «1750905»' }).click();
  await page.locator('#cell-1-21.edited:not(.bad)').waitFor();
  expect(await amount.innerText()).toBe('1.750.905');

  await page
    .getByRole('button', { name: /^Nomina!\w+28$/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'La fila 28 no es un trabajador ni otro registro' }).click();
  await page.getByText('26 leídos = 25 usados + 1 omitido + 0 con errores').waitFor();
  await page.getByText('Cambios: 3').click();
  await page.getByText('Nomina!V2: «1.75O.90S» → «1750905»').waitFor();
  await cell(page, 2, 22).dblclick();
  expect(await violations(page)).toEqual([]);
  await keyboard.press('Escape');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: `Descargar ${FILE} corregido` }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('nomina-octubre-2026-corregido.xlsx');
  const inCopy = (await textsOf(await download.path())).get('Nomina!V2');
  expect(inCopy).toBe('1750905');

  await next(page).click();
  await page.getByRole('button', { name: 'Preparar', exact: true }).click();
  await page.getByText('¿Enviar 25 documentos?').waitFor();
  await page.getByRole('button', { name: 'Sí', exact: true }).click();
  await page.getByText('Todo quedó aceptado.').waitFor();
  expect(page.faults).toEqual([]);
  await page.close();
});

test('a check that an edit replaces before its stream opens is no fault', async () => {
  const page = await review(await editedSample({ V2: '1.75O.90S', V3: 'x' }));
  const held: Route[] = [];
  await page.route('**/api/task/*/events', (route) => void held.push(route));
  await page.getByRole('button', { name: 'Nomina!V2' }).click();
  await page.locator('#cell-1-21:focus').waitFor();
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('1750905');
  await page.keyboard.press('Enter');
  await expect.poll(() => held.length).toBe(1);
  const followed = held[0]!.request().url();

  // The second edit has replaced the check on the server, and the page does not know its successor yet.
  await page.route('**/api/uploads/*/tasks/check', async (route) => {
    const response = await route.fetch();
    const gone = page.waitForResponse(followed);
    await page.unroute('**/api/task/*/events');
    await held[0]!.continue();
    expect(await (await gone).text()).toContain('event: gone');
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Nomina!V3' }).click();
  await page.locator('#cell-2-21:focus').waitFor();
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('1750905');
  await page.keyboard.press('Enter');
  await page.getByText('Cambios: 2').waitFor();
  await page.getByText(/previstos = \d+ listos/).waitFor();
  expect(page.faults).toEqual([]);
  await page.close();
});
