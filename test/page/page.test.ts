import { readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { fake } from '../cli/fake-context.js';
import { columnOf, sampleCsv } from '../cli/sample.js';
import { check } from '../cli/use-cases.js';
import { CLERKS, type Clerk } from '../golden/clerks.js';
import { chooseCompany, openBrowser, openPage, type Served, serve, violations } from './browser.js';
import { ended, visit as requestsOf } from './visit.js';

/** Of the sample files. */
const BUYER = '900555321';

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

type Opened = Awaited<ReturnType<typeof openPage>>;

/** One more visitor of the same program. */
async function visit(of: Served = served): Promise<Opened> {
  const page = await openPage(browser, await of.invite());
  onTestFinished(() => page.context().close());
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const next = (page: Page) => button(page, 'Continuar').click();

const SAMPLES = 'samples';
const paramsOf = (folder: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(SAMPLES, folder, 'params.json'), 'utf8')) as Record<string, unknown>;

/** From the first screen to what each column is. */
async function drop(page: Page, ...files: readonly string[]): Promise<void> {
  const looked = page.waitForResponse((answer) => answer.url().includes('/tables?of='));
  await page
    .locator('input[type=file]')
    .setInputFiles(files.map((file) => (isAbsolute(file) ? file : join(SAMPLES, file))));
  await page.getByText(basename(files[0]!)).first().waitFor();
  // The preview moves what stands below it: a click in that moment would go astray.
  const { tables } = (await (await looked).json()) as { tables: readonly unknown[] };
  if (tables.length > 0) await page.getByRole('heading', { name: 'Primeras filas' }).waitFor();
  await next(page);
}

/** Puts into the form what it asks for; what it does not ask for is not given. */
async function fill(page: Page, params: Readonly<Record<string, unknown>>): Promise<void> {
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  const more = page.getByText('Otros datos que se pueden cambiar');
  if (await more.isVisible()) await more.click();
  for (const [name, value] of Object.entries(params)) {
    const field = page.locator(`[id="${name}"]`);
    if ((await field.count()) === 0 || (typeof value === 'object' && !Array.isArray(value))) continue;
    if (await field.evaluate((one) => one.tagName === 'SELECT')) await field.selectOption(String(value));
    else await field.fill(String(value));
  }
}

const recognised = (page: Page) => page.getByText('Todo quedó reconocido').waitFor();

async function send(page: Page, ready: string | RegExp): Promise<void> {
  await page.getByText(ready).waitFor();
  await next(page);
  await button(page, 'Preparar').click();
  await button(page, 'Sí').click();
}

const codesOf = async (page: Page, many: number): Promise<readonly string[]> => {
  await page.getByRole('heading', { name: 'Resultado' }).waitFor();
  const codes = page.locator('.code-text');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(many);
  return codes.allTextContents();
};

test('the sample month goes from the first screen to its codes, and no screen breaks a rule of accessibility', async () => {
  const page = await visit();
  const sound = async (screen: string): Promise<void> =>
    expect([screen, ...(await violations(page))]).toEqual([screen]);
  await page.locator('html[lang=es]').waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await sound('home');
  await button(page, 'Probar con datos de ejemplo').click();
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  await sound('files');
  await next(page);
  await recognised(page);
  await sound('columns');
  await next(page);
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  await sound('data');
  await next(page);
  await page.getByRole('gridcell', { name: 'Núñez' }).first().waitFor();
  await sound('review');
  await page.getByText('25 previstos = 25 listos + 0 con errores').waitFor();
  await next(page);
  await button(page, 'Preparar').click();
  const [one] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Ver el PDF de un documento').click(),
  ]);
  expect(one.suggestedFilename()).toBe('NOM1-9000100000.pdf');
  await page.locator('.asked').waitFor();
  await sound('confirm');
  await button(page, 'Sí').click();
  await page.getByText('Todo quedó aceptado.').waitFor();
  await next(page);
  expect(new Set(await codesOf(page, 25)).size).toBe(25);
  await sound('result');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Reporte (Excel)' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/nomina-2026-10-reporte\.xlsx$/);
  const [pdf] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'PDF de Fabián Núñez').click(),
  ]);
  expect(pdf.suggestedFilename()).toBe('NOM1-9000100000.pdf');
  await button(page, 'Enviar por correo a Fabián Núñez').click();
  await page.getByLabel(/^Correo para Fabián Núñez/).fill('fabian@example.com');
  await button(page, 'Correo').last().click();
  await button(page, 'Sí').click();
  await page.getByText(/1 enviad/).waitFor();
  await button(page, 'Resumen para firmar (PDF)').click();
  const statement = page.locator('.statement');
  await statement.waitFor({ state: 'attached' });
  expect(await statement.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await statement.isVisible()).toBe(true);
  const printed = await page.locator('body').innerText();
  expect(printed).toMatch(/Aceptados\s+25/);
  expect(printed).toMatch(/Neto aceptado\s+[\d.]+/);
  for (const who of ['Elaboró', 'Revisó', 'Aprobó']) expect(printed).toContain(who);
  expect(printed).not.toContain('Continuar');
  expect(page.faults).toEqual([]);
});

describe("files of one's own", () => {
  test('a payroll by the usual words, with its values typed; then its corrections', async () => {
    const page = await visit();
    await drop(page, 'payroll/nomina-octubre-2026.xlsx');
    await recognised(page);
    await next(page);
    await fill(page, paramsOf('payroll'));
    await next(page);
    await send(page, '25 previstos = 25 listos + 0 con errores');
    await page.getByText('Todo quedó aceptado.').waitFor();
    await next(page);
    await codesOf(page, 25);
    await page.getByRole('link', { name: 'cargue' }).click();
    const corrected = await sampleCsv((grid) => {
      grid[1]![columnOf(grid, 'Segundo apellido')] = 'Zapata Ruiz';
    });
    await drop(page, corrected);
    await recognised(page);
    await next(page);
    await fill(page, paramsOf('payroll'));
    await next(page);
    await page.getByText(/25 previstos = 25 listos/).waitFor();
    await next(page);
    await page.getByText('Corregir con ellos lo ya aceptado').click();
    await page.getByLabel('Prefijo de las notas de ajuste').fill('NA');
    await button(page, 'Preparar').click();
    await page.getByRole('cell', { name: 'Zapata Ruiz' }).waitFor();
    await button(page, 'Sí').click();
    await page.getByText('Todo quedó aceptado.').waitFor();
    await next(page);
    await codesOf(page, 25);
    expect(await page.getByRole('cell', { name: 'NA1', exact: true }).count()).toBe(1);
    // Somebody who was not paid after all: his row is left out, what was accepted is deleted by a note.
    await button(page, 'Eliminar la nómina de Luz Ibargüen').click();
    await page.getByLabel('Prefijo de las notas de ajuste').fill('NA');
    await button(page, 'Preparar').click();
    await page
      .getByRole('cell', { name: /^Elimina NOM\d+$/ })
      .first()
      .waitFor();
    expect(await page.getByRole('cell', { name: /^(Reemplaza|Nuevo)/ }).count()).toBe(0);
    await button(page, 'Sí').click();
    await page.getByText('Todo quedó aceptado.').waitFor();
    await next(page);
    await page.getByRole('cell', { name: 'NA2', exact: true }).waitFor();
    // And a row is led to.
    await button(page, 'Corregir a Fabián Núñez').click();
    await page.getByRole('gridcell', { name: '9000100000' }).waitFor();
    expect(page.faults).toEqual([]);
  });

  test('two fortnights side by side, by questions', async () => {
    const clerk = CLERKS['two fortnights side by side']!;
    const page = await visit();
    await drop(page, `${clerk.folder}/Liquidación septiembre 2026.xlsx`);
    await page.locator('.undecided').first().waitFor();
    for (let asked = 0; asked <= clerk.questions; asked++) {
      const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: /Sin decidir$/ }) });
      const answered = page.waitForResponse((answer) => answer.url().endsWith('/answers'));
      if ((await row.count()) > 0) await choose(row.first(), said(clerk, await row.first().innerText()));
      else
        await page
          .getByRole('button', { name: /^(Confirmar|No usar) / })
          .first()
          .click();
      await answered;
      await page.locator('.columns[aria-busy=false]').waitFor();
      if ((await page.locator('.undecided').count()) === 0) break;
    }
    await recognised(page);
    await next(page);
    await fill(page, paramsOf(clerk.folder));
    for (const [at, day] of ['2026-09-15', '2026-09-30'].entries())
      await page.getByLabel(`Fechas de pago ${at + 1}`, { exact: true }).fill(day);
    await next(page);
    const made = await madeBy(clerk);
    await page.getByText(new RegExp(`18 previstos = ${made} listos`)).waitFor();
    await next(page);
    await button(page, 'Preparar').click();
    await page.getByText(`¿Enviar solo los ${made} documentos que no tienen errores?`).waitFor();
    await button(page, 'Sí').click();
    await page.getByText('Hay errores por corregir.').waitFor();
    await next(page);
    await codesOf(page, made);
    expect(page.faults).toEqual([]);
  });
});

/** A company that was set up. */
async function company(
  name: string,
  environment: 'test' | 'production',
): Promise<{ own: Served; ask: Awaited<ReturnType<typeof requestsOf>> }> {
  const box = await startSandbox();
  onTestFinished(() => box.close());
  const own = await serve();
  onTestFinished(() => own.kill());
  const ask = await requestsOf(await own.invite());
  const options = { url: box.url, environment, company: '900555321' };
  const secrets = { askProfileToken: box.token };
  await ended(ask, await ask('POST', '/tasks/profileAdd', { args: [name], options, secrets }));
  return { own, ask };
}

test('what is final is confirmed by typing', async () => {
  const { own } = await company('andina', 'production');
  const page = await visit(own);
  await chooseCompany(page, 'andina');
  await drop(page, 'payroll/nomina-octubre-2026.xlsx');
  await recognised(page);
  await next(page);
  await fill(page, paramsOf('payroll'));
  await next(page);
  await page.getByText('25 previstos = 25 listos').waitFor();
  await next(page);
  await button(page, 'Preparar').click();
  await page.getByText(/PRODUCCIÓN/).waitFor();
  expect(await button(page, 'Sí').isDisabled()).toBe(true);
  await page.getByLabel('Escriba 25 para poder decir que sí').fill('25');
  await button(page, 'Sí').click();
  await page.getByText('Todo quedó aceptado.').waitFor();
  expect(page.faults).toEqual([]);
});

describe('other families', () => {
  test('received invoices in a zip of XML become events', async () => {
    const box = await startSandbox({ companies: [{ nit: BUYER }] });
    onTestFinished(() => box.close());
    const own = await serve({ env: { CARGUE_URL: box.url, CARGUE_TOKEN: box.token } });
    onTestFinished(() => own.kill());
    const page = await visit(own);
    await drop(page, 'events/adjuntos.zip');
    await recognised(page);
    await next(page);
    await button(page, 'Ver qué falta por hacer con cada factura y hasta cuándo').click();
    await page.getByText('Terminó. Abajo está lo que pasó.').waitFor();
    await page.getByRole('columnheader', { name: 'Plazo' }).waitFor();
    await page.getByRole('link', { name: 'Qué falta por hacer (Excel)' }).waitFor();
    await page.getByRole('link', { name: 'Datos del mes' }).click();
    await fill(page, { event_id: 1 });
    await next(page);
    // One of the files is cut off; the others go.
    await send(page, '6 previstos = 5 listos + 1 con errores');
    await page.getByText('Hay errores por corregir.').waitFor();
    await next(page);
    await codesOf(page, 5);
    expect(page.faults).toEqual([]);
  });

  test('a file that is none is refused in words', async () => {
    const page = await visit();
    await page.locator('input[type=file]').setInputFiles({
      name: 'roto.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('PK\u0003\u0004 no es un libro'),
    });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/roto\.xlsx/);
  });
});

test('after a correction nothing calls itself accepted before it is prepared and sent again', async () => {
  const page = await visit();
  await button(page, 'Probar con datos de ejemplo').click();
  await next(page);
  await recognised(page);
  await next(page);
  await next(page);
  await send(page, '25 previstos = 25 listos + 0 con errores');
  const accepted = page.getByText('Todo quedó aceptado.');
  await accepted.waitFor();
  await page.getByRole('heading', { name: /^Enviado el / }).waitFor();
  await next(page);
  await button(page, 'Corregir a Fabián Núñez').click();
  const cell = page.getByRole('gridcell', { name: 'Fabián', exact: true }).first();
  await cell.click();
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Fabio');
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: 'Fabio', exact: true }).waitFor();
  await page.getByText('25 previstos = 25 listos + 0 con errores').waitFor();
  await next(page);
  await button(page, 'Preparar').waitFor();
  await page.getByText('todavía no se ha enviado').waitFor();
  expect(await accepted.count()).toBe(0);
  await page.getByRole('link', { name: 'Resultado' }).click();
  await page.getByText('todavía no se ha enviado').waitFor();
  expect(await accepted.count()).toBe(0);
  expect(page.faults).toEqual([]);
});

test('an answer of a screen that was left does not keep the next one waiting', async () => {
  const page = await visit();
  await button(page, 'Probar con datos de ejemplo').click();
  await next(page);
  await recognised(page);
  await next(page);
  await next(page);
  await page.getByText('25 previstos = 25 listos').waitFor();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/[?]at=review$/, async (route) => {
    await released;
    await route.continue();
  });
  const held = page.waitForRequest(/[?]at=review$/);
  await button(page, 'Revisar otra vez').click();
  await held;
  await page.getByRole('link', { name: 'Confirmar' }).click();
  await button(page, 'Preparar').waitFor();
  const late = page.waitForResponse(/[?]at=review$/);
  release();
  await late;
  await page.waitForTimeout(200);
  expect(await button(page, 'Preparar').isVisible()).toBe(true);
});

test('with no company and no service nobody comes to a plan; one that is added can be chosen where one is', async () => {
  const own = await serve();
  onTestFinished(() => own.kill());
  const page = await visit(own);
  await drop(page, 'payroll/nomina-octubre-2026.xlsx');
  await recognised(page);
  await next(page);
  await fill(page, paramsOf('payroll'));
  await next(page);
  await page.getByText('25 previstos = 25 listos').waitFor();
  expect(await button(page, 'Continuar').isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Confirmar' }).click();
  expect(await button(page, 'Preparar').isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Agregar una empresa' }).waitFor();
  const ask = await requestsOf(await own.invite());
  const box = await startSandbox();
  onTestFinished(() => box.close());
  const options = { url: box.url, environment: 'test', company: '900555321' };
  await ended(
    ask,
    await ask('POST', '/tasks/profileAdd', {
      args: ['andina'],
      options,
      secrets: { askProfileToken: box.token },
    }),
  );
  await page.getByRole('link', { name: 'Revisar' }).click();
  await chooseCompany(page, 'andina');
  await send(page, '25 previstos = 25 listos + 0 con errores');
  await page.getByText('Todo quedó aceptado.').waitFor();
  await page.getByText('NIT 900555321 · pruebas').waitFor();
  expect(await page.getByRole('button', { name: /^Empresa: / }).count()).toBe(0);
  expect(page.faults).toEqual([]);
});

describe('a run goes on without the page', () => {
  test('two tabs see the same, and a closed one finds it again; a no is no acceptance, and it is said', async () => {
    const page = await visit();
    await button(page, 'Probar con datos de ejemplo').click();
    await next(page);
    await recognised(page);
    await next(page);
    await next(page);
    await page.getByText('25 previstos').waitFor();
    await next(page);
    await button(page, 'Preparar').click();
    await page.getByText('¿Enviar 25 documentos?').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('¿Enviar 25 documentos?').waitFor();
    await button(page, 'No').click();
    for (const tab of [page, other]) {
      await tab.getByText('Terminó. Abajo está lo que pasó.').waitFor();
      await tab
        .getByText(/No se envió/)
        .first()
        .waitFor();
      expect(await tab.getByText('Todo quedó aceptado.').count()).toBe(0);
    }
    await button(page, 'Preparar otra vez').click();
    await button(page, 'Preparar').click();
    await page.getByText('¿Enviar 25 documentos?').waitFor();
    expect(page.faults).toEqual([]);
    await other.reload();
    await other.getByText('¿Enviar 25 documentos?').waitFor();
    await page.close();
    await button(other, 'Sí').click();
    await other.getByText('Todo quedó aceptado.').waitFor();
  });

  test('the program is killed while it sends: the first screen leads on, and nothing is sent twice', async () => {
    const slow = await startSandbox();
    onTestFinished(() => slow.close());
    const env = { CARGUE_URL: slow.url, CARGUE_TOKEN: slow.token };
    const first = await serve({ env });
    const page = await visit(first);
    await drop(page, 'payroll/nomina-octubre-2026.xlsx');
    await recognised(page);
    await next(page);
    await fill(page, paramsOf('payroll'));
    await next(page);
    await send(page, '25 previstos = 25 listos + 0 con errores');
    // Before the first answer nothing may have left.
    await page
      .getByText(/\b[1-9]\d* de 25\b|Todo quedó aceptado/)
      .first()
      .waitFor();
    await first.kill('SIGKILL');
    await button(page, 'English').click();
    await page.getByText('Lo último que hizo no llegó al programa').waitFor();
    await page.getByText('La página perdió la conexión con el programa.').waitFor();
    const second = await serve({ env, workspace: first.workspace });
    onTestFinished(() => second.kill());
    expect(new URL(second.link).origin).toBe(new URL(first.link).origin);
    // The page that the program opens by itself lets the old one in as well.
    await page.getByText('Este navegador ya no puede usar la página').waitFor();
    // What is refused meanwhile stays no longer than that.
    await button(page, 'English').click();
    const opened = await page.context().newPage();
    await opened.goto(await second.invite());
    await page.bringToFront();
    await page.getByText('Este navegador ya no puede usar la página').waitFor({ state: 'detached' });
    const again = await visit(second);
    await again.getByRole('link', { name: /^\d{4}-\d\d-\d\d-1$/ }).click();
    await again.getByRole('heading', { name: 'Envío' }).waitFor();
    await again.locator('dl.tiles').waitFor();
    const all = again.locator('.tile.accepted dd', { hasText: '25' });
    // What was on its way may be asked about more than once; with the PIN its codes prove whose it is.
    await expect
      .poll(
        async () => {
          const pin = again.getByLabel(/^Con el PIN/);
          if (await pin.isVisible()) {
            await pin.fill('12345');
            await button(again, 'Responder').click();
          }
          const resume = button(again, 'Continuar el envío');
          if (await resume.isVisible()) await resume.click();
          return all.isVisible();
        },
        { timeout: 45_000, interval: 500 },
      )
      .toBe(true);
    expect(new Set(await again.locator('.code-text').allTextContents()).size).toBe(25);
  });
});

test('a change that did not arrive is said until it is made', async () => {
  const page = await visit();
  await button(page, 'Probar con datos de ejemplo').click();
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  await page.getByRole('link', { name: 'Revisar' }).click();
  await page.getByText(/^25 previstos/).waitFor();
  const cell = page.getByRole('gridcell', { name: 'Núñez' }).first();
  const type = async (text: string): Promise<void> => {
    await cell.click();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await page.route('**/edits', (route) => route.abort());
  await type('Nuñez');
  const notice = page.getByText('Lo último que hizo no llegó al programa');
  await notice.waitFor();
  expect(await page.locator('.cell.edited').count()).toBe(0);
  await button(page, 'Revisar otra vez').click();
  await page.getByText(/^25 previstos/).waitFor();
  // Another change is not the one that was lost.
  expect(await notice.count()).toBe(1);
  await page.unroute('**/edits');
  await type('Nuñez');
  await page.locator('.cell.edited').waitFor();
  await notice.waitFor({ state: 'detached' });
});

/** Goes with the tabulator to what has that name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < 200; steps++) {
    await page.keyboard.press('Tab');
    // In one look: what has the focus may be drawn anew at any moment.
    const named = await page.evaluate<string>(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? ''`,
    );
    if (name.test(named)) return;
  }
  throw new Error(`The tabulator does not lead to ${name}`);
}

test('the keyboard alone does everything', async () => {
  const page = await visit();
  const press = async (name: RegExp, key = 'Enter'): Promise<void> => {
    // While all is checked again nothing leads on.
    await page.getByRole('button', { name, disabled: false }).first().waitFor();
    await tabTo(page, name);
    await page.keyboard.press(key);
  };
  await button(page, 'Probar con datos de ejemplo').waitFor();
  await press(/^Probar con datos de ejemplo$/);
  await page.getByRole('cell', { name: 'Tipo documento' }).waitFor();
  await press(/^Continuar$/);
  await recognised(page);
  await press(/^Continuar$/);
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  await press(/^Continuar$/);
  await page.getByText('25 previstos = 25 listos').waitFor();
  // A cell is mended: to its row and column by arrows, and checked at once.
  await page.getByRole('gridcell', { name: 'Fabián', exact: true }).waitFor();
  await tabTo(page, /^Tipo documento$/);
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Nuñez');
  await page.keyboard.press('Enter');
  await page.getByRole('gridcell', { name: 'Nuñez', exact: true }).waitFor();
  await page.getByText('25 previstos = 25 listos').waitFor();
  await press(/^Continuar$/);
  await button(page, 'Preparar').waitFor();
  await press(/^Preparar$/);
  await button(page, 'Sí').waitFor();
  await press(/^Sí$/);
  await page.getByText('Todo quedó aceptado.').waitFor();
  await press(/^Continuar$/);
  await codesOf(page, 25);
  await page.getByRole('cell', { name: 'Fabián Nuñez', exact: true }).waitFor();
  // Where the browser forbids it the code stands selected.
  await press(/^Copiar el código de Fabián Nuñez$/, 'Space');
  const [code] = await page.locator('.code-text').allTextContents();
  await expect.poll(() => page.evaluate(`String(getSelection())`)).toBe(code);
  expect(await page.getByText('Copiado').count()).toBe(0);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Space');
  await page.getByText('Copiado').waitFor();
  expect(page.faults).toEqual([]);
});

test('every screen is in English, and breaks no rule of accessibility', async () => {
  const page = await visit();
  const sound = async (screen: string): Promise<void> =>
    expect([screen, ...(await violations(page))]).toEqual([screen]);
  await button(page, 'English').click();
  await page.locator('html[lang=en]').waitFor();
  const forward = () => page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await sound('home');
  await page.getByRole('button', { name: /^Try/ }).click();
  await page.locator('table.sheet').waitFor();
  await sound('files');
  await forward();
  await page.locator('.notice.good').waitFor();
  await sound('columns');
  await forward();
  await page.getByRole('heading', { name: "Month's data", exact: true }).waitFor();
  await sound('data');
  await forward();
  await page.getByRole('gridcell').first().waitFor();
  await sound('review');
  await forward();
  await page.getByRole('button', { name: 'Prepare', exact: true }).click();
  await page.locator('.asked').waitFor();
  await sound('confirm');
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await forward();
  await page.locator('dl.tiles').waitFor();
  await sound('result');
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
});

/** What somebody who knows the file says of what is asked. */
function said({ columns = {}, words = {}, others = {} }: Clerk, title: string): string {
  const all = { ...columns, ...words };
  const label = Object.keys(all)
    .sort((a, b) => b.length - a.length)
    .find((one) => title.includes(`«${one}»`) || title.includes(` / ${one}»`));
  if (label !== undefined) return all[label]!;
  const other = Object.keys(others).find((id) => title.includes(OTHERS[id] ?? id));
  return other === undefined ? 'no se usa' : others[other]!;
}

/** How many documents the mapping makes that is known to be right. */
async function madeBy({ right, folder }: Clerk): Promise<number> {
  const { context, events } = fake();
  await check(context, [join(SAMPLES, folder)], {
    mapping: right,
    params: join(SAMPLES, folder, 'params.json'),
    json: true,
  });
  const { documents } = events().at(-1) as unknown as { documents: { made: number } };
  return documents.made;
}

const OTHERS: Readonly<Record<string, string>> = {
  'param.type_worker_id': 'Tipo de trabajador',
  'param.sub_type_worker_id': 'Subtipo de trabajador',
  'param.document_type_id': 'Tipo de documento',
};

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Chooses from the list of a row by words. */
async function choose(row: Locator, text: string): Promise<void> {
  await row.getByRole('button', { name: /Sin decidir$/ }).click();
  const all = row.getByRole('option');
  const titles = await all.locator('span').allInnerTexts();
  const words = plain(text).split(' ');
  const fits = (title: string): boolean => {
    const own = plain(title).split(/[^a-z0-9]+/);
    return words.every((word) => word === 'de' || word === 'del' || own.some((one) => one.startsWith(word)));
  };
  await all.nth(Math.max(0, titles.findIndex(fits))).click();
}
