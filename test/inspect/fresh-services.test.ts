import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { deriveWith, FAMILIES } from '../../src/families/registry.js';
import { NO_ANSWERS } from '../../src/toolkit/inspect/question.js';
import { word } from '../../src/toolkit/messages/wording.js';
import { proposeFor } from '../support/opened-files.js';
import { prepareFiles } from '../support/prepare-file.js';
import { consultations, dispensed, PEOPLE, stays } from './fresh-lists.js';
import { type Grid, gridsOf, page, pick, type Value, workbook } from './grid.js';
import { readyOf } from './known.js';

/** Lists of services in headers that no program of ours knows, answered by who keeps them until nothing is open. */

const {
  services_by_cups: _groups,
  modalidadGrupoServicioTecSal: _modality,
  ...params
} = JSON.parse(readFileSync('samples/rips/consultas/params.json', 'utf8')) as Record<string, unknown>;

interface Asked {
  /** First answer offered to each question, by its id. */
  readonly first: ReadonlyMap<string, string | undefined>;
  readonly titles: ReadonlyMap<string, readonly string[]>;
  readonly mapping: string;
}

/** Answers what is asked until nothing is; by the first that is offered where no answer is given. */
async function answered(file: string, answers: Readonly<Record<string, string>>): Promise<Asked> {
  const ready = await readyOf('rips');
  const given = new Map<string, string>();
  const first = new Map<string, string | undefined>();
  const titles = new Map<string, readonly string[]>();
  for (;;) {
    const options = {
      ready,
      answers: { ...NO_ANSWERS, given },
      language: 'es',
      name: 'prueba',
      params,
      derive: deriveWith(FAMILIES),
    } as const;
    const { questions, tree } = await proposeFor([file], options);
    if (questions.length === 0) return { first, titles, mapping: stringify(tree, { lineWidth: 0 }) };
    for (const question of questions) {
      const [best] = question.answers;
      first.set(question.id, best?.value);
      titles.set(
        question.id,
        question.answers.map(({ title }) => title),
      );
      given.set(question.id, answers[question.id] ?? best!.value);
    }
    expect(given.size).toBeLessThan(30);
  }
}

const servicesOf = async (file: string, mappingText: string) => {
  const { drafts, issues } = await prepareFiles({ files: [file], mappingText, params });
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  return drafts.map(
    ({ body }) => (body as { document: { services: Record<string, unknown>[] } }).document.services,
  );
};

test('consultations: what no column says of the services is asked, in words', async () => {
  const file = await workbook([page(consultations)]);
  const { first, titles, mapping } = await answered(file, {
    layout: 'rips/consultas',
    'param.codServicio': '328',
    'param.valorPagoModerador': '0',
    'usual.params': 'Grupo de servicios de todas las atenciones',
  });
  expect(Object.fromEntries(first)).toMatchObject({
    'consultas.C': 'nombreCompleto',
    'consultas.E': 'codSexo',
    'usual.params': 'yes',
    'param.grupoServicios': '01',
  });
  expect(titles.get('param.grupoServicios')).toContain('Consulta externa');
  const services = await servicesOf(file, mapping);
  expect(services).toHaveLength(PEOPLE.length);
  expect(services[1]).toMatchObject([
    {
      grupoServicios: '01',
      codServicio: 328,
      modalidadGrupoServicioTecSal: '01',
      causaMotivoAtencion: '38',
      codDiagnosticoRelacionado1: 'I10X',
    },
  ]);
});

test('stays with their patients: the kind that the columns show comes first', async () => {
  const file = await workbook([page(stays)]);
  const { first, mapping } = await answered(file, {
    nombre_orden: 'surnames_first',
    'value.condicion_destino_egreso.VIVO': '01',
    'param.user_id': '11',
  });
  expect(first.get('param.tipo_servicio')).toBe('hospitalizacion');
  expect(first.get('lista.D')).toBe('fechaNacimiento');
  const services = await servicesOf(file, mapping);
  expect(services.map(([stay]) => stay!['condicionDestinoUsuarioEgreso'])).toEqual([
    '01',
    '04',
    '01',
    '01',
    '01',
  ]);
  expect(services[0]).toMatchObject([
    {
      service_type_id: 4,
      fechaInicioAtencion: '2026-10-01T10:15:00',
      fechaEgreso: '2026-10-03T09:00:00',
      viaIngresoServicioSalud: '13',
    },
  ]);
});

test('dispensations: the unit and who is booked are asked, as no column has them', async () => {
  const file = await workbook([page(dispensed)]);
  const { first, mapping } = await answered(file, {
    nombre_orden: 'surnames_first',
    'param.user_id': '12',
    'param.cod_prestador': '110010990101',
    'param.unidadMinDispensa': '68',
    'param.valorPagoModerador': '0',
    'lista.J': 'ignore',
  });
  expect(first.get('param.tipo_servicio')).toBe('medicamentos');
  expect([...first.keys()]).toEqual(expect.arrayContaining(['param.user_id', 'param.tipoMedicamento']));
  const services = await servicesOf(file, mapping);
  expect(services).toHaveLength(PEOPLE.length);
  expect(services[2]).toMatchObject([
    { unidadMinDispensa: 68, tipoMedicamento: '01', cantidadMedicamento: 32 },
  ]);
});

test('a column that is missing names the parameter that stands in for it', async () => {
  const [sample] = (await gridsOf('samples/rips/consultas/Consultas octubre.csv')) as [Grid];
  const labels = sample.labels.filter((label) => label !== 'Zona');
  const { issues } = await prepareFiles({
    files: [await workbook([page(pick(sample, labels))])],
    mapping: 'mappings/rips/consultas.yaml',
    params,
  });
  const missing = issues.filter(({ code }) => code === 'header/missing');
  expect(missing.map((issue) => word(issue, 'es').fix)).toEqual([
    expect.stringContaining('-p rips_zone_id=VALOR'),
  ]);
});

const GLORIA = ['CC', 52123001, 'PÉREZ CANO', 'GLORIA', '1961-02-03', 'F', 'g@x.example'];
const SAMUEL = ['CC', 52123002, 'RINCÓN', 'SAMUEL', '1990-07-21', 'M', 's@x.example'];
const LEAVING = ['Domicilio', 'Enfermedad general'];
const stay = (
  admission: string,
  patient: readonly Value[],
  begins: string,
  way: string,
  code: string,
  ends: string,
): Value[] => [admission, ...patient, 'Subsidiado', '76001', 'U', begins, way, code, code, ends, ...LEAVING];
const ADMITTED = {
  name: 'Estancias',
  labels: ['Nro. admisión', 'TD', 'Documento', 'Apellidos', 'Nombres', 'Fec. nac.', 'Sexo', 'Email'].concat(
    ['Tipo usuario', 'Divipola', 'Zona', 'F/H ingreso', 'Vía ing.', 'Dx ing.', 'Dx egr.', 'F/H egreso'],
    ['Destino sal.', 'Causa ext.'],
  ),
  rows: [
    stay('ADM-71', GLORIA, '2026-10-02 10:15', 'Urgencias', 'J18.9', '2026-10-06 16:00'),
    stay('ADM-72', SAMUEL, '2026-10-09 07:30', 'Consulta externa', 'K80.2', '2026-10-10 11:00'),
    stay('ADM-73', GLORIA, '2026-10-20 10:15', 'Urgencias', 'J18.9', '2026-10-22 16:00'),
  ],
};
const DONE = {
  name: 'Procedim.',
  labels: [
    'Nro. admisión',
    'F/H realiz.',
    'CUPS',
    'Dx',
    'Modal.',
    'Grp. serv.',
    'Cód. serv.',
    'Final.',
    'Vr. proced.',
  ],
  rows: [
    ['ADM-71', '2026-10-02 11:00', '871121', 'J18.9', '01', '02', 744, '15', 52000],
    ['ADM-71', '2026-10-03 06:20', '903895', 'J18.9', '01', '02', 706, '15', 9800],
    ['ADM-73', '2026-10-21 08:30', '871121', 'J18.9', '01', '02', 744, '15', 52000],
  ] as Value[][],
};

test('stays that carry their patients, and procedures of the same admissions in another sheet', async () => {
  const file = await workbook([page(ADMITTED), page(DONE)]);
  const { first, mapping } = await answered(file, {
    'procedimientos.B': 'fechaInicioAtencion',
    'param.valorPagoModerador': '0',
    'param.conceptoRecaudo': '05',
    'param.user_id': '12',
    'param.cod_prestador': '110010990101',
    'param.tipo_profesional': 'CC',
  });
  expect(Object.fromEntries(first)).toMatchObject({ 'param.tipo_servicio': 'hospitalizacion' });
  const services = await servicesOf(file, mapping);
  // Way of entry and professional of a procedure are those of the stay and of who is booked.
  expect(
    services.map((own) =>
      own.map(({ service_type_id: kind, codProcedimiento, viaIngresoServicioSalud, ...rest }) => [
        kind,
        codProcedimiento,
        viaIngresoServicioSalud,
        rest['tipoDocumentoIdentificacion'],
        rest['numDocumentoIdentificacion'],
      ]),
    ),
  ).toEqual([
    [
      [4, undefined, '03', undefined, undefined],
      [2, '871121', '03', 'CC', '9900000012'],
      [2, '903895', '03', 'CC', '9900000012'],
    ],
    [[4, undefined, '02', undefined, undefined]],
    [
      [4, undefined, '03', undefined, undefined],
      [2, '871121', '03', 'CC', '9900000012'],
    ],
  ]);
});
