import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeProfile } from '../chaos/fleet.js';
import { journalWith, paid } from '../support/month-journal.js';
import { openBrowser, openPage, type Served, serve, violationsInBoth } from './browser.js';

const URL_OF_SERVICE = 'http://127.0.0.1:9/';
/** Companies of which each second one sent its month, and the third half of it. */
const NITS = Array.from({ length: 40 }, (_, at) => String(900_100_000 + at));

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
  for (const [at, company] of NITS.entries()) {
    writeProfile(served.workspace, company, URL_OF_SERVICE, 'x');
    const months = at % 2 === 0 ? (['2026-10', '2026-11'] as const) : (['2026-10'] as const);
    const runs = months.map((month) => [paid(1, month, 1_000_000), paid(2, month, 2_000_000)]);
    await journalWith(served.workspace, { url: URL_OF_SERVICE, company }, runs, at === 2 ? [2] : []);
  }
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

test('a bureau sees all companies of a month, filters them, and opens the one to act for', async () => {
  const page = await openPage(browser, await served.invite());
  const { origin } = new URL(served.link);
  await page.goto(`${origin}/#/companies/2026-11`);
  await page.getByRole('heading', { level: 1, name: 'noviembre de 2026 · 40 empresas' }).waitFor();
  await page.getByRole('link', { name: 'Empresas', exact: true }).waitFor();
  const rows = page.getByRole('rowheader');
  expect(await rows.count()).toBe(40);
  expect(await violationsInBoth(page)).toEqual([]);

  await page.getByRole('link', { name: 'Falta el archivo 20' }).click();
  await page.getByText('20 de 40 en la lista.').waitFor();
  // The filter is kept in the address.
  await page.reload();
  await page.getByText('20 de 40 en la lista.').waitFor();
  await page.getByRole('link', { name: 'Al día 19' }).click();
  await page.getByText('19 de 40 en la lista.').waitFor();
  const done = page.getByRole('row', { name: NITS[0]! });
  await done.getByText('Aceptados 2 de 2.').waitFor();
  await done.getByText('3.000.000', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'No aceptados 1' }).click();
  await page.getByText('1 de 40 en la lista.').waitFor();
  await page.getByRole('searchbox', { name: 'Empresa o NIT' }).fill('900100002');
  await page.getByRole('button', { name: 'Abrir c900100002' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'noviembre de 2026' }).waitFor();
  await page.getByRole('button', { name: 'Empresa: c900100002' }).waitFor();
  expect(page.faults).toEqual([]);
  await page.close();
});
