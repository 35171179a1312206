import { describe, expect, test } from 'vitest';
import {
  catalogue,
  publishedTable,
  publishedTables,
  shippedCatalogue,
  wholeCatalogue,
} from '../../src/toolkit/schema/catalogue.js';
import { type Cells, headersIn, PublishedReader } from '../../src/toolkit/schema/read-published.js';

function read(name: string, [labels = [], ...rows]: readonly Cells[]) {
  const table = publishedTable(name)!;
  const reader = new PublishedReader(table, headersIn(table, labels)[0]!, shippedCatalogue(name));
  for (const row of rows) reader.add(row);
  return reader.finish();
}
const codesOf = (name: string, codes: readonly string[]): string[] =>
  read(name, [['Codigo'], ...codes.map((code) => [code])]).table.rows.map((row) => row['code']!);

test('the layout of the ministry: columns by their labels, words as codes', () => {
  const { table, refused } = read('cups', [
    ['Tabla', 'Codigo', 'Nombre', 'Habilitado', 'Extra_I:UsoCodigoCUP', 'Extra_VI:Sexo'],
    ['CUPSRips', '010101', 'PUNCIÓN CISTERNAL', 'SI', 'AP', 'Z'],
    ['CUPSRips', '602E01', 'OTRO', 'True', 'AP', 'M'],
    ['CUPSRips', '890299', 'VIEJO', 'Inactivo', 'AC', 'Z'],
  ]);
  expect(table.columns).toEqual(['code', 'name', 'habilitado', 'uso', 'sexo']);
  expect(table.rows).toEqual([
    { code: '010101', name: 'PUNCIÓN CISTERNAL', habilitado: 'SI', uso: 'AP', sexo: 'Z' },
    { code: '602E01', name: 'OTRO', habilitado: 'SI', uso: 'AP', sexo: 'M' },
    { code: '890299', name: 'VIEJO', habilitado: 'NO', uso: 'AC', sexo: 'Z' },
  ]);
  expect(refused.count).toBe(0);
});

test('the column of who a site belongs to', () => {
  const { table } = read('reps', [
    [
      'Tabla',
      'Codigo',
      'Nombre',
      'Extra_I:TipoIDPrestador',
      'Extra_II:NroIDPrestador',
      'Extra_III:CodigoPrestador',
    ],
    ['IPSCodHabilitacion', '110010000001', 'CLÍNICA', 'NI', '900555321', '1100100000'],
  ]);
  expect(table.rows).toEqual([{ code: '110010000001', name: 'CLÍNICA', nit: '900555321' }]);
});

test('groups of services come as names', () => {
  const { table } = read('servicios', [
    ['code', 'name', 'description', 'is_enabled'],
    ['328', 'MEDICINA GENERAL', 'CONSULTA EXTERNA', 'SI'],
    ['203', 'CIRUGIA GENERAL', 'QUIRURGICOS', 'SI'],
  ]);
  expect(table.rows.map((row) => row['grupoServicios'])).toEqual(['01', '04']);
});

describe('codes', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['cups', ['20110', '20110.0', '020111'], ['020110', '020111']],
    ['cups', ['6020', '6.02E+03', '', '1234567'], []],
    ['municipalities', ['5001', '05001', '11001'], ['05001', '11001']],
    ['reps', ['50010000001', '110010000001', '1100100000'], ['050010000001', '110010000001', '1100100000']],
    ['servicios', ['328', '1102'], ['328', '1102']],
    ['cie10', ['A09.0', 'i10x', 'Z00.0'], ['A090', 'I10X', 'Z000']],
    ['cie10', ['I10', 'A00', 'A000', 'A00.9'], ['A000', 'A009', 'I10X']],
    ['cum', ['19935303-1'], ['19935303-1']],
  ])('%s %o', (name, found, expected) => {
    expect(codesOf(name, found)).toEqual(expected);
  });

  test('are made of two columns where the publisher parts them', () => {
    const rows = [
      ['expediente', 'producto', 'expedientecum', 'consecutivocum', 'estadocum'],
      ['1', 'ACETAMINOFEN', '19935303', '1', 'Activo'],
      ['1', 'ACETAMINOFEN', '19935303', '1', 'Activo'],
    ];
    const { table, repeated } = read('cum', rows);
    expect(table.rows).toEqual([{ code: '19935303-1', name: 'ACETAMINOFEN', habilitado: 'SI' }]);
    expect(repeated).toEqual({ count: 1, first: '19935303-1' });
  });

  test('what was done to them is counted', () => {
    const { restored, refused } = read('cups', [['Codigo'], ['20110'], ['20111'], ['6020']]);
    expect(restored).toEqual({ count: 2, first: '020110' });
    expect(refused).toEqual({ count: 1, first: '6020' });
  });

  test('of a repeated one the enabled row stands', () => {
    const rows = [
      ['Codigo', 'Nombre', 'Habilitado'],
      ['890201', 'a', 'NO'],
      ['890201', 'b', 'SI'],
      ['890201', 'c', 'SI'],
    ];
    expect(read('cups', rows).table.rows).toEqual([{ code: '890201', name: 'b', habilitado: 'SI' }]);
  });
});

test("the service's ids stay where the file does not have them", () => {
  const { table } = read('municipalities', [
    ['Codigo', 'Nombre'],
    ['05001', 'MEDELLÍN'],
    ['99999', 'NUEVO'],
  ]);
  expect(table.rows).toMatchObject([
    { code: '05001', name: 'MEDELLÍN', id: '1' },
    { code: '99999', id: '' },
  ]);
});

test.each([
  ['cups', ['Tabla', 'Nombre'], false],
  ['cups', ['Código', 'Nombre'], true],
  ['cum', ['expedientecum', 'producto'], false],
])('a header of %s: %o', (name, labels, is) => {
  expect(headersIn(publishedTable(name)!, labels).length > 0).toBe(is);
});

test.each(publishedTables())(
  'what is said of $name holds together',
  ({ code, columns, words = {}, sample }) => {
    expect(() => new RegExp(code.form)).not.toThrow();
    expect(Object.keys(columns)).toContain('name');
    for (const column of Object.keys(words)) expect(Object.keys(columns)).toContain(column);
    for (const row of shippedCatalogue(sample ?? '')?.rows ?? [])
      expect(row['code']).toMatch(new RegExp(code.form));
  },
);

test('tables that are not loaded have a sample at most, which does not stand for the whole', () => {
  for (const { name, sample } of publishedTables()) {
    if (name === 'municipalities') continue;
    expect(wholeCatalogue(name), name).toBeUndefined();
    expect(catalogue(name)?.name, name).toBe(sample);
  }
});
