import { describe, expect, test } from 'vitest';
import { completeAttention, nationalSources, transactionOf } from '../../../src/families/rips/attention.js';
import { forDeployment } from '../../../src/families/rips/planner.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';

const USERS = [
  {
    user_id: 11,
    tipoDocumentoIdentificacion: 'CC',
    numDocumentoIdentificacion: '9900000011',
    codPrestador: '110010990101',
  },
];
const SITE = { users: USERS };

const attention = (services: JsonObject[], more: JsonObject = {}): JsonObject => ({
  patient: { type_document_identification_id: 3, document_number: '9800000001', municipality_id: 149 },
  appointment: { user_id: 11, date: '2026-10-01', time: '08:00' },
  document: { note_type: 'RS', services },
  ...more,
});

const consultation = (more: JsonObject = {}): JsonObject => ({
  service_type_id: 1,
  codConsulta: '890201',
  ...more,
});
const medicine = (more: JsonObject = {}): JsonObject => ({
  service_type_id: 6,
  codTecnologiaSalud: '1',
  ...more,
});

const items = (document: JsonObject, group: string): JsonObject[] =>
  (document['national'] as unknown as { servicios: Record<string, JsonObject[]> }).servicios[group] ?? [];

describe('completing an attention', () => {
  test('counts services anew within their group, in both forms', () => {
    const document = attention([
      consultation({ consecutivo: 7 }),
      medicine(),
      consultation({ consecutivo: 7 }),
    ]);
    expect(completeAttention(document, SITE)).toEqual([]);
    const { services } = document['document'] as unknown as { services: JsonObject[] };
    expect(services.map(({ consecutivo }) => consecutivo)).toEqual([1, 1, 2]);
    expect(items(document, 'consultas').map(({ consecutivo }) => consecutivo)).toEqual([1, 2]);
    expect(items(document, 'medicamentos').map(({ consecutivo }) => consecutivo)).toEqual([1]);
  });

  test('site and professional come from the file, else from the user of the appointment', () => {
    const national: JsonObject = {
      usuario: { registroSIRAS: 'S-1', incapacidad: null },
      servicios: { consultas: [{ codPrestador: '110010990999' }, {}] },
    };
    const document = attention([consultation(), consultation()], { national });
    const lost = completeAttention(document, SITE);
    expect(lost.map(({ level, code, value, place }) => [level, code, value, place.pointer])).toEqual([
      ['warning', 'attention/not-carried', '110010990999', '/national/servicios/consultas/0/codPrestador'],
      ['warning', 'attention/not-carried', 'S-1', '/national/usuario/registroSIRAS'],
    ]);
    expect(
      items(document, 'consultas').map(({ codPrestador, numDocumentoIdentificacion }) => [
        codPrestador,
        numDocumentoIdentificacion,
      ]),
    ).toEqual([
      ['110010990999', '9900000011'],
      ['110010990101', '9900000011'],
    ]);
    const { usuario } = document['national'] as unknown as { usuario: JsonObject };
    expect([usuario['registroSIRAS'], usuario['incapacidad'], usuario['codMunicipioResidencia']]).toEqual([
      'S-1',
      'NO',
      '11001',
    ]);
  });

  test.each<[string, JsonObject, string[][]]>([
    [
      'a professional who is not among the users',
      attention([consultation()], { appointment: { user_id: 99 } }),
      [['attention/user-unknown', '/appointment/user_id']],
    ],
    ['no professional at all', attention([consultation()], { appointment: {} }), []],
    [
      'national items without a service',
      attention([consultation()], { national: { servicios: { consultas: [{}, {}] } } }),
      [['attention/items-unmatched', '/national/servicios/consultas']],
    ],
    ['parts that are missing', {}, []],
  ])('says %s', (_, document, expected) => {
    const issues = completeAttention(document, SITE);
    expect(issues.map(({ code, place }) => [code, place.pointer])).toEqual(expected);
  });

  test.each([
    ['SI', {}, 'SI', 'SI'],
    ['NO', {}, undefined, 'NO'],
    [null, {}, undefined, 'NO'],
    [null, { incapacity: 'SI' }, 'SI', 'SI'],
  ])('incapacidad %s, of a patient with %j, is %s at the service', (incapacidad, patient, sent, told) => {
    const document = attention([consultation()], { national: { usuario: { incapacidad } } });
    Object.assign(document['patient'] as JsonObject, patient);
    expect(completeAttention(document, SITE)).toEqual([]);
    const { usuario } = document['national'] as unknown as { usuario: JsonObject };
    const laidOut = forDeployment(document, { notes: { prefix: 'RS-', width: 4 } }, 0);
    expect([(laidOut['patient'] as JsonObject)['incapacity'], usuario['incapacidad']]).toEqual([sent, told]);
  });

  test('the older profile has neither SIRAS nor codes of CIE-11', () => {
    const document = attention([consultation()]);
    completeAttention(document, { ...SITE, profile: '2275' });
    const { usuario } = document['national'] as unknown as { usuario: JsonObject };
    expect(usuario).not.toHaveProperty('registroSIRAS');
    expect(items(document, 'consultas')[0]).not.toHaveProperty('codigoVIDA');
  });
});

test('leaves of the national form know where they follow from', () => {
  const document = attention([medicine(), consultation({ numDocumentoIdentificacion: '1' })]);
  completeAttention(document, SITE);
  const sources = nationalSources(document);
  expect(sources.get('/national/usuario/fechaNacimiento')).toEqual(['/patient/birth_date']);
  expect(sources.get('/national/servicios/consultas/0/codConsulta')).toEqual([
    '/document/services/1/codConsulta',
  ]);
  expect(sources.get('/national/servicios/consultas/0/codPrestador')).toEqual([
    '/document/services/1/codPrestador',
    '/appointment/user_id',
  ]);
  expect(sources.get('/national/servicios/consultas/0/numDocumentoIdentificacion')).toEqual([
    '/document/services/1/numDocumentoIdentificacion',
  ]);
});

test('a package without invoice has its keys in the order of the norm', () => {
  const document = attention([consultation()]);
  completeAttention(document, SITE);
  const transaction = transactionOf(document, '900555321', 'RS-1');
  expect(Object.keys(transaction)).toEqual([
    'numDocumentoIdObligado',
    'numFactura',
    'tipoNota',
    'numNota',
    'usuarios',
  ]);
  expect(transaction).toMatchObject({ numFactura: null, tipoNota: 'RS', numNota: 'RS-1' });
});
