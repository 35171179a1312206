import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { tableFolder } from '../../src/app/context.js';
import type { Options } from '../../src/cli/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import {
  catalogue,
  nearestCodes,
  UncheckedTables,
  wholeCatalogue,
  withLoadedTables,
} from '../../src/toolkit/schema/catalogue.js';
import { checkRules } from '../../src/toolkit/schema/rules.js';
import { transaction, transactionSchema } from '../schema/rips-package.js';
import { zipOf } from '../support/zip-writer.js';
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

async function imported(file: string, as?: string, more: Options = {}) {
  const call = here();
  const exit = await load(call.context, [file], { ...(as && { as }), json: true, ...more });
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

test.each(['TablaReferencia_CUPSRips__1.csv', 'tablareferencia_cupsrips.CSV'])(
  "import: the ministry's name of a file says which table it is: %s",
  async (name) => {
    const { exit, events } = await imported(csv(CUPS, name));
    expect(exit).toBe(0);
    expect(events.at(-1)).toMatchObject({ name: 'cups', rows: 2 });
  },
);

test('import: any other name does not', async () => {
  await expect(imported(csv(CUPS, 'misCUPSRips.csv'))).rejects.toMatchObject({
    issues: [{ code: 'run/bad-option' }],
  });
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

/** The 22 columns of the ministry's own files, as its page gives them. */
const PUBLISHED = [
  'Tabla;Codigo;Nombre;Descripcion;Habilitado;Aplicacion;IsStandardGEL;IsStandardMSPS;Extra_I:UsoCodigoCUP;Extra_II:Qx;Extra_III:NroMinimo;Extra_IV:NroMaximo;Extra_V:DxRequerido;Extra_VI:Sexo;Extra_VII:Ambito;Extra_VIII:Estancia;Extra_IX:Cobertura;Extra_X:Duplicado;ValorRegistro;UsuarioResponsable;Fecha_Actualizacion;IsPublicPrivate',
  'CUPSRips;890201;CONSULTA DEL AÑO;Capítulo 16;SI;;False;False;AC;N;1;1;N;Z;A;;01;;;;2026-01-15 10:22:51 AM;',
  'CUPSRips;735301;ASISTENCIA DEL PARTO;Capítulo 13;SI;;False;False;AP;S;1;1;S;F;H;S;01;;;;2026-01-15 10:22:51 AM;',
].join('\r\n');

async function workbook(text: string): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Table');
  sheet.addRow(['Tabla de referencia CUPSRips']);
  for (const line of text.split('\r\n')) sheet.addRow(line.split(';'));
  return Buffer.from(await book.xlsx.writeBuffer());
}

test.each<[string, string, () => Promise<Buffer> | Buffer]>([
  ['in Latin-1', 'CUPSRips.csv', () => Buffer.from(PUBLISHED, 'latin1')],
  ['parted by tabs', 'CUPSRips.txt', () => Buffer.from(PUBLISHED.replaceAll(';', '\t'))],
  ['parted by bars', 'CUPSRips.txt', () => Buffer.from(PUBLISHED.replaceAll(';', '|'), 'latin1')],
  ['below titles', 'CUPSRips.csv', () => Buffer.from(`Ministerio de Salud\r\nCUPSRips\r\n\r\n${PUBLISHED}`)],
  ['as a workbook', 'CUPSRips.xlsx', () => workbook(PUBLISHED)],
  [
    'a text in a zip, with a note',
    'cups.zip',
    () =>
      zipOf([
        { name: 'LEEME.txt', data: 'Tabla de referencia' },
        { name: 'CUPS/CUPSRips.TXT', data: Buffer.from(PUBLISHED, 'latin1') },
      ]),
  ],
  [
    'a workbook in a zip',
    'cups.zip',
    async () => zipOf([{ name: 'CUPS 2026.xlsx', data: await workbook(PUBLISHED) }]),
  ],
])('import: as published, %s', async (_, name, content) => {
  const file = join(folder, name);
  writeFileSync(file, await content());
  expect((await imported(file, 'cups')).exit).toBe(0);
  expect(loaded(() => wholeCatalogue('cups'))?.rows).toEqual([
    {
      code: '890201',
      name: 'CONSULTA DEL AÑO',
      habilitado: 'SI',
      uso: 'AC',
      qx: 'N',
      sexo: 'Z',
      estancia: '',
    },
    {
      code: '735301',
      name: 'ASISTENCIA DEL PARTO',
      habilitado: 'SI',
      uso: 'AP',
      qx: 'S',
      sexo: 'F',
      estancia: 'S',
    },
  ]);
});

test('import: municipalities below headings that say whose code each is', async () => {
  const text = [
    'DIVIPOLA,,,,',
    'Departamento,,Municipio,,',
    'Código,Nombre,Código,Nombre,Tipo',
    '05,ANTIOQUIA,05001,MEDELLÍN,Municipio',
    '08,ATLÁNTICO,8001,BARRANQUILLA,Municipio',
  ];
  expect((await imported(csv(text.join('\n')), 'municipalities')).exit).toBe(0);
  expect(
    loaded(() => wholeCatalogue('municipalities'))?.rows.map(({ code, name, id }) => [code, name, id]),
  ).toEqual([
    ['05001', 'MEDELLÍN', '1'],
    ['08001', 'BARRANQUILLA', '126'],
  ]);
});

test('import: of two columns with codes the one whose codes are of the table', async () => {
  const text =
    'Codigo,Nombre,Extra_II:NroIDPrestador,Extra_III:CodigoPrestador\n05001,CLÍNICA,900555321,0500100002\n';
  expect((await imported(csv(text), 'reps')).exit).toBe(0);
  expect(loaded(() => wholeCatalogue('reps'))?.rows).toEqual([
    { code: '0500100002', name: 'CLÍNICA', nit: '900555321' },
  ]);
});

describe('import: for services from a day on', () => {
  const YEAR = 'Codigo,Nombre,Habilitado\n890201,CONSULTA,SI\n';
  const said = (day: string, code: string) => {
    const unchecked = new UncheckedTables();
    const document = transaction('948-v003') as JsonObject & { usuarios: JsonObject[] };
    const { consultas } = document.usuarios[0]!['servicios'] as { consultas: JsonObject[] };
    Object.assign(consultas[0]!, { fechaInicioAtencion: `${day} 08:00`, codConsulta: code });
    Object.assign(document.usuarios[0]!['servicios'] as object, { procedimientos: [], otrosServicios: [] });
    const issues = loaded(() => checkRules(transactionSchema('948-v003'), document, { unchecked }));
    return {
      codes: issues.filter(({ value }) => value === code).map((issue) => issue.code),
      unchecked: unchecked
        .issues()
        .filter((issue) => paramOf(issue, 'table') === 'cups' && issue.code !== 'catalogue/column-missing'),
    };
  };
  beforeEach(async () => {
    await imported(csv(`${YEAR}890299,NUEVA,SI\n`), 'cups', { validFrom: '2026-03-01' as never });
  });

  test('those of that day are checked by it, those before by what was loaded for them', async () => {
    await imported(csv(`${YEAR}890288,VIEJA,SI\n`), 'cups', { validFrom: '2025-01-01' as never });
    expect(said('2026-03-10', '890299').codes).toEqual([]);
    expect(said('2026-03-10', '890288').codes).toEqual(['rips/unknown-cups']);
    expect(said('2026-02-28', '890288').codes).toEqual([]);
    expect(said('2026-02-28', '890299').codes).toEqual(['rips/unknown-cups']);
  });

  test('where nothing was loaded for earlier days, that is said once', () => {
    expect(said('2026-02-28', '890288')).toMatchObject({
      codes: [],
      unchecked: [
        {
          code: 'catalogue/no-version-then',
          params: { from: '2026-03-01', documents: 1, rules: 'RVC096, RVG14' },
        },
      ],
    });
  });

  test('an undated one holds for all earlier days; the list names both', async () => {
    await imported(csv(`${YEAR}890288,VIEJA,SI\n`), 'cups');
    expect(said('2020-02-28', '890288').codes).toEqual([]);
    const call = here();
    await loaded(() => list(call.context, [], { json: true }));
    const versions = call.events().filter(({ name }) => name === 'cups');
    expect(versions.map(({ from }) => from)).toEqual([undefined, '2026-03-01']);
  });
});

test.each<[string, string, readonly string[]]>([
  ['a lost zero', '10101', ['010101']],
  ['alike from its beginning', '890203', ['890201', '890301']],
  ['not one that is no longer enabled', '890299', ['890201']],
  ['like none', 'ZZZZZZ', []],
])('a code that the table does not have, %s: the nearest', async (_, code, expected) => {
  await imported(
    csv('Codigo,Nombre,Habilitado\n010101,A,SI\n890301,B,SI\n890201,C,SI\n890298,D,NO\n'),
    'cups',
  );
  expect(loaded(() => nearestCodes('cups')(code)).map(({ value }) => value)).toEqual(expected);
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

test('pull: a token that is refused is told as such, and the lists stay as they are', async () => {
  const call = here({ url: sandbox.url, token: 'no-such-token' });
  await expect(pull(call.context, [], { json: true })).rejects.toMatchObject({
    key: 'service',
    issues: [{ code: 'service/unauthenticated' }],
  });
  expect(loaded(() => wholeCatalogue('rips_genders'))?.rows).toHaveLength(3);
});

test('pull: a service without tables leaves the lists as they are', async () => {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const call = here({ url: `http://127.0.0.1:${port}`, token: 'x' });
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
