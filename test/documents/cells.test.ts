import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { type ColumnAccount, countColumns } from '../../src/toolkit/schema/document.js';
import { editedSample, workbookOf } from '../support/edit-workbook.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const ABOUT_COLUMNS = /^(header\/(label|amounts)-new|cell\/amount-unused)$/;

const aboutColumns = (issues: Parameters<typeof placed>[0]) =>
  issues
    .filter(({ code }) => ABOUT_COLUMNS.test(code))
    .map(({ place: { column, row }, code, level }) => [`${column}${row}`, code, level]);

const roleOf = (columns: readonly ColumnAccount[], label: string) =>
  columns.find(({ place }) => place.label === label)?.role;

const samples = (folder: string): string[] =>
  readdirSync(`samples/${folder}`)
    .filter((file) => /\.(xlsx|csv|zip)$/.test(file))
    .map((file) => `samples/${folder}/${file}`);

/** Folder of the sample, its mapping, and columns that another work has still to take up. */
const LAYOUTS = [
  ['payroll', 'payroll/wide'],
  ['payroll/multihoja', 'payroll/multi-sheet'],
  ['payroll/conceptos', 'payroll/long'],
  ['rips/consultas', 'rips/consultas'],
  ['rips/interfaz', 'rips/interfaz'],
  ['rips/grupos', 'rips/excel-por-nodo'],
  ['rips/libro', 'rips/excel-por-nodo'],
] as const;

describe('no column of the samples is unaccounted', () => {
  test.each(LAYOUTS)('%s', async (folder, name) => {
    const params = JSON.parse(readFileSync(`samples/${folder}/params.json`, 'utf8'));
    const { columns, issues } = await prepareFiles({
      files: samples(folder),
      mapping: `mappings/${name}.yaml`,
      params,
      chosen: name,
    });
    expect(aboutColumns(issues)).toEqual([]);
    const { filled, used, control, declined, unread } = countColumns(columns);
    expect(unread).toBe(0);
    expect(used).toBeGreaterThan(10);
    expect(filled).toBe(used + control + declined);
  });

  test.each([
    ['list', ['samples/events/eventos-facturas-recibidas.csv'], {}],
    ['attached', ['samples/events/adjuntos.zip'], { event_id: 1 }],
    ['reception', ['samples/events/adjuntos.zip'], { company_idnumber: '901000000' }],
  ])('events/%s', async (name, files, params) => {
    const { columns, issues } = await prepareFiles({
      files,
      mapping: `mappings/events/${name}.yaml`,
      params,
      chosen: name,
    });
    expect(aboutColumns(issues)).toEqual([]);
    expect(countColumns(columns)).toMatchObject({ unread: 0 });
  });

  test('flat files by position: every place of every file has a decision', async () => {
    const { tables } = await loadMapping('mappings/rips/3374-zip.yaml');
    for (const { id, spec, columns, ignored } of tables.values()) {
      const fields = Math.max(0, ...(spec.header?.fields ?? []));
      const read = [...columns.values()].flatMap(({ wanted }) => wanted?.position ?? []);
      const decided = new Set([...read, ...ignored.flatMap(({ positions }) => positions)]);
      expect([id, decided.size]).toEqual([id, fields]);
    }
  });
});

describe('a column that the mapping does not know', () => {
  const chosen = 'payroll/wide';
  test.each<[string, Record<string, string | number>, string[], string[]]>([
    [
      'text',
      { BC1: 'Entidad', BC2: 'EPS Uno' },
      ['BC1', 'header/label-new', 'warning'],
      ['BC1', 'header/label-new', 'error'],
    ],
    [
      'text without a label',
      { BD5: 'ver anexo' },
      ['BD1', 'header/label-new', 'warning'],
      ['BD1', 'header/label-new', 'error'],
    ],
    [
      'amounts',
      { BC1: 'Prima de localización', BC2: 150_000, BC3: 150_000 },
      ['BC1', 'header/amounts-new', 'error'],
      ['BC1', 'header/amounts-new', 'error'],
    ],
    [
      'amounts as text',
      { BC1: 'Prima de localización', BC2: '$ 150.000', BC3: '150.000' },
      ['BC1', 'header/amounts-new', 'error'],
      ['BC1', 'header/amounts-new', 'error'],
    ],
    [
      'amounts without a label',
      { BC2: 150_000 },
      ['BC1', 'header/amounts-new', 'error'],
      ['BC1', 'header/amounts-new', 'error'],
    ],
    [
      'telephones',
      { BC1: 'Celular', BC2: 3_001_234_567, BC3: 3_109_876_543 },
      ['BC1', 'header/label-new', 'warning'],
      ['BC1', 'header/label-new', 'error'],
    ],
  ])('%s', async (_, cells, named, alone) => {
    const files = [await editedSample(cells)];
    expect(aboutColumns((await prepareFiles({ files })).issues)).toEqual([named]);
    expect(aboutColumns((await prepareFiles({ files, chosen })).issues)).toEqual([alone]);
  });

  test('it says how many cells, their sum and one of them', async () => {
    const files = [await editedSample({ BC1: 'Prima de localización', BC2: 150_000, BC3: 150_000.5 })];
    const { issues } = await prepareFiles({ files });
    expect(issues.find(({ code }) => code === 'header/amounts-new')).toMatchObject({
      value: 'Prima de localización',
      params: { cells: 2, sum: '300000.50', example: '150000' },
    });
  });

  test('a label without data, and one that offices keep, are no trouble', async () => {
    const files = [
      await editedSample({ BC1: 'Entidad', BD1: 'C. Costo', BD2: 1010, BE1: 'Observaciones', BE2: 'ok' }),
    ];
    const { issues, columns } = await prepareFiles({ files, chosen });
    expect(aboutColumns(issues)).toEqual([]);
    expect(['Entidad', 'C. Costo', 'Observaciones'].map((label) => roleOf(columns, label))).toEqual([
      undefined,
      'declined',
      'declined',
    ]);
    expect(
      columns
        .filter(({ role }) => role === 'declined')
        .every(({ reason, cells }) => reason !== undefined && cells === 1),
    ).toBe(true);
  });

  test('what only the total row holds is no data', async () => {
    const files = [await editedSample({ B28: 'TOTAL', BC1: 'Entidad', BC28: 999_999 })];
    expect(aboutColumns((await prepareFiles({ files })).issues)).toEqual([]);
  });
});

test('an origin of the disability that the file states is used', async () => {
  const { columns, issues } = await prepareFiles({
    files: [await editedSample({ AM1: 'Origen' })],
  });
  expect(aboutColumns(issues)).toEqual([]);
  expect(roleOf(columns, 'Origen')).toBe('used');
});

test('a column that is read for nothing is unread; one that only controls is a control', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'bonos.csv');
  writeFileSync(file, 'Cédula;Bono;Sede;Marca;Total\n1;1000;Norte;a;1000\n');
  const mappingText = `
cargue: 1
name: bonos
target: payroll/bonus
tables:
  workers:
    columns:
      document: { titles: [Cédula], read: identifier }
      bonus: { titles: [Bono], read: money }
      branch: { titles: [Sede], read: text }
      mark: { titles: [Marca], read: text }
      total: { titles: [Total], read: money }
      unused: { formula: mark }
one_per: { record: workers }
key: document
document:
  salary_bonus: { from: bonus }
checks:
  - { that: total = bonus, message: { es: Distinto., en: Different. } }
`;
  const { columns, issues } = await prepareFiles({ files: [file], mappingText, params: {} });
  expect(columns.map(({ place, role }) => [place.label, role])).toEqual([
    ['Cédula', 'used'],
    ['Bono', 'used'],
    ['Sede', 'unread'],
    ['Marca', 'unread'],
    ['Total', 'control'],
  ]);
  expect(placed(issues)).toEqual([
    ['bonos.csv!C1', 'header/label-new'],
    ['bonos.csv!D1', 'header/label-new'],
  ]);
});

describe('an amount that no condition lets into a document', () => {
  const linesOf = (kind: string) => `
cargue: 1
name: lineas
target: payroll/bonus
tables:
  lines:
    columns:
      document: { titles: [Cédula], read: identifier }
      kind: { titles: [Clase], read: text }
      amount: { titles: [Valor], read: money }
      ${kind}
one_per: { key: document, of: lines }
document:
  salary_bonus: { from: amount, take: sum, where: class = "a" }
  non_salary_bonus: { from: amount, take: sum, where: class = "b" }
`;
  const classes = 'class: { classify: { from: kind, classes: { a: [Uno], b: [Dos], c: [Tres] } } }';
  test.each<[string, string[], [string, string][]]>([
    ['a blank class', ['Uno', ''], [['Nómina!C3', 'cell/amount-unused']]],
    ['a class that nothing takes', ['Uno', 'Tres'], [['Nómina!C3', 'cell/amount-unused']]],
    ['a word of no class says why itself', ['Uno', 'Cuatro'], [['Nómina!B3', 'class/unknown']]],
    ['each taken once', ['Uno', 'Dos'], []],
  ])('%s', async (_, kinds, expected) => {
    const files = [
      await workbookOf([['Cédula', 'Clase', 'Valor'], ...kinds.map((kind) => [52_100_200, kind, 1000])]),
    ];
    const { issues, documents } = await prepareFiles({ files, mappingText: linesOf(classes), params: {} });
    expect(placed(issues)).toEqual(expected);
    expect(documents.made).toBe(expected.length === 0 ? 1 : 0);
  });

  test('the column of classes is not in the file at all', async () => {
    const files = [
      await workbookOf([
        ['Cédula', 'Valor'],
        [52_100_200, 1000],
        [52_100_200, 0],
      ]),
    ];
    const { issues } = await prepareFiles({ files, mappingText: linesOf(classes), params: {} });
    expect(placed(issues)).toEqual([['Nómina!B2', 'cell/amount-unused']]);
  });
});

describe('ignore is checked with the mapping', () => {
  const mappingOf = (ignore: string) => `
cargue: 1
name: bonos
target: payroll/bonus
synonyms: [payroll]
tables:
  workers:
    columns:
      document: { titles: [Cédula], read: identifier }
      salary_bonus: { titles: [Bono], groups: DEVENGADOS, read: money }
    ignore: [${ignore}]
one_per: { record: workers }
key: document
document:
  salary_bonus: { from: salary_bonus }
`;
  test.each([
    ['{ titles: [cedula], reason: x }', 'mapping/ignored-wanted'],
    ['{ titles: [BONO], reason: x }', 'mapping/ignored-wanted'],
    ['{ synonyms: [nothing], reason: x }', 'mapping/unknown-ignored'],
    ['{ titles: [Cargo] }', 'mapping/missing-key'],
    ['{ titels: [Cargo], reason: x }', 'mapping/unknown-key'],
  ])('%s', async (ignore, code) => {
    const loading = prepareFiles({ files: [], mappingText: mappingOf(ignore), params: {} });
    await expect(loading).rejects.toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });

  test('under another group it is another column', async () => {
    const ignore = '{ titles: [Bono], groups: DESCUENTOS, reason: x }';
    const files = [
      await workbookOf([
        [null, 'DEVENGADOS', 'DESCUENTOS'],
        ['Cédula', 'Bono', 'Bono'],
        [1, 1000, 1000],
      ]),
    ];
    const { columns } = await prepareFiles({ files, mappingText: mappingOf(ignore), params: {} });
    expect(columns.map(({ role }) => role)).toEqual(['used', 'used', 'declined']);
  });
});

describe('a mapping on top of another adds to what is left aside', () => {
  const read = (files: readonly string[], tables: string) =>
    prepareFiles({
      files,
      mappingText: `extends: payroll/wide\ncargue: 1\nname: nomina\ntables: { workers: { ${tables} } }\n`,
    });

  test.each<[string, string, (string | undefined)[]]>([
    ['its own list', 'ignore: [{ titles: [Entidad], reason: x }]', ['declined', 'declined']],
    ['nothing of its own', 'optional: false', ['unread', 'declined']],
    ['null takes the list of the base away', 'ignore: null', ['unread', 'unread']],
    [
      'a column that it wants',
      'columns: { worker_code: { titles: [Área], read: text } }, ignore: [{ titles: [Entidad], reason: x }]',
      ['declined', 'used'],
    ],
    [
      'a column that it wants by a wildcard',
      'columns: { worker_code: { titles: ["Áre*"], read: text } }',
      ['unread', 'used'],
    ],
  ])('%s', async (_, tables, expected) => {
    const files = [await editedSample({ BC1: 'Entidad', BC2: 'EPS Uno', BD1: 'Área', BD2: 'Auxiliar' })];
    const { columns } = await read(files, tables);
    expect(['Entidad', 'Área'].map((label) => roleOf(columns, label))).toEqual(expected);
  });

  test('what is wrong in its list is said at its own line', async () => {
    const loading = read([], 'ignore: [{ titles: [x], reason: y }, { synonyms: [nothing], reason: y }]');
    await expect(loading).rejects.toMatchObject({
      issues: [{ code: 'mapping/unknown-ignored', place: { file: 'test.yaml', line: 4 } }],
    });
  });
});
