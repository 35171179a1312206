import { describe, expect, test } from 'vitest';
import type { Rule } from '../../src/generated/rule-types.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { type JsonObject, type JsonValue, parsePointer } from '../../src/toolkit/core/json.js';
import {
  type Catalogue,
  publishedTable,
  UncheckedTables,
  wholeCatalogue,
} from '../../src/toolkit/schema/catalogue.js';
import { catalogueFunctions } from '../../src/toolkit/schema/catalogue-functions.js';
import { compileRules } from '../../src/toolkit/schema/compiled-rules.js';
import { ruleData } from '../../src/toolkit/schema/rule-data.js';
import { checkRules, runRules } from '../../src/toolkit/schema/rules.js';
import { saidOf } from './payroll-document.js';
import { leaf } from './rips-cases.js';
import { transaction, transactionSchema } from './rips-package.js';

const SCHEMA = transactionSchema('948-v003');

const table = (name: string, columns: string, ...lines: string[]): Catalogue => {
  const names = columns.split(',');
  const rowOf = (line: string) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((column, at) => [column, cells[at] ?? '']));
  };
  return { name, columns: names, rows: lines.map(rowOf) };
};

/** Just what the sound transaction needs, and a code of each kind that it does not have. */
const LOADED: readonly Catalogue[] = [
  table(
    'cups',
    'code,habilitado,uso,sexo,estancia',
    '890201,SI,AC,Z,N',
    '735301,SI,AP,F,S',
    '601T01,SI,AT,Z,N',
    '602500,SI,AP,M,N',
    '890299,NO,AC,Z,N',
  ),
  table('cie10', 'code,sexo', 'I10X,A', 'O800,F', 'Z380,A', 'N40X,M'),
  table('cum', 'code', '19935303-1'),
  table('dci', 'code', '02887'),
  table('ium', 'code', '1A1000001000100'),
  table('reps', 'code,nit', '110010000001,900555321', '050010000001,800111222'),
  table('ips_no_reps', 'code,clase', '900777888,Proveedor de tecnologías en salud'),
  table('servicios', 'code,grupoServicios', '328,01', '129,03'),
  table('paises', 'code', '170'),
  table('umm', 'code', '168'),
  table('ffm', 'code', 'C28944'),
  table('upr', 'code', '1'),
];

const lists = (without: string) => (name: string) =>
  LOADED.find((list) => list.name === name && name !== without) ?? wholeCatalogue(name);
const compiled = (without = '') => compileRules(SCHEMA, ruleData(), catalogueFunctions(lists(without)));
const RULES = compiled();

function edited(edits: Readonly<Record<string, JsonValue>>): JsonObject {
  const document = transaction('948-v003');
  for (const [short, value] of Object.entries(edits)) {
    const keys = parsePointer(leaf(short));
    const last = keys.pop()!;
    keys.reduce<JsonObject>((node, key) => node[key] as JsonObject, document)[last] = value;
  }
  return document;
}

const ONLY_MEDICINES = { 'U/servicios': { medicamentos: [] } };

test('a sound transaction is left in peace with every table loaded', () => {
  const unchecked = new UncheckedTables();
  expect(runRules(RULES, transaction('948-v003'), { unchecked })).toEqual([]);
  expect(unchecked.issues()).toEqual([]);
});

type Edits = Readonly<Record<string, JsonValue>>;

/** A magistral preparation, of which only the code is still asked for. */
const MAGISTRAL: Edits = { 'AM/tipoMedicamento': '03', 'AM/nomTecnologiaSalud': 'Aceite de CANNABIS 5 %' };

const FIRES: readonly [string, 'error' | 'warning', Edits, string?][] = [
  ['unknown-cups', 'error', { 'AC/codConsulta': '890999' }],
  ['unknown-cups', 'error', { 'AP/codProcedimiento': '999999' }],
  ['cups-not-enabled', 'error', { 'AC/codConsulta': '890299' }],
  ['cups-not-consultation', 'warning', { 'AC/codConsulta': '735301' }],
  ['cups-not-procedure', 'warning', { 'AP/codProcedimiento': '890201' }],
  ['cups-not-other-service', 'warning', { 'AT/codTecnologiaSalud': '890201' }],
  ['stay-or-transfer', 'error', { 'AT/codTecnologiaSalud': 'XX' }],
  ['cups-sex', 'warning', { 'AP/codProcedimiento': '602500' }],
  ['cups-stay', 'warning', { 'U/servicios/hospitalizacion': [] }, 'AP/codProcedimiento'],
  ['diagnosis-sex', 'warning', { 'AC/codDiagnosticoRelacionado1': 'N40X' }],
  ['service-group', 'error', { 'AC/grupoServicios': '03' }],
  ['unknown-medicine', 'error', { 'AM/codTecnologiaSalud': '19935303-2' }],
  ['unknown-medicine', 'error', { 'AM/codTecnologiaSalud': '19935303' }],
  [
    'cannabis-without-dci',
    'error',
    { 'AM/codTecnologiaSalud': '19935303-1', ...MAGISTRAL },
    'AM/codTecnologiaSalud',
  ],
  ['unknown-reporter', 'error', { '/numDocumentoIdObligado': '900555322' }],
  ['unknown-site', 'error', { 'AU/codPrestador': '110010000002' }],
  ['foreign-site', 'error', { 'AU/codPrestador': '050010000001' }],
  ['technology-supplier', 'error', { '/numDocumentoIdObligado': '900777888' }],
  ['unknown-code', 'error', { 'AC/codDiagnosticoPrincipal': 'I109' }],
  ['unknown-code', 'error', { 'AC/codServicio': 999 }],
  ['unknown-code', 'error', { 'U/codPaisOrigen': '999' }],
  ['unknown-code', 'error', { 'AM/formaFarmaceutica': 'C99999' }],
  ['unknown-code', 'error', { 'AM/unidadMedida': 9 }],
];

test.each(FIRES)('rips/%s (%s): %o', (code, level, edits, blame = Object.keys(edits)[0]!) => {
  const document = edited(edits);
  expect(saidOf(`rips/${code}`, runRules(RULES, document, {}))).toEqual([[level, leaf(blame)]]);
});

const SILENT: readonly [string, Edits][] = [
  ['unknown-cups', { 'AC/codConsulta': '735301' }],
  ['cups-not-enabled', { 'AC/codConsulta': '735301' }],
  ['cups-not-consultation', { 'AC/codConsulta': '890299' }],
  ['cups-not-procedure', { 'AP/codProcedimiento': '602500' }],
  ['cups-not-other-service', { 'AT/tipoOS': '05', 'AT/codTecnologiaSalud': '890201' }],
  ['stay-or-transfer', { 'AT/tipoOS': '01', 'AT/codTecnologiaSalud': 'XX' }],
  ['cups-stay', { 'AP/codProcedimiento': '602500', 'U/servicios/hospitalizacion': [] }],
  ['diagnosis-sex', { 'AC/codDiagnosticoRelacionado1': 'N40X', 'U/codSexo': 'I' }],
  ['service-group', { 'AC/codServicio': 129, 'AC/grupoServicios': '03' }],
  ['unknown-medicine', { 'AM/codTecnologiaSalud': '1A1000001000100' }],
  ['unknown-medicine', { 'AM/tipoMedicamento': '04', 'AM/codTecnologiaSalud': '1-1' }],
  ['cannabis-without-dci', { 'AM/codTecnologiaSalud': '02887', ...MAGISTRAL }],
  ['cannabis-without-dci', { 'AM/codTecnologiaSalud': 'X', ...MAGISTRAL, 'AM/nomTecnologiaSalud': 'Crema' }],
  ['unknown-reporter', { '/numDocumentoIdObligado': '900777888' }],
  ['technology-supplier', { '/numDocumentoIdObligado': '900777888', ...ONLY_MEDICINES }],
  ['cups-sex', { 'AP/codProcedimiento': '602500', 'U/codSexo': 'I' }],
  ['unknown-site', { 'AU/codPrestador': '050010000001' }],
  ['foreign-site', { 'AU/codPrestador': '050010000001', '/numDocumentoIdObligado': '800111222' }],
  ['unknown-code', { 'AM/unidadMedida': 168 }],
];

test.each(SILENT)('rips/%s is silent: %o', (code, edits) => {
  // Of a site of another NIT the sites of the other groups are foreign.
  const own = saidOf(`rips/${code}`, runRules(RULES, edited(edits), {})).filter(
    ([, pointer = '']) => pointer.startsWith(leaf(Object.keys(edits)[0]!)) || code !== 'foreign-site',
  );
  expect(own).toEqual([]);
});

test('every rule that needs a table has a case that fires and one that stays silent', () => {
  const asksPublished = ({ checks = [] }: Rule): boolean =>
    checks.some(({ when = '', that }) =>
      [...`${when} ${that}`.matchAll(/(?<!loaded)\('(\w+)'/g)].some(
        ([, name]) => publishedTable(name!) !== undefined && wholeCatalogue(name!) === undefined,
      ),
    );
  const due = new Set(
    ruleData()
      .rules.filter((rule) => rule.code.startsWith('rips/') && asksPublished(rule))
      .map(({ code }) => code.slice('rips/'.length)),
  );
  expect(due.size).toBeGreaterThan(15);
  expect(new Set(FIRES.map(([code]) => code))).toEqual(due);
  expect(new Set(SILENT.map(([code]) => code))).toEqual(due);
});

describe('a table that is not loaded', () => {
  test.each<[edits: Edits, expected: readonly string[]]>([
    [{}, []],
    [{ 'AC/codConsulta': '735301' }, ['AC/codConsulta']],
    [{ 'AC/codConsulta': '895100' }, ['AC/codConsulta']],
    [{ 'AP/codProcedimiento': '890201' }, ['AP/codProcedimiento']],
  ])('lets a CUPS be told by how it begins, until it is there: %o', (edits, expected) => {
    const said = (rules: ReturnType<typeof compiled>): unknown =>
      saidOf('rips/cups-by-chapter', runRules(rules, edited(edits), {}));
    expect(said(compiled('cups'))).toEqual(expected.map((short) => ['warning', leaf(short)]));
    expect(said(RULES)).toEqual([]);
  });

  test('rejects nothing, and is said once with what it would have checked', () => {
    const unchecked = new UncheckedTables();
    const wrong = edited({ 'AC/codConsulta': '890999' });
    for (const document of [wrong, transaction('948-v003'), edited(ONLY_MEDICINES)])
      expect(
        runRules(compiled('cups'), document, { unchecked }).filter(({ code }) => /cups/.test(code)),
      ).toEqual([]);
    expect(unchecked.issues()).toEqual([
      {
        code: 'catalogue/not-loaded',
        level: 'warning',
        params: {
          table: 'cups',
          documents: 2,
          rules: 'RVC015, RVC016, RVC020, RVC021, RVC024, RVC026, RVC096, RVG14',
        },
        place: {},
      },
    ]);
  });

  test('a sample is not the table', () => {
    const unchecked = new UncheckedTables();
    checkRules(SCHEMA, transaction('948-v003'), { unchecked });
    expect(unchecked.issues().map(({ params }) => paramOf({ params }, 'table'))).toEqual([
      'cie10',
      'cum',
      'cups',
      'ips_no_reps',
      'paises',
      'reps',
      'servicios',
      'upr',
    ]);
  });

  test('one without a column that a rule needs', () => {
    const unchecked = new UncheckedTables();
    const bare = (name: string) => (name === 'cie10' ? table('cie10', 'code', 'I10X') : lists('')(name));
    const rules = compileRules(SCHEMA, ruleData(), catalogueFunctions(bare));
    runRules(rules, transaction('948-v003'), { unchecked });
    expect(unchecked.issues()).toMatchObject([
      { code: 'catalogue/column-missing', params: { table: 'cie10', column: 'sexo', rules: 'RVC028' } },
    ]);
  });
});
