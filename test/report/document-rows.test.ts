import { describe, expect, test } from 'vitest';
import { REPORT as EVENTS, RECEPTION_REPORT as RECEPTION } from '../../src/families/events/report.js';
import type { ReportPart } from '../../src/families/family.js';
import { REPORT as PAYROLL } from '../../src/families/payroll/report.js';
import { REPORT as RIPS } from '../../src/families/rips/report.js';
import { type CellValue, documentRow, type ReportContext, sheetsOf } from '../../src/report/rows.js';
import type { ReportedDocument, ReportedState } from '../../src/report/run-report.js';
import { document, issue, report } from './sample-report.js';

const es: ReportContext = { language: 'es', linkTo: () => undefined };
const en: ReportContext = { ...es, language: 'en' };

test.each<[ReportedState, string, string, string]>([
  ['accepted', 'Aceptado', 'Accepted', 'good'],
  ['rejected', 'Rechazado', 'Rejected', 'bad'],
  ['pending', 'Pendiente', 'Pending', 'waiting'],
  ['unknown', 'Sin confirmar', 'Unconfirmed', 'doubt'],
  ['unsent', 'Sin enviar', 'Not sent', 'idle'],
  ['held-back', 'Con errores', 'Has errors', 'bad'],
])('%s', (state, inSpanish, inEnglish, tone) => {
  expect(documentRow(document({ state }), es)[3]).toEqual({ text: inSpanish, tone });
  expect(documentRow(document({ state }), en)[3]).toEqual({ text: inEnglish, tone });
});

test('an earlier acceptance and every message are said', () => {
  const row = documentRow(document({ earlier: true, issues: [issue(), issue({ value: 'x' })] }), es);
  expect(String(row[4]).split('\n')).toEqual([
    expect.stringContaining('anterior'),
    expect.stringContaining('1.5OO.000'),
    expect.stringContaining('x'),
  ]);
});

/** Heading → cell; the state is in colour. */
function cellsOf(one: ReportedDocument, family: ReportPart | undefined, saying = es) {
  const columns = family?.columns([]);
  const sheets = sheetsOf(report({ ...(columns && { columns }) }), saying);
  const row = documentRow(one, saying, columns);
  const text = (value: CellValue) =>
    typeof value === 'object' ? ('text' in value ? value.text : value.value) : value;
  expect(row).toHaveLength(sheets[1]!.columns.length);
  return sheets[1]!.columns.map(({ heading }, at) => [heading, text(row[at])]);
}

const CODE = 'ab'.repeat(48);
const CUFE = 'f0'.repeat(48);
const EVENT = {
  invoice: 'FV8006',
  cufe: CUFE,
  code: '032',
  name: 'Recibo del bien',
  seller: 'Papelería SAS',
  sellerId: '860012345',
  total: '119000.00',
  registered: '2026-11-20',
  deadline: '2026-11-25',
};
const PAID = { kind: 'new', accrued: '2000000.00', deductions: '160000.00', net: '1840000.00' };
const WHERE = "Nómina 'A'!A2";

describe('columns in order', () => {
  test.each<[string, ReportPart, Partial<ReportedDocument>, ReportContext, (readonly CellValue[])[]]>([
    [
      'payroll',
      PAYROLL,
      { zipKey: 'zip-1', attempts: 2, about: PAID },
      es,
      [
        ['Documento', '9000100000'],
        ['Nombre', 'Fabián Núñez'],
        ['Número', 'NOM1'],
        ['Devengado ($)', '2000000.00'],
        ['Deducido ($)', '160000.00'],
        ['Neto ($)', '1840000.00'],
        ['Estado', 'Aceptado'],
        ['Mensaje', ''],
        ['CUNE', CODE],
        ['En la DIAN', 'Ver'],
        ['ZipKey', 'zip-1'],
        ['Intentos', 2],
        ['Dónde', WHERE],
      ],
    ],
    [
      'care',
      RIPS,
      {
        key: '9800020000 CC',
        number: 'RS-2026-10-0001',
        about: { services: '3', careValue: '98000.00' },
      },
      es,
      [
        ['Paquete', '9800020000 CC'],
        ['Nombre', 'Fabián Núñez'],
        ['Nota', 'RS-2026-10-0001'],
        ['Servicios', 3],
        ['Valor ($)', '98000.00'],
        ['Estado', 'Aceptado'],
        ['Mensaje', ''],
        ['CUV', CODE],
        ['Intentos', 1],
        ['Dónde', WHERE],
      ],
    ],
    [
      'events',
      EVENTS,
      { key: 'FV8006 032', number: '99932', about: EVENT },
      en,
      [
        ['Invoice', 'FV8006'],
        ['Seller', 'Papelería SAS'],
        ['NIT', '860012345'],
        ['Total (COP)', '119000.00'],
        ['Event', '032'],
        ['Name of the event', 'Recibo del bien'],
        ['Registered', '2026-11-20'],
        ['Deadline', '2026-11-25'],
        ['State', 'Accepted'],
        ['Message', ''],
        ['CUDE', CODE],
        ['CUFE', CUFE],
        ['Consecutive', '99932'],
        ['Attempts', 1],
        ['Where', WHERE],
      ],
    ],
  ])('%s', (_, family, more, saying, cells) => {
    expect(cellsOf(document(more), family, saying)).toEqual(cells);
  });

  test('an event that was held back is known by its key alone', () => {
    const held = document({ key: 'FV8009 Reclamo', state: 'held-back' });
    expect(cellsOf(held, EVENTS).slice(0, 6)).toEqual([
      ['Factura', 'FV8009 Reclamo'],
      ['Vendedor', undefined],
      ['NIT', undefined],
      ['Total ($)', undefined],
      ['Evento', undefined],
      ['Nombre del evento', undefined],
    ]);
  });

  const NOTE = { ...PAID, of: 'NOM3', netBefore: '1000000.00' };
  test.each<[kind: string, es: string, en: string]>([
    ['new', 'Nómina', 'Payroll'],
    ['replace', 'Reemplaza NOM3', 'Replaces NOM3'],
    ['delete', 'Elimina NOM3', 'Deletes NOM3'],
  ])('a run of notes says that a document is: %s', (kind, inSpanish, inEnglish) => {
    const columns = PAYROLL.columns(['payroll/adjust-note-replace']);
    const cells = (saying: ReportContext) =>
      documentRow(document({ about: { ...NOTE, kind } }), saying, columns);
    expect(cells(es).slice(3, 5)).toEqual([inSpanish, '1000000.00']);
    expect(cells(en)[3]).toBe(inEnglish);
  });

  test('the code of a payroll leads to where DIAN shows it; the name is that of the document', () => {
    const row = documentRow(
      document({ about: { ...PAID, name: 'Fabián Andrés Núñez' } }),
      es,
      PAYROLL.columns([]),
    );
    const link = expect.stringMatching(`documentkey=${CODE}$`) as string;
    expect(row).toContainEqual({ text: CODE, link });
    expect(row).toContainEqual({ text: 'Ver', link });
    expect(row[1]).toBe('Fabián Andrés Núñez');
  });

  test('a document that no cell gave says so', () => {
    const { place: _, ...nowhere } = document();
    expect(documentRow(nowhere, es).at(-1)).toBe('Ninguna celda del archivo');
  });

  test.each<[string, ReportPart | undefined, es: string, en: string]>([
    ['payroll', PAYROLL, 'CUNE', 'CUNE'],
    ['care', RIPS, 'CUV', 'CUV'],
    ['events', EVENTS, 'CUDE', 'CUDE'],
    ['reception', RECEPTION, 'CUFE', 'CUFE'],
    ['any', undefined, 'Código único', 'Unique code'],
  ])('the code of %s', (_, family, inSpanish, inEnglish) => {
    const headingOf = (saying: ReportContext) =>
      cellsOf(document(), family, saying).find(([, value]) => value === CODE)?.[0];
    expect([headingOf(es), headingOf(en)]).toEqual([inSpanish, inEnglish]);
  });
});
