import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshFolder, runCli } from '../cli/run-cli.js';
import { columnOf, PARAMS, SAMPLE, sampleCsv } from '../cli/sample.js';
import { openBrowser, openPage, type Served, serve, violations, violationsInBoth } from './browser.js';

/** Buyer of the sample invoices. */
const NIT = '900555321';

let browser: Browser;
let served: Served;
let page: Awaited<ReturnType<typeof openPage>>;
const inbox = join(freshFolder(), 'buzón');

beforeAll(async () => {
  mkdirSync(inbox);
  [browser, served] = await Promise.all([openBrowser(), serve()]);
  const env = { CARGUE_WORKSPACE: served.workspace };
  const company = ['--company', NIT, '--company-name', 'Andina'];
  const add = [
    'profile',
    'add',
    'andina',
    '--url',
    'http://127.0.0.1:9',
    '--environment',
    'test',
    ...company,
  ];
  await runCli([...add, '--yes'], { env });
  // The month was checked once: its shape and values are known.
  await runCli(['check', SAMPLE, '--params', PARAMS, '--profile', 'andina'], { env });
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
});

const there = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

test('a folder is chosen, and what is put there stands in the month once it is written', {
  timeout: 120_000,
}, async () => {
  // What comes through a folder belongs to who started the program.
  page = await openPage(browser, served.link);
  const { origin } = new URL(served.link);
  await page.goto(`${origin}/#/settings/andina`);
  const folder = page.getByLabel('Carpeta que se vigila');
  await folder.fill(join(inbox, 'no existe'));
  const save = page.getByRole('button', { name: 'Guardar' }).first();
  await save.click();
  await page.getByText('No hay una carpeta').waitFor();
  await folder.fill(inbox);
  await save.click();
  await page.getByText('andina.yaml').waitFor();
  expect(await violationsInBoth(page)).toEqual([]);

  await page.goto(`${origin}/#/month/2026-11`);
  const content = readFileSync(SAMPLE);
  const path = join(inbox, 'nomina.xlsx');
  writeFileSync(path, content.subarray(0, 4_000));
  writeFileSync(join(inbox, 'contrato.pdf'), '%PDF-1.4 …');
  const problem = page.getByRole('alert').filter({ hasText: 'contrato.pdf' });
  await problem.getByText('El contenido del archivo es PDF.').waitFor();
  await page.waitForTimeout(5_000);
  const row = page.getByRole('row', { name: /nomina\.xlsx/ });
  expect(await row.count()).toBe(0);
  appendFileSync(path, content.subarray(4_000));
  await row.getByText('Listo', { exact: true }).waitFor();
  await row.getByRole('cell', { name: '25', exact: true }).waitFor();
  expect(await violationsInBoth(page)).toEqual([]);

  // Written again with an error: the earlier one, which nobody opened, gives way.
  const workbook = await sampleCsv((grid) => {
    grid[1]![columnOf(grid, 'Sueldo mensual')] = 'mil';
  });
  copyFileSync(workbook, path);
  await row.getByText('1 error').waitFor();
  expect(await row.count()).toBe(1);
  expect(there(join(inbox, 'recibidos'))).toEqual(['nomina (2).xlsx', 'nomina.xlsx']);
  await row.getByRole('link', { name: 'Abrir nomina.xlsx' }).click();
  await page.getByRole('heading', { level: 1, name: 'Datos del mes' }).waitFor();
  expect(page.faults).toEqual([]);
});

test('a folder that the terminal names is watched at once, and companies show what came and what was dropped', {
  timeout: 120_000,
}, async () => {
  const env = { CARGUE_WORKSPACE: served.workspace };
  const other = join(freshFolder(), 'otro');
  mkdirSync(other);
  const company = ['--company', '900123456', '--environment', 'test', '--url', 'http://127.0.0.1:9'];
  expect((await runCli(['profile', 'add', 'otra', ...company, '--yes'], { env })).code).toBe(0);
  expect((await runCli(['profile', 'change', 'andina', '--inbox', other], { env })).code).toBe(0);
  const workbook = await sampleCsv((grid) => {
    grid[2]![columnOf(grid, 'Sueldo mensual')] = 'dos mil';
  });
  copyFileSync(workbook, join(other, 'diciembre.csv'));

  const { origin } = new URL(served.link);
  await page.goto(`${origin}/#/companies/2026-11`);
  const andina = page.getByRole('row', { name: /andina/ });
  await andina.getByText('2 con errores').waitFor();
  await page.getByRole('link', { name: 'Con archivos por seguir 1' }).click();
  await page.getByText('1 de 2 en la lista.').waitFor();
  expect(await violations(page)).toEqual([]);

  // A file that a person dropped says where it stands as well.
  await page.goto(`${origin}/#/month/2026-11`);
  const table = Buffer.from('uno;dos\n1;2\n3;4\n');
  const name = 'suelta.csv';
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: table });
  await page.getByRole('heading', { name: 'Primeras filas' }).waitFor();
  await page.goto(`${origin}/#/month/2026-11`);
  const row = page.getByRole('row', { name: /suelta\.csv/ });
  await row.getByText(/\d+ dudas?$/).waitFor();
  expect(page.faults).toEqual([]);
});
