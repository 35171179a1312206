import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { bookOf, workbookOf } from '../support/edit-workbook.js';
import { placed, prepareFiles } from '../support/prepare-file.js';
import { zipOf } from '../support/zip-writer.js';
import { makeFolder } from '../tables/input-files.js';

const folder = await makeFolder();
afterAll(() => folder.remove());

describe('a table that belongs to every document', () => {
  const mappingText = `
cargue: 1
name: shared
target: payroll/bonus
tables:
  workers:
    file: personas.csv
    columns:
      document: { titles: [Cédula], read: identifier }
      bonus: { titles: [Bono], read: money }
  cover:
    file: portada.csv
    join: { every: true }
    columns:
      gift: { titles: [Regalo], read: money }
one_per: { record: workers }
key: document
document:
  salary_bonus: { from: bonus }
  non_salary_bonus: { from: cover.gift }
`;
  const run = async (workers: string, cover: string) =>
    prepareFiles({
      files: [await folder.file('personas.csv', workers), await folder.file('portada.csv', cover)],
      mappingText,
      params: {},
    });
  const TWO = 'Cédula;Bono\n52100200;10\n79300400;20\n';

  test('is in each of them, and no record of its own', async () => {
    const { drafts, issues, records } = await run(TWO, 'Regalo\n5\n');
    expect(drafts.map(({ body: document }) => document)).toEqual([
      { salary_bonus: '10.00', non_salary_bonus: '5.00' },
      { salary_bonus: '20.00', non_salary_bonus: '5.00' },
    ]);
    expect(issues).toEqual([]);
    expect(records).toEqual({ read: 2, used: 2, skipped: 0, heldBack: 0 });
  });

  test('a second record of it is said once, and holds all back', async () => {
    const { issues, records } = await run(TWO, 'Regalo\n5\n6\n');
    expect(placed(issues)).toEqual([['portada.csv!A3', 'row/key-repeated']]);
    expect(records).toEqual({ read: 2, used: 0, skipped: 0, heldBack: 2 });
  });

  test('what cannot be read in it is said once', async () => {
    const { issues, documents } = await run(TWO, 'Regalo\ncinco\n');
    expect(placed(issues)).toEqual([['portada.csv!A2', 'cell/not-a-number']]);
    expect(documents).toEqual({ planned: 2, made: 0, heldBack: 2 });
  });

  test('without documents nothing is an orphan', async () => {
    const { issues, records } = await run('Cédula;Bono\n', 'Regalo\n5\n');
    expect(issues).toEqual([]);
    expect(records).toEqual({ read: 0, used: 0, skipped: 0, heldBack: 0 });
  });

  test('a file in which nothing of it stands is none', async () => {
    const { issues } = await run(TWO, 'Otra cosa\n5\n');
    expect(issues.map(({ code, level }) => [code, level])).toContainEqual(['header/not-found', 'error']);
  });
});

test('a sheet that one table names is not taken by another that names none', async () => {
  const mappingText = `
cargue: 1
name: named
target: payroll/bonus
tables:
  people: { sheet: Personas, columns: { invoice: { titles: [Factura], read: text }, bonus: { titles: [Bono], read: money } } }
  side: { join: { on: invoice, missing: error }, columns: { invoice: { titles: [Factura], read: text }, gift: { titles: [Regalo], read: money } } }
  af: { sheet: AF, optional: true, role: control, columns: { invoice: { titles: [Factura], read: text }, name: { titles: [Nombre], read: text } } }
one_per: { record: people }
key: invoice
document:
  salary_bonus: { from: bonus }
  non_salary_bonus: { from: gift }
`;
  const book = await bookOf({
    AF: [
      ['Factura', 'Nombre'],
      ['F1', 'ACME'],
    ],
    Personas: [
      ['Factura', 'Bono'],
      ['F1', 10],
    ],
  });
  const side = await folder.file('complemento.csv', 'Factura;Regalo\nF1;5\n');
  const { drafts, issues } = await prepareFiles({ files: [book, side], mappingText, params: {} });
  expect(placed(issues)).toEqual([]);
  expect(drafts.map(({ body }) => body)).toEqual([{ salary_bonus: '10.00', non_salary_bonus: '5.00' }]);
});

describe('files that a list names', () => {
  const XML = readFileSync('samples/events/adjuntos/ad08600990010002600000001.xml');
  const PARAMS = {
    company_idnumber: '900555321',
    issuer_party_events: [1],
    issuer_party: {
      identification_number: '1',
      first_name: 'A',
      last_name: 'B',
      organization_department: 'C',
      job_title: 'D',
    },
  };
  const run = async (
    list: string,
    parts: readonly [name: string, data: string | Buffer][],
    params: Record<string, unknown> = PARAMS,
  ) => {
    const zip = zipOf(parts.map(([name, data]) => ({ name, data })));
    const files = [await folder.file('lista.csv', list), await folder.file('facturas.zip', zip)];
    return prepareFiles({ files, mapping: 'samples/events/lista-y-zip/mapeo.yaml', params });
  };
  const LIST = 'Archivo;Evento\na.xml;Acuse\n';
  const codes = ({ issues }: Awaited<ReturnType<typeof run>>): string[][] =>
    issues.map(({ place, level, code }) => [place.file ?? '', level, code]);

  test('without the NIT of the company it is said once that buyers are not checked', async () => {
    const { company_idnumber: _, ...params } = PARAMS;
    const parts: [string, Buffer][] = [['v/a.xml', XML]];
    expect(codes(await run(LIST, parts, params))).toEqual([['a.xml', 'warning', 'check/failed']]);
  });

  test.each([
    ['named and there', [['v/a.xml', XML]], [], [], 1],
    [
      'not there',
      [['v/b.xml', XML]],
      [
        ['lista.csv', 'error', 'join/missing'],
        ['b.xml', 'warning', 'join/file-unlisted'],
      ],
      [],
      0,
    ],
    [
      'of one name in two folders',
      [
        ['v/a.xml', XML],
        ['w/a.xml', XML],
      ],
      [['a.xml', 'error', 'row/key-repeated']],
      [],
      0,
    ],
    [
      'not to be read',
      [['v/a.xml', '<a>']],
      [
        ['a.xml', 'error', 'xml/malformed'],
        ['lista.csv', 'error', 'join/missing'],
      ],
      [],
      0,
    ],
    [
      'no XML',
      [
        ['v/a.xml', XML],
        ['v/a.pdf', '%PDF-1.7'],
        ['v/', ''],
        ['__MACOSX/._a.xml', 'x'],
      ],
      [],
      ['facturas.zip/v/a.pdf'],
      1,
    ],
  ] as const)('%s', async (_name, parts, expected, skipped, made) => {
    const found = await run(LIST, parts as unknown as [string, string | Buffer][]);
    expect(codes(found)).toEqual(expected);
    expect(found.skipped).toEqual(skipped);
    expect(found.documents).toEqual({ planned: 1, made, heldBack: 1 - made });
    expect(found.records).toEqual({ read: 1, used: made, skipped: 0, heldBack: 1 - made });
  });
});

describe('the blame of a sum', () => {
  const mappingText = `
cargue: 1
name: halves
extends: payroll/wide
tables:
  workers:
    labels: { Días 1: worked_days, Días 2: worked_days }
`;
  const LABELS = [
    'Tipo documento',
    'Número documento',
    'Primer apellido',
    'Segundo apellido',
    'Primer nombre',
    'Sueldo mensual',
    'Fecha ingreso',
    'Salario devengado',
    'Salud',
    'Pensión',
    'Días 1',
    'Días 2',
  ];
  const PARAMS = {
    prefix: 'N',
    month: '2026-10',
    issue_date: '2026-10-31',
    payment_date: '2026-10-30',
    worked_time: 'days',
    type_worker_id: 1,
    sub_type_worker_id: 1,
    type_contract_id: 2,
    payment_method_id: 10,
    municipality_id: 1,
    address: 'Calle 1',
  };
  test.each([
    [15, 16, 'L2'],
    [16, 15, 'K2'],
    [31, '', 'K2'],
    ['', 31, 'L2'],
  ])('%s and %s days: the larger part', async (first, second, cell) => {
    const record = [
      'CC',
      '52100200',
      'Ruiz',
      'Paz',
      'Ana',
      3_000_000,
      '2020-01-15',
      3_000_000,
      120_000,
      120_000,
      first,
      second,
    ];
    const { issues } = await prepareFiles({
      files: [await workbookOf([LABELS, record])],
      mappingText,
      params: PARAMS,
    });
    expect(placed(issues.filter(({ level }) => level === 'error'))).toEqual([
      [`Nómina!${cell}`, 'payroll/worked-days'],
    ]);
  });
});

test('an optional sheet of the very name, without its header, is not passed over', async () => {
  const mappingText = `
cargue: 1
name: sheets
target: payroll/bonus
tables:
  workers:
    sheet: Nómina
    columns:
      document: { titles: [Cédula], read: identifier }
      bonus: { titles: [Bono], read: money }
  gifts:
    sheet: Regalos
    optional: true
    join: { on: document }
    columns:
      document: { titles: [Cédula], read: identifier }
      gift: { titles: [Valor], read: money }
one_per: { record: workers }
key: document
document:
  salary_bonus: { from: bonus }
  non_salary_bonus: { from: gift }
`;
  const files = [
    await bookOf({
      Nómina: [
        ['Cédula', 'Bono'],
        ['52100200', 10],
      ],
      REGALOS: [
        ['Documento', 'Valor del regalo'],
        ['52100200', 7],
      ],
    }),
  ];
  const { issues } = await prepareFiles({ files, mappingText, params: {} });
  expect(issues.map(({ place, level, code }) => [place.sheet, level, code])).toEqual([
    ['REGALOS', 'error', 'header/not-found'],
  ]);
});
