import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { SettingsView, TaskUpdate, TaskView, UploadView } from '../../src/page/api.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { freshFolder } from '../cli/run-cli.js';
import { openBrowser, openPage, type Served, serve, violations, violationsInBoth } from './browser.js';
import { ended, serveHere, type Visit, visit } from './visit.js';

const TOKEN = 'token-que-nadie-ve-7f3a';
const PIN = '90817';
const PASSWORD = 'clave-del-ministerio-55';

let served: Served;
let sandbox: Sandbox;
let browser: Browser;
let visitor: Visit;

beforeAll(async () => {
  [served, sandbox, browser] = await Promise.all([
    serve(),
    startSandbox({ companies: [{ nit: '900123456', token: TOKEN }] }),
    openBrowser(),
  ]);
  visitor = await visit(served.link);
});

afterAll(async () => {
  await browser?.close();
  await served?.kill();
  await sandbox?.close();
});

const outcomeIn = (stream: string): string | null => {
  const [last = ''] = stream.trim().split('\n').slice(-1);
  return (JSON.parse(last.replace(/^data: /, '')) as TaskUpdate).task.outcome;
};

const profile = async (): Promise<SettingsView['profiles'][number] | undefined> =>
  (await visitor<SettingsView>('GET', '/settings')).profiles[0];

const folderOf = (): string => join(served.workspace, 'profiles');

test('a company is added, changed and set up, and its secrets are never seen again', async () => {
  const said: string[] = [];
  const task = async (name: string, body: object): Promise<void> => {
    const stream = await ended(visitor, await visitor<TaskView>('POST', `/tasks/${name}`, body));
    said.push(stream);
    expect(outcomeIn(stream), stream).toBe('fine');
  };
  const options = { url: sandbox.url, environment: 'test', company: '900123456', testSet: 'abc' };
  await task('profileAdd', { args: ['andina'], options, secrets: { askProfileToken: TOKEN } });
  await task('profileChange', {
    args: ['andina'],
    options: { companyName: 'Andina SAS', testSet: '' },
    secrets: { askNewToken: '' },
  });
  await task('setupSoftware', {
    options: {
      profile: 'andina',
      softwareId: '4c1a7c0e-0000-4000-8000-000000000001',
      payrollAddress: 'test',
      invoiceAddress: 'same',
    },
    secrets: { askPin: PIN, askPinAgain: PIN },
  });
  await task('setup', { options: { profile: 'andina' } });
  const access = {
    type_document_identification_id: 1,
    number_identification: '1020304050',
    url: 'https://mecanismo.example.com',
  };
  await visitor('PUT', '/settings/profiles/andina/access', { ...access, password: PASSWORD });
  // What is not given anew stays.
  await visitor('PUT', '/settings/profiles/andina/access', { url: 'https://otro.example.com' });

  expect(await profile()).toEqual({
    name: 'andina',
    url: `${sandbox.url}/`,
    environment: 'test',
    company: '900123456',
    companyName: 'Andina SAS',
    testSet: '',
    hasToken: true,
    inbox: '',
    sendsReceipts: false,
    access: { ...access, url: 'https://otro.example.com' },
  });
  expect(readFileSync(join(folderOf(), 'andina.sispro.yaml'), 'utf8')).toContain(`password: ${PASSWORD}`);
  expect(readFileSync(join(folderOf(), 'andina.yaml'), 'utf8')).toMatch(
    new RegExp(`token: ${TOKEN}\n(.*\n)*sispro: andina\\.sispro\\.yaml`),
  );

  // Its journal, reports and PDFs hold no secret either.
  const { id } = await visitor<UploadView>('POST', '/uploads', { profile: 'andina' });
  const sample = readFileSync('samples/payroll/nomina-octubre-2026.xlsx');
  await visitor('PUT', `/uploads/${id}/files?name=nomina.xlsx`, sample);
  await visitor(
    'PUT',
    `/uploads/${id}/params`,
    JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')),
  );
  const inspect = await visitor<TaskView>('POST', `/uploads/${id}/tasks/inspect`, {});
  said.push(await ended(visitor, inspect));
  const sending = await visitor<TaskView>('POST', `/uploads/${id}/tasks/send`, {});
  said.push(await ended(visitor, sending));
  const { run } = await visitor<TaskView>('GET', `/task/${sending.id}`);
  const only = { options: { only: ['NOM1'] } };
  const preview = await visitor<TaskView>('POST', `/uploads/${id}/runs/${run}/tasks/preview`, only);
  said.push(await ended(visitor, preview));
  expect(said.at(-1)).toContain('"state":"written"');

  const before = readdirSync('.');
  expect((await visitor.text(`/runs/${run}/report?profile=andina`)).startsWith('PK')).toBe(true);
  expect(readdirSync('.')).toEqual(before);

  for (const path of ['/home', '/settings', '/runs?profile=andina']) said.push(await visitor.text(path));
  const files = readdirSync(served.workspace, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const ending of ['.pdf', '.xlsx', '.db'])
    expect(
      files.some(({ name }) => name.endsWith(ending)),
      ending,
    ).toBe(true);
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077, file).toBe(0);
    if (parentPath !== folderOf()) said.push(readFileSync(file, 'latin1'));
  }
  expect(said.join('\n')).toContain('andina');
  for (const secret of [TOKEN, PIN, PASSWORD]) expect(said.join('\n')).not.toContain(secret);
});

test('a form sends its secrets once, and an access that will not do is refused without them', async () => {
  const page = await openPage(browser, await invited());
  const sent: string[] = [];
  page.on('request', (request) =>
    sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`),
  );
  await page.getByRole('link', { name: 'Configuración' }).click();
  await page.getByRole('button', { name: 'Agregar una empresa' }).click();
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByLabel('Nombre corto, sin espacios').fill('clinica');
  await page.getByLabel('Nombre de la empresa').fill('Clínica del Norte');
  await page.getByLabel('NIT, sin puntos').fill('900.1');
  await page.getByLabel('Dirección del servicio').fill(sandbox.url);
  const token = page.getByLabel('Token');
  expect(await token.getAttribute('type')).toBe('password');
  await token.fill(TOKEN);
  await page.getByRole('button', { name: 'Guardar' }).click();
  await page.getByText('900.1').waitFor();
  expect(await token.inputValue()).toBe('');
  await page.getByLabel('NIT, sin puntos').fill('900123457');
  await token.fill(TOKEN);
  await page.getByRole('button', { name: 'Guardar' }).click();
  await page.getByRole('heading', { name: 'Empresa Clínica del Norte' }).waitFor();
  await page.getByLabel('Tipo de documento').selectOption({ index: 1 });
  await page.getByLabel('Número de documento').fill('1020304050');
  await page.getByLabel('Dirección del mecanismo').fill('https://mecanismo.example.com');
  await page.getByLabel('Contraseña').fill(PASSWORD);
  await page.getByRole('button', { name: 'Guardar' }).last().click();
  await page.getByText('Guardado.').waitFor();

  for (const secret of [TOKEN, PASSWORD]) {
    expect(await page.content()).not.toContain(secret);
    const carrying = sent.filter((request) => request.includes(secret));
    expect(carrying.length).toBe(secret === TOKEN ? 2 : 1);
    for (const request of carrying) expect(request.split(' ')[1]).not.toContain(secret);
  }
  expect(await violationsInBoth(page)).toEqual([]);
  await page.getByRole('link', { name: 'Configuración' }).last().click();
  await page.getByRole('cell', { name: 'Cambiar Clínica del Norte' }).waitFor();
  expect(await violationsInBoth(page)).toEqual([]);
  expect(page.faults).toEqual([]);
});

test('a table of the ministry is dropped, and is in force', async () => {
  const page = await openPage(browser, await invited());
  await page.goto(`${new URL(served.link).origin}/#/settings`);
  const codes =
    'Codigo;Nombre;Habilitado\n890201;CONSULTA DE PRIMERA VEZ;SI\n890301;CONSULTA DE CONTROL;SI\n';
  const drop = (name: string) =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(codes) });
  await page.getByRole('columnheader', { name: 'SISPRO' }).waitFor();
  await drop('descarga.csv');
  await page.getByText('descarga.csv no dice qué tabla es').waitFor();
  await drop('TablaReferencia_CUPSRips__1.csv');
  await page.getByText('Procedimientos (CUPS): 2 códigos.').waitFor();
  const row = page.getByRole('row', { name: 'CUPSRips' });
  await row.getByText('TablaReferencia_CUPSRips__1.csv').waitFor();
  expect(await row.getByRole('cell').nth(2).textContent()).toBe('2');
  expect(page.faults).toEqual([]);
});

test('figures of the law are dropped, looked at where they are doubtful, and removed', async () => {
  const page = await openPage(browser, await invited());
  await page.goto(`${new URL(served.link).origin}/#/settings`);
  const law = page.getByRole('region', { name: 'Cifras de la ley', exact: true });
  const drop = (name: string, wage: string) =>
    law.locator('input[type=file]').setInputFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(`year,minimum_wage,transport_allowance\n2027,${wage},270000\n`),
    });
  const row = law.getByRole('row', { name: 'salario mínimo y auxilio de transporte' });
  await row.getByText('hasta el 31/12/2026').waitFor();
  await drop('decreto.csv', '1900000');
  await row.getByText('decreto.csv').waitFor();
  await row.getByText('hasta el 31/12/2027').waitFor();
  const question = law.getByRole('group');
  await drop('otra.csv', '1000000');
  await question.waitFor();
  await law.getByText('menos que el año anterior').waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole('button', { name: 'No' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await row.getByText('otra.csv').count()).toBe(0);
  await drop('otra.csv', '1000000');
  await question.getByRole('button', { name: 'Sí' }).click();
  await row.getByText('otra.csv').waitFor();
  await law.getByRole('button', { name: 'Quitar otra.csv' }).click();
  await question.getByRole('button', { name: 'Sí' }).click();
  await row.getByText('otra.csv').waitFor({ state: 'detached' });
  await row.getByText('decreto.csv').waitFor();
  await drop('malo.json', '1');
  await law.getByRole('alert').waitFor();
  expect(await law.textContent()).not.toContain('cargue ');
  expect(await violations(page)).toEqual([]);
  expect(page.faults).toEqual([]);
});

test('a rejection opens what its rule says', async () => {
  const box = await startSandbox();
  onTestFinished(() => box.close());
  const worker = '9000100074';
  box.controls.addOutcome({ match: { worker }, verdict: 'reject', rules: ['NIE024'] });
  const { link, close } = await serveHere({ workspace: freshFolder(), url: box.url, token: box.token });
  onTestFinished(close);
  const ask = await visit(link);
  const { id } = await ask<UploadView>('POST', '/uploads', {});
  const sample = readFileSync('samples/payroll/nomina-octubre-2026.xlsx');
  await ask('PUT', `/uploads/${id}/files?name=nomina.xlsx`, sample);
  await ask('PUT', `/uploads/${id}/params`, JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')));
  const sending = await ask<TaskView>('POST', `/uploads/${id}/tasks/send`, {});
  await ended(ask, sending);
  const { run } = await ask<TaskView>('GET', `/task/${sending.id}`);
  const { path } = await ask<{ path: string }>('POST', '/invitations');
  const page = await openPage(browser, new URL(path, link).href);
  await page.goto(`${new URL(link).origin}/#/run/${run}`);
  const row = page.getByRole('row', { name: worker });
  await row.getByText('Qué dice la regla NIE024').click();
  await row.getByText('nómina electrónica').waitFor();
  expect(await row.textContent()).not.toContain('cargue ');
  expect(await violations(page)).toEqual([]);
  expect(page.faults).toEqual([]);
});

const invited = async (): Promise<string> => {
  const { path } = await visitor<{ path: string }>('POST', '/invitations');
  return new URL(path, served.link).href;
};
