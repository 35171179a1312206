import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { isObject, type JsonObject } from '../../src/toolkit/core/json.js';
import { withoutNull } from '../golden/agrees.js';
import { PIN } from '../send/support.js';
import { openBrowser, openPage, type Served, serve } from './browser.js';
import { ended, visitWith } from './visit.js';

type Records = readonly Readonly<Record<string, unknown>>[];

/** A clerk's day: what is dropped, how its questions are answered, and what must have been accepted in the end. */
interface Day {
  readonly folder: string;
  readonly files: readonly string[];
  /** NIT of the company. */
  readonly nit: string;
  /** Part of a question → words of the answer that is chosen. */
  readonly answers: Readonly<Record<string, string>>;
  /** Field that *Revisar* asks for, by its label → what is typed. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** File with the truth. */
  readonly truth: string;
  /** Documents planned, and how many of them have errors. */
  readonly planned: number;
  /** Where the program is killed and started again. */
  readonly killed?: 'columns' | 'sending';
}

const DELIVERIES = 'test/golden/deliveries';
const GOLDEN = 'test/golden';
const COMPANY = '900555321';

const OF_TYPES = { 'Subtipo de trabajador': 'No aplica', 'Tipo de trabajador': 'Dependiente' };

const DAYS: Readonly<Record<string, Day>> = {
  'a payroll sheet grown by hand': {
    folder: 'samples/payroll/desordenada',
    files: ['NOMINA OCT-2026 DEFINITIVA.xlsx'],
    nit: '900555123',
    answers: { 'COSTO TOTAL EMP.': 'no se usa', 'VILLA ESPERANZA DEL RIO': 'no decidir', ...OF_TYPES },
    truth: `${GOLDEN}/payroll/desordenada.json`,
    planned: 40,
  },
  'an export of six capitals': {
    folder: 'samples/payroll/abreviada',
    files: ['NOMEXP10.xlsx'],
    nit: COMPANY,
    answers: { '5999': 'no decidir' },
    truth: `${GOLDEN}/payroll/abreviada.json`,
    planned: 22,
    killed: 'sending',
  },
  "an accountant's book": {
    folder: `${DELIVERIES}/libro-del-contador`,
    files: ['NOMINA NOVIEMBRE.xlsx'],
    nit: COMPANY,
    answers: {
      BÁSICO: 'sueldo mensual',
      SUELDO: 'salario devengado',
      'REC. NOC. #': 'RN horas',
      'COOP. CRECER': 'cooperativa',
      'viene en varias hojas': 'NOVIEMBRE',
      'qué va primero': 'los apellidos',
      'escritas las cifras': 'se lee 249095',
      'Trf.': 'transferencia débito bancaria',
      'Efec.': 'efectivo',
      ...OF_TYPES,
      'Tipo de documento': 'cédula de ciudadanía',
    },
    truth: `${DELIVERIES}/libro-del-contador/documents.json`,
    planned: 18,
    killed: 'columns',
  },
  'the consultations of a clinic': {
    folder: 'samples/rips/consultas',
    files: ['Consultas octubre.csv'],
    nit: COMPANY,
    answers: {
      Modalidad: 'Intramural',
      'Grupo de servicios': 'se pregunta cada mes',
      'Código del servicio': 'se pregunta cada mes',
      '«X»': 'no decidir',
    },
    truth: `${GOLDEN}/rips/consultas.json`,
    planned: 120,
  },
  'what a dispensary handed out': {
    folder: `${DELIVERIES}/entregas-de-farmacia`,
    files: ['Dispensación octubre 2026.xlsx'],
    nit: COMPANY,
    answers: {
      'Fecha y hora entrega': 'fecha y hora de dispensación',
      Punto: 'no se usa',
      Prescriptor: 'no se usa',
      Vence: 'no se usa',
      'Código de habilitación': '110010990101',
      'Tipo de los servicios': 'Medicamentos',
      'Tipo de todos los medicamentos': 'con registro sanitario',
    },
    truth: `${DELIVERIES}/entregas-de-farmacia/documents.json`,
    planned: 18,
  },
  'flat files of the years before': {
    folder: 'samples/rips/3374',
    files: ['RIPS000123.zip', 'complemento.csv'],
    nit: COMPANY,
    answers: {},
    meanings: {
      'Código nuevo de 10 en finalidad': '15',
      'Código nuevo de 15 en causa_externa': '38',
      'Código nuevo de 1 en tipo_usuario': '01',
      'Código nuevo de 1 en ambito': '01',
    },
    truth: `${GOLDEN}/rips/3374.json`,
    planned: 30,
  },
  'a list of events': {
    folder: 'samples/events',
    files: ['eventos-facturas-recibidas.csv'],
    nit: COMPANY,
    answers: {},
    truth: `${GOLDEN}/events/list.json`,
    planned: 28,
  },
  "the list of DIAN's page": {
    folder: `${DELIVERIES}/facturas-recibidas`,
    files: ['Documentos recibidos 2026-11.xlsx'],
    nit: COMPANY,
    answers: { 'Evento que se registra': 'acuse de recibo' },
    truth: `${DELIVERIES}/facturas-recibidas/documents.json`,
    planned: 15,
  },
};

/** Most questions of a delivery. */
const MAX_QUESTIONS = 12;
/** Delay of each answer of the service while the program is killed, in ms. */
const SLOW = { median: 300, sigma: 1, longest: 3000 };

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser?.close());

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const next = (page: Page) => button(page, 'Continuar').click();

/** Does what sends an answer, and waits until the columns are read anew. */
async function answered(page: Page, act: () => Promise<void>): Promise<void> {
  const sent = page.waitForResponse((response) => response.url().endsWith('/answers'));
  await act();
  await sent;
  await page.locator('.columns[aria-busy=false]').waitFor();
}

/** Answers what is undecided, one after the other; returns how much was asked. */
async function answerAll(page: Page, answers: Day['answers']): Promise<number> {
  const rest = new Map(Object.entries(answers));
  await page.locator('.columns[aria-busy=false]').waitFor();
  for (let asked = 0; ; asked++) {
    const row = page
      .getByRole('row')
      .filter({ has: page.locator('.field-button.undecided') })
      .first();
    const all = page.locator('.group-row button.undecided').first();
    if (await row.isVisible()) {
      const text = await row.innerText();
      const known = [...rest].find(([part]) => text.includes(part));
      if (known === undefined) throw new Error(`${text} is not known`);
      rest.delete(known[0]);
      await row.locator('.field-button').click();
      await page.keyboard.type(known[1]);
      await answered(page, () => page.keyboard.press('Enter'));
    } else if (await all.isVisible()) await answered(page, () => all.click());
    else return asked;
  }
}

/** Types the records of a table into the form, row by row. */
async function typeRecords(page: Page, title: string, records: Records): Promise<void> {
  const table = page.getByRole('region', { name: title, exact: true });
  for (const [at, record] of records.entries())
    for (const [column, value] of Object.values(record).entries())
      await table
        .getByRole('row')
        .nth(at + 1)
        .getByRole('textbox')
        .nth(column)
        .fill(String(value));
}

/** Puts what the clerk knows of the month into the form, as far as it asks for it. */
async function fill(page: Page, values: Readonly<Record<string, unknown>>): Promise<void> {
  await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
  const more = page.getByText('Otros datos que se pueden cambiar');
  if (await more.isVisible()) await more.click();
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`[id="${name}"]`);
    if ((await field.count()) === 0) continue;
    if (await field.evaluate((element) => element.tagName === 'SELECT'))
      await field.selectOption(String(value));
    else await field.fill(String(value));
  }
  if (values['users'] !== undefined)
    await typeRecords(page, 'Profesionales que atienden', values['users'] as Records);
  const services = (values['services_by_cups'] ?? {}) as Readonly<Record<string, object>>;
  await typeRecords(
    page,
    'Servicios por CUPS',
    Object.entries(services).map(([code, service]) => ({ code, ...service })),
  );
}

/** What the sandbox accepted, in the form of the truth. */
function acceptedBy(box: Sandbox): readonly unknown[] {
  const packages = box.controls.packages();
  if (packages.length > 0)
    return packages.map(({ noteNumber, rips }) => {
      const [{ servicios, ...usuario }] = rips['usuarios'] as [JsonObject];
      return { note_number: noteNumber, national: { usuario, servicios } };
    });
  return box.controls
    .requests()
    .requests.filter(({ effect }) => effect !== 'already-sent' && effect !== 'refused')
    .map(({ body }) => body)
    .filter((body) => isObject(body) && ('accrued' in body || 'event_id' in body));
}

/** What the sandbox has of a document of the truth. */
const asAccepted = ({ national, ...document }: Readonly<Record<string, unknown>>): unknown =>
  national === undefined
    ? document
    : { note_number: (document['document'] as JsonObject)['note_number'], national };

/** Sorts documents by what identifies them: they arrive in any order. */
function inOrder(documents: readonly unknown[]): readonly unknown[] {
  const keyOf = (document: unknown): string =>
    /"note_number":"[^"]+"|"consecutive":\d+|"cufe":"\w+"/.exec(JSON.stringify(document))?.[0] ?? '';
  const ordered = documents.map(withoutNull);
  return ordered.sort((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

/** The program and the page of the person who started it. */
interface Desk {
  readonly served: Served;
  readonly page: Awaited<ReturnType<typeof openPage>>;
}

async function open(workspace?: string): Promise<Desk> {
  const served = await serve(workspace === undefined ? {} : { workspace });
  onTestFinished(() => served.kill());
  const page = await openPage(browser, served.link);
  onTestFinished(() => page.context().close());
  return { served, page };
}

/** Kills the program, starts it again, and opens the file of the day from the first screen. */
async function startAgain({ served, page }: Desk, file: string): Promise<Desk> {
  await served.kill('SIGKILL');
  await page.context().close();
  const desk = await open(served.workspace);
  await desk.page.getByRole('link', { name: `Abrir ${file}` }).click();
  return desk;
}

/** Saves the company and its access to SISPRO. */
async function addCompany({ served, page }: Desk, box: Sandbox, nit: string): Promise<void> {
  const [cookie] = await page.context().cookies();
  const ask = visitWith(new URL(served.link).origin, `${cookie!.name}=${cookie!.value}`);
  const options = { url: box.url, environment: 'test', company: nit };
  const secrets = { askProfileToken: box.token };
  await ended(ask, await ask('POST', '/tasks/profileAdd', { args: ['empresa'], options, secrets }));
  await ask('PUT', '/settings/profiles/empresa/access', {
    type_document_identification_id: 1,
    number_identification: '1020304050',
    url: 'https://mecanismo.example.com',
    password: 'clave-del-ministerio',
  });
  await page.reload();
}

/** What a run of the folder is told, by the names of the form. */
function paramsOf(folder: string): Readonly<Record<string, unknown>> {
  const file = join(folder, 'params.json');
  const { issuer_party: party = {}, ...given } = (existsSync(file) ? json(file) : {}) as Readonly<
    Record<string, object>
  >;
  const ofParty = Object.entries(party).map(([name, value]) => [`issuer_party_${name}`, value]);
  return { ...given, ...Object.fromEntries(ofParty) };
}

const END = /Hay errores por corregir\.|Todo quedó aceptado\./;

/** Says yes to the plan, also by typing the number of documents where that cannot be undone. */
async function sayYes(page: Page, documents: number, begun: Locator): Promise<void> {
  await button(page, 'Sí').click();
  const typed = page.getByLabel(`Escriba ${documents} para poder decir que sí`);
  await begun.or(typed).first().waitFor();
  if (await typed.isVisible()) {
    await typed.fill(String(documents));
    await button(page, 'Sí').click();
    await begun.waitFor();
  }
}

/** Downloads what the ministry answered to the first package. */
async function downloadResult(page: Page, packages: number): Promise<void> {
  await page.getByText(`Resultados del Ministerio: ${packages}`).click();
  const link = page.getByRole('link', { name: /^ResultadosMSPS_/ }).first();
  const [result] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(result.suggestedFilename()).toMatch(/_CUV\.json$/);
  expect(json(await result.path())).toHaveProperty('CodigoUnicoValidacion');
}

test.each(Object.entries(DAYS))('%s', async (_, day) => {
  const box = await startSandbox({ companies: [{ nit: day.nit }] });
  onTestFinished(() => box.close());
  const [file] = day.files as [string];
  let desk = await open();
  await addCompany(desk, box, day.nit);
  let { page } = desk;
  await page.locator('input[type=file]').setInputFiles(day.files.map((name) => join(day.folder, name)));
  await page.getByText(file).first().waitFor();
  await page.getByRole('heading', { name: 'Primeras filas' }).waitFor();
  await next(page);
  expect(await answerAll(page, day.answers)).toBeLessThanOrEqual(MAX_QUESTIONS);
  await page.getByText('Todo quedó reconocido').waitFor();
  if (day.killed === 'columns') {
    desk = await startAgain(desk, file);
    page = desk.page;
    await page.getByRole('link', { name: 'Columnas' }).click();
    await page.getByText('Todo quedó reconocido').waitFor();
  }
  await next(page);
  await fill(page, paramsOf(day.folder));
  await next(page);
  for (const [label, text] of Object.entries(day.meanings ?? {})) {
    const field = page.getByLabel(label, { exact: true });
    await field.fill(text);
    await field.press('Enter');
    await field.waitFor({ state: 'detached' });
  }
  const truth = json(day.truth) as Records | { readonly documents: Records };
  const documents = Array.isArray(truth) ? (truth as Records) : (truth as { documents: Records }).documents;
  const wrong = day.planned - documents.length;
  await page
    .getByText(`${day.planned} previstos = ${documents.length} listos + ${wrong} con errores`)
    .waitFor();
  await next(page);
  await button(page, 'Preparar').click();
  if (day.killed === 'sending') {
    box.controls.setLatency(SLOW);
    await sayYes(page, documents.length, page.getByRole('heading', { name: 'Enviando' }));
    await expect.poll(() => acceptedBy(box).length).toBeGreaterThan(0);
    desk = await startAgain(desk, file);
    page = desk.page;
    box.controls.setLatency('none');
    await page.getByText('Quedó algo sin terminar.').waitFor();
    await button(page, 'Continuar el envío').click();
    await button(page, 'Continuar el envío').click();
    await page.getByLabel(/^Con el PIN del software/).fill(PIN);
    await button(page, 'Responder').click();
  } else {
    await sayYes(page, documents.length, page.getByText(END));
    await next(page);
  }
  await page.locator('.tile.accepted dd', { hasText: String(documents.length) }).waitFor();
  expect(inOrder(acceptedBy(box))).toEqual(inOrder(documents.map(asAccepted)));
  if (box.controls.packages().length > 0) await downloadResult(page, documents.length);
  expect(page.faults).toEqual([]);
});

/** Most that a clerk does in a month after the first. */
const MAX_CLICKS = 6;
const MAX_TYPED_FIELDS = 3;

test('after the first month the clerk clicks six times at most, types three fields and is asked nothing', async () => {
  const { folder, files, nit, answers } = DAYS['a payroll sheet grown by hand']!;
  const box = await startSandbox({ companies: [{ nit }] });
  onTestFinished(() => box.close());
  const desk = await open();
  await addCompany(desk, box, nit);
  const { page } = desk;
  const path = join(folder, files[0]!);
  const prepare = async (name: string, work: () => Promise<void>): Promise<void> => {
    const file = { name, mimeType: 'application/octet-stream', buffer: readFileSync(path) };
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByRole('heading', { name: 'Primeras filas' }).waitFor();
    await next(page);
    await work();
    await next(page);
    await page.getByText(/^40 previstos/).waitFor();
    await next(page);
    await button(page, 'Preparar').click();
    await button(page, 'Sí').click();
    await page.getByText(END).waitFor();
  };
  await prepare('NOMINA OCT-2026.xlsx', async () => {
    expect(await answerAll(page, answers)).toBeGreaterThan(0);
    await next(page);
    await fill(page, paramsOf(folder));
  });
  const sent = acceptedBy(box).length;
  expect(sent).toBeGreaterThan(0);

  await page.getByRole('link', { name: 'cargue' }).click();
  await page.locator('input[type=file]').first().waitFor({ state: 'attached' });
  await page.evaluate(`
    clicks = [];
    typed = new Set();
    addEventListener('click', ({ isTrusted, target }) => isTrusted && clicks.push(target.textContent), true);
    addEventListener('input', ({ target }) => target.type !== 'file' && typed.add(target.id), true);
  `);
  await prepare('NOMINA NOV-2026.xlsx', async () => {
    await page.getByText('Todo quedó reconocido').waitFor();
    expect(await page.locator('.undecided').count()).toBe(0);
    await next(page);
    await page.getByRole('heading', { name: 'Datos del mes' }).waitFor();
    // Both are sent on one day here, so the month after is not offered yet; the other days follow it.
    await page.getByLabel('Mes de la nómina').fill('11/2026');
  });
  expect(acceptedBy(box)).toHaveLength(2 * sent);
  const clicks = await page.evaluate<readonly string[]>('clicks');
  const typed = await page.evaluate<readonly string[]>('[...typed]');
  expect(clicks.length, clicks.join(', ')).toBeLessThanOrEqual(MAX_CLICKS);
  expect(typed.length, typed.join(', ')).toBeLessThanOrEqual(MAX_TYPED_FIELDS);
  // They are counted.
  expect([clicks.length, typed.length]).not.toContain(0);
  expect(page.faults).toEqual([]);
});
