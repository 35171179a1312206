import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnOf, sampleCsv } from '../cli/sample.js';
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

/** Opens the columns of a file. */
async function columnsOf(file: string) {
  const page = await openPage(browser, await served.invite());
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('heading', { name: 'Primeras filas' }).waitFor();
  await page.getByRole('button', { name: 'Continuar', exact: true }).click();
  return page;
}

const fieldOf = (page: Page, label: string) => page.getByRole('button', { name: `Campo de «${label}»` });
const fold = (page: Page, title: string) => page.getByRole('button', { name: title, exact: true });
const answersSent = (page: Page) =>
  page
    .waitForRequest((request) => request.url().endsWith('/answers'))
    .then((request) => request.postDataJSON());

test('columns that seem sure are confirmed together; another field is chosen at the row itself', async () => {
  const page = await columnsOf('samples/payroll/quincenas/Liquidación septiembre 2026.xlsx');
  const all = page.getByRole('button', { name: /^Confirmar las 4 columnas/ });
  await all.waitFor();
  const earned = page.getByRole('row', { name: /Devengado mes/ });
  expect(await earned.locator('.sample').allInnerTexts()).toEqual(['11.352.878', '3.441.779', '4.885.429']);
  expect(await earned.getByRole('cell').nth(1).innerText()).toContain('109.620.393');
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });

  // What another column has already cannot be chosen, and says by whom.
  await fieldOf(page, 'Sede').click();
  await page.keyboard.type('cedula');
  const taken = page.getByRole('option', { name: /ya lo trae «/ }).first();
  expect(await taken.getAttribute('aria-disabled')).toBe('true');
  await taken.click({ force: true });
  await page.getByRole('listbox').waitFor();
  await page.keyboard.press('Escape');

  const [sent] = await Promise.all([
    answersSent(page),
    (async () => {
      await page.keyboard.press('Enter');
      await page.keyboard.type('no se usa');
      await page.keyboard.press('Enter');
    })(),
  ]);
  expect(sent).toEqual({ 'workers.G': 'ignore' });
  await page.getByRole('button', { name: /^Confirmar las 3 columnas/ }).click();
  await fold(page, 'Decididas por usted').click();
  await page.getByRole('button', { name: 'Deshacer: Sede' }).waitFor();
  expect(page.faults).toEqual([]);
  await page.close();
});

test('a doubtful word is nothing before a person chooses what it is, and the keyboard is enough', async () => {
  const file = await sampleCsv((grid) => {
    grid[1]![columnOf(grid, 'Tipo contrato')] = 'Definido';
  });
  const page = await columnsOf(file);
  const row = page.getByRole('row', { name: /«Definido»/ });
  await row.getByText('Sin decidir').first().waitFor();
  const next = page.getByRole('button', { name: 'Continuar', exact: true });
  expect(await next.getAttribute('aria-disabled')).toBe('true');
  await next.click({ force: true });
  await page.getByText('Falta resolver 1 duda.').waitFor();
  expect(await violations(page)).toEqual([]);

  await page.keyboard.press('F8');
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor();
  expect(await page.getByRole('option', { selected: true }).count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  const [sent] = await Promise.all([answersSent(page), page.keyboard.press('Enter')]);
  expect(Object.values(sent as object)).toHaveLength(1);
  await page.getByText('Todo quedó reconocido').waitFor();
  expect(await page.locator(':focus').innerText()).toBe('Continuar');
  expect(page.faults).toEqual([]);
  await page.close();
});

test('a column that was certain can be another one', async () => {
  const page = await columnsOf('samples/payroll/nomina-octubre-2026.xlsx');
  await page.getByText('Todo quedó reconocido').waitFor();
  await fold(page, 'Seguras').click();
  await page
    .getByRole('row', { name: /Comisiones/ })
    .getByText('segura')
    .waitFor();
  await fieldOf(page, 'Comisiones').click();
  await page.keyboard.type('no se usa');
  await page
    .getByRole('status')
    .getByText(/^«no se usa»: quedan fuera [\d.,]+$/i)
    .waitFor();
  const [sent] = await Promise.all([answersSent(page), page.keyboard.press('Enter')]);
  expect(Object.values(sent as object)).toEqual(['ignore']);
  await page.locator('.sums').getByText('antes ').first().waitFor();
  await fold(page, 'Decididas por usted').click();
  // The totals show at once what follows.
  const doubtful = page.locator('.sums .doubt');
  await doubtful.first().waitFor();
  await page.getByRole('button', { name: 'Deshacer: Comisiones' }).click();
  await doubtful.first().waitFor({ state: 'detached' });
  expect(page.faults).toEqual([]);
  await page.close();
});

test('what an answer would do to the sums is shown before it is chosen', async () => {
  const file = await sampleCsv((grid) => {
    grid[0]![columnOf(grid, 'Comisiones')] = 'Zxq';
  });
  const page = await columnsOf(file);
  const totals = page.getByRole('complementary');
  await totals.getByText('Al recorrer las respuestas').waitFor();
  await fieldOf(page, 'Zxq').click();
  await page.keyboard.press('ArrowDown');
  const shown = totals.getByRole('status');
  await shown.getByText(/^«.+»: .*\d/).waitFor();
  const first = await shown.innerText();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => shown.innerText()).not.toBe(first);
  await page.keyboard.press('Escape');
  await totals.getByText('Al recorrer las respuestas').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(page.faults).toEqual([]);
  await page.close();
});
