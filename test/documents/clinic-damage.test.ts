import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const folder = await mkdtemp(join(tmpdir(), 'cargue-damage-'));
afterAll(() => rm(folder, { recursive: true }));

const params = JSON.parse(readFileSync('samples/rips/consultas/params.json', 'utf8')) as Record<
  string,
  object
>;
const services_by_cups = {
  ...params['services_by_cups'],
  '010101': { grupoServicios: '02', codServicio: 706 },
  '602E01': { grupoServicios: '02', codServicio: 706 },
};

/** What a sound record of the list of consultations holds. */
const RECORD = {
  'Tipo Doc': 'CC',
  Documento: '9800005169',
  'Primer Nombre': 'Daniela',
  'Primer Apellido': 'Moreno',
  'Fecha Nac': '26/9/1946',
  Sexo: 'F',
  Régimen: 'Subsidiado',
  'Cód. Municipio': '11001',
  Zona: 'R',
  Correo: 'daniela.moreno5169@correo.example',
  'Fecha Consulta': '31/10/2026',
  Hora: '16:20',
  CUPS: '890206',
  Dx: 'E66.9',
  'Tipo Dx': '03',
  Finalidad: '16',
  Causa: '38',
  Valor: '38.000,00',
  Cuota: '0,00',
  Concepto: '05',
  Incapacidad: 'NO',
  'Doc. Profesional': '9900000011',
};
type Cells = Partial<Record<keyof typeof RECORD, string>>;

let files = 0;
async function run(cells: Cells, given: Record<string, unknown> = {}) {
  const file = join(folder, `${files++}.csv`);
  const record = { ...RECORD, ...cells };
  await writeFile(file, `${Object.keys(record).join(';')}\n${Object.values(record).join(';')}\n`);
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/consultas.yaml',
    params: { ...params, services_by_cups, ...given },
  });
  // Codes of the other chapters stand in a list of consultations here, for what their form does to them.
  const own = issues.filter(({ code, place }) => place.row !== undefined && code !== 'rips/cups-by-chapter');
  const said = placed(own);
  return { document: drafts[0]?.body, said: said.map(([place, code]) => [place.split('!')[1], code]) };
}

const GENDER = '/national/usuario/codSexo';
const CUPS = '/document/services/0/codConsulta';
const DX = '/document/services/0/codDiagnosticoPrincipal';
const START = '/document/services/0/fechaInicioAtencion';
const HM = { codigos_sexo: 'HM' };

test.each<[what: string, cells: Cells, given: Record<string, unknown>, pointer: string, value: string]>([
  ['M is male where the table is M and F', { Sexo: 'M' }, {}, GENDER, 'M'],
  ['M is a woman where the table is H and M', { Sexo: 'M' }, HM, GENDER, 'F'],
  ['H is a man where the table is H and M', { Sexo: 'h' }, HM, GENDER, 'M'],
  ['words are plain in either table', { Sexo: 'Mujer' }, HM, GENDER, 'F'],
  ['a code that looks like an exponent', { CUPS: '602E01' }, {}, CUPS, '602E01'],
  ['a category of three characters', { Dx: 'i10' }, {}, DX, 'I10X'],
  ['a dot in a diagnosis', { Dx: 'M54.5' }, {}, DX, 'M545'],
  ['a float of a document', { Documento: '9800005169.0' }, {}, '/patient/document_number', '9800005169'],
  [
    'month by name, hour of twelve',
    { 'Fecha Consulta': '31-oct-2026', Hora: '4:05 p. m.' },
    {},
    START,
    '2026-10-31T16:05:00',
  ],
  ['year first', { 'Fecha Consulta': '2026-10-31', Hora: '16:05:00' }, {}, START, '2026-10-31T16:05:00'],
  ['a CUPS code with the dots of the norm', { CUPS: '89.0.2.06' }, {}, CUPS, '890206'],
  ['a CUPS code with its name', { CUPS: '890206 CONSULTA DE PRIMERA VEZ' }, {}, CUPS, '890206'],
  ['a code with its name', { Sexo: 'F - Femenino' }, {}, GENDER, 'F'],
  ['a code as a decimal', { Finalidad: '16.0' }, {}, '/document/services/0/finalidadTecnologiaSalud', '16'],
  [
    'a municipality with its name',
    { 'Cód. Municipio': '05001 MEDELLÍN' },
    {},
    '/national/usuario/codMunicipioResidencia',
    '05001',
  ],
  ['unfit for work as 1', { Incapacidad: '1' }, {}, '/national/usuario/incapacidad', 'SI'],
  ['fit for work as 2', { Incapacidad: '2' }, {}, '/national/usuario/incapacidad', 'NO'],
])('reads %s', async (_, cells, given, pointer, value) => {
  const { document, said } = await run(cells, given);
  expect(said).toEqual([]);
  expect(valueAt(document, pointer)).toBe(value);
});

test.each<[what: string, cells: Cells, place: string, pointer: string, value: string]>([
  ['a municipality', { 'Cód. Municipio': '5001' }, 'H2', '/national/usuario/codMunicipioResidencia', '05001'],
  ['a CUPS code', { CUPS: '10101' }, 'M2', CUPS, '010101'],
  ['a kind of diagnosis', { 'Tipo Dx': '3' }, 'O2', '/document/services/0/tipoDiagnosticoPrincipal', '03'],
])('gives back the zeros of %s, and says so', async (_, cells, place, pointer, value) => {
  const { document, said } = await run(cells);
  expect(said).toEqual([[place, 'cell/zeros-restored']]);
  expect(valueAt(document, pointer)).toBe(value);
});

test.each<[what: string, cells: Cells, given: Record<string, unknown>, said: [string, string]]>([
  ['H where the table is M and F', { Sexo: 'H' }, {}, ['F2', 'lookup/contradiction']],
  ['a number with exponent', { CUPS: '6,02E+03' }, {}, ['M2', 'cell/scientific']],
  ['a municipality that does not exist', { 'Cód. Municipio': '5999' }, {}, ['H2', 'lookup/unknown']],
  ['a country that is none', { 'País de residencia': 'Ruritania' } as Cells, {}, ['W2', 'lookup/unknown']],
  ['a name in place of a procedure', { CUPS: 'CONSULTA GENERAL' }, {}, ['M2', 'cell/not-a-cups']],
  ['two procedures in a cell', { CUPS: '890206 CONTROL 890201' }, {}, ['M2', 'cell/not-a-cups']],
  ['a code beside another name', { Zona: '01 - Urbana' }, {}, ['I2', 'lookup/unknown']],
  ['a service that nobody described', { CUPS: '890299' }, {}, ['M2', 'join/missing']],
  ['a professional who is not among the users', { 'Doc. Profesional': '1' }, {}, ['V2', 'join/missing']],
  ['a decimal of a peso', { Valor: '38.000,50' }, {}, ['R2', 'cell/not-whole']],
])('refuses %s, once, at its cell', async (_, cells, given, said) => {
  const { document, said: found } = await run(cells, given);
  expect(document).toBeUndefined();
  expect(found).toEqual([said]);
});

test('says that the name of a municipality is not that of the code beside it', async () => {
  const wrong = { 'Cód. Municipio': '05001', Municipio: 'Cali' } as Cells;
  const { document, said } = await run(wrong);
  expect(said).toEqual([['W2', 'lookup/ways-differ']]);
  expect(valueAt(document, '/national/usuario/codMunicipioResidencia')).toBe('05001');
  const right = { 'Cód. Municipio': '05001', Municipio: 'MEDELLIN' } as Cells;
  expect((await run(right)).said).toEqual([]);
});

test.each([
  ['Colombia', '170'],
  ['VENEZOLANA', '862'],
  ['ESP', '724'],
  ['604 - Perú', '604'],
])('reads the country %s', async (country, code) => {
  const { document } = await run({ 'País de origen': country } as Cells);
  expect(valueAt(document, '/national/usuario/codPaisOrigen')).toBe(code);
});
