import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { compileMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';

const { params } = compileMapping('wide.yaml', readFileSync('mappings/payroll/wide.yaml', 'utf8'));
const ENOUGH = { prefix: 'NOM', month: '2026-02', issue_date: '2026-02-28' };
const codes = (given: Record<string, unknown>) =>
  resolveParams(params, given).issues.map(({ code, params }) => [code, paramOf({ params }, 'name')]);

test('what the run does not say comes from defaults and formulas, and is listed', () => {
  const { value, issues } = resolveParams(params, ENOUGH);
  expect(issues).toEqual([]);
  expect(value?.values).toMatchObject({
    ...ENOUGH,
    type_document_id: '9',
    settlement_end_date: '2026-02-28',
  });
  expect(value?.defaults).toMatchObject({ settlement_start_date: '2026-02-01', worked_time: 'seniority' });
  expect(value?.defaults).not.toHaveProperty('prefix');
});

test.each(['split', 'la mitad a subsistencia', 'La Mitad a Subsistencia', 'half to subsistence'])(
  'a choice is given by its value or its words: %s',
  (said) => {
    const { value } = resolveParams(params, { ...ENOUGH, solidarity_fund: said });
    expect(value?.values['solidarity_fund']).toBe('split');
  },
);

test.each<[string, Record<string, unknown>, [string, string][]]>([
  [
    'nothing given',
    {},
    [
      ['param/missing', 'prefix'],
      ['param/missing', 'month'],
      ['param/missing', 'issue_date'],
    ],
  ],
  ['misspelt name', { ...ENOUGH, prefijo: 'NOM' }, [['param/unknown', 'prefijo']]],
  ['a date that does not exist', { ...ENOUGH, issue_date: '2026-02-30' }, [['param/wrong', 'issue_date']]],
  ['a month with a day', { ...ENOUGH, month: '2026-02-01' }, [['param/wrong', 'month']]],
  ['a choice outside its list', { ...ENOUGH, worked_time: 'hours' }, [['param/wrong', 'worked_time']]],
  [
    'a fraction for an integer',
    { ...ENOUGH, payroll_period_id: 4.5 },
    [['param/wrong', 'payroll_period_id']],
  ],
  ['numbers and booleans of a JSON file', { ...ENOUGH, payroll_period_id: 5, high_risk_pension: true }, []],
  ['words for a boolean', { ...ENOUGH, high_risk_pension: 'sí' }, []],
  ['a list', { ...ENOUGH, prefix: ['NOM'] }, [['param/wrong', 'prefix']]],
])('%s', (_, given, expected) => expect(codes(given)).toEqual(expected));

const conversions = compileMapping(
  'conversions.yaml',
  readFileSync('mappings/rips/3374-zip.yaml', 'utf8'),
).params;
const RIPS = { numDocumentoIdObligado: '900555321', cod_prestador: '110010990101', users: [] };

test('constants that no file supplies come in a group of their own, and are listed', () => {
  const given = {
    ...RIPS,
    codPaisOrigen: '032',
    defaults: { codPaisResidencia: '170', codPaisOrigen: '170' },
  };
  const { value, issues } = resolveParams(conversions, given);
  expect(issues).toEqual([]);
  expect(value?.values).toMatchObject({
    codPaisResidencia: '170',
    codPaisOrigen: '032',
    country_code: '170',
  });
  expect(value?.defaults).toHaveProperty('codPaisResidencia');
  expect(value?.defaults).not.toHaveProperty('codPaisOrigen');
});

test('a default that the mapping does not know is an unknown parameter', () => {
  const { issues } = resolveParams(conversions, { ...RIPS, defaults: { pais: '170' } });
  expect(issues.map(({ code, value }) => [code, value])).toEqual([['param/unknown', 'pais']]);
});

test('answers are found by code list and code', () => {
  const { value } = resolveParams(conversions, { ...RIPS, conversions: { AC_finalidad: { '10': 15 } } });
  expect(value?.values).toMatchObject({ 'conversions.AC_finalidad.10': '15' });
});

test('a table may be a map of records by their key', () => {
  const { params: tables } = compileMapping('c.yaml', readFileSync('mappings/rips/consultas.yaml', 'utf8'));
  const { value } = resolveParams(tables, {
    numDocumentoIdObligado: '900555321',
    users: [],
    services_by_cups: { '890201': { grupoServicios: '01', codServicio: 328 } },
  });
  expect(value?.tables['services_by_cups']).toEqual([
    { key: '890201', grupoServicios: '01', codServicio: 328 },
  ]);
});

test.each([
  ['plain values', [5, '7'], [{ value: 5 }, { value: '7' }]],
  ['a map of plain values', { a: 5 }, [{ key: 'a', value: 5 }]],
  ['records', [{ x: 1 }], [{ x: 1 }]],
])('a table of %s', (_, said, records) => {
  const { params: tables } = compileMapping('c.yaml', readFileSync('mappings/rips/consultas.yaml', 'utf8'));
  const { value } = resolveParams(tables, { services_by_cups: said });
  expect(value?.tables['services_by_cups']).toEqual(records);
});

test('a record of a table says what it has to', () => {
  const { params } = compileMapping('consultas.yaml', readFileSync('mappings/rips/consultas.yaml', 'utf8'));
  const whole = {
    user_id: 7,
    tipoDocumentoIdentificacion: 'CC',
    numDocumentoIdentificacion: '1',
    codPrestador: '2',
  };
  const { codPrestador: _, ...cut } = whole;
  const lacking = (users: unknown) =>
    resolveParams(params, { users })
      .issues.filter(({ code }) => code === 'param/record-lacks')
      .map((issue) => [paramOf(issue, 'record'), paramOf(issue, 'named_en')]);
  expect(lacking([whole, { ...cut, user_id: '' }])).toEqual([
    [2, 'user_id (id in the service), codPrestador (provider code)'],
  ]);
  expect(lacking([whole])).toEqual([]);
});
