import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage, type Served, serve, violations } from './browser.js';

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

test('who goes and who is left out is listed before the yes, and the end is told to a tab that is not seen', async () => {
  const page = await openPage(browser, served.link);
  const next = page.getByRole('button', { name: 'Continuar', exact: true });
  await page.getByRole('button', { name: 'Probar con datos de ejemplo' }).click();
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  await page.getByRole('link', { name: 'Revisar' }).click();
  await page.getByText('Qué se hace aquí').click();
  await page.getByText(/Corrija las celdas marcadas/).waitFor();
  await page.locator('#cell-1-0').click();
  for (let column = 0; column < 21; column++) await page.keyboard.press('ArrowRight');
  await page.locator('#cell-1-21:focus').waitFor();
  await page.keyboard.type('dos millones');
  await page.keyboard.press('Enter');
  await page.getByText('25 previstos = 24 listos + 1 con errores').waitFor();
  await next.click();
  await page.getByRole('button', { name: 'Preparar', exact: true }).click();
  await page.getByText('Todos: 24 documentos van, 1 queda por fuera').waitFor();
  const plan = page.locator('.plan .amount').filter({ hasText: /\d\.\d{3}/ });
  for (const amount of await plan.allInnerTexts()) expect(amount).not.toMatch(/,00$/);
  expect(await plan.count()).toBeGreaterThan(0);
  const leftOut = page.getByRole('row', { name: /Fabián Núñez/ });
  await leftOut.getByText(/dos millones/).waitFor();
  expect(await page.getByRole('region', { name: 'Documentos' }).getByRole('row').count()).toBe(26);
  expect(await violations(page)).toEqual([]);
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })`,
  );
  await page.getByRole('button', { name: 'Sí', exact: true }).click();
  await expect.poll(() => page.title()).toBe('● El envío terminó');
  await page.evaluate(
    `delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))`,
  );
  expect(await page.title()).not.toContain('●');
  expect(page.faults).toEqual([]);
  await page.close();
});
