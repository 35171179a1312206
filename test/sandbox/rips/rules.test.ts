import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/server.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { storeTable, withLoadedTables } from '../../../src/toolkit/schema/catalogue.js';
import type { Reply } from '../client.js';
import { clinic, generate, MORNING, prepared, SERVICES } from './clinic.js';
import { UNTABLED_RULES } from './national-rules.js';

type Group = keyof typeof SERVICES;

/** What is sent, and the rules with their places (in `servicios[…]`, or the user) that the ministry names. */
interface Case {
  readonly services: JsonObject[];
  readonly patient?: JsonObject;
  readonly document?: JsonObject;
  readonly expected: readonly string[];
}

const changed = (group: Group, changes: JsonObject): JsonObject => ({ ...SERVICES[group], ...changes });
/** One changed service of a group that breaks one rule at one field. */
const breaks = (rule: string, group: Group, field: string, changes: JsonObject): [string, Case] => [
  `${rule} ${group}.${field}`,
  { services: [changed(group, changes)], expected: [`${rule} ${group}[0].${field}`] },
];

const NULLS = { nomTecnologiaSalud: null };
const DEATH = { condicionDestinoUsuarioEgreso: '02' };

const REJECTING: readonly [string, Case][] = [
  breaks('RVG01', 'consultas', 'codConsulta', { codConsulta: null }),
  breaks('RVG01', 'consultas', 'codDiagnosticoPrincipal', { codDiagnosticoPrincipal: 'I10' }),
  breaks('RVG01', 'consultas', 'codServicio', { codServicio: 'x' }),
  breaks('RVG01', 'consultas', 'vrServicio', { vrServicio: 60000.5 }),
  breaks('RVG01', 'consultas', 'fechaInicioAtencion', { fechaInicioAtencion: '03/11/2026 08:30' }),
  breaks('RVG01', 'consultas', 'modalidadGrupoServicioTecSal', { modalidadGrupoServicioTecSal: '05' }),
  breaks('RVG01', 'consultas', 'finalidadTecnologiaSalud', { finalidadTecnologiaSalud: '29' }),
  breaks('RVG01', 'hospitalizacion', 'viaIngresoServicioSalud', { viaIngresoServicioSalud: '01' }),
  breaks('RVG01', 'otrosServicios', 'tipoOS', { tipoOS: '06' }),
  breaks('RVG05', 'consultas', 'grupoServicios', { grupoServicios: '1' }),
  breaks('RVG05', 'consultas', 'numAutorizacion', { numAutorizacion: '1'.repeat(31) }),
  breaks('RVG05', 'recienNacidos', 'peso', { peso: 20 }),
  breaks('RVC013', 'consultas', 'fechaInicioAtencion', { fechaInicioAtencion: '2026-11-04T00:00:00' }),
  breaks('RVC013', 'medicamentos', 'fechaDispensAdmon', { fechaDispensAdmon: '2026-11-04T08:00:00' }),
  breaks('RVC039', 'urgencias', 'fechaEgreso', { fechaEgreso: '2026-11-01T13:19:00' }),
  breaks('RVC046', 'recienNacidos', 'fechaEgreso', { fechaEgreso: '2026-11-01T19:59:00' }),
  breaks('RVC043', 'hospitalizacion', 'fechaEgreso', { fechaEgreso: '2026-11-04T00:00:00' }),
  breaks('RVC042', 'urgencias', 'codDiagnosticoCausaMuerte', DEATH),
  [
    'RVC050 fees without who ordered them',
    {
      services: [changed('otrosServicios', { tipoOS: '05' })],
      expected: [
        'RVC050 otrosServicios[0].tipoDocumentoIdentificacion',
        'RVC050 otrosServicios[0].numDocumentoIdentificacion',
      ],
    },
  ],
  breaks('RVC057', 'recienNacidos', 'edadGestacional', { edadGestacional: 47 }),
  breaks('RVC058', 'recienNacidos', 'peso', { peso: 320 }),
  breaks('RVC097', 'recienNacidos', 'numConsultasCPrenatal', { numConsultasCPrenatal: 16 }),
  breaks('RVC060', 'consultas', 'valorPagoModerador', { conceptoRecaudo: 2 }),
  breaks('RVC061', 'consultas', 'valorPagoModerador', { valorPagoModerador: 5000 }),
  breaks('RVC061', 'medicamentos', 'valorPagoModerador', { valorPagoModerador: 1 }),
  breaks('RVC084', 'procedimientos', 'conceptoRecaudo', {
    finalidadTecnologiaSalud: '14',
    conceptoRecaudo: 1,
    valorPagoModerador: 100,
  }),
  breaks('RVC086', 'consultas', 'codDiagnosticoRelacionado2', { codDiagnosticoRelacionado2: 'I10X' }),
  breaks('RVC087', 'consultas', 'codDiagnosticoRelacionado2', {
    codDiagnosticoRelacionado1: 'E119',
    codDiagnosticoRelacionado2: 'E119',
  }),
  breaks('RVC088', 'urgencias', 'codDiagnosticoRelacionadoE1', { codDiagnosticoRelacionadoE1: 'S060' }),
  breaks('RVC089', 'hospitalizacion', 'codDiagnosticoRelacionadoE3', {
    codDiagnosticoRelacionadoE1: 'E119',
    codDiagnosticoRelacionadoE3: 'E119',
  }),
  breaks('RVC062', 'urgencias', 'condicionDestinoUsuarioEgreso', { condicionDestinoUsuarioEgreso: '03' }),
  [
    'RVC065 a magistral preparation of which only the name is given',
    {
      services: [changed('medicamentos', { tipoMedicamento: '03' })],
      expected: ['formaFarmaceutica', 'concentracionMedicamento', 'unidadMedida'].map(
        (field) => `RVC065 medicamentos[0].${field}`,
      ),
    },
  ],
  breaks('RVC047', 'recienNacidos', 'tipoDocumentoIdentificacion', { tipoDocumentoIdentificacion: 'CC' }),
  breaks('RVC066', 'otrosServicios', 'nomTecnologiaSalud', {
    tipoOS: '01',
    tipoDocumentoIdentificacion: 'CC',
    numDocumentoIdentificacion: '9900000007',
    ...NULLS,
  }),
  breaks('RVC091', 'consultas', 'vrServicio', { vrServicio: 0 }),
  breaks('RVC094', 'medicamentos', 'vrServicio', { vrServicio: 6401 }),
  [
    'RVC038 entry in the future, with the rules that follow from it',
    {
      services: [
        changed('urgencias', {
          fechaInicioAtencion: '2026-11-04T08:00:00',
          fechaEgreso: '2026-11-04T10:00:00',
        }),
      ],
      expected: ['RVC038 urgencias[0].fechaInicioAtencion', 'RVC043 urgencias[0].fechaEgreso'],
    },
  ],
  [
    'RVC045 newborn of tomorrow',
    {
      services: [
        changed('recienNacidos', {
          fechaNacimiento: '2026-11-04T08:00:00',
          fechaEgreso: '2026-11-04T10:00:00',
        }),
      ],
      expected: ['RVC043 recienNacidos[0].fechaEgreso', 'RVC045 recienNacidos[0].fechaNacimiento'],
    },
  ],
  [
    'RVC053 care more than a day after death',
    {
      services: [changed('urgencias', { ...DEATH, codDiagnosticoCausaMuerte: 'S060' }), SERVICES.consultas],
      expected: ['RVC053 consultas[0].fechaInicioAtencion'],
    },
  ],
  [
    'the note is needed, in its kind and number',
    {
      services: [SERVICES.consultas],
      document: { note_type: null, note_number: null },
      expected: ['RVG01 tipoNota', 'RVG01 numNota'],
    },
  ],
  [
    'structure hides the rest',
    {
      services: [changed('consultas', { codConsulta: null, valorPagoModerador: 5000 })],
      expected: ['RVG01 consultas[0].codConsulta'],
    },
  ],
  [
    'without what is needed to send a patient is refused',
    {
      services: [SERVICES.consultas],
      patient: { birth_date: null, rips_gender_id: null },
      expected: ['RVG01 fechaNacimiento', 'RVG01 codSexo'],
    },
  ],
  [
    'RVC006, RVC079 birth in the future',
    {
      services: [SERVICES.consultas],
      patient: { birth_date: '2026-11-04' },
      expected: ['RVC079 fechaNacimiento', 'RVC006 fechaNacimiento'],
    },
  ],
  [
    'RVC080, RVC081 stay before birth',
    {
      services: [SERVICES.hospitalizacion],
      patient: { birth_date: '2026-11-03' },
      expected: ['RVC080 fechaNacimiento', 'RVC081 fechaNacimiento'],
    },
  ],
  [
    'RVC079 one service of two before birth',
    {
      services: [
        SERVICES.consultas,
        changed('procedimientos', { fechaInicioAtencion: '1985-07-13T08:00:00' }),
      ],
      expected: ['RVC079 procedimientos[0].fechaInicioAtencion'],
    },
  ],
  [
    'RVC007 identity card of a child of five',
    {
      services: [SERVICES.consultas],
      patient: { birth_date: '2021-11-01' },
      expected: ['RVC007 tipoDocumentoIdentificacion'],
    },
  ],
];

const NOTIFYING: readonly [string, Case][] = [
  breaks('RVC031', 'consultas', 'codDiagnosticoPrincipal', { codDiagnosticoPrincipal: 'W190' }),
  breaks('RVC032', 'urgencias', 'codDiagnosticoPrincipalE', { codDiagnosticoPrincipalE: 'R509' }),
  breaks('RVC033', 'hospitalizacion', 'codDiagnosticoPrincipal', { codDiagnosticoPrincipal: 'Z000' }),
  breaks('RVC040', 'urgencias', 'fechaEgreso', { fechaInicioAtencion: '2026-10-30T13:19:00' }),
  breaks('RVC041', 'hospitalizacion', 'fechaEgreso', { fechaEgreso: '2026-11-02T00:39:00' }),
  breaks('RVC052', 'consultas', 'causaMotivoAtencion', { finalidadTecnologiaSalud: '24' }),
  breaks('RVC067', 'consultas', 'causaMotivoAtencion', { finalidadTecnologiaSalud: '23' }),
  breaks('RVC085', 'consultas', 'codDiagnosticoPrincipal', { finalidadTecnologiaSalud: '11' }),
  breaks('RVC092', 'consultas', 'conceptoRecaudo', { conceptoRecaudo: '04', valorPagoModerador: 100 }),
  [
    'RVC008 mother of 61 years',
    {
      services: [SERVICES.recienNacidos],
      patient: { birth_date: '1965-10-01' },
      expected: ['RVC008 fechaNacimiento'],
    },
  ],
  [
    'RVC009 a man as mother',
    {
      services: [SERVICES.recienNacidos],
      patient: { rips_gender_id: 1 },
      expected: ['RVC009 codSexo'],
    },
  ],
  [
    'RVC010 abortion of a man',
    {
      services: [changed('consultas', { finalidadTecnologiaSalud: '24', causaMotivoAtencion: '49' })],
      patient: { rips_gender_id: 1 },
      expected: ['RVC010 consultas[0].finalidadTecnologiaSalud'],
    },
  ],
  [
    'RVC051 prenatal care of a man',
    {
      services: [changed('consultas', { finalidadTecnologiaSalud: '23', causaMotivoAtencion: '42' })],
      patient: { rips_gender_id: 1 },
      expected: ['RVC051 consultas[0].finalidadTecnologiaSalud'],
    },
  ],
  [
    'RVC018, RVG13 the same twice on a day',
    {
      services: [
        SERVICES.consultas,
        changed('consultas', { consecutivo: 2 }),
        SERVICES.medicamentos,
        changed('medicamentos', { consecutivo: 2, fechaDispensAdmon: '2026-11-03T07:00:00' }),
      ],
      expected: ['RVG13 medicamentos[1].codTecnologiaSalud', 'RVC018 consultas[1].codConsulta'],
    },
  ],
];

const SOUND: readonly [string, Case][] = [
  ...Object.entries(SERVICES).map(([group, item]): [string, Case] => [
    group,
    { services: [item], expected: [] },
  ]),
  ['all seven groups', { services: Object.values(SERVICES), expected: [] }],
  [
    'referred to another service that was given',
    {
      services: [changed('urgencias', { condicionDestinoUsuarioEgreso: '03' }), SERVICES.hospitalizacion],
      expected: [],
    },
  ],
  [
    'identity card a year too early',
    {
      services: [SERVICES.consultas],
      patient: { birth_date: '2009-11-01' },
      expected: [],
    },
  ],
];

let box: Sandbox;
let people = 0;
beforeAll(async () => {
  box = await clinic({ ripsRefusal: '200' });
});

async function outcome({ services, patient, document }: Case): Promise<Reply> {
  people += 1;
  const id = await prepared(box, {
    patient: { email: `p${people}@example.com`, ...patient },
    document: { services, ...document },
  });
  return generate(box, id);
}

/** `RVC061 consultas[0].valorPagoModerador`, in the order of the answer. */
const findings = (reply: Reply): string[] =>
  ((reply.at('/data/ResultadosValidacion') ?? reply.at('/data/resultadosValidacion')) as JsonObject[]).map(
    ({ Codigo, PathFuente }) =>
      `${Codigo} ${String(PathFuente).replace(/^(rips\.)?(usuarios\[0\]\.(servicios\.)?)?/, '')}`,
  );

describe('a package', () => {
  it.each(REJECTING)('is rejected: %s', async (_name, given) => {
    const reply = await outcome(given);
    expect([reply.at('/data/resultState'), reply.at('/data/codigoUnicoValidacion')]).toEqual([false, '-']);
    expect(findings(reply)).toEqual(given.expected);
  });

  it.each(NOTIFYING)('is accepted with a notification: %s', async (_name, given) => {
    const reply = await outcome(given);
    expect(reply.at('/data/ResultState')).toBe(true);
    expect(findings(reply)).toEqual(given.expected);
  });

  it.each(SOUND)('is sound: %s', async (_name, given) => {
    const reply = await outcome(given);
    expect([reply.at('/data/ResultState'), findings(reply)]).toEqual([true, []]);
  });
});

/** A document that the service takes has services, and one user. */
const OUT_OF_REACH = ['RVG03', 'RVG07', 'RVG12'];

it('every rule that needs no table is broken by some case', () => {
  const broken = [...REJECTING, ...NOTIFYING].flatMap(([, { expected }]) =>
    expected.map((finding) => finding.split(' ')[0]),
  );
  expect(new Set(broken)).toEqual(
    new Set(UNTABLED_RULES.filter((rule) => !OUT_OF_REACH.includes(rule) && !rule.includes('–'))),
  );
});

describe('a rule of a table', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'));
  const other: Case = { services: [changed('consultas', { codConsulta: '890301' })], expected: [] };

  it('is applied once the table is loaded', async () => {
    expect(findings(await outcome(other))).toEqual([]);
    const cups = { name: 'cups', columns: ['code'], rows: [{ code: '890201' }] };
    storeTable(folder, cups, { source: 'cups.csv', kind: 'file' }, MORNING);
    const own = await withLoadedTables(folder, () => clinic({ ripsRefusal: '200' }));
    const { services } = other;
    const reply = await generate(own, await prepared(own, { document: { services } }));
    expect(findings(reply)).toEqual(['RVG14 consultas[0].codConsulta']);
    expect(findings(await outcome(other))).toEqual([]);
  });
});

it('a rule that rejects since a day only notified before', async () => {
  const early = await clinic({ ripsRefusal: '200', now: () => new Date('2026-05-31T14:00:00Z') });
  const document = {
    services: [changed('consultas', { fechaInicioAtencion: '2026-05-30T08:30:00', vrServicio: 0 })],
  };
  const reply = await generate(early, await prepared(early, { document }));
  expect([reply.at('/data/ResultState'), reply.at('/data/ResultadosValidacion/0/Clase')]).toEqual([
    true,
    'NOTIFICACION',
  ]);
  expect(findings(reply)).toEqual(['RVC091 consultas[0].vrServicio']);
});
