import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type Attendant,
  groupOf,
  isCuv,
  nationalFields,
  nationalItem,
  nationalPackage,
  RIPS_GROUPS,
  type RipsGroup,
} from '../../../src/families/rips/national.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';

interface Fixture {
  readonly case: string;
  readonly patient: JsonObject;
  readonly document: { readonly services: JsonObject[] };
  readonly national: { readonly servicios: Record<string, JsonObject[]> };
}
const FIXTURES: readonly Fixture[] = JSON.parse(
  readFileSync(new URL('../../sandbox/rips/documents.json', import.meta.url), 'utf8'),
);

const ATTENDANT: Attendant = {
  siteCode: '110010990101',
  documentType: 'CC',
  documentNumber: '9900000011',
};
const NOTE = { note_type: 'RS', note_number: '1' };

/** The services of a package. */
function services(items: JsonObject[]): Record<string, JsonObject[]> {
  const parts = { nit: '900555321', note: NOTE, patient: {}, attendant: ATTENDANT, services: items };
  const [user] = nationalPackage(parts)['usuarios'] as JsonObject[];
  return user!['servicios'] as unknown as Record<string, JsonObject[]>;
}

describe('the national form of a service item', () => {
  const items = FIXTURES.flatMap(({ case: name, national, document }) =>
    document.services.map((service) => {
      const group = groupOf(service['service_type_id'])!;
      const at = document.services
        .filter((one) => groupOf(one['service_type_id']) === group)
        .indexOf(service);
      return { name, group, at, service, expected: national.servicios[group]![at]! };
    }),
  );

  it.each(items)('$name $group[$at]', ({ group, service, expected }) => {
    const attendant = {
      ...ATTENDANT,
      documentType: String(expected['tipoDocumentoIdentificacion']),
      documentNumber: String(expected['numDocumentoIdentificacion']),
    };
    const item = nationalItem(group, service, attendant);
    expect(item).toEqual(expected);
    expect(Object.keys(item)).toEqual(Object.keys(expected));
  });

  it('the fixtures have every group', () => {
    expect(new Set(items.map(({ group }) => group))).toEqual(new Set(RIPS_GROUPS));
  });

  it.each<[RipsGroup, string, unknown, unknown]>([
    ['consultas', 'conceptoRecaudo', 5, '05'],
    ['consultas', 'conceptoRecaudo', '5', '05'],
    ['consultas', 'conceptoRecaudo', '05', '05'],
    ['consultas', 'fechaInicioAtencion', '2026-10-01T07:20:00', '2026-10-01 07:20'],
    ['consultas', 'fechaInicioAtencion', '2026-10-01 07:20', '2026-10-01 07:20'],
    ['consultas', 'vrServicio', '60000', 60000],
    ['consultas', 'vrServicio', '60000.00', 60000],
    ['consultas', 'vrServicio', 60000.5, 60000.5],
    ['consultas', 'vrServicio', 'sesenta', 'sesenta'],
    ['consultas', 'numAutorizacion', '', null],
    ['consultas', 'modalidadGrupoServicioTecSal', 1, 1],
    ['consultas', 'codPrestador', undefined, '110010990101'],
    ['consultas', 'codPrestador', '050010990102', '050010990102'],
    ['procedimientos', 'numDocumentoIdentificacion', undefined, '9900000011'],
    ['medicamentos', 'numDocumentoIdentificacion', undefined, null],
    ['medicamentos', 'vrDispensacion', undefined, 0],
    ['recienNacidos', 'fechaNacimiento', '2026-10-02T14:00:00', '2026-10-02 14:00'],
    ['urgencias', 'codPrestador', null, '110010990101'],
  ])('%s.%s: %j becomes %j', (group, field, given, expected) => {
    const item = given === undefined ? {} : { [field]: given };
    expect(nationalItem(group, item as JsonObject, ATTENDANT)[field]).toEqual(expected);
  });

  it.each(RIPS_GROUPS)('%s of the former profile has no fields of the new one', (group) => {
    const names = (profile: '2275' | '948-v003'): string[] =>
      nationalFields(profile, group).map(({ name }) => name);
    const added = names('948-v003').filter((name) => !names('2275').includes(name));
    expect(added).toContain('codigoVIDA');
    expect(Object.keys(nationalItem(group, {}, ATTENDANT, '2275'))).toEqual(names('2275'));
  });
});

describe('consecutives', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['missing', [undefined, undefined], [1, 2]],
    ['one missing', [2, undefined], [1, 2]],
    ['doubled', [1, 1], [1, 2]],
    ['in another order', [2, 1], [2, 1]],
    ['with a gap, which is for the ministry to refuse', [1, 3], [1, 3]],
  ])('%s', (_name, given, expected) => {
    const items = given.map((consecutivo) =>
      consecutivo === undefined ? { service_type_id: 1 } : { service_type_id: 1, consecutivo },
    );
    expect(services(items as JsonObject[])['consultas']?.map((item) => item['consecutivo'])).toEqual(
      expected,
    );
  });

  it('count within a group', () => {
    const items = services([{ service_type_id: 2 }, { service_type_id: 1 }, { service_type_id: '2' }]);
    expect(Object.keys(items)).toEqual(['consultas', 'procedimientos']);
    expect(items['procedimientos']?.map((item) => item['consecutivo'])).toEqual([1, 2]);
  });
});

describe('the national user', () => {
  const userOf = (patient: JsonObject): JsonObject => {
    const parts = { nit: '900555321', note: NOTE, patient, attendant: ATTENDANT, services: [] };
    return (nationalPackage(parts)['usuarios'] as JsonObject[])[0]!;
  };

  it.each<[string, JsonObject, string, unknown]>([
    ['zone', { rips_zone_id: 1 }, 'codZonaTerritorialResidencia', '01'],
    ['sex by the order of the service', { rips_gender_id: '3' }, 'codSexo', 'F'],
    ['municipality by its rank', { municipality_id: 149 }, 'codMunicipioResidencia', '11001'],
    ['user type', { rips_user_type_id: 12 }, 'tipoUsuario', '12'],
    [
      'the known mistake of id 4',
      { type_document_identification_id: 4 },
      'tipoDocumentoIdentificacion',
      'CN',
    ],
    ['a type without a code', { type_document_identification_id: 10 }, 'tipoDocumentoIdentificacion', '91'],
    ['an unknown id', { rips_gender_id: 9 }, 'codSexo', null],
    ['country as a number', { country_code: 4 }, 'codPaisResidencia', '004'],
    ['country by default', {}, 'codPaisOrigen', '170'],
    ['incapacity', { incapacity: 'SI' }, 'incapacidad', 'SI'],
    ['incapacity by default', {}, 'incapacidad', 'NO'],
  ])('%s', (_name, patient, field, expected) => {
    expect(userOf(patient)[field]).toEqual(expected);
  });
});

describe('a CUV', () => {
  it.each([
    ['a'.repeat(96), true],
    ['A0'.repeat(48), true],
    ['a'.repeat(95), false],
    ['g'.repeat(96), false],
    ['-', false],
    [undefined, false],
  ])('%s', (text, expected) => expect(isCuv(text)).toBe(expected));
});
