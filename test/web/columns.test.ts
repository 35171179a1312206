import type { Browser } from 'playwright-core';
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

test('columns that are asked about in one go are boxes; those unticked are asked about by themselves', async () => {
  const page = await openPage(browser, await served.invite());
  await page
    .locator('input[type=file]')
    .setInputFiles('samples/payroll/quincenas/Liquidación septiembre 2026.xlsx');
  await page.getByRole('button', { name: 'Continuar', exact: true }).click();
  const joint = page.locator('form.card', { hasText: 'Estas columnas parecen ser esto.' });
  await joint.waitFor();
  expect(await joint.getByRole('checkbox').count()).toBe(3);
  await joint.getByText('Marcadas: 3 de 3').waitFor();
  // Each with what it holds and what comes of it, and all with what comes of a yes.
  const earned = joint.locator('label', { hasText: 'Devengado mes' });
  await earned.getByText('se comparan 109.620.393,00').waitFor();
  expect(await earned.locator('.sample').allInnerTexts()).toEqual(['11352878', '3441779', '4885429']);
  await joint.locator('[role=status] .effect').waitFor();
  expect(await joint.getByText('escriba su letra').count()).toBe(0);
  expect(await violations(page)).toEqual([]);

  await joint.getByRole('checkbox', { name: /^G Sede/ }).focus();
  await page.keyboard.press('Space');
  await joint.getByText('Marcadas: 2 de 3').waitFor();
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/answers')),
    page.keyboard.press('Enter'),
  ]);
  expect(sent.postDataJSON()).toEqual({ 'sure.workers': 'G' });
  await page.getByRole('group', { name: '¿Qué es «Sede» (Sept!G4)?' }).waitFor();
  expect(await joint.count()).toBe(0);
  await page.getByText('Columnas reconocidas').click();
  const means = page.getByRole('row', { name: /^Devengado mes/ });
  expect(await means.getByRole('cell').nth(1).innerText()).toBe('stated_accrued');
  expect(page.faults).toEqual([]);
  await page.close();
});

test('a doubtful word is nothing before a person chooses what it is', async () => {
  const page = await openPage(browser, await served.invite());
  const word = 'Definido';
  const file = await sampleCsv((grid) => {
    grid[1]![columnOf(grid, 'Tipo contrato')] = word;
  });
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('heading', { name: 'Primeras filas' }).waitFor();
  await page.getByRole('button', { name: 'Continuar', exact: true }).click();
  const card = page.locator('form.card', { hasText: `«${word}»` });
  await card.waitFor();
  const accept = card.getByRole('button', { name: 'Aceptar' });
  expect(await card.getByRole('radio', { checked: true }).count()).toBe(0);
  expect(await accept.getAttribute('aria-disabled')).toBe('true');
  await accept.click({ force: true });
  await card.getByText('Sin decidir').waitFor();
  expect(await violations(page)).toEqual([]);
  await card.getByRole('radio').first().click();
  expect(await accept.getAttribute('aria-disabled')).toBe('false');
  expect(page.faults).toEqual([]);
  await page.close();
});
