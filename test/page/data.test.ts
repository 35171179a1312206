import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMonths, dateInBogota } from '../../src/toolkit/core/plain-date.js';
import { formatMonth } from '../../src/toolkit/messages/texts.js';
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
async function dataOf(file: string, locale = 'es-CO') {
  const page = await openPage(browser, await served.invite(), locale);
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
  const typed = (date: string): string => date.split('-').reverse().join('/');
  expect(await month.inputValue()).toBe(typed(last));
  expect(await page.getByLabel('Fecha de emisión de los documentos').inputValue()).toBe(typed(today));
  const begin = page.getByLabel('Inicio que llevan las horas extras');
  expect(await begin.inputValue()).toBe(`01/${typed(last)} 00:00`);
  await month.fill('2026-02');
  expect(await begin.inputValue()).toBe('01/02/2026 00:00');
  expect(await page.getByLabel('Fecha de emisión de los documentos').inputValue()).toBe(typed(today));
  // Numbers of the service are words.
  await page.getByText('Otros datos que se pueden cambiar').click();
  const period = page.getByLabel('Periodo de pago');
  expect(await period.locator('option').allInnerTexts()).toContain('Quincenal');
  expect(await violations(page)).toEqual([]);
  expect(page.faults).toEqual([]);
  await page.close();
});

test('dates are typed day first in a browser of any language, and one that is none is told', async () => {
  const page = await dataOf('samples/payroll/nomina-octubre-2026.xlsx', 'en-US');
  const issued = page.getByLabel('Fecha de emisión de los documentos');
  const today = dateInBogota(new Date());
  await issued.fill('31-10-2026');
  await issued.press('Tab');
  expect(await issued.inputValue()).toBe('31/10/2026');
  await issued.press('ArrowUp');
  expect(await issued.inputValue()).toBe('01/11/2026');
  await issued.fill('10/31/2026');
  await page.getByText('No está en el calendario. Escriba dd/mm/aaaa.').waitFor();
  expect(await issued.getAttribute('aria-invalid')).toBe('true');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Continuar' }).click();
  // The form is not sent, and a field to correct has the focus.
  await page.locator('input:invalid:focus').waitFor();
  expect(await issued.and(page.locator(':invalid')).count()).toBe(1);
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  await page
    .getByRole('button', { name: /^Hoy, / })
    .first()
    .click();
  expect(await issued.inputValue()).toBe(today.split('-').reverse().join('/'));
  const month = page.getByLabel('Mes de la nómina');
  await month.fill('');
  await page.getByRole('button', { name: formatMonth(today.slice(0, 7), 'es') }).click();
  expect(await month.inputValue()).toBe(today.slice(0, 7).split('-').reverse().join('/'));
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
