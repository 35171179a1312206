import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { openBrowser, openPage, type Served, serve, violations } from './browser.js';

let browser: Browser;
let sandbox: Sandbox;
let served: Served;

beforeAll(async () => {
  [browser, sandbox] = await Promise.all([openBrowser(), startSandbox()]);
  served = await serve({ env: { CARGUE_URL: sandbox.url, CARGUE_TOKEN: sandbox.token } });
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
  await sandbox?.close();
});

/** Common screens, a screen of 1366 at 200 %, and a telephone. */
const WIDTHS = [1366, 1024, 768, 683, 390];
const AT_200_PERCENT = 683;

test('no screen scrolls sideways, and all can be used at 200 %', async () => {
  const page = await openPage(browser, await served.invite());
  const found: string[] = [];
  const look = async (screen: string): Promise<void> => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width === AT_200_PERCENT ? 384 : 768 });
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (over > 0) found.push(`${screen} at ${width}: ${over} px too wide`);
      if (width === AT_200_PERCENT)
        found.push(...(await violations(page)).map((one) => `${screen}: ${JSON.stringify(one)}`));
    }
    await page.setViewportSize({ width: 1366, height: 768 });
  };
  const forward = () => page.getByRole('button', { name: 'Continuar', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await look('Mes');
  const file = 'samples/payroll/quincenas/Liquidación septiembre 2026.xlsx';
  await page.locator('input[type=file]').setInputFiles(file);
  await page.locator('tr.header').first().waitFor();
  await look('Archivo');
  await forward();
  await page.locator('.undecided').first().waitFor();
  await look('Columnas');
  await page.goto(`${new URL(page.url()).origin}/#/`);
  await page.getByRole('button', { name: /^Probar/ }).click();
  await page.locator('table.sheet').first().waitFor();
  await forward();
  await page.locator('.notice.good').waitFor();
  await forward();
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  await look('Datos');
  await forward();
  await page.getByRole('gridcell').first().waitFor();
  await look('Revisar');
  await forward();
  await page.getByRole('button', { name: 'Preparar', exact: true }).click();
  await page.locator('.asked').waitFor();
  await look('Confirmar');
  await page.getByRole('button', { name: 'Sí', exact: true }).click();
  await page.locator('.notice.good').waitFor();
  await forward();
  await page.locator('dl.tiles').waitFor();
  await look('Resultado');
  for (const [name, path] of [
    ['Empresas', '/companies'],
    ['Configuración', '/settings'],
  ] as const) {
    await page.goto(`${new URL(page.url()).origin}/#${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look(name);
  }
  expect(found).toEqual([]);
  expect(page.faults).toEqual([]);
  await page.close();
});
