import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { type Fake, fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { sheetCells } from './sheet-cells.js';
import { report, send } from './use-cases.js';

const HEADER =
  'type_document_identification_id,document_number,name,last_name,email,birth_date,rips_user_type_id,rips_gender_id,municipality_id,rips_zone_id,country_code,user_id,date,time,service_type_id,fechaInicioAtencion,codConsulta,modalidadGrupoServicioTecSal,grupoServicios,codServicio,finalidadTecnologiaSalud,causaMotivoAtencion,codDiagnosticoPrincipal,tipoDiagnosticoPrincipal,vrServicio,conceptoRecaudo,valorPagoModerador,consecutivo';
const row = (person: string, day: string, hour: string, code: string, value: string): string =>
  `3,52000${person},Luisa,Núñez ${person},l${person}@correo.example,1985-07-14,1,3,149,2,170,7,${day},08:30,1,${day}T${hour}:30:00,${code},01,01,328,16,38,I10X,02,${value},5,0,1`;
const PARAMS = {
  note_number_prefix: 'RS-',
  note_number_width: 3,
  numDocumentoIdObligado: '900123456',
  users: [
    {
      user_id: 7,
      tipoDocumentoIdentificacion: 'CC',
      numDocumentoIdentificacion: '9900000007',
      codPrestador: '110010990101',
    },
  ],
};

let box: Sandbox;
let folder: string;
let sheets: Awaited<ReturnType<typeof sheetCells>>;
const call = (): Fake => fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') });
const inFolder = (name: string): string => join(folder, name);
const options = (name: string): Options => ({
  mapping: 'rips/interfaz',
  params: inFolder('params.json'),
  report: inFolder(name),
  results: inFolder('results'),
  sispro: inFolder('sispro.yaml'),
  concurrency: 1,
  partial: true,
  yes: true,
  json: true,
  showValues: true,
});

/** Two visits of one person, the first of two services and notified; one of another, rejected; one that was held back. */
beforeAll(async () => {
  folder = freshFolder();
  box = await startSandbox({ now: () => NOW, ripsRefusalLength: 316 });
  box.controls.addOutcome({ match: {}, verdict: 'notify', rules: ['RVC019'], times: 1 });
  box.controls.addOutcome({ match: {}, verdict: 'reject', rules: ['RVC061'], times: 1 });
  const visits = [
    row('101', '2026-10-01', '08', '890201', '60000'),
    row('101', '2026-10-01', '09', '890202', '38000'),
    row('102', '2026-10-02', '08', '890201', '99999999999999'),
    row('101', '2026-10-03', '08', '890201', '1500'),
    row('103', '2026-10-04', '08', '890201', 'mucho'),
  ];
  writeFileSync(inFolder('visits.csv'), [HEADER, ...visits].join('\n'));
  writeFileSync(inFolder('params.json'), JSON.stringify(PARAMS));
  const access = { type_document_identification_id: 3, number_identification: '1', url: 'https://s.example' };
  writeFileSync(inFolder('sispro.yaml'), JSON.stringify({ ...access, password: 'clave' }), { mode: 0o600 });
  const made = call();
  await send(made.context, [inFolder('visits.csv')], options('report.xlsx'));
  sheets = await sheetCells(inFolder('report.xlsx'));
});
afterAll(() => box.close());

/** Columns of a sheet by their headings. */
const columns = (sheet: string, ...headings: string[]) => {
  const [head, ...rows] = sheets[sheet]!;
  return rows.map((cells) => headings.map((heading) => cells[head!.indexOf(heading)]).join(' | '));
};
const cuvs = () => box.controls.packages().map(({ cuv }) => cuv);

test('packages, with CUV and no ZipKey', () => {
  expect(sheets['Documentos']![0]).not.toContain('CUNE');
  expect(sheets['Documentos']![0]).not.toContain('ZipKey');
  const [first, second] = cuvs();
  expect(columns('Documentos', 'Nota', 'Estado', 'CUV', 'Dónde')).toEqual([
    `RS-001 | Aceptado | ${first} | visits.csv!A2`,
    'RS-002 | Rechazado |  | visits.csv!A4',
    `RS-003 | Aceptado | ${second} | visits.csv!A5`,
    ' | Con errores |  | visits.csv!A6',
  ]);
});

test('patients, once each, with the worst of their packages', () => {
  expect(columns('Pacientes', 'Documento', 'Nombre', 'Paquetes', 'Servicios', 'Estado')).toEqual([
    'CC 52000101 | Luisa Núñez 101 | 2 | 3 | Aceptado',
    'CC 52000102 | Luisa Núñez 102 | 1 | 1 | Rechazado',
  ]);
});

test('services, each at its record', () => {
  const names = [
    'Archivo',
    'Registro',
    'Paciente',
    'Grupo',
    'Código',
    'Fecha y hora',
    'Valor ($)',
    'Nota',
    'CUV',
  ];
  const [first, second] = cuvs();
  expect(columns('Servicios', ...names)).toEqual([
    `visits.csv | 2 | CC 52000101 | Consultas | 890201 | 2026-10-01 08:30 | 60000 | RS-001 | ${first}`,
    `visits.csv | 3 | CC 52000101 | Consultas | 890202 | 2026-10-01 09:30 | 38000 | RS-001 | ${first}`,
    'visits.csv | 4 | CC 52000102 | Consultas | 890201 | 2026-10-02 08:30 | 99999999999999 | RS-002 | ',
    `visits.csv | 5 | CC 52000101 | Consultas | 890201 | 2026-10-03 08:30 | 1500 | RS-003 | ${second}`,
  ]);
});

test('totals to the peso', () => {
  expect(sheets['Totales']!.slice(1)).toEqual([
    ['Consultas', 3, 2, 4, 100000000099499, 3, 99500],
    ['Total', 3, 2, 4, 100000000099499, 3, 99500],
  ]);
});

test('what the ministry notes is a warning of its record, what it refuses an error', () => {
  expect(columns('Errores', 'Dónde', 'Nivel', 'Regla', 'Código')).toEqual(
    expect.arrayContaining([
      'visits.csv!P2 | Advertencia | RVC019 | remote/rips-notification',
      'visits.csv!AA4 | Error | RVC061 | remote/rips-rejected',
      'visits.csv!Y6 | Error |  | cell/not-a-number',
    ]),
  );
  const told = columns('Errores', 'Regla', 'Ruta en el JSON', 'Columna').filter((one) =>
    /^RVC0(19|61)/.test(one),
  );
  // The refusal came cut off, without its path: the rule itself says which leaf it is about.
  expect(told).toEqual([
    expect.stringMatching(/^RVC019 \| (rips\.)?usuarios\[0\]\.servicios\.consultas\[0\] /),
    'RVC061 | /document/services/0/valorPagoModerador | valorPagoModerador',
  ]);
});

test('the same again from the journal alone, private to its owner', async () => {
  const file = inFolder('again.xlsx');
  await report(call().context, [], { output: file, results: inFolder('results') });
  expect(await sheetCells(file)).toEqual(sheets);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what an earlier run sent keeps its note and CUV', async () => {
  await send(call().context, [inFolder('visits.csv')], options('later.xlsx'));
  sheets = await sheetCells(inFolder('later.xlsx'));
  const [first, second, third] = cuvs();
  expect(columns('Servicios', 'Registro', 'Nota', 'Estado', 'CUV')).toEqual([
    `2 | RS-001 | Aceptado | ${first}`,
    `3 | RS-001 | Aceptado | ${first}`,
    `4 | RS-004 | Aceptado | ${third}`,
    `5 | RS-003 | Aceptado | ${second}`,
  ]);
});
