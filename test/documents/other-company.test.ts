import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { gridsOf, page, workbook } from '../inspect/grid.js';
import { placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const [sample] = await gridsOf(SAMPLE);
const half = (name: string, from: number) => ({ ...sample!, name, rows: sample!.rows.slice(from, from + 2) });

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['of one company', ['ANDINA SAS', 'NIT 900.123.456-7'], ['ANDINA SAS', 'Nit: 900123456'], []],
  [
    'of two companies',
    ['ANDINA SAS', 'NIT 900.123.456-7'],
    ['NORTE SAS', 'NIT: 901.987.654-3'],
    ['Norte!A2'],
  ],
  ['with the number in a cell of its own', ['N.I.T.|900123456'], ['NIT|901987654'], ['Norte!A1']],
  ['of which one does not say it', ['ANDINA SAS'], ['NIT 901.987.654-3'], []],
  [
    'of one company, which somebody prepared',
    ['ANDINA SAS NIT 900123456|Elaborado por: Conta SAS NIT 900555111'],
    ['Preparada por Cuentas SAS, NIT 901.987.654', 'ANDINA SAS NIT 900.123.456-7'],
    [],
  ],
  ['of which one names both', ['NIT 900.123.456-7'], ['NIT 901.987.654-3', 'NIT 900.123.456-7'], []],
  ['that name a product', ['Monitor 901987654', 'NIT 900123456'], ['Unit 901987654'], []],
])('sheets %s', async (_, first, second, expected) => {
  const titles = (texts: readonly string[]) => texts.map((text) => text.split('|'));
  const files = await Promise.all([
    workbook([page(half('Andina', 0), titles(first))]),
    workbook([page(half('Norte', 2), titles(second))]),
  ]);
  const { issues } = await prepareFiles({ files });
  const found = issues.filter(({ code }) => code === 'header/other-company');
  expect(placed(found).map(([place]) => place)).toEqual(expected);
});

test.each<[string, string | undefined, string, readonly (readonly [string, string])[]]>([
  ['its own', '900123456-7', 'NIT 900.123.456', []],
  ['its own with the check digit', '9001234567', 'NIT 900.123.456-7', []],
  ['another', '900.123.456-7', 'NIT: 901.987.654-3', [['Andina!A1', 'header/not-of-company']]],
  ['another, while it has but a name', 'Andina SAS', 'NIT: 901.987.654-3', []],
  ['another, while nobody says who it is', undefined, 'NIT: 901.987.654-3', []],
  ['that of its accountant', '900123456', 'Contador: Luz Díaz NIT 901987654', []],
])('the company of the run and, above the titles, %s', async (_, company, title, expected) => {
  const files = [await workbook([page(half('Andina', 0), [[title]])])];
  const { issues } = await prepareFiles({ files, ...(company !== undefined && { company }) });
  expect(placed(issues).filter(([, code]) => code.startsWith('header/'))).toEqual(expected);
});

test('above the files of a clinic stand those who pay', async () => {
  const [titles, ...services] = readFileSync('samples/rips/lista/servicios octubre.csv', 'latin1').split(
    '\n',
  );
  const folder = mkdtempSync(join(tmpdir(), 'cargue-payers-'));
  const files = ['800.088.702-2', '900.156.264-2'].map((nit, at) => {
    const file = join(folder, `${nit}.csv`);
    writeFileSync(file, [`ENTIDAD NIT ${nit}`, titles, services[at], ''].join('\n'), 'latin1');
    return file;
  });
  const { issues } = await prepareFiles({
    files,
    mapping: 'mappings/rips/lista.yaml',
    company: '900123456',
    params: JSON.parse(readFileSync('samples/rips/lista/params.json', 'utf8')) as Record<string, unknown>,
  });
  expect(issues.filter(({ code }) => code.endsWith('-company'))).toEqual([]);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['of one company', ['900555321', '900.555.321-4', '9005553214', '', 'N/A'], []],
  ['of one whose NIT begins as that', ['90055532145', '90055532'], ['consultas.csv!Z2']],
  [
    'of two companies',
    ['900555321', '901777888', '901.777.888-2', '900555321'],
    ['consultas.csv!Z3', 'consultas.csv!Z4'],
  ],
])('records %s by the NIT of who attended', async (_, nits, expected) => {
  const [titles, ...records] = readFileSync('samples/rips/consultas/Consultas octubre.csv', 'latin1').split(
    /\r?\n/,
  );
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-nits-')), 'consultas.csv');
  const own = records.filter((record) => !record.includes('"')).slice(0, nits.length);
  const lines = own.map((record, at) => record.replace(/;[^;]*$/, `;${nits[at]}`));
  writeFileSync(file, [titles!.replace(/;[^;]*$/, ';NIT prestador'), ...lines, ''].join('\n'), 'latin1');
  const { issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/consultas.yaml',
    params: JSON.parse(readFileSync('samples/rips/consultas/params.json', 'utf8')),
  });
  const found = issues.filter(
    ({ code, place }) => code === 'check/failed' && place.label === 'NIT prestador',
  );
  expect(placed(found).map(([place]) => place)).toEqual(expected);
});

test.each<[nit: string | number, errors: boolean]>([
  ['900555321', false],
  ['900.555.321-4', false],
  [9005553214, false],
  ['901.777.888-2', true],
  ['90055532199', true],
])('the reporter of a workbook by nodes: %s', async (nit, errors) => {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile('samples/rips/nodos/RIPS_octubre.xlsx');
  book.getWorksheet('transaccion')!.getCell('A2').value = nit;
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-reporter-')), 'RIPS.xlsx');
  await book.xlsx.writeFile(file);
  const { issues } = await prepareFiles({
    files: [file],
    mapping: 'samples/rips/nodos/mapeo.yaml',
    params: JSON.parse(readFileSync('samples/rips/nodos/params.json', 'utf8')),
  });
  const own = issues.filter(({ place }) => place.sheet === 'transaccion');
  expect([...new Set(placed(own).map(([place, code]) => `${place} ${code}`))]).toEqual(
    errors ? ['transaccion!A2 check/failed'] : [],
  );
});

const NIT_COLUMN = sample!.labels.length;

/** A payroll with a column of the employer's NIT, one of these in each row by turns. */
const withEmployers = (nits: readonly string[]) =>
  workbook([
    page(
      {
        ...sample!,
        labels: [...sample!.labels, 'NIT empresa'],
        rows: sample!.rows
          .slice(0, 4)
          .map((row, at) => [
            ...Array.from({ length: NIT_COLUMN }, (_, index) => row[index] ?? null),
            nits[at % nits.length] || null,
          ]),
      },
      [],
    ),
  ]);

test.each<[string, readonly string[], string | undefined, readonly string[]]>([
  ['the same, with and without check digit', ['900555321', '900.555.321-4'], undefined, []],
  [
    'two companies',
    ['900555321', '901987654'],
    undefined,
    ['2', '3', '4', '5'].map((row) => `${row} batch/other-company`),
  ],
  [
    'two, one of them of the run',
    ['900555321', '901987654'],
    '900555321',
    ['3', '5'].map((row) => `${row} batch/not-of-company`),
  ],
  [
    'another than that of the run',
    ['901987654'],
    '900555321',
    ['2', '3', '4', '5'].map((row) => `${row} batch/not-of-company`),
  ],
  ['that of the run', ['9005553214'], '900555321', []],
  ['one company and blanks', ['900555321', ''], undefined, []],
  ['that of the run and blanks', ['900555321', ''], '900555321', []],
  [
    'two companies and a blank',
    ['900555321', '901987654', '', '900555321'],
    undefined,
    ['2 batch/other-company', '3 batch/other-company', '4 batch/blank-company', '5 batch/other-company'],
  ],
  [
    'two, one of them of the run, and a blank',
    ['900555321', '901987654', '', '900555321'],
    '900555321',
    ['3 batch/not-of-company', '4 batch/blank-company'],
  ],
])('a column of the employer with %s', async (_, nits, company, expected) => {
  const files = [await withEmployers(nits)];
  const { issues, documents } = await prepareFiles({ files, ...(company !== undefined && { company }) });
  const found = issues.filter(({ code }) => code.endsWith('-company'));
  expect(found.map(({ place, code }) => `${place.row} ${code}`)).toEqual(expected);
  expect(documents.made).toBe(4 - expected.length);
});
