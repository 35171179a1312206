import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox } from '../../src/sandbox/server.js';
import unpackBrowser from '../support/browser.js';
import { openBrowser, openPage, serve } from './browser.js';

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
  await page.getByRole('heading', { level: 1 }).waitFor();
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
}
await browser.close();
await sandbox.close();
