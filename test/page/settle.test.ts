import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunView, TaskView, UploadView } from '../../src/page/api.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { columnOf, PARAMS, sampleCsv } from '../cli/sample.js';
import { openBrowser, openPage, type Served, serve, violations } from './browser.js';
import { ended, type Visit, visit, visitWith } from './visit.js';

const COMPANY = { nit: '900123456', token: 'token-de-andina' };
const WORKERS = 2;
/** A code of no document. */
const NO_CODE = 'ab'.repeat(48);

let served: Served;
let sandbox: Sandbox;
let browser: Browser;
let visitor: Visit;

beforeAll(async () => {
  [served, sandbox, browser] = await Promise.all([
    serve(),
    startSandbox({ companies: [COMPANY] }),
    openBrowser(),
  ]);
  visitor = await visit(served.link);
  const options = { url: sandbox.url, environment: 'test', company: COMPANY.nit, testSet: 'abc' };
  const secrets = { askProfileToken: COMPANY.token };
  await ended(
    visitor,
    await visitor<TaskView>('POST', '/tasks/profileAdd', { args: ['andina'], options, secrets }),
  );
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
  await sandbox?.close();
});

let month = 0;

/** An upload of a small month of people whom no other one has, read and with its data. */
async function upload(visitor: Visit): Promise<string> {
  month += 1;
  const { id } = await visitor<UploadView>('POST', '/uploads', { profile: 'andina' });
  const file = await sampleCsv((grid) => {
    grid.splice(WORKERS + 1);
    const number = columnOf(grid, 'Número documento');
    for (const [at, row] of grid.slice(1).entries()) row[number] = String(1_000_000 + 10 * month + at);
  });
  await visitor('PUT', `/uploads/${id}/files?name=nomina.csv`, readFileSync(file));
  await visitor('PUT', `/uploads/${id}/params`, JSON.parse(readFileSync(PARAMS, 'utf8')));
  await ended(visitor, await visitor<TaskView>('POST', `/uploads/${id}/tasks/inspect`, {}));
  return id;
}

/** Sends a month whose answers are all lost; returns its run. */
async function lostRun(): Promise<string> {
  const faults = (['sendPayrollTestSet', 'getDocumentStatus'] as const).map((operation) =>
    sandbox.controls.addFault({ kind: 'reset-after', match: { operation }, times: 1000 }),
  );
  const id = await upload(visitor);
  const sending = await visitor<TaskView>('POST', `/uploads/${id}/tasks/send`, {});
  await ended(visitor, sending);
  for (const { id: fault } of faults) sandbox.controls.remove('faults', fault);
  const { run } = await visitor<TaskView>('GET', `/task/${sending.id}`);
  return run!;
}

async function invited(): Promise<string> {
  const { path } = await visitor<{ path: string }>('POST', '/invitations');
  return new URL(path, served.link).href;
}

const documentsOf = async (run: string): Promise<Readonly<Record<string, number>>> =>
  (await visitor<readonly RunView[]>('GET', '/runs?profile=andina')).find((one) => one.run === run)!
    .documents;

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    `(document.activeElement?.getAttribute('aria-label') || document.activeElement?.textContent || '').trim()`,
  );

/** Goes on by the tab key to what has a name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no way to ${name}`);
}

/** The other document could be proven by the PIN: it is not given. */
const withoutPin = (dialog: Locator): Promise<void> =>
  dialog.getByRole('button', { name: 'Responder' }).press('Enter');

test('what is unconfirmed is settled by keyboard, as accepted with its own code alone', async () => {
  const run = await lostRun();
  expect(await documentsOf(run)).toMatchObject({ unknown: WORKERS });
  const page = await openPage(browser, await invited());
  await page.goto(`${new URL(served.link).origin}/#/run/${run}/andina`);
  const settle = page.getByRole('button', { name: /^Resolver el documento/ });
  await settle.first().waitFor();
  expect(await settle.count()).toBe(WORKERS);
  await page.getByRole('button', { name: 'Empresa: andina' }).waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/cargue [a-z]/);
  const dialog = page.getByRole('dialog');

  // Nothing is chosen, and it can be left as it was found.
  await tabTo(page, /^Resolver el documento/);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0);
  expect(await dialog.getByRole('button', { name: 'Resolver', exact: true }).isDisabled()).toBe(true);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused(page)).toMatch(/^Resolver el documento/);
  expect(await documentsOf(run)).toMatchObject({ unknown: WORKERS });

  // Found in the portal: only with its code.
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  const code = dialog.getByLabel('Código', { exact: true });
  await code.waitFor();
  expect(await dialog.getByRole('button', { name: 'Resolver', exact: true }).isDisabled()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.type(NO_CODE);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').waitFor();
  expect(await documentsOf(run)).toMatchObject({ unknown: WORKERS });
  const { cune } = sandbox.controls.documents()[0]!;
  await code.fill(cune);
  await code.press('Enter');
  await withoutPin(dialog);
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => documentsOf(run)).toMatchObject({ unknown: WORKERS - 1, accepted: 1 });
  await expect.poll(() => settle.count()).toBe(WORKERS - 1);
  expect(page.faults).toEqual([]);
}, 60_000);

test('what is not there is given up, and may be sent again', async () => {
  const run = await lostRun();
  const page = await openPage(browser, await invited());
  await page.goto(`${new URL(served.link).origin}/#/run/${run}/andina`);
  const settle = page.getByRole('button', { name: /^Resolver el documento/ });
  await settle.first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('No está: puede enviarse otra vez').check();
  await dialog.getByRole('button', { name: 'Resolver', exact: true }).click();
  await withoutPin(dialog);
  await dialog.waitFor({ state: 'detached' });
  // It is no longer unconfirmed, and nobody called it accepted.
  await expect.poll(() => documentsOf(run)).toMatchObject({ unknown: WORKERS - 1, accepted: 0 });
  await expect.poll(() => settle.count()).toBe(WORKERS - 1);
  expect(page.faults).toEqual([]);
}, 60_000);

test('a plan that waits is named and linked on the other screens of its company', async () => {
  const page = await openPage(browser, await invited());
  const { origin } = new URL(served.link);
  const [cookie] = await page.context().cookies();
  // The uploads of this very browser.
  const own = visitWith(origin, `${cookie!.name}=${cookie!.value}`);
  const [waiting, other] = [await upload(own), await upload(own)];
  const sending = await own<TaskView>('POST', `/uploads/${waiting}/tasks/send`, {});
  const asked = async () => (await own<TaskView>('GET', `/task/${sending.id}`)).pending?.kind;
  await expect.poll(asked, { timeout: 20_000 }).toBe('confirm');
  const waits = page.getByRole('region', { name: 'También espera su respuesta, sin enviar' });
  for (const screen of ['settings/andina', 'settings', `upload/${other}/files`, '']) {
    await page.goto(`${origin}/#/${screen}`);
    await waits.getByRole('link', { name: 'nomina.csv' }).waitFor();
    await page
      .getByRole('button', { name: /^Empresa: / })
      .first()
      .waitFor();
    expect([screen, await violations(page)]).toEqual([screen, []]);
  }
  await waits.getByRole('link', { name: 'nomina.csv' }).click();
  await page.getByRole('button', { name: 'Sí', exact: true }).waitFor();
  expect(await waits.count()).toBe(0);
  expect(page.faults).toEqual([]);
}, 60_000);
