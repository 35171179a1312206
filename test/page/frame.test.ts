import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { chooseCompany, openBrowser, openPage, type Served, serve, violations } from './browser.js';
import { ended, visit as requestsOf } from './visit.js';

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
  const ask = await requestsOf(await served.invite());
  for (const [args, environment] of [
    [['andina'], 'production'],
    [['bolivar'], 'test'],
  ] as const)
    await ended(
      ask,
      await ask('POST', '/tasks/profileAdd', {
        args,
        options: { url: 'http://127.0.0.1:9', environment, company: '900555321' },
        secrets: { askProfileToken: 'x' },
      }),
    );
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

async function visit(): Promise<Page & { readonly faults: string[] }> {
  const page = await openPage(browser, await served.invite());
  onTestFinished(() => page.context().close());
  return page;
}

const forward = (page: Page) => page.locator('.foot .go');

test('the step forward stands at the same place on every step, and says why it cannot be taken', async () => {
  const page = await visit();
  await page.getByRole('button', { name: 'Probar con datos de ejemplo' }).click();
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  const id = /upload\/([^/]+)/.exec(page.url())![1];
  const boxes = new Set<string>();
  for (const step of ['files', 'columns', 'data', 'review', 'confirm', 'result']) {
    await page.goto(`${new URL(page.url()).origin}/#/upload/${id}/${step}`);
    await page.locator('.steps [aria-current=step]').waitFor();
    await forward(page).waitFor();
    boxes.add(JSON.stringify(await forward(page).evaluate((one) => one.getBoundingClientRect().right)));
    boxes.add(JSON.stringify(await forward(page).evaluate((one) => one.getBoundingClientRect().bottom)));
  }
  expect(boxes.size).toBe(2);

  // A step that cannot be taken can be focused, says why, and does nothing.
  await page.goto(`${new URL(page.url()).origin}/#/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const empty = await page.evaluate(async () => {
    const made = await fetch('/api/uploads', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    return ((await made.json()) as { id: string }).id;
  });
  await page.goto(`${new URL(page.url()).origin}/#/upload/${empty}/files`);
  await page.getByText('Suelte o elija primero un archivo.').waitFor();
  expect(await forward(page).getAttribute('aria-disabled')).toBe('true');
  await forward(page).focus();
  await page.keyboard.press('Enter');
  expect(page.url()).toMatch(/files$/);
  expect(page.faults).toEqual([]);
}, 60_000);

test('the company stands in the head, and is chosen by keyboard alone; nothing is chosen beforehand', async () => {
  const page = await visit();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Empresa: / }).focus();
  await page.keyboard.press('Enter');
  const field = page.getByRole('combobox', { name: 'Cambiar de empresa' });
  await field.waitFor();
  expect(await page.locator('[role=option][aria-selected=true]').count()).toBe(0);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await violations(page)).toEqual([]);
  }
  await page.keyboard.type('BOLÍ');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Empresa: bolivar' }).waitFor();
  await page.locator('header .chip.test').waitFor();
  await chooseCompany(page, 'andina');
  await page.locator('header .chip.production').waitFor();
  // It is kept for the next visit.
  await page.reload();
  await page.getByRole('button', { name: 'Empresa: andina' }).waitFor();
  expect(page.faults).toEqual([]);
}, 60_000);
