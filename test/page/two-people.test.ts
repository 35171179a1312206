import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { openBrowser, violations, violationsInBoth } from './browser.js';
import { servePeople } from './people.js';

const FILE = 'samples/payroll/nomina-octubre-2026.xlsx';
const PARAMS = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as object;
const ROLES = { prepara: ['ana@firma.co'], aprueba: ['dora@firma.co'], mira: ['mira@firma.co'] };

let browser: Browser;
let sandbox: Sandbox;
let served: Awaited<ReturnType<typeof servePeople>>;

beforeAll(async () => {
  const company = { nit: '900888001', token: 'clave', environment: 'test' as const };
  [browser, sandbox] = await Promise.all([openBrowser(), startSandbox({ companies: [company] })]);
  served = await servePeople({
    accounts: Object.fromEntries(
      ['ana', 'dora', 'mira'].map((name) => [
        name,
        { name, email: `${name}@firma.co`, email_verified: true },
      ]),
    ),
    profiles: { firma: { url: sandbox.url, nit: company.nit, token: company.token } },
    companies: { firma: { two_people: true, ...ROLES } },
  });
});

afterAll(async () => {
  await browser?.close();
  await served?.close();
  await sandbox?.close();
});

/** A browser of a person, logged in by the provider's form. */
async function enter(login: string): Promise<Page & { readonly faults: string[] }> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(served.origin);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Entrar' }).click();
  await page.locator('[name=login]').fill(login);
  await page.locator('[name=password]').fill('x');
  await page.locator('[type=submit]').click();
  await page.getByText(login, { exact: true }).waitFor();
  return Object.assign(page, { faults });
}

const put = (page: Page, path: string, body: object) =>
  page.evaluate(
    ([path, body]) =>
      fetch(path!, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: body! }).then(
        ({ status }) => status,
      ),
    [path, JSON.stringify(body)] as const,
  );

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('one prepares, another returns and then approves, a third may not', { timeout: 180_000 }, async () => {
  const ana = await enter('ana');
  await ana.locator('.month-head input[type=file]').setInputFiles(FILE);
  await ana.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  const id = /upload\/([^/]+)/.exec(ana.url())![1];
  expect(await put(ana, `/api/uploads/${id}/params`, PARAMS)).toBe(200);
  await ana.goto(`${served.origin}/#/upload/${id}/confirm`);
  await ana.getByText('Esta empresa pide dos personas').waitFor();
  await ana.getByLabel('Nota para quien aprueba (opcional)').fill('Octubre, sin novedades');
  expect(await violations(ana)).toEqual([]);
  await press(ana, 'Pedir aprobación');
  await ana.getByText('ana@firma.co pide la aprobación. Octubre, sin novedades').waitFor();
  expect(await violationsInBoth(ana)).toEqual([]);

  // Who prepared sees that another person decides.
  await ana.goto(`${served.origin}/#/`);
  await ana
    .getByRole('link', { name: /: Nómina/ })
    .first()
    .click();
  await ana.getByText('Usted lo preparó: lo aprueba otra persona.').waitFor();
  expect(await ana.getByRole('button', { name: 'Aprobar', exact: true }).count()).toBe(0);
  const run = ana.url();

  const dora = await enter('dora');
  await dora.goto(run);
  await dora.getByText('ana@firma.co pide la aprobación.').waitFor();
  expect(await violationsInBoth(dora)).toEqual([]);
  await dora.getByLabel('Nota para quien lo preparó').fill('Pague el 29');
  expect(await violations(dora)).toEqual([]);
  await press(dora, 'Devolver con nota');
  await dora.getByText('Devuelto por dora@firma.co: Pague el 29').waitFor();

  await ana.goto(`${served.origin}/#/upload/${id}/confirm`);
  await ana.getByText('Devuelto por dora@firma.co: Pague el 29').waitFor();
  expect(await put(ana, `/api/uploads/${id}/params`, { ...PARAMS, payment_date: '2026-10-29' })).toBe(200);
  await ana.reload();
  await press(ana, 'Pedir aprobación');
  await ana.getByText('ana@firma.co pide la aprobación.').waitFor();

  await dora.goto(`${served.origin}/#/`);
  await dora
    .getByRole('link', { name: /: Nómina/ })
    .first()
    .click();
  await press(dora, 'Aprobar');
  await dora.getByText('¿Aprobar este envío?').waitFor();
  expect(await violations(dora)).toEqual([]);
  await press(dora, 'Sí');
  await dora.getByText('Aprobado por dora@firma.co.').waitFor();
  await press(dora, 'Enviar');
  await press(dora, 'Sí');
  await dora
    .getByText(/Todo aceptado|aceptad/i)
    .first()
    .waitFor();

  const mira = await enter('mira');
  expect(await mira.locator('.month-head input[type=file]').count()).toBe(0);
  expect(await violationsInBoth(mira)).toEqual([]);
  await mira.goto(`${served.origin}/#/upload/${id}/confirm`);
  await mira.getByRole('button', { name: 'Atrás' }).waitFor();
  expect(await mira.getByRole('button', { name: 'Preparar otra vez' }).count()).toBe(0);
  await mira.goto(`${served.origin}/#/upload/${id}/confirm/delete`);
  await mira.reload();
  await mira.locator('#way fieldset:disabled').waitFor();
  // The results are there, and nothing that would be refused.
  for (const place of [`#/upload/${id}/result`, new URL(run).hash]) {
    await mira.goto(`${served.origin}/${place}`);
    await mira
      .getByRole('button', { name: /^Copiar/ })
      .first()
      .waitFor();
    for (const name of [
      /^Correo/,
      /^Enviar por correo/,
      /^Corregir/,
      /^Eliminar/,
      /^Resolver/,
      /^Continuar el envío/,
    ])
      expect(await mira.getByRole('button', { name }).count()).toBe(0);
    expect(await violations(mira)).toEqual([]);
  }
  // Of the grid and the steps before it only what shows something is there.
  await mira.goto(`${served.origin}/#/upload/${id}/review`);
  const cell = mira.getByRole('gridcell').nth(8);
  await cell.dblclick();
  await mira.keyboard.type('9');
  await mira.keyboard.press('Delete');
  expect(await mira.locator('.grid input').count()).toBe(0);
  for (const name of [/^Deshacer/, /^Rehacer/, /^Dejar por fuera/])
    expect(await mira.getByRole('button', { name }).count()).toBe(0);
  await press(mira, 'Buscar');
  await mira.getByRole('searchbox', { name: 'Buscar' }).waitFor();
  expect(await mira.getByRole('button', { name: /^Reemplazar/ }).count()).toBe(0);
  expect(await violations(mira)).toEqual([]);
  for (const [step, title] of [
    ['data', 'Datos del mes'],
    ['columns', '¿Qué es cada columna?'],
    ['files', '¿Qué archivos son?'],
  ]) {
    await mira.goto(`${served.origin}/#/upload/${id}/${step}`);
    await mira.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await mira.locator('main .picker-button, main .drop').count()).toBe(0);
    expect(await mira.locator('main fieldset :is(input, select, button):enabled').count()).toBe(0);
    expect(await violations(mira)).toEqual([]);
  }
  expect(await put(mira, `/api/uploads/${id}/params`, PARAMS)).toBe(403);

  // A role that is taken away says so, and leads on.
  served.writeRoles({ firma: { ...ROLES, mira: [] } });
  await mira.reload();
  await mira.getByText('Su cuenta no tiene permiso para esto').first().waitFor();
  await mira.getByRole('link', { name: 'Ir al inicio' }).first().click();
  await mira.getByText('no tiene permiso en ninguna empresa').waitFor();
  expect(await violations(mira)).toEqual([]);
  await press(mira, 'Salir');
  await mira.locator('[name=logout]').click();
  await mira.getByRole('link', { name: 'Entrar' }).waitFor();
  expect([...ana.faults, ...dora.faults, ...mira.faults]).toEqual([]);
});
