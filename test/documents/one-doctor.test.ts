import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { valueAt } from '../../src/toolkit/core/json.js';
import { prepareFiles } from '../support/prepare-file.js';

const folder = await mkdtemp(join(tmpdir(), 'cargue-doctor-'));
afterAll(() => rm(folder, { recursive: true }));

const FILE = join(folder, 'pacientes.csv');
await writeFile(
  FILE,
  [
    'fecha_atencion,fecha_nacimiento,nombre,sexo,tipo_documento,identificacion,diagnostico,municipio,edad,correo',
    '31/10/2026,26/09/1946,Daniela María Moreno Cifuentes,Femenino,CC,9800005169,E66.9,Medellín,80,daniela@correo.example',
  ].join('\n'),
);

/** What no file says, and whoever runs it must. */
const RUN = {
  numDocumentoIdObligado: '900555321',
  users: [
    {
      user_id: 11,
      tipoDocumentoIdentificacion: 'CC',
      numDocumentoIdentificacion: '9900000011',
      codPrestador: '110010990101',
    },
  ],
};
const CONSTANTS = {
  user_id: 11,
  nombre_orden: 'names_first',
  horaAtencion: '08:00',
  codConsulta: '890206',
  services_by_cups: { '890206': { grupoServicios: '01', codServicio: 333 } },
  modalidadGrupoServicioTecSal: '01',
  finalidadTecnologiaSalud: '16',
  causaMotivoAtencion: '38',
  tipoDiagnosticoPrincipal: '02',
  vrServicio: '50000',
  conceptoRecaudo: 5,
  valorPagoModerador: '0',
  rips_user_type_id: 12,
  rips_zone_id: 2,
};
const run = (params: Record<string, unknown>) =>
  prepareFiles({ files: [FILE], mapping: 'mappings/rips/consultas.yaml', params: { ...RUN, ...params } });

test("a doctor's workbook and constants make an attention", async () => {
  const { drafts, issues } = await run(CONSTANTS);
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  expect(drafts[0]?.body).toMatchObject({
    patient: { name: 'Daniela María', last_name: 'Moreno Cifuentes', municipality_id: 1, rips_zone_id: 2 },
    appointment: { user_id: 11, date: '2026-10-31', time: '08:00' },
    document: {
      services: [
        {
          fechaInicioAtencion: '2026-10-31T08:00:00',
          codConsulta: '890206',
          codServicio: 333,
          vrServicio: 50000,
        },
      ],
    },
  });
});

test.each<[name: string, order: string | undefined, read: readonly string[] | undefined]>([
  ['Daniela María Moreno Cifuentes', 'names_first', ['Daniela María', 'Moreno Cifuentes']],
  ['Moreno Cifuentes Daniela María', 'surnames_first', ['Daniela María', 'Moreno Cifuentes']],
  ['Moreno Cifuentes Daniela María', undefined, undefined],
  ['Moreno Cifuentes, Daniela María', undefined, ['Daniela María', 'Moreno Cifuentes']],
])('the full name %s, with the order %s', async (name, nombre_orden, read) => {
  const file = join(folder, 'nombre.csv');
  const text = readFileSync(FILE, 'utf8').replace('Daniela María Moreno Cifuentes', `"${name}"`);
  await writeFile(file, text);
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/consultas.yaml',
    params: { ...RUN, ...CONSTANTS, nombre_orden },
  });
  const errors = issues.filter(({ level }) => level === 'error').map(({ code }) => code);
  expect(errors).toEqual(read === undefined ? ['cell/name-order'] : []);
  const { patient } = (drafts[0]?.body ?? {}) as { patient?: Record<string, unknown> };
  expect(patient && [patient['name'], patient['last_name']]).toEqual(read);
});

test('what the national form has of a consultation beyond the service is kept beside it', async () => {
  const file = join(folder, 'nacional.csv');
  const [head, row] = readFileSync(FILE, 'utf8').trim().split('\n');
  await writeFile(
    file,
    `${head},Cód. prestador,Tipo doc. profesional,Doc. profesional,CIE11\n${row},110010990101,CC,9900000011,5B81\n`,
  );
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/consultas.yaml',
    params: { ...RUN, ...CONSTANTS },
  });
  expect(issues.filter(({ code, level }) => level === 'error' || code === 'header/label-new')).toEqual([]);
  expect(valueAt(drafts[0]!.body, '/national/servicios/consultas/0')).toMatchObject({
    codPrestador: '110010990101',
    tipoDocumentoIdentificacion: 'CC',
    numDocumentoIdentificacion: '9900000011',
    codDiagnosticoPrincipalCIE11: '5B81',
  });
});

test('without them each is asked for, once, and nothing is invented', async () => {
  const { drafts, issues } = await run({});
  expect(drafts).toEqual([]);
  const asked = issues.flatMap(({ place: { param } }) => (param === undefined ? [] : [param]));
  expect(asked.sort()).toEqual([
    'causaMotivoAtencion',
    'codConsulta',
    'codServicio',
    'conceptoRecaudo',
    'finalidadTecnologiaSalud',
    'grupoServicios',
    'modalidadGrupoServicioTecSal',
    'tipoDiagnosticoPrincipal',
    'valorPagoModerador',
    'vrServicio',
  ]);
  const checked = issues.filter(({ code }) => code === 'check/failed');
  expect(checked.map(({ place }) => place.label)).toEqual(['fecha_atencion']);
  const missing = issues
    .filter(({ code }) => code === 'header/missing')
    .map(({ params }) => paramOf({ params }, 'title'));
  expect(missing.sort()).toEqual(['codZonaTerritorialResidencia', 'tipoUsuario']);
});

test('what the file says of a service goes before what is said of its code', async () => {
  const [labels, first] = readFileSync(FILE, 'utf8').split('\n');
  const file = join(folder, 'servicios.csv');
  await writeFile(
    file,
    [
      `${labels},Código servicio,Grupo de servicios`,
      `${first},328,02`,
      `${first!.replace('31/10', '30/10')},,`,
    ].join('\n'),
  );
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/consultas.yaml',
    params: { ...RUN, ...CONSTANTS },
  });
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  expect(drafts.map(({ body }) => valueAt(body, '/document/services/0'))).toMatchObject([
    { codServicio: 328, grupoServicios: '02' },
    { codServicio: 333, grupoServicios: '01' },
  ]);
});

test('a column that makes the header is missed once', async () => {
  const file = join(folder, 'sin-diagnostico.csv');
  await writeFile(file, readFileSync(FILE, 'utf8').replace('diagnostico', 'xyz'));
  const { issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/consultas.yaml',
    params: { ...RUN, ...CONSTANTS },
  });
  expect(issues.map(({ code }) => code)).toEqual(['header/missing']);
});
