import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage, type Served, serve } from './browser.js';

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

const next = (page: Page) => page.getByRole('button', { name: 'Continuar', exact: true });

test('the sample month goes from the first screen to its codes', async () => {
  const page = await openPage(browser, served.link);
  await page.getByRole('button', { name: 'Probar con datos de ejemplo' }).click();
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  await next(page).click();
  await page.getByText('Todo quedó reconocido').waitFor();
  await next(page).click();
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  await next(page).click();
  await page.getByText('25 previstos = 25 listos + 0 retenidos').waitFor();
  await page.getByRole('gridcell', { name: 'Núñez' }).first().waitFor();
  await next(page).click();
  await page.getByText('¿Enviar 25 documentos?').waitFor();
  await page.getByRole('button', { name: 'Sí', exact: true }).click();
  await page.getByText('Todo quedó aceptado.').waitFor();
  await next(page).click();
  const codes = page.locator('td.code button');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(25);
  expect(new Set(await codes.allTextContents()).size).toBe(25);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Informe (Excel)' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('informe.xlsx');
  expect(page.faults).toEqual([]);
});
