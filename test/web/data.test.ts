import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMonths, dateInBogota } from '../../src/toolkit/core/plain-date.js';
import { listWithout } from '../support/rips-list.js';
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

/** Opens the values that a file lacks. */
async function dataOf(file: string) {
  const page = await openPage(browser, await served.invite());
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('heading', { name: 'Primeras filas' }).waitFor();
  await page.goto(page.url().replace(/files$/, 'data'));
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  return page;
}

test('the month to send and today are proposed, and what is of the month follows it', async () => {
  const page = await dataOf('samples/payroll/nomina-octubre-2026.xlsx');
  const today = dateInBogota(new Date());
  const last = addMonths(today, -1).slice(0, 7);
  const month = page.getByLabel('Mes de la nómina');
  expect(await month.inputValue()).toBe(last);
  expect(await page.getByLabel('Fecha de emisión de los documentos').inputValue()).toBe(today);
  const begin = page.getByLabel('Inicio que llevan las horas extras');
  expect(await begin.inputValue()).toBe(`${last}-01T00:00`);
  await month.fill('2026-02');
  expect(await begin.inputValue()).toBe('2026-02-01T00:00');
  expect(await page.getByLabel('Fecha de emisión de los documentos').inputValue()).toBe(today);
  // Numbers of the service are words.
  await page.getByText('Otros datos que se pueden cambiar').click();
  const period = page.getByLabel('Periodo de pago');
  expect(await period.locator('option').allInnerTexts()).toContain('Quincenal');
  expect(await violations(page)).toEqual([]);
  expect(page.faults).toEqual([]);
  await page.close();
});

test('what only some rows need is asked for in sight, with words instead of codes', async () => {
  const page = await dataOf(listWithout('MODALIDAD', 'FINALIDAD', 'CAUSA EXTERNA'));
  const some = page.getByRole('group', { name: 'De algunas filas' });
  const way = some.getByLabel('Modalidad de todas las atenciones');
  await way.focus();
  await way.selectOption({ label: 'Intramural' });
  expect(await way.inputValue()).toBe('01');
  for (const name of ['Finalidad de todas', 'Causa de todas']) await some.getByLabel(name).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  expect(page.faults).toEqual([]);
  await page.close();
});
