import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { journalWith, paid } from '../support/month-journal.js';
import { openBrowser, openPage, type Served, serve, violations, violationsInBoth } from './browser.js';
import { ended, visit as requestsOf } from './visit.js';

const OWNER = { url: 'http://127.0.0.1:9/', company: '900555321' };

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
  const ask = await requestsOf(await served.invite());
  const options = { url: OWNER.url, environment: 'production', company: OWNER.company };
  const secrets = { askProfileToken: 'x' };
  await ended(ask, await ask('POST', '/tasks/profileAdd', { args: ['andina'], options, secrets }));
  await journalWith(served.workspace, OWNER, [
    [paid(1, '2026-10', 1_000_000), paid(2, '2026-10', 2_000_000), paid(3, '2026-10', 3_000_000)],
    [paid(1, '2026-11', 1_500_000), paid(2, '2026-11', 2_000_000), paid(4, '2026-11', 700_000)],
  ]);
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

test('home is the month: its jobs against the month before, their terms, and a search over all that was sent', async () => {
  const page = await openPage(browser, await served.invite());
  const { origin } = new URL(served.link);
  await page.goto(`${origin}/#/month/2026-11`);
  await page.getByRole('heading', { level: 1, name: 'noviembre de 2026' }).waitFor();
  const job = page.getByRole('row', { name: /Nómina/ });
  await job.getByText('Aceptados 3 de 3.').waitFor();
  await job.getByText('4.200.000').waitFor();
  await job.getByText('− 1.800.000 que en octubre de 2026').waitFor();
  await job.getByText('Faltan frente a octubre de 2026: Fabián Núñez.').waitFor();
  await job.getByText('10/12/2026').waitFor();
  expect(await violationsInBoth(page)).toEqual([]);

  await page.getByRole('searchbox', { name: 'Trabajador, documento, número o código' }).fill('nunez');
  await page.getByText('6 documentos de «nunez»').waitFor();
  expect(await violations(page)).toEqual([]);

  // The month after has nothing yet: it names the month before and offers to choose the file.
  await page.getByRole('link', { name: 'Mes siguiente' }).click();
  await page.getByRole('heading', { level: 1, name: 'diciembre de 2026' }).waitFor();
  await job.getByText('Falta el archivo').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    job.getByRole('button', { name: 'Elegir archivos: Nómina' }).click(),
  ]);
  expect(chooser.isMultiple()).toBe(true);
  await page.goBack();
  await job.getByRole('link', { name: 'Ver resultado: Nómina' }).click();
  await page.getByRole('cell', { name: '9000100004' }).waitFor();
  expect(await violationsInBoth(page)).toEqual([]);
  expect(page.faults).toEqual([]);
}, 60_000);
