import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEventSequence } from '../../../src/families/events/sequence.js';
import { formatPlace, paramOf } from '../../../src/toolkit/core/issue.js';
import { csv, type Value } from '../../inspect/grid.js';
import { findIn } from '../../inspect/known.js';
import { prepareFiles } from '../../support/prepare-file.js';
import { attached } from './attached.js';

const COMPANY = '900555321';
const PERSON = {
  issuer_party_identification_number: '9700000000',
  issuer_party_first_name: 'Ana',
  issuer_party_last_name: 'Ruiz',
  issuer_party_organization_department: 'Compras',
  issuer_party_job_title: 'Jefe',
};
const cufe = (at: number): string => String(at).padStart(96, 'a');

const listOf = (columns: Readonly<Record<string, readonly Value[]>>): string => {
  const length = Object.values(columns)[0]!.length;
  const all: Readonly<Record<string, readonly Value[]>> = {
    CUFE: Array.from({ length }, (_, at) => cufe(at)),
    ...columns,
  };
  return csv({
    name: 'lista',
    labels: Object.keys(all),
    rows: Array.from({ length }, (_, at) => Object.values(all).map((values) => values[at] ?? null)),
  });
};

async function registered(mapping: string, files: readonly string[], params: Record<string, unknown> = {}) {
  const { drafts, issues } = await prepareFiles({
    files,
    mapping: `mappings/events/${mapping}.yaml`,
    params: { ...PERSON, ...params },
    follow: createEventSequence(),
  });
  return {
    warnings: issues.filter(({ level }) => level === 'warning').map(({ place }) => place.label),
    events: drafts.map(({ body }) => body['event_id']),
    errors: issues
      .filter(({ level }) => level === 'error')
      .map(({ code, place }) => [place.row === undefined ? place.file : formatPlace(place), code]),
  };
}

const KINDS: readonly (readonly [word: string, code: string | undefined])[] = [
  ['Factura electrónica', undefined],
  ['01', undefined],
  ['Factura electrónica de exportación', 'check/failed'],
  ['Factura electrónica de contingencia', 'check/failed'],
  ['Documento soporte con no obligados', 'check/failed'],
  ['Nota de ajuste del documento soporte', 'check/failed'],
  ['Documento equivalente POS', 'check/failed'],
  ['Documento equivalente - Servicios públicos domiciliarios', 'check/failed'],
  ['Nomina Individual', 'check/failed'],
  ['Application response', 'check/failed'],
  ['Cuenta de cobro', 'class/unknown'],
];

test.each(KINDS)('a row of a list that is of «%s»', async (word, code) => {
  const file = listOf({ Evento: ['030'], 'Tipo de documento': [word] });
  const { events, errors } = await registered('list', [file]);
  expect(errors.map(([, found]) => found)).toEqual(code === undefined ? [] : [code]);
  expect(events).toEqual(code === undefined ? [1] : []);
});

describe('a kind of document or a form of payment that nobody knows is asked about, once for each word', () => {
  test.each([
    ['Tipo de documento', ['Cuenta de cobro', 'Cuenta de cobro']],
    ['Tipo de documento', ['Factura electrónica de contingencia', 'Factura electrónica']],
    ['Forma de pago', ['Efectivo', 'Efectivo']],
    ['Forma de pago', ['30 días', '2']],
  ])('%s: %s', async (title, words) => {
    const file = listOf({ Factura: ['FE1', 'FE2'], Evento: ['030', '030'], [title]: words });
    const { open } = await findIn([file], 'events');
    expect(open.map(({ id }) => id)).toEqual([`class.${words[0]}`]);
  });
});

describe('a list of received documents and the files of the invoices hold back the same', () => {
  const xml = async (parts: Parameters<typeof attached>[0]) => {
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'factura.xml');
    writeFileSync(file, attached(parts));
    return (await registered('attached', [file], { event_id: 1, company_idnumber: COMPANY })).errors.map(
      ([, code]) => code,
    );
  };
  const list = async (columns: Readonly<Record<string, readonly Value[]>>) =>
    (
      await registered('invoices', [listOf({ 'Nombre emisor': ['UNO'], Total: ['1'], ...columns })], {
        evento: '030',
        company_idnumber: COMPANY,
      })
    ).errors.map(([, code]) => code);
  const means = (...ids: readonly string[]) => ({
    payment: ids.map((id) => `<cac:PaymentMeans><cbc:ID>${id}</cbc:ID></cac:PaymentMeans>`).join(''),
  });

  test.each<[string, Record<string, Value>, Parameters<typeof attached>[0], readonly string[]]>([
    ['our credit invoice', { 'NIT Receptor': COMPANY, 'Forma de pago': '2' }, { buyerId: COMPANY }, []],
    [
      'with the check digit',
      { 'NIT Receptor': '900.555.321-6', 'Forma de pago': '2-Crédito' },
      { buyerId: '900.555.321-6' },
      [],
    ],
    ['of another company', { 'NIT Receptor': '901099003' }, { buyerId: '901099003' }, ['check/failed']],
    [
      'that we issued',
      { 'NIT Emisor': COMPANY, 'NIT Receptor': COMPANY },
      { buyerId: COMPANY, sellerId: COMPANY },
      ['check/failed'],
    ],
    ['paid in cash', { 'Forma de pago': '1' }, { buyerId: COMPANY, ...means('1') }, ['check/failed']],
    [
      'paid in a way that is not known',
      { 'Forma de pago': '3' },
      { buyerId: COMPANY, ...means('3') },
      ['class/unknown'],
    ],
    [
      'paid in both ways',
      { 'Forma de pago': 'Contado y crédito' },
      { buyerId: COMPANY, ...means('2', '1') },
      ['class/unknown'],
    ],
    [
      'of an export',
      { 'Tipo de documento': 'Factura electrónica de exportación' },
      { buyerId: COMPANY, type: '02' },
      ['check/failed'],
    ],
  ])('%s', async (_, columns, parts, codes) => {
    const filled = Object.fromEntries(Object.entries(columns).map(([title, value]) => [title, [value]]));
    expect(await list(filled)).toEqual(codes);
    expect(await xml(parts)).toEqual(codes);
  });

  test.each([
    [undefined, ['NIT del comprador']],
    [COMPANY, []],
  ])(
    'whether invoices are for a company is said not to be checked without its NIT: %s',
    async (company, told) => {
      const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'factura.xml');
      writeFileSync(file, attached({ buyerId: '901099003' }));
      const params = { event_id: 1, ...(company && { company_idnumber: company }) };
      const { warnings } = await registered('attached', [file], params);
      expect(warnings).toEqual(told);
    },
  );

  test.each(['05', '20', '102'])('a document of type %s is held back as a file', async (type) => {
    expect(await xml({ buyerId: COMPANY, type })).toEqual(['check/failed']);
  });
});

test('a list of our own documents: only those received take events', async () => {
  const file = listOf({ Evento: ['030', '030'], Grupo: ['Recibido', 'Emitido'] });
  const { events, errors } = await registered('list', [file]);
  expect([events, errors.map(([place]) => place?.endsWith('C3'))]).toEqual([[1], [true]]);
});

describe('two events in a cell are two, in their order', () => {
  test.each([
    ['030, 032', [1, 3]],
    ['030/032', [1, 3]],
    ['030 y 032', [1, 3]],
    ['030\n032\n033', [1, 3, 4]],
  ])('%s', async (event, events) => {
    expect((await registered('list', [listOf({ Evento: [event] })])).events).toEqual(events);
  });

  test.each(['030, pago', '030 y no 032'])(
    'a word that nobody knows holds the cell back: %s',
    async (event) => {
      const { events, errors } = await registered('list', [listOf({ Evento: [event] })]);
      expect([events, errors.map(([, code]) => code)]).toEqual([[], ['class/unknown']]);
    },
  );
});

test.each<[string, string, Record<string, readonly Value[]>, Record<string, unknown>, readonly number[]]>([
  ['no column says it', 'list', { Evento: ['030', '030', '032'] }, {}, [2]],
  [
    'a column that is not read does',
    'list',
    { Evento: ['030', '030'], Vence: ['30 días', 'Contado'] },
    {},
    [2],
  ],
  ['one cell is blank', 'list', { Evento: ['030', '030'], 'Forma de pago': ['2', null] }, {}, [1]],
  ['all are known', 'list', { Evento: ['030', '030'], 'Forma de pago': ['2', '2'] }, {}, []],
  ['no 030 is made', 'list', { Evento: ['032', '032'] }, {}, []],
  ['030 may be added', 'list', { Evento: ['032', '032'] }, { expand: true }, [2]],
  ['030 is the event of all', 'invoices', { 'Nombre emisor': ['UNO', 'DOS'] }, { evento: '030' }, [2]],
])(
  'that the form of payment of invoices is not known is said once: %s (%s)',
  async (_, mapping, columns, params, counts) => {
    const { issues } = await prepareFiles({
      files: [listOf(columns)],
      mapping: `mappings/events/${mapping}.yaml`,
      params: { ...PERSON, ...params },
      follow: createEventSequence({ expand: params['expand'] === true }),
    });
    const notices = issues.filter((issue) => String(paramOf(issue, 'message_en')).includes('LGC62'));
    expect(notices.map(({ level, documents = 1 }) => [level, documents])).toEqual(
      counts.map((count) => ['warning', count]),
    );
  },
);

test('an event that a parameter names for all is told at the row of its invoice', async () => {
  const file = listOf({ 'Nombre emisor': ['UNO', 'DOS'], Factura: ['FE1', 'FE2'] });
  const { errors } = await registered('invoices', [file], { evento: '032' });
  expect(errors.map(([place, code]) => [place?.replace(/^.*!/, ''), code])).toEqual([
    ['2', 'events/order'],
    ['3', 'events/order'],
  ]);
});
