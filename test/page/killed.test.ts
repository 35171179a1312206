import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { isObject } from '../../src/toolkit/core/json.js';
import { openBrowser, openPage, type Served, serve, violations } from './browser.js';

const FILE = 'samples/payroll/nomina-octubre-2026.xlsx';
const PARAMS = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as Record<string, unknown>;
const LOST = 'La página perdió la conexión con el programa.';

let browser: Browser;
let sandbox: Sandbox;
let served: Served;
let page: Awaited<ReturnType<typeof openPage>>;

const start = (workspace?: string): Promise<Served> =>
  serve({
    env: { CARGUE_URL: sandbox.url, CARGUE_TOKEN: sandbox.token },
    ...(workspace !== undefined && { workspace }),
  });

beforeAll(async () => {
  [browser, sandbox] = await Promise.all([openBrowser(), startSandbox()]);
  served = await start();
  page = await openPage(browser, served.link);
  page.setDefaultTimeout(30_000);
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
  await sandbox?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name }).first().waitFor();
/** Payrolls that the service was sent. */
const sent = () =>
  sandbox.controls.requests().requests.filter(({ body }) => isObject(body) && 'accrued' in body);
const codes = () => expect.poll(() => page.locator('.code-text').count()).toBe(25);

/** A screen: how it is come to from the one before, what a person does there, and what must be there afterwards. */
interface Screen {
  readonly reach: () => Promise<unknown>;
  readonly isBack: () => Promise<unknown>;
}

const SCREENS: Readonly<Record<string, Screen>> = {
  Configuración: {
    reach: async () => {
      await page.goto(`${new URL(served.link).origin}/#/settings`);
      await heading('Tablas del Ministerio');
    },
    isBack: () => heading('Tablas del Ministerio'),
  },
  Empresas: {
    reach: async () => {
      await page.goto(`${new URL(served.link).origin}/#/companies`);
      await page.getByRole('heading', { level: 1, name: /empresa/ }).waitFor();
    },
    isBack: () => page.getByRole('heading', { level: 1, name: /empresa/ }).waitFor(),
  },
  Mes: {
    reach: async () => {
      await page.getByRole('link', { name: 'cargue' }).click();
      await button('Probar con datos de ejemplo').waitFor();
    },
    isBack: () => button('Probar con datos de ejemplo').waitFor(),
  },
  Archivo: {
    reach: async () => {
      await page.locator('input[type=file]').first().setInputFiles(FILE);
      await heading('Primeras filas');
    },
    isBack: () => page.getByRole('cell', { name: 'Tipo documento' }).waitFor(),
  },
  Columnas: {
    reach: async () => {
      await button('Continuar').click();
      await page.getByText('Todo quedó reconocido').waitFor();
    },
    isBack: () => page.getByText('Todo quedó reconocido').waitFor(),
  },
  Datos: {
    reach: async () => {
      await button('Continuar').click();
      await heading('Datos del mes');
      for (const [name, value] of Object.entries(PARAMS)) {
        const field = page.locator(`[id="${name}"]`);
        if (await field.isVisible()) await field.fill(String(value));
      }
    },
    // What was typed and not sent yet is there.
    isBack: async () => expect(await page.locator('#prefix').inputValue()).toBe(PARAMS['prefix']),
  },
  Revisar: {
    reach: async () => {
      await button('Continuar').click();
      await page.getByText('25 previstos = 25 listos + 0 con errores').waitFor();
      await page.getByRole('gridcell', { name: 'Núñez' }).first().click();
      await page.keyboard.type('Nuñez');
      await page.keyboard.press('Enter');
      await page.locator('.cell.edited').waitFor();
    },
    isBack: async () => {
      await page.locator('.cell.edited', { hasText: 'Nuñez' }).waitFor();
      await page.getByText('25 previstos = 25 listos + 0 con errores').waitFor();
    },
  },
  'Confirmar, before the yes': {
    reach: async () => {
      await button('Continuar').click();
      await button('Preparar').click();
      await page.locator('.asked').waitFor();
    },
    // Nothing has left: it is prepared again.
    isBack: async () => {
      expect(sent()).toEqual([]);
      await button('Preparar').click();
      await page.getByText('¿Enviar 25 documentos?').waitFor();
    },
  },
  Resultado: {
    reach: async () => {
      await button('Sí').click();
      await page.getByText('Todo quedó aceptado.').waitFor();
      await button('Continuar').click();
      await codes();
    },
    isBack: codes,
  },
  'Mes, after the sending': {
    reach: async () => {
      await page.getByRole('link', { name: 'cargue' }).click();
      await page.getByRole('link', { name: /^\d{4}-\d\d-\d\d-1$/ }).waitFor();
    },
    isBack: () => page.getByRole('link', { name: /^\d{4}-\d\d-\d\d-1$/ }).waitFor(),
  },
  Envío: {
    reach: async () => {
      await page.getByRole('link', { name: /^\d{4}-\d\d-\d\d-1$/ }).click();
      await codes();
    },
    isBack: codes,
  },
};

/** Kills the program, and starts it again; the link that it opens by itself lets the page in. */
async function killAndStart(): Promise<void> {
  await served.kill('SIGKILL');
  await page.getByText(LOST).waitFor();
  expect(await violations(page)).toEqual([]);
  served = await start(served.workspace);
  const other = await page.context().newPage();
  await other.goto(served.link);
  await other.close();
  await page.bringToFront();
  for (const notice of [LOST, 'Este navegador ya no puede usar la página'])
    await page.getByText(notice).waitFor({ state: 'detached' });
}

/** In one browser window, from one screen to the next. */
test.each(Object.entries(SCREENS))(
  'the program is killed and started again on the screen %s',
  async (_, { reach, isBack }) => {
    await reach();
    const place = new URL(page.url()).hash;
    await killAndStart();
    expect(new URL(page.url()).hash).toBe(place);
    await isBack();
    expect(page.faults.filter((fault) => /Cannot read|is not a|undefined/.test(fault))).toEqual([]);
  },
);

test('and each document left once', () => {
  expect(sent()).toHaveLength(25);
});
