import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import { catalogue } from '../../src/toolkit/schema/catalogue.js';
import { findIn } from '../inspect/known.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const PARAMS = JSON.parse(readFileSync('samples/rips/consultas/params.json', 'utf8')) as Record<
  string,
  unknown
>;
const LABELS =
  'Fecha Consulta;Tipo Doc;Documento;Primer Nombre;Primer Apellido;Fecha Nac;Sexo;Régimen;Cód. Municipio;Zona;Correo;CUPS;Dx;Tipo Dx;Finalidad;Causa;Valor;Cuota;Concepto;Incapacidad;Doc. Profesional';

/** A list of consultations, one a patient, with these sexes and user types. */
function listOf(patients: readonly { readonly sex?: string; readonly type?: string }[]): string {
  const rows = patients.map(
    ({ sex = 'F', type = '04' }, at) =>
      `21/10/2026 07:31;CC;98000051${10 + at};Ana;Moreno;26/9/1946;${sex};${type};11001;R;p${at}@correo.example;890206;E66.9;03;16;38;38000;0;05;NO;9900000011`,
  );
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-old-codes-')), 'consultas.csv');
  writeFileSync(file, [LABELS, ...rows].join('\n'));
  return file;
}

const prepared = (file: string, params: object = {}) =>
  prepareFiles({ mapping: 'mappings/rips/consultas.yaml', params: { ...PARAMS, ...params }, files: [file] });

const codeOf = (id: unknown): string | undefined =>
  catalogue('rips_user_types')!.rows.find((row) => row['id'] === String(id))?.['code'];

describe('user types of one digit', () => {
  const TYPES = 'H';
  test.each<
    [string, readonly string[], object, readonly (string | undefined)[], readonly [number, string][]]
  >([
    ['nothing shows the list', ['1', '2', '4'], {}, [], [2, 3, 4].map((row) => [row, 'lookup/which-list'])],
    [
      'another value is of the present list',
      ['1', '04', '12'],
      {},
      ['01', '04', '12'],
      [[2, 'cell/zeros-restored']],
    ],
    [
      'the present list is named',
      ['2', '4'],
      { codigos_regimen: 'actual' },
      ['02', '04'],
      [
        [2, 'cell/zeros-restored'],
        [3, 'cell/zeros-restored'],
      ],
    ],
    [
      'the old list is named',
      ['2', '3', '4', '7'],
      { codigos_regimen: 'anterior' },
      ['04', '05', '12', '04'],
      [],
    ],
    [
      'an old code means several',
      ['2', '1'],
      { codigos_regimen: 'anterior' },
      ['04'],
      [[3, 'lookup/unknown']],
    ],
    [
      'the old list is named and the column is of the present one',
      ['2', '12'],
      { codigos_regimen: 'anterior' },
      ['12'],
      [[2, 'lookup/contradiction']],
    ],
    ['words and two digits are of no doubt', ['Subsidiado', '04'], {}, ['04', '04'], []],
  ])('%s: %j', async (_, types, params, expected, told) => {
    const { drafts, issues } = await prepared(listOf(types.map((type) => ({ type }))), params);
    const found = placed(issues).filter(([, code]) => /^(lookup|cell)/.test(code));
    expect(found).toEqual(told.map(([row, code]) => [`consultas.csv!${TYPES}${row}`, code]));
    expect(
      drafts.map(({ body }) =>
        codeOf(valueAt(body, '/patient/rips_user_type_id') ?? valueAt(body, '/rips_user_type_id')),
      ),
    ).toEqual(expected);
  });
});

test.each([
  ['user types', 'codigos_regimen', [{ type: '2' }, { type: '4' }]],
  ['sexes', 'codigos_sexo', [{ sex: 'H' }, { sex: 'M' }]],
])('inspecting asks once which list %s are of', async (_, id, patients) => {
  const file = listOf(patients);
  const { open } = await findIn([file], 'rips');
  const asked = open.filter((question) => question.id.startsWith('codigos_'));
  expect(asked.map((question) => question.id)).toEqual([id]);
  const answer = asked[0]!.answers[1]!.value;
  const after = await findIn([file], 'rips', new Map([[id, answer]]));
  expect(after.open.filter((question) => question.id.startsWith('codigos_'))).toEqual([]);
});
