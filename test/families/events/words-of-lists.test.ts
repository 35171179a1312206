import { describe, expect, test } from 'vitest';
import { createEventSequence } from '../../../src/families/events/sequence.js';
import { loadMapping } from '../../../src/toolkit/mapping/load.js';
import { catalogue } from '../../../src/toolkit/schema/catalogue.js';
import { csv, type Value } from '../../inspect/grid.js';
import { prepareFiles } from '../../support/prepare-file.js';

/** Kinds of document: code, whether they take events, and what lists call them. */
const KINDS: readonly (readonly [code: string, takes: 'SI' | 'NO' | 'PREGUNTAR', ...words: string[]])[] = [
  [
    '01',
    'SI',
    'factura electronica',
    'factura electronica de venta',
    'factura de venta electronica',
    'factura de venta nacional',
    'fev',
    'fe',
    '01',
  ],
  [
    '02',
    'PREGUNTAR',
    'factura electronica de exportacion',
    'factura de exportacion',
    'factura de venta de exportacion',
    '02',
  ],
  [
    '03',
    'PREGUNTAR',
    'factura electronica de contingencia',
    'contingencia facturador',
    'factura de contingencia',
    'instrumento electronico de transmision tipo 03',
    '03',
  ],
  [
    '04',
    'PREGUNTAR',
    'factura electronica de contingencia dian',
    'contingencia dian',
    'factura electronica tipo 04',
    '04',
  ],
  [
    '05',
    'NO',
    'documento soporte con no obligados',
    'documento soporte con no obligados a facturar',
    'documento soporte',
    'documento soporte en adquisiciones a no obligados',
    '05',
  ],
  ['95', 'NO', 'nota de ajuste del documento soporte', 'nota de ajuste al documento soporte', '95'],
  [
    '91',
    'NO',
    'nota de credito electronica',
    'nota credito electronica',
    'nota credito',
    'nota de credito',
    '91',
  ],
  [
    '92',
    'NO',
    'nota de debito electronica',
    'nota debito electronica',
    'nota debito',
    'nota de debito',
    '92',
  ],
  [
    '20',
    'NO',
    'documento equivalente pos',
    'documento equivalente electronico pos',
    'tiquete de maquina registradora con sistema pos',
    'tiquete pos',
    'pos',
    '20',
  ],
  [
    'equivalentes',
    'NO',
    'documento equivalente - servicios publicos domiciliarios',
    'documento equivalente - transporte aereo de pasajeros',
    'documento equivalente - transporte pasajeros terrestre',
    'documento equivalente',
  ],
  [
    '94',
    'NO',
    'nota de ajuste credito del documento equivalente',
    'nota de ajuste al documento equivalente',
    '94',
  ],
  ['96', 'NO', 'application response', 'evento', 'acuse de recibo', '96'],
  ['88', 'NO', '88'],
  ['89', 'PREGUNTAR', 'attacheddocument', 'contenedor', '89'],
  [
    '102',
    'NO',
    'nomina individual',
    'nomina electronica',
    'documento soporte de pago de nomina electronica',
    '102',
  ],
  ['103', 'NO', 'nomina individual de ajuste', 'nota de ajuste de nomina', 'nomina de ajuste', '103'],
];

/** Forms of payment by the words of lists, with the code of DIAN; without one a person is asked. */
const FORMS: readonly (readonly [word: string, code: '1' | '2' | undefined])[] = [
  ['2', '2'],
  ['02', '2'],
  ['credito', '2'],
  ['2-credito', '2'],
  ['2 - credito', '2'],
  ['venta a credito', '2'],
  ['a credito', '2'],
  ['plazo', '2'],
  ['a plazo', '2'],
  ['credit', '2'],
  ['1', '1'],
  ['01', '1'],
  ['contado', '1'],
  ['1-contado', '1'],
  ['1 - contado', '1'],
  ['de contado', '1'],
  ['pago de contado', '1'],
  ['contraentrega', undefined],
  ['efectivo', undefined],
  ['tarjeta', undefined],
  ['transferencia', undefined],
  ['consignacion', undefined],
  ['30 dias', undefined],
  ['60 dias', undefined],
  ['1.0', '1'],
  ['2.0', '2'],
];

const { tables } = await loadMapping('mappings/events/list.yaml');
/** The class of a word in a column of the list of events. */
const classIn = (column: string, word: string): string | undefined =>
  tables.get('events')!.columns.get(column)!.sorts!.classOf(word);

const PERSON = {
  issuer_party_identification_number: '9700000000',
  issuer_party_first_name: 'Ana',
  issuer_party_last_name: 'Ruiz',
  issuer_party_organization_department: 'Compras',
  issuer_party_job_title: 'Jefe',
};

/** What becomes of an event whose record says one more thing: its number, or the codes of what is wrong. */
async function read(title: string, word: Value): Promise<readonly unknown[]> {
  const columns: Readonly<Record<string, Value>> = { CUFE: 'a'.repeat(96), Evento: '030', [title]: word };
  const { drafts, issues } = await prepareFiles({
    files: [csv({ name: 'lista', labels: Object.keys(columns), rows: [Object.values(columns)] })],
    mapping: 'mappings/events/list.yaml',
    params: PERSON,
    follow: createEventSequence(),
  });
  const wrong = issues.filter(({ level }) => level === 'error').map(({ code }) => code);
  return [...drafts.map(({ body }) => body['event_id']), ...wrong];
}

describe.each(KINDS)('a document of kind %s, which takes events: %s', (code, takes, ...words) => {
  test('is a row of the catalogue', () => {
    const row = catalogue('event_documents')!.rows.find((one) => one['code'] === code);
    expect(row?.['takes_events']).toBe(takes);
  });

  test.each(words.map((word) => [word]))('as «%s»', async (word) => {
    expect(classIn('kind_code', word)).toBe(code);
    expect(await read('Tipo de documento', word)).toEqual(takes === 'SI' ? [1] : ['check/failed']);
  });
});

describe('a form of payment', () => {
  test.each(FORMS)('as «%s» has the code %s', async (word, code) => {
    const said = { '1': ['check/failed'], '2': [1] };
    expect(classIn('payment_form', word)).toBe(code);
    expect(await read('Forma de pago', word)).toEqual(code === undefined ? ['class/unknown'] : said[code]);
  });
});
