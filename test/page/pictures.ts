import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox } from '../../src/sandbox/server.js';
import unpackBrowser from '../support/browser.js';
import { journalWith, paid } from '../support/month-journal.js';
import { openBrowser, openPage, serve } from './browser.js';
import { ended, visit } from './visit.js';

/** Invented companies of a bureau, and how many of their workers each paid in the month before and in this one. */
const COMPANIES: Readonly<Record<string, readonly [before: number, now: number]>> = {
  'cafe-del-alto': [3, 3],
  'ferreteria-ceiba': [5, 4],
  'frailejon-textiles': [2, 0],
  'panaderia-guayacan': [4, 4],
  'transportes-andina': [6, 0],
};
/** Nobody listens there. */
const SERVICE = 'http://127.0.0.1:9/';

/** Writes companies with journals of two months into a workspace; the last person of one of them was rejected. */
async function addCompanies(workspace: string, link: string): Promise<void> {
  const ask = await visit(link);
  for (const [at, [name, counts]] of Object.entries(COMPANIES).entries()) {
    const company = String(900_410_220 + 37 * at);
    const options = { url: SERVICE, environment: 'production', company };
    await ended(
      ask,
      await ask('POST', '/tasks/profileAdd', { args: [name], options, secrets: { askProfileToken: 'x' } }),
    );
    const pay = (count: number, month: '2026-10' | '2026-11') =>
      Array.from({ length: count }, (_, worker) => paid(worker + 1, month, 1_750_905 + 212_300 * worker));
    const runs = [pay(counts[0], '2026-10'), pay(counts[1], '2026-11')].filter(({ length }) => length > 0);
    await journalWith(workspace, { url: SERVICE, company }, runs, name === 'panaderia-guayacan' ? [4] : []);
  }
}

/** Takes a picture of each screen, in both languages: `npm run pictures -- [FOLDER] [dark] [zoom]`. */
const [folder = 'samples/page', ...how] = process.argv.slice(2);
await unpackBrowser();
const isDark = how.includes('dark');
const zoom = how.includes('zoom') ? 2 : 1;

const sandbox = await startSandbox();
const browser = await openBrowser();
for (const language of ['es', 'en'] as const) {
  mkdirSync(join(folder, language), { recursive: true });
  const served = await serve({
    env: { CARGUE_URL: sandbox.url, CARGUE_TOKEN: sandbox.token, CARGUE_LANG: language },
  });
  const page: Page = await openPage(browser, await served.invite());
  await page.setViewportSize({ width: 1280 / zoom, height: 720 / zoom });
  if (isDark) await page.emulateMedia({ colorScheme: 'dark' });
  const take = async (name: string): Promise<void> => {
    await page.screenshot({ path: join(folder, language, `${name}.png`) });
  };
  const forward = () => page.getByRole('button', { name: /^(Continuar|Continue)$/ }).click();
  const drop = (...files: string[]) => page.locator('input[type=file]').setInputFiles(files);
  await page.waitForLoadState('networkidle');
  await take('1-home');
  await drop('samples/payroll/quincenas/Liquidación septiembre 2026.xlsx');
  await page.locator('table.sheet').first().waitFor();
  await page.locator('tr.header').first().waitFor();
  await take('2-files');
  await forward();
  await page.locator('.undecided').first().waitFor();
  await take('3-columns');
  await page.goto(`${new URL(page.url()).origin}/#/`);
  await page.getByRole('button', { name: /^(Probar|Try)/ }).click();
  await page.locator('table.sheet').first().waitFor();
  await forward();
  await page.locator('.notice.good').waitFor();
  await forward();
  await page.getByRole('heading', { name: /^(Datos del mes|Month's data)$/ }).waitFor();
  await page.locator('form details summary').click();
  await page.evaluate('scrollTo(0, 0)');
  await take('4-data');
  await forward();
  await page.getByRole('gridcell').first().waitFor();
  await page.waitForTimeout(500);
  await take('5-review');
  await forward();
  await page.getByRole('button', { name: /^(Preparar|Prepare)$/ }).click();
  await page.locator('.asked').waitFor();
  await take('6-confirm');
  await page.getByRole('button', { name: /^(Sí|Yes)$/ }).click();
  await page.locator('.live progress').waitFor();
  await take('7-sending');
  await page.locator('.notice.good').waitFor();
  await forward();
  await page.locator('dl.tiles').waitFor();
  await page.locator('.tiles').scrollIntoViewIfNeeded();
  await take('8-result');
  await page.goto(`${new URL(page.url()).origin}/#/settings`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForTimeout(300);
  await take('9-settings');
  await page.context().close();
  await served.kill();
  const bureau = await serve({ env: { CARGUE_LANG: language } });
  await addCompanies(bureau.workspace, await bureau.invite());
  const other = await openPage(browser, await bureau.invite());
  await other.setViewportSize({ width: 1280 / zoom, height: 720 / zoom });
  if (isDark) await other.emulateMedia({ colorScheme: 'dark' });
  const { origin } = new URL(other.url());
  for (const [name, place] of [
    ['10-companies', 'companies/2026-11'],
    ['11-month', 'month/2026-11'],
  ] as const) {
    await other.goto(`${origin}/#/${place}`);
    await other.getByRole('row').nth(2).waitFor();
    await other.waitForTimeout(300);
    await other.screenshot({ path: join(folder, language, `${name}.png`) });
    if (name === '10-companies')
      await other.getByRole('button', { name: /^(Abrir|Open) ferreteria-ceiba/ }).click();
  }
  await other.context().close();
  await bureau.kill();
}
await browser.close();
await sandbox.close();
