import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tableFolder } from '../../src/app/context.js';
import type { Options } from '../../src/cli/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { catalogue, wholeCatalogue, withLoadedTables } from '../../src/schema/catalogue.js';
import { checkRules } from '../../src/schema/rules.js';
import { transaction, transactionSchema } from '../schema/rips-package.js';
import { type FakeOptions, fake } from './fake-context.js';
import { freshFolder, runCli } from './run-cli.js';
import {
  catalogueList as list,
  catalogueImport as load,
  cataloguePull as pull,
  catalogueShow as show,
} from './use-cases.js';

const CUPS =
  'Codigo,Nombre,Habilitado,Extra_I:UsoCodigoCUP\n890201,CONSULTA,SI,AC\n20110,OTRO,SI,AP\n6020,ROTO,SI,AP\n';

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** As the program looks at lists once something was loaded here. */
const loaded = <T>(work: () => T): T => withLoadedTables(tableFolder(join(folder, 'ws')), work);

const here = (more: FakeOptions = {}) => fake({ workspace: join(folder, 'ws'), ...more });

function csv(text: string, name = 'TablaReferencia_CUPSRips.csv'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function imported(file: string, as: string, more: Options = {}) {
  const call = here();
  const exit = await load(call.context, [file], { as, json: true, ...more });
  return { exit, events: call.events() };
}

const cupsIssues = () =>
  checkRules(transactionSchema('948-v003'), transaction('948-v003'))
    .filter(({ code }) => code === 'rips/unknown-cups')
    .map(({ value }) => value);

test('import: a CSV becomes the table that lookups and rules use', async () => {
  expect(cupsIssues()).toEqual([]);
  const { exit, events } = await imported(csv(CUPS), 'cups');
  expect(exit).toBe(0);
  expect(events).toMatchObject([
    { event: 'issue', code: 'catalogue/rows-refused', value: '6020', level: 'warning' },
    { event: 'issue', code: 'catalogue/zeros-restored', value: '020110' },
    {
      event: 'catalogue',
      name: 'cups',
      kind: 'file',
      source: 'TablaReferencia_CUPSRips.csv',
      rows: 2,
      isNew: true,
    },
  ]);
  expect(loaded(() => wholeCatalogue('cups'))?.rows.map((row) => row['code'])).toEqual(['890201', '020110']);
  expect(loaded(cupsIssues)).toEqual(['735301']);
});

test('import: a workbook, below a title, in its second sheet', async () => {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Nota').addRow(['Tabla de referencia']);
  const sheet = book.addWorksheet('CIE10');
  sheet.addRow(['Ministerio de Salud']);
  sheet.addRow(['Codigo', 'Nombre', 'Extra_X:Sexo']);
  sheet.addRow(['I10X', 'HIPERTENSION', 'A']);
  sheet.addRow(['O80.0', 'PARTO', 'F']);
  const file = join(folder, 'cie10.xlsx');
  await book.xlsx.writeFile(file);
  expect((await imported(file, 'cie10')).exit).toBe(0);
  expect(loaded(() => wholeCatalogue('cie10'))?.rows).toEqual([
    { code: 'I10X', name: 'HIPERTENSION', sexo: 'A' },
    { code: 'O800', name: 'PARTO', sexo: 'F' },
  ]);
});

test('import: the same rows again are the same version, others a new one', async () => {
  await imported(csv(CUPS), 'cups');
  const again = await imported(csv(CUPS, 'copia.csv'), 'cups');
  expect(again.events.at(-1)).toMatchObject({ isNew: false, source: 'TablaReferencia_CUPSRips.csv' });
  const other = await imported(csv(`${CUPS}890202,OTRA,SI,AC\n`), 'cups');
  expect(other.events.at(-1)).toMatchObject({ isNew: true, rows: 3 });
});

test.each<[string, string, string]>([
  ['a file without its codes', 'cie10', 'catalogue/no-codes'],
  ['no such table', 'cupz', 'run/bad-option'],
])('import: %s', async (_, as, code) => {
  const file = csv('Nombre\nx\n');
  await expect(imported(file, as)).rejects.toMatchObject({ issues: [{ code }] });
  expect(catalogue('cups')?.name).toBe('cups_ejemplos');
});

test('import: a file of another table is refused by its codes, or told by its name', async () => {
  const codes = 'Tabla,Codigo,Nombre\nCIE10,A000,COLERA\nCIE10,A001,COLERA\n';
  await expect(imported(csv(codes), 'cups')).rejects.toMatchObject({
    issues: [{ code: 'catalogue/no-codes' }],
  });
  const { events } = await imported(csv('Tabla,Codigo,Nombre\nCUPS,890201,CONSULTA\n'), 'cups');
  expect(events[0]).toMatchObject({ code: 'catalogue/other-name', value: 'CUPS' });
});

test('list and show: origin and version', async () => {
  const listed = async () => {
    const call = here();
    await loaded(() => list(call.context, [], { json: true }));
    return new Map(call.events().map((event) => [event['name'], event]));
  };
  const before = await listed();
  expect(before.get('cups')).toMatchObject({ origin: 'sample', rows: 11 });
  expect(before.get('reps')).toMatchObject({ origin: 'absent' });
  expect(before.get('municipalities')).toMatchObject({ origin: 'shipped', rows: 1122 });
  await imported(csv(CUPS), 'cups');
  expect((await listed()).get('cups')).toMatchObject({
    origin: 'file',
    rows: 2,
    version: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  const call = here();
  await loaded(() => show(call.context, ['cups'], {}));
  expect(call.shown.out()[1]).toBe('890201\tCONSULTA\tSI\tAC');
  expect(call.shown.said().join('\n')).toContain('TablaReferencia_CUPSRips.csv');
});

test('pull: the tables of the service, with what only ours know', async () => {
  const call = here({ url: sandbox.url, token: sandbox.token });
  expect(await pull(call.context, [], { json: true })).toBe(0);
  expect(call.events().map((event) => event['name'])).toEqual(
    expect.arrayContaining([
      'type_document_identifications',
      'municipalities',
      'rips_genders',
      'health_coverages',
    ]),
  );
  expect(call.events()[0]).toMatchObject({ kind: 'service', source: sandbox.url.replace(/\/$/, '') });
  const shipped = readFileSync('schemas/catalogues/service/rips_genders.csv', 'utf8');
  const [columns, ...rows] = [loaded(() => catalogue('rips_genders'))!].flatMap(({ columns, rows }) => [
    columns.join(','),
    ...rows.map((row) => columns.map((column) => row[column]).join(',')),
  ]);
  expect([columns, ...rows].join('\n')).toBe(shipped.trim());
});

test('pull: a service without tables leaves the lists as they are', async () => {
  const call = here({ url: sandbox.url, token: 'no-such-token' });
  expect(await pull(call.context, [], { json: true })).toBe(1);
  expect(new Set(call.events().map((event) => event['code']))).toEqual(new Set(['catalogue/not-answered']));
  expect(loaded(() => wholeCatalogue('rips_genders'))?.rows).toHaveLength(3);
});

test('the program uses what was loaded', async () => {
  const workspace = join(folder, 'ws');
  const env = { CARGUE_WORKSPACE: workspace };
  expect((await runCli(['catalogue', 'import', csv(CUPS), '--as', 'cups'], { env })).code).toBe(0);
  const { stdout } = await runCli(['catalogue', 'show', 'cups'], { env });
  expect(stdout.split('\n')[2]).toBe('020110\tOTRO\tSI\tAP');
});
