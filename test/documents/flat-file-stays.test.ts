import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placed, prepareFiles } from '../support/prepare-file.js';
import { zipOf } from '../support/zip-writer.js';

/** Emergencies, admissions and newborns of Resolución 3374, and the supplement with what they cannot hold. */

const MAPPING = 'mappings/rips/3374-zip.yaml';
const PARAMS = {
  numDocumentoIdObligado: '900555321',
  cod_prestador: '110010990101',
  conversions: { tipo_usuario: { '1': '01' } },
  users: [
    {
      user_id: 11,
      tipoDocumentoIdentificacion: 'CC',
      numDocumentoIdentificacion: '9900000011',
      codPrestador: '110010990101',
    },
  ],
};

const US = [
  'CC,9900000101,EPS001,1,ROJAS,PEÑA,ANA,MARIA,31,1,F,11,001,U',
  'CC,9900000102,EPS001,1,GIL,MORA,LUIS,,54,1,M,05,001,U',
];
const AU = 'FU1,110010990101,CC,9900000102,03/10/2026,07:15,,13,K359,,,,1,1,,03/10/2026,11:40';
const AH = 'FH1,110010990101,CC,9900000101,2,05/10/2026,22:10,A1,13,O800,O800,,,,,1,,07/10/2026,10:00';
const AN = 'FH1,110010990101,CC,9900000101,06/10/2026,03:05,39,1,F,3100,Z380,,,';
const HEADER =
  'FACTURA;FECHA_NACIMIENTO;CORREO;HORA;DOC_PROFESIONAL;DX_INGRESO;TIPO_DOC_RN;DOC_RN;CONSULTAS_PRENATAL;DESTINO_RN;FECHA_EGRESO_RN;HORA_EGRESO_RN';
const STAY = 'FU1;02/04/1972;luis@correo.example;;9900000011;R103;;;;;;';
const BIRTH = 'FH1;13/05/1995;ana@correo.example;;9900000011;;CN;15001234;8;01;07/10/2026;10:00';

const latin1 = (lines: readonly string[]): Buffer =>
  Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1');

function prepared({ au = AU, an = AN, stay = STAY, birth = BIRTH } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-3374-'));
  const zip = join(folder, 'RIPS000009.zip');
  const supplement = join(folder, 'complemento.csv');
  writeFileSync(
    zip,
    zipOf([
      { name: 'US000009.TXT', data: latin1(US) },
      { name: 'AU000009.TXT', data: latin1([au]) },
      { name: 'AH000009.TXT', data: latin1([AH]) },
      { name: 'AN000009.TXT', data: latin1([an]) },
    ]),
  );
  writeFileSync(supplement, [HEADER, stay, birth].join('\n'));
  return prepareFiles({ files: [zip, supplement], mapping: MAPPING, params: PARAMS });
}

const partsOf = ({ drafts }: Awaited<ReturnType<typeof prepared>>) =>
  drafts.map(({ body: document }) => {
    const { appointment, document: body } = document as Record<string, Record<string, unknown>>;
    return { date: appointment!['date'], time: appointment!['time'], services: body!['services'] };
  });

test('become stays with their own hours, old codes in new ones', async () => {
  const found = await prepared();
  expect(found.issues.filter(({ level }) => level === 'error')).toEqual([]);
  expect(partsOf(found)).toEqual([
    {
      date: '2026-10-03',
      time: '07:15',
      services: [
        {
          service_type_id: 3,
          codPrestador: '110010990101',
          fechaInicioAtencion: '2026-10-03T07:15:00',
          causaMotivoAtencion: '38',
          codDiagnosticoPrincipal: 'R103',
          codDiagnosticoPrincipalE: 'K359',
          condicionDestinoUsuarioEgreso: '01',
          fechaEgreso: '2026-10-03T11:40:00',
          consecutivo: 1,
        },
      ],
    },
    {
      date: '2026-10-05',
      time: '22:10',
      services: [
        {
          service_type_id: 4,
          codPrestador: '110010990101',
          viaIngresoServicioSalud: '02',
          fechaInicioAtencion: '2026-10-05T22:10:00',
          numAutorizacion: 'A1',
          causaMotivoAtencion: '38',
          codDiagnosticoPrincipal: 'O800',
          codDiagnosticoPrincipalE: 'O800',
          condicionDestinoUsuarioEgreso: '01',
          fechaEgreso: '2026-10-07T10:00:00',
          consecutivo: 1,
        },
        {
          service_type_id: 5,
          codPrestador: '110010990101',
          tipoDocumentoIdentificacion: 'CN',
          numDocumentoIdentificacion: '15001234',
          fechaNacimiento: '2026-10-06T03:05:00',
          edadGestacional: 39,
          numConsultasCPrenatal: 8,
          codSexoBiologico: '02',
          peso: 3100,
          codDiagnosticoPrincipal: 'Z380',
          condicionDestinoUsuarioEgreso: '01',
          fechaEgreso: '2026-10-07T10:00:00',
          consecutivo: 1,
        },
      ],
    },
  ]);
});

test.each([
  [
    'who died in the emergency went nowhere',
    { au: AU.replace(',1,1,,', ',1,2,I219,') },
    0,
    { condicionDestinoUsuarioEgreso: '02', codDiagnosticoCausaMuerte: 'I219' },
  ],
  [
    'a newborn that died left at that time',
    { an: AN.replace(/,,,$/, ',P073,06/10/2026,05:20') },
    1,
    { condicionDestinoUsuarioEgreso: '02', fechaEgreso: '2026-10-06T05:20:00' },
  ],
])('%s', async (_, given, document, service) => {
  const services = partsOf(await prepared(given))[document]!.services as readonly unknown[];
  expect(services.at(-1)).toMatchObject(service);
});

test.each([
  [
    'the entry diagnosis of an emergency',
    { stay: STAY.replace('R103', '') },
    'complemento.csv!F2',
    'document/required',
  ],
  [
    'the document of a newborn',
    { birth: BIRTH.replace('15001234', '') },
    'complemento.csv!H3',
    'document/required',
  ],
])('%s is asked for, not made up', async (_, given, place, code) => {
  const { issues, documents } = await prepared(given);
  expect(placed(issues.filter(({ level }) => level === 'error'))).toEqual([[place, code]]);
  expect(documents).toEqual({ planned: 2, made: 1, heldBack: 1 });
});

test.each([
  ['a document of its own, which the supplement has once', BIRTH, ['rips/newborn-document-shared']],
  ["the mother's", BIRTH.replace('CN;15001234', 'CC;9900000101'), []],
])('of several newborns each has %s', async (_, birth, codes) => {
  const an = [AN, AN.replace('03:05', '03:09'), AN.replace('03:05', '03:12').replace(',F,', ',M,')];
  const { issues, documents } = await prepared({ an: an.join('\r\n'), birth });
  expect(placed(issues.filter(({ level }) => level === 'error'))).toEqual(
    codes.map((code) => ['complemento.csv!H3', code]),
  );
  expect(documents.heldBack).toBe(codes.length);
});
