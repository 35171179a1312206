import { describe, expect, test } from 'vitest';
import { resolveNode, type SchemaNode, schemaJson, typesOf } from '../../src/toolkit/schema/registry.js';
import { validate } from '../../src/toolkit/schema/validate.js';
import { withValue } from './examples.js';
import { NATIONAL_948 } from './health-examples.js';

const FILES = [
  'transaccion',
  'usuario',
  'consulta',
  'procedimiento',
  'urgencia',
  'hospitalizacion',
  'recien-nacido',
  'medicamento',
  'otro-servicio',
];
const keys = (node: SchemaNode): string[] => Object.keys(node.properties ?? {});
const inProfile = (profile: string, file: string): SchemaNode =>
  schemaJson(`rips/national/${profile}/${file}`);
const codes = (document: object): string[] =>
  validate('rips/national/948-v003/transaccion', 'strict', document).map(
    (issue) => `${issue.place.pointer} ${issue.code}`,
  );

test('a transaction of one consultation is valid', () => {
  expect(codes(NATIONAL_948)).toEqual([]);
});

test.each(FILES)('%s wants every key, in both profiles', (file) => {
  for (const profile of ['948-v003', '2275'])
    expect(inProfile(profile, file).required).toEqual(keys(inProfile(profile, file)));
});

test.each([
  ['transaccion', 5, 5],
  ['usuario', 13, 12],
  ['consulta', 30, 21],
  ['procedimiento', 27, 20],
  ['urgencia', 25, 12],
  ['hospitalizacion', 30, 15],
  ['recien-nacido', 18, 13],
  ['medicamento', 28, 23],
  ['otro-servicio', 18, 16],
])('%s has %i keys under 948 and %i under 2275', (file, now, before) => {
  expect(keys(inProfile('948-v003', file))).toHaveLength(now);
  expect(keys(inProfile('2275', file))).toHaveLength(before);
});

test('what 948 adds and drops', () => {
  const isNew = (key: string): boolean =>
    /CIE11$/.test(key) || ['codigoVIDA', 'registroSIRAS', 'vrDispensacion'].includes(key);
  for (const file of FILES) {
    const now = keys(inProfile('948-v003', file));
    const before = keys(inProfile('2275', file));
    expect(now.filter((key) => !before.includes(key)).filter((key) => !isNew(key))).toEqual([]);
    expect(before.filter((key) => !now.includes(key))).toEqual(
      file === 'medicamento' ? ['numAutorizacion'] : [],
    );
  }
});

const CONSULTA = '/usuarios/0/servicios/consultas/0';

test.each([
  ['/numFactura', undefined, 'document/required'],
  ['/numNota', '', 'document/blank'],
  ['/usuarios', [], 'document/too-few'],
  ['/usuarios/0/registroSIRAS', undefined, 'document/required'],
  ['/usuarios/0/codSexo', null, 'document/type'],
  ['/usuarios/0/fechaNacimiento', '1985-07-14 00:00', 'document/format-date'],
  ['/usuarios/0/codPaisOrigen', '57', 'document/format-country-code'],
  ['/usuarios/0/codMunicipioResidencia', '5001', 'document/too-short'],
  ['/usuarios/0/servicios', {}, 'document/too-few'],
  [`${CONSULTA}/codPrestador`, '11001000000', 'document/too-short'],
  [`${CONSULTA}/codPrestador`, null, 'document/type'],
  [`${CONSULTA}/fechaInicioAtencion`, '2026-11-03T08:30:00', 'document/format-national-date-time'],
  [`${CONSULTA}/conceptoRecaudo`, 5, 'document/type'],
  [`${CONSULTA}/vrServicio`, '60000', 'document/type'],
  [`${CONSULTA}/codServicio`, 10000, 'document/too-large'],
  [`${CONSULTA}/codDiagnosticoRelacionado1`, 'E11', 'document/format-cie10'],
  [`${CONSULTA}/codigoVIDA`, undefined, 'document/required'],
  [`${CONSULTA}/consecutivo`, 0, 'document/too-small'],
  [`${CONSULTA}/extra`, 1, 'document/not-allowed'],
])('%s = %j is told as %s', (pointer, value, code) => {
  expect(codes(withValue(NATIONAL_948, pointer, value))).toEqual([`${pointer} ${code}`]);
});

test.each([
  ['/conceptoRecaudo', 5, '"05"'],
  ['/codPrestador', 110010990101, '"110010990101"'],
  ['/codPrestador', null, '"…"'],
  ['/codPrestador', 2 ** 60, '"…"'],
  ['/vrServicio', '60000', '60000'],
  ['/vrServicio', 'mil', '30'],
])('%s = %j is told with its right form, %s', (field, value, expected) => {
  const issues = validate(
    'rips/national/948-v003/transaccion',
    'strict',
    withValue(NATIONAL_948, CONSULTA + field, value),
  );
  expect(issues).toMatchObject([{ params: { expected } }]);
});

describe('a group narrows a field', () => {
  const field = (profile: string, path: string): SchemaNode =>
    resolveNode(`rips/national/${profile}/servicios`, path.split('.'))!;
  test.each([
    ['948-v003', 'procedimientos.*.numAutorizacion', ['string', 'null'], 20, 30],
    ['948-v003', 'consultas.*.numAutorizacion', ['string', 'null'], 1, 30],
    ['948-v003', 'medicamentos.*.idMIPRES', ['string', 'null'], 19, 25],
    ['2275', 'medicamentos.*.idMIPRES', ['string', 'null'], 1, 15],
    ['2275', 'medicamentos.*.tipoDocumentoIdentificacion', ['string'], 2, 2],
    ['948-v003', 'medicamentos.*.tipoDocumentoIdentificacion', ['string', 'null'], 2, 2],
    ['2275', 'otrosServicios.*.nomTecnologiaSalud', ['string', 'null'], 1, 60],
    ['948-v003', 'otrosServicios.*.nomTecnologiaSalud', ['string', 'null'], 1, 200],
  ])('%s %s', (profile, path, types, minLength, maxLength) => {
    const node = field(profile, path);
    expect(typesOf(node)).toEqual(types);
    expect(node).toMatchObject({ minLength, maxLength });
  });
  test('and the validator heeds it', () => {
    const medicine = { idMIPRES: 'x'.repeat(20), tipoDocumentoIdentificacion: null };
    const told = (profile: string): string[] =>
      validate(`rips/national/${profile}/medicamento`, 'strict', medicine)
        .map((issue) => `${issue.place.pointer} ${issue.code}`)
        .filter((line) => !line.endsWith('required'));
    expect(told('948-v003')).toEqual([]);
    expect(told('2275').sort()).toEqual([
      '/idMIPRES document/too-long',
      '/tipoDocumentoIdentificacion document/type',
    ]);
  });
});
