import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { squashLabel } from '../../src/toolkit/tables/titles.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const AWKWARD = 'test/tables/workbooks/awkward';
const GOLDEN = readFileSync('test/golden/payroll/nomina-octubre-2026.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, unknown>);

const payroll = async (file: string) => {
  const { drafts, issues } = await prepareFiles({ files: [join(AWKWARD, file)] });
  return {
    documents: drafts.map(({ body }, index) => ({ ...body, consecutive: index + 1 })),
    issues: placed(issues),
  };
};

/** Files as they were reported of other programs: the sample payroll, changed in one way. */
describe('a payroll that other programs wrote', () => {
  test('accents in two characters are read as one, and said once', async () => {
    const { documents, issues } = await payroll('acentos-descompuestos.xlsx');
    expect(documents).toEqual(GOLDEN);
    expect(issues).toEqual([['Nomina!C2', 'cell/accents-composed']]);
  });

  test('the text apostrophe is no part of account, name and address', async () => {
    const { documents, issues } = await payroll('apostrofo-inicial.xlsx');
    const { worker, ...rest } = GOLDEN[1] as { worker: object };
    expect(documents).toEqual(GOLDEN.with(1, { ...rest, worker: { ...worker, address: 'Calle 1' } }));
    expect(issues).toEqual([['Nomina!E2', 'cell/text-apostrophe']]);
  });

  test('null words are no address, bank or account', async () => {
    const { documents, issues } = await payroll('palabras-nulas-en-direccion-y-banco.xlsx');
    expect(issues.toSorted()).toEqual([
      ['Nomina!G2', 'document/required'],
      ['Nomina!G3', 'document/required'],
      ['Nomina!G5', 'document/required'],
      ['Nomina!G6', 'document/required'],
      ['Nomina!R2', 'payroll/bank-data'],
      ['Nomina!R6', 'payroll/bank-data'],
      ['Nomina!T2', 'payroll/bank-data'],
      ['Nomina!T3', 'payroll/bank-data'],
      ['Nomina!T6', 'payroll/bank-data'],
    ]);
    expect(documents.length).toBe(21);
  });

  test.each([
    [
      'una-fecha-al-reves.xlsx',
      [
        ['Nomina!P2', 'format/contradiction'],
        ['Nomina!P5', 'format/read-as-most'],
      ],
    ],
    ['un-monto-al-reves.xlsx', [['Nomina!O2', 'format/contradiction']]],
  ])('%s: the one cell written the other way is at fault', async (file, expected) => {
    const { documents, issues } = await payroll(file);
    expect(issues.toSorted()).toEqual(expected);
    expect(documents.length).toBe(24);
  });
});

test.each([
  ['celda-dos-veces.xlsx', 'file/cell-twice', { cell: 'AQ2' }],
  ['todo-en-la-columna-a.csv', 'file/csv-in-one-column', { delimiter: ',' }],
  ['libro-xml-2003.xml', 'file/unknown-format', { format: 'Excel 2003 XML' }],
  ['rtf-llamado-csv.csv', 'file/unknown-format', { format: 'RTF' }],
])('%s is refused with its cause: %s', async (file, code, params) => {
  const read = async (): Promise<void> => {
    const input = await openInput(join(AWKWARD, file));
    for (const table of input.tables) for await (const _ of table.batches());
  };
  await expect(read()).rejects.toMatchObject({ issues: [{ code, params }] });
});

const EVENTS = {
  mapping: 'mappings/events/list.yaml',
  params: { already_registered: [], order: 'file', endpoint: 'send-event-data' },
};

/** Lists of received invoices: the sample, changed in one way. */
test('quotes behind a comma and a blank are no part of names, and said once', async () => {
  const [plain, changed] = await Promise.all(
    ['samples/events/eventos-facturas-recibidas.csv', join(AWKWARD, 'coma-espacio-comilla.csv')].map((file) =>
      prepareFiles({ ...EVENTS, files: [file] }),
    ),
  );
  expect(changed!.drafts.map(({ body }) => body)).toEqual(plain!.drafts.map(({ body }) => body));
  expect(changed!.issues.filter(({ code }) => code === 'cell/stray-quotes').length).toBe(1);
});

test('the text apostrophe before a CUFE is read over', async () => {
  const { drafts, issues } = await prepareFiles({
    ...EVENTS,
    files: [join(AWKWARD, 'apostrofo-de-texto.csv')],
  });
  expect(drafts.length).toBe(3);
  expect(placed(issues)).toEqual([
    ['apostrofo-de-texto.csv!C', 'check/failed'], // the form of payment is not known
    ['apostrofo-de-texto.csv!A2', 'cell/text-apostrophe'],
  ]);
});

test.each<[string, readonly string[], readonly [cell: string, code: string][]]>([
  [
    'are no names of patients',
    [],
    [
      ['C2', 'cell/null-word-or-name'],
      ['D3', 'cell/null-word-or-name'],
      ['C4', 'document/required'],
      ['D5', 'cell/null-word-or-name'],
    ],
  ],
  [
    'are names where that is said of them, whatever their case',
    ['null', 'none'],
    [
      ['D3', 'cell/null-word-or-name'],
      ['C4', 'document/required'],
    ],
  ],
])('null words %s', async (_, names, expected) => {
  const params = JSON.parse(readFileSync('samples/rips/interfaz/params.json', 'utf8')) as Record<
    string,
    unknown
  >;
  const file = 'paciente-llamado-null.csv';
  const { drafts, issues } = await prepareFiles({
    mapping: 'mappings/rips/interfaz.yaml',
    params,
    files: [join(AWKWARD, file)],
    formats: { names },
  });
  expect(drafts.length).toBe(names.length);
  const errors = issues.filter(({ level }) => level === 'error');
  expect(placed(errors)).toEqual(expected.map(([cell, code]) => [`${file}!${cell}`, code]));
});

describe('national JSON of other programs', () => {
  const checked = async (file: string) => {
    const { drafts, issues } = await prepareFiles({
      mapping: 'mappings/rips/json.yaml',
      params: {},
      files: [join(AWKWARD, file)],
    });
    const errors = issues.filter(({ level }) => level === 'error');
    return {
      documents: drafts.length,
      errors: errors.map(({ code, place, suggestions }) => [place.json, code, suggestions?.[0]?.value]),
    };
  };

  test.each<[string, number, readonly (readonly (string | undefined)[])[]]>([
    [
      'nit-con-digito-o-puntos.json',
      0,
      ['/0', '/1', '/2', '/3'].map((at) => [
        `${at}/numDocumentoIdObligado`,
        'document/role-nit',
        '900555321',
      ]),
    ],
    [
      'factura-null-o-con-blancos.json',
      0,
      ['/0', '/1', '/2'].map((at) => [`${at}/numFactura`, 'document/role-invoice-number', undefined]),
    ],
    [
      'llaves-con-ele-por-i.json',
      0,
      [
        ['/numDocumentoldObligado', 'numDocumentoIdObligado'],
        ['/usuarios/0/tipoDocumentoldentificacion', 'tipoDocumentoIdentificacion'],
        ['/usuarios/0/numDocumentoldentificacion', 'numDocumentoIdentificacion'],
        ['/usuarios/0/servicios/consultas/0/tipoDocumentoldentificacion', 'tipoDocumentoIdentificacion'],
        ['/usuarios/0/servicios/consultas/0/numDocumentoldentificacion', 'numDocumentoIdentificacion'],
      ].map(([at, meant]) => [at, 'document/key-like', meant]),
    ],
  ])('%s: each slip once, at its place', async (file, documents, errors) => {
    const found = await checked(file);
    expect(found.documents).toBe(documents);
    expect(found.errors.toSorted()).toEqual(errors.toSorted());
  });
});

test.each([
  ['900555321-6', '900555321'],
  ['900.555.321', '900555321'],
  ['900 555 321', '900555321'],
  ['9005553216', '900555321'],
  ['900555321-4', undefined],
  ['900555321', 'right'],
])('a parameter is checked as the field that it is named after: %s', async (nit, meant) => {
  const { params } = await loadMapping('mappings/rips/interfaz.yaml');
  const { issues } = resolveParams(params, { numDocumentoIdObligado: nit });
  const found = issues.filter(({ place }) => place.param === 'numDocumentoIdObligado');
  expect(found.map(({ code, suggestions }) => [code, suggestions?.[0]?.value])).toEqual(
    meant === 'right' ? [] : [['document/role-nit', meant]],
  );
});

test('titles with a small L for the I of Id are those of the fields', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-'));
  const source = readFileSync('samples/rips/grupos/usuarios.csv', 'utf8');
  const file = join(folder, 'usuarios.csv');
  writeFileSync(file, source.replaceAll('DocumentoId', 'Documentold'));
  const header = readFileSync(file, 'utf8').split('\n')[0]!;
  expect(header).toContain('Documentold');
  expect(header.split(/[;,]/).map(squashLabel)).toEqual(
    source.split('\n')[0]!.split(/[;,]/).map(squashLabel),
  );
});
