import { describe, expect, test } from 'vitest';
import { follow } from '../../src/families/events/follow.js';
import { valueAt } from '../../src/toolkit/core/json.js';
import { chooseReady } from '../../src/toolkit/inspect/choose.js';
import { inValues } from '../../src/toolkit/inspect/param-questions.js';
import { defaultAnswer, NO_ANSWERS } from '../../src/toolkit/inspect/question.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { proposeFor, withInputs } from '../support/opened-files.js';
import { prepareFiles } from '../support/prepare-file.js';
import { csv, type Grid, page, type Value, workbook } from './grid.js';
import { findIn, readyOf } from './known.js';

const EVENTS = await readyOf('events');

/** A list of two invoices, with what stands under each title. */
const listOf = (columns: Readonly<Record<string, readonly Value[]>>, name = 'Hoja1'): Grid => ({
  name,
  labels: Object.keys(columns),
  rows: [0, 1].map((at) => Object.values(columns).map((values) => values[at] ?? null)),
});

const CUFE = ['a'.repeat(96), 'b'.repeat(96)];
const LIST = { CUFE, Factura: ['FE1', 'FE2'], Evento: ['030', '032'] };
const DATES = ['01/11/2026', '02/11/2026'];

/** The mapping that is chosen without being named, and what is not sure. */
const chosen = (file: string) =>
  withInputs([file], async (inputs) => {
    const { name, unsure } = await chooseReady(inputs, EVENTS, {});
    return [name, ...unsure];
  });

describe('a short list of events is known by what it has, with columns that no event has a place for', () => {
  test.each<[string, Readonly<Record<string, readonly Value[]>>]>([
    ['a date', { ...LIST, Fecha: DATES }],
    ['the date of the event', { ...LIST, 'Fecha evento': DATES }],
    ['other titles', { CUFE, 'No. factura': ['FE1', 'FE2'], 'Tipo de evento': ['030', '032'], Fecha: DATES }],
    ['a date and notes', { ...LIST, Fecha: DATES, Observaciones: ['recibió Ana', 'llegó tarde'] }],
    ['invoices without prefix', { ...LIST, Factura: ['1001', '1002'], Fecha: DATES }],
    ['and their totals', { ...LIST, Factura: [1001, 1002], Total: [250_000, 119_000] }],
  ])('%s', async (_, columns) => {
    expect(await chosen(csv(listOf(columns)))).toEqual(['events/list']);
    expect(await chosen(await workbook([page(listOf(columns))]))).toEqual(['events/list']);
  });

  test('each of two sheets is asked about as a list of events', async () => {
    const sheets = [listOf({ ...LIST, Fecha: DATES }), listOf(LIST, 'Hoja2')];
    const { open } = await findIn([await workbook(sheets.map((grid) => page(grid)))], 'events');
    expect(open.map(({ id, answers }) => [id, answers.map(({ value }) => value).slice(0, 2)])).toEqual([
      ['events.sheet', ['Hoja1', 'Hoja2']],
    ]);
  });
});

test('the list of received documents of the portal of DIAN, with events written beside it', async () => {
  const taxes =
    'IVA,ICA,IC,INC,Timbre,INC Bolsas,IN Carbono,IN Combustibles,IC Datos,ICL,INPP,IBUA,ICUI'.split(',');
  const portal: Grid = listOf({
    'Tipo de documento': ['Factura electrónica', 'Factura electrónica'],
    'CUFE/CUDE': CUFE,
    Folio: [100, 101],
    Prefijo: ['FE', 'FE'],
    Divisa: ['COP', 'COP'],
    'Forma de Pago': ['2', '1'],
    'Medio de Pago': ['47', '10'],
    'Fecha Emisión': ['05-10-2026', '06-10-2026'],
    'Fecha Recepción': ['05-10-2026', '06-10-2026'],
    'NIT Emisor': ['900123456', '900123457'],
    'Nombre Emisor': ['UNO SAS', 'DOS SAS'],
    'NIT Receptor': ['901000111', '901000111'],
    'Nombre Receptor': ['MIA SAS', 'MIA SAS'],
    ...Object.fromEntries(
      [...taxes, 'Rete IVA', 'Rete Renta', 'Rete ICA'].map((title) => [title, [19_000, 0]]),
    ),
    Total: [119_000, 20_000],
    Estado: ['Aprobado', 'Aprobado'],
    Grupo: ['Recibido', 'Recibido'],
    Evento: ['Acuse de recibo', 'Recibo del bien'],
  });
  const { fit, open } = await findIn([await workbook([page(portal)])], 'events');
  expect(fit?.mapping.name).toBe('events/list');
  // What may be the event, or the person who received, is asked.
  expect(open.map(({ id }) => id)).toEqual(['events.M', 'events.AE']);
});

describe('a short list with a column of which the titles say nothing is asked about it', () => {
  test.each<[string, Readonly<Record<string, readonly Value[]>>, readonly string[]]>([
    ['what is to be done', { CUFE, Factura: LIST.Factura, 'Acción a realizar': ['Aceptar', 'Rechazar'] }, []],
    [
      'what was decided, and why not',
      {
        CUFE,
        Proveedor: ['Uno', 'Dos'],
        Decisión: ['Aprobada', 'Devuelta'],
        'Motivo de devolución': ['', 'Otro valor'],
      },
      ['class.Aprobada', 'class.Devuelta', 'class.Otro valor'],
    ],
    [
      'a link for the CUFE',
      { Factura: LIST.Factura, QR: ['https://a/b?c', 'https://a/d?e'], Evento: LIST.Evento },
      ['events.B'],
    ],
    [
      'a CUFE in two cells',
      {
        Factura: LIST.Factura,
        'CUFE 1': ['a'.repeat(48), 'b'.repeat(48)],
        'CUFE 2': ['c'.repeat(48), 'd'.repeat(48)],
        Evento: LIST.Evento,
      },
      ['events.B', 'events.C'],
    ],
  ])('%s', async (_, columns, asked) => {
    const { fit, open } = await findIn([csv(listOf(columns))], 'events');
    expect([fit?.mapping.name, ...open.map(({ id }) => id)]).toEqual(['events/list', ...asked]);
  });
});

describe('received invoices without an event', () => {
  const RECEIVED = {
    'Tipo de documento': ['Factura electrónica', 'Nota de crédito electrónica'],
    'CUFE/CUDE': CUFE,
    Folio: [100, 101],
    Prefijo: ['FE', 'FE'],
    'Forma de Pago': ['2', '2'],
    'NIT Emisor': ['900123456', '900123457'],
    'Nombre Emisor': ['UNO SAS', 'DOS SAS'],
    'NIT Receptor': ['901000111', '901000111'],
    'Nombre Receptor': ['CLINICA SUR', 'CLINICA SUR'],
    Total: ['119.000,00', '20.000,00'],
    Estado: ['Aprobado', 'Aprobado'],
  };
  const chosenFor = (file: string) =>
    withInputs([file], async (inputs) => {
      const { name, butForParams, unsure } = await chooseReady(inputs, EVENTS, {});
      return [name ?? butForParams, ...unsure];
    });

  test('are known as such: the event is said for all', async () => {
    expect(await chosenFor(await workbook([page(listOf(RECEIVED))]))).toEqual(['events/invoices']);
  });

  test('take the one that is said by its code', async () => {
    const said = inValues({ evento: '032' }, await loadMapping('mappings/events/invoices.yaml'));
    expect(said).toEqual({ value: { evento: '032' }, issues: [] });
    const { drafts } = await prepareFiles({
      files: [csv(listOf({ CUFE, Proveedor: ['UNO SAS', 'DOS SAS'] }))],
      mapping: 'mappings/events/invoices.yaml',
      params: said.value,
    });
    expect(drafts.map(({ body }) => valueAt(body, '/event_id'))).toEqual([3, 3]);
  });

  test('are a list of events where a column says it, be it the same on all', async () => {
    const { 'Nombre Receptor': _, Estado: __, ...rest } = RECEIVED;
    const file = csv(listOf({ ...rest, Evento: ['Acuse de recibo', 'Acuse de recibo'] }));
    expect(await chosenFor(file)).toEqual(['events/list']);
    const { drafts, issues } = await prepareFiles({
      files: [file],
      mapping: 'mappings/events/list.yaml',
      params: {},
    });
    expect(drafts.length).toBe(1);
    expect(
      issues
        .filter(({ level }) => level === 'error')
        .map(({ code, place }) => [code, place.column, place.row]),
    ).toEqual([['check/failed', 'A', 3]]);
  });
});

test.each(['Acuse y recibo', 'Aceptación expresa no', 'Reclamo resuelto'])(
  'what an event with a word that may undo it is has no default: %s',
  async (event) => {
    const { open } = await findIn([csv(listOf({ ...LIST, Evento: ['030', event] }))], 'events');
    const [question] = open.filter(({ id }) => id === `class.${event}`);
    expect(question?.answers.length).toBeGreaterThan(1);
    expect(defaultAnswer(question!)).toBeUndefined();
  },
);

describe('who received by one cell', () => {
  const person = (title: string, ...names: readonly [string, string]) =>
    csv(
      listOf({
        ...LIST,
        Cédula: ['9700000007', '9700000014'],
        [title]: names,
        Área: ['A', 'B'],
        Cargo: ['C', 'D'],
      }),
    );

  test.each<[title: string, asked: readonly string[]]>([
    ['Recibió', ['name_order']],
    ['Recibido por', ['name_order']],
    ['Nombre completo', ['name_order']],
    ['Nombres y apellidos', []],
  ])('%s', async (title, asked) => {
    const { labels, open } = await findIn([person(title, 'Luis Ángel Díaz Peña', 'Ana Ruiz')], 'events');
    expect(labels.find(({ label }) => label === title)?.means).toBe('receiver_name');
    expect(open.map(({ id }) => id)).toEqual(asked);
  });

  test('whole names under the title of the first ones are asked about', async () => {
    const { open } = await findIn(
      [person('Nombre recibe', 'Luis Ángel Díaz Peña', 'Ana Ruiz Gómez Mora')],
      'events',
    );
    expect(open.map(({ id, answers }) => [id, answers[0]?.value])).toEqual([['events.E', 'receiver_name']]);
  });
});

describe('a column for each event', () => {
  const found = (columns: Readonly<Record<string, readonly Value[]>>, given?: ReadonlyMap<string, string>) =>
    findIn([csv(listOf({ Factura: LIST.Factura, CUFE, ...columns }))], 'events', given);

  test.each<[string, readonly string[], readonly Value[]]>([
    ['a mark', ['Acuse', 'Recibo del bien', 'Aceptación'], ['SI', 'X']],
    ['a mark or a date', ['ACUSE 030', 'RECIBO 032', 'ACEPTACIÓN 033'], ['X', '01/11/2026']],
    ['the code alone', ['030', '032', '033'], ['x', '']],
  ])('is read by %s', async (_, titles, cells) => {
    const { open, fit, labels } = await found(Object.fromEntries(titles.map((title) => [title, cells])));
    expect([fit?.name, ...open.map(({ id }) => id)]).toEqual(['events/columns']);
    expect(labels.slice(2).map(({ means }) => means)).toEqual(['acknowledged', 'received', 'accepted']);
  });

  test('is asked about where it has dates alone', async () => {
    const { open } = await found({ 'ACUSE 030': DATES, 'RECIBO 032': DATES });
    expect(open.map(({ id, answers }) => [id, answers[0]?.value])).toEqual([
      ['events.C', 'acknowledged'],
      ['events.D', 'received'],
    ]);
  });

  test('a word that is no mark is asked about as one', async () => {
    const { open } = await found({ Acuse: ['X', 'X'], 'Recibo del bien': ['X', 'esta semana'] });
    expect(open.map(({ id, answers }) => [id, ...answers.map(({ value }) => value)])).toEqual([
      ['class.esta semana', 'yes', 'no', 'ignore'],
    ]);
  });

  test('under a title of its date: it is said that a row for each is needed', async () => {
    const columns = { 'Fecha acuse': DATES, 'Fecha recibo': DATES, 'Fecha de aceptación': DATES };
    const { open } = await found(columns);
    expect(open.map(({ id }) => id)).toEqual(['layout']);
    expect(open[0]!.reason).toMatch(/cuse, .*ceptación vienen en columnas, .* una fila por factura y evento/);
  });
});

test('invoices of one number by two sellers are told apart where the files are read, as a check does', async () => {
  const file = csv(listOf({ ...LIST, Factura: ['FE1', 'FE1'], Evento: ['030', '030'], Fecha: DATES }));
  const { trial } = await proposeFor([file], {
    ready: EVENTS,
    answers: NO_ANSWERS,
    language: 'es',
    name: 'prueba',
    followOf: (_, params) => follow({ params, today: '2026-11-05' }),
  });
  expect(trial!.documents).toMatchObject({ planned: 2 });
  expect([...trial!.issues.keys()]).not.toContain('row/key-repeated');
});
