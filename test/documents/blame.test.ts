import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { PipelineError, paramOf } from '../../src/toolkit/core/issue.js';
import { readLayout } from '../../src/toolkit/mapping/layout.js';
import { compileMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { resolveParams } from '../../src/toolkit/mapping/params.js';
import {
  childKeys,
  isDerived,
  isFilledLater,
  isList,
  isRequired,
  resolveNode,
} from '../../src/toolkit/schema/registry.js';
import { editedSample } from '../support/edit-workbook.js';
import { PARAMS, placed, prepareFiles, WIDE } from '../support/prepare-file.js';

/** Returns `payroll/wide` in its core form, to be changed. */
const coreOfWide = (): Spec => structuredClone(readLayout(WIDE, readFileSync(WIDE, 'utf8')).value) as Spec;

/** Every leaf that a payroll must have, as the schema says; a list stands for its items. */
function requiredLeaves(keys: readonly string[] = []): string[] {
  const node = resolveNode('payroll/payroll', keys)!;
  return childKeys(node)
    .filter((key) => isRequired(node, key))
    .flatMap((key) => {
      const path = [...keys, key];
      const child = resolveNode('payroll/payroll', path)!;
      if (isFilledLater(child) || isDerived(child)) return [];
      const inside = isList(child) ? [] : requiredLeaves(path);
      return inside.length > 0 ? inside : [`/${path.join('/')}`];
    });
}

type Said = readonly [place: string, code: string, documents?: number];
interface Source {
  /** Column of the sample that gives it; the second worker stands in row 3. */
  readonly column?: string;
  /** What is said when the cell is emptied, unless that its cell lacks a required value; null where a default stands in. */
  readonly blank?: Said | null;
  /** What is said when the column is missing, unless that the header lacks it; null where a default stands in. */
  readonly absent?: Said | null;
  /** Parameter without which there is nothing. */
  readonly param?: string;
  /** What is said without the parameter, unless that the run lacks it. */
  readonly without?: Said;
}

const OPTIONAL = (param: string): Said => [`Parámetro ${param}`, 'document/required', 25];

const LEAVES: Readonly<Record<string, Source>> = {
  '/type_document_id': {},
  '/prefix': { param: 'prefix' },
  '/payroll_period_id': {},
  '/period/admision_date': { column: 'P' },
  '/period/settlement_start_date': { param: 'month' },
  '/period/settlement_end_date': { param: 'month' },
  '/period/worked_time': { column: 'U' },
  '/period/issue_date': { param: 'issue_date' },
  '/worker/type_worker_id': { column: 'J' },
  '/worker/sub_type_worker_id': { column: 'K' },
  '/worker/payroll_type_document_identification_id': { column: 'A' },
  '/worker/municipality_id': { column: 'H', blank: null, absent: ['Nomina!I9', 'lookup/ambiguous'] }, // the name says it too
  '/worker/type_contract_id': { column: 'L' },
  '/worker/identification_number': { column: 'B', blank: ['Nomina!B3', 'row/key-blank'] },
  '/worker/surname': { column: 'C' },
  '/worker/first_name': { column: 'E' },
  '/worker/salary': { column: 'O' },
  '/worker/high_risk_pension': { column: 'M', blank: null, absent: null },
  '/worker/integral_salarary': { column: 'N', blank: null, absent: null },
  '/worker/address': { column: 'G' },
  '/payment/payment_method_id': { column: 'Q' },
  '/payment_dates': { param: 'payment_date', without: OPTIONAL('payment_date') },
  '/accrued/worked_days': { column: 'U' },
  '/accrued/salary': { column: 'V' },
  '/deductions/eps_type_law_deductions_id': {},
  '/deductions/eps_deduction': {
    column: 'AS',
    blank: ['Nomina!BA3', 'payroll/deductions-total'],
    absent: ['Nomina!BA2', 'payroll/deductions-total'],
  },
  '/deductions/pension_type_law_deductions_id': {},
  '/deductions/pension_deduction': {
    column: 'AT',
    blank: ['Nomina!BA3', 'payroll/deductions-total'],
    absent: ['Nomina!BA2', 'payroll/deductions-total'],
  },
};

/** A column of the sample with its header. */
const emptied = (column: string): Record<string, null> =>
  Object.fromEntries(Array.from({ length: 26 }, (_, row) => [`${column}${row + 1}`, null]));

const errors = async (given: Parameters<typeof prepareFiles>[0]): Promise<readonly Said[]> => {
  const { issues, documents } = await prepareFiles(given);
  const wrong = issues.filter(({ level }) => level === 'error');
  expect(documents.planned > 0 && documents.heldBack === 0).toBe(wrong.length === 0);
  return wrong.map((issue) => {
    const [[place, code]] = placed([issue]) as [[string, string]];
    return issue.documents === undefined ? [place, code] : [place, code, issue.documents];
  });
};

test('every required leaf of a payroll is in the table', () => {
  const leaves = requiredLeaves().filter((leaf) => !leaf.endsWith('_total'));
  expect(leaves.sort()).toEqual(Object.keys(LEAVES).sort());
});

/** A mapping file, as far as these tests change it. */
// biome-ignore lint/suspicious/noExplicitAny: a file of free form
type Spec = any;

const cases = Object.entries(LEAVES);

describe('the blamed place of a leaf that is missing', () => {
  test.each(cases.filter(([, { column }]) => column !== undefined))(
    '%s: its cell is blank',
    async (_, one) => {
      const { column, blank = [`Nomina!${column}3`, 'document/required'] as const } = one;
      expect(await errors({ files: [await editedSample({ [`${column}3`]: null })] })).toEqual(
        blank === null ? [] : [blank],
      );
    },
  );

  test.each(cases.filter(([, { column }]) => column !== undefined))(
    '%s: its column is missing',
    async (_, one) => {
      const { column, absent } = one;
      const said = await errors({ files: [await editedSample(emptied(column!))] });
      expect(new Set(said.map(([, code]) => code)).size).toBe(absent === null ? 0 : 1);
      expect(said[0]).toEqual(
        absent === null
          ? undefined
          : (absent ?? [expect.stringMatching(/^Nomina!?[A-Z]*1?$/), expect.stringMatching(/^header\//)]),
      );
    },
  );

  test.each(cases.filter(([, { param }]) => param !== undefined))(
    '%s: its parameter is missing',
    async (_, one) => {
      const {
        [one.param!]: _given,
        settlement_start_date: _start,
        settlement_end_date: _end,
        ...params
      } = PARAMS;
      if (one.without !== undefined) {
        expect(await errors({ params })).toEqual([one.without]);
        return;
      }
      const { issues } = resolveParams((await loadMapping(WIDE)).params, params);
      expect(issues.map(({ code, params }) => [code, paramOf({ params }, 'name')])).toEqual([
        ['param/missing', one.param],
      ]);
    },
  );

  test.each(cases.map(([leaf]) => leaf))('%s: the mapping does not give it', async (leaf) => {
    const spec = coreOfWide();
    const keys = leaf.slice(1).split('/');
    const parent = keys.slice(0, -1).reduce((block, key) => block[key], spec.document);
    delete parent[keys.at(-1)!];
    delete spec.tests;
    let found: unknown;
    try {
      compileMapping('test.yaml', stringify(spec));
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(PipelineError);
    expect(
      (found as PipelineError).issues.map(({ code, params }) => [code, paramOf({ params }, 'pointer')]),
    ).toEqual([['mapping/required-unmapped', leaf]]);
  });
});

describe('what no cell caused', () => {
  const wideWith = (change: (spec: Spec) => void): string => {
    const spec = coreOfWide();
    delete spec.tests;
    change(spec);
    return stringify(spec);
  };

  test.each<[string, (spec: Spec) => void, Record<string, unknown>, Said]>([
    ['a wrong parameter', () => {}, { prefix: 'NÓM1' }, ['Parámetro prefix', 'document/format-prefix', 25]],
    [
      'a parameter in place of a column',
      (spec) => {
        delete spec.tables.workers.columns.address;
        spec.document.worker.address = { param: 'address' };
      },
      {},
      ['Parámetro address', 'document/required', 25],
    ],
    [
      'a constant of the mapping',
      (spec) => {
        spec.document.prefix = { const: 'abc1' };
      },
      {},
      ['Mapeo payroll/wide /prefix', 'document/format-prefix', 25],
    ],
    [
      'a list without a column in the file or a parameter',
      (spec) => {
        spec.document.payment_dates = [{ payment_date: { from: 'payment_date' } }];
      },
      {},
      ['Nomina /payment_dates', 'document/required', 25],
    ],
    [
      'a parameter that a formula needs',
      (spec) => {
        spec.document.worker.address = { formula: 'join(param.address, upper(param.address))' };
      },
      {},
      ['Parámetro address', 'formula/blank', 25],
    ],
  ])('%s is said once, with how many documents it holds back', async (_, change, params, expected) => {
    expect(await errors({ mappingText: wideWith(change), params: { ...PARAMS, ...params } })).toEqual([
      expected,
    ]);
  });

  test('of two parameters that are missing both are said, and so is a fault of the mapping', async () => {
    const { payment_date: _, ...params } = PARAMS;
    const mappingText = wideWith((spec) => {
      spec.document.worker.address = { formula: 'join(param.address, upper(param.address))' };
      spec.document.prefix = { const: 'abc1' };
    });
    expect((await errors({ mappingText, params })).toSorted()).toEqual([
      ['Mapeo payroll/wide /prefix', 'document/format-prefix', 25],
      ['Parámetro address', 'formula/blank', 25],
      ['Parámetro payment_date', 'document/required', 25],
    ]);
  });

  test('a blank payment date is blamed on its own cell where the file has the column', async () => {
    const { payment_date: _, ...params } = PARAMS;
    const cells: Record<string, string> = { BC1: 'Fecha de pago' };
    for (let row = 2; row <= 26; row++) if (row !== 5) cells[`BC${row}`] = '2026-10-30';
    expect(await errors({ files: [await editedSample(cells)], params })).toEqual([
      ['Nomina!BC5', 'document/required'],
    ]);
  });

  test('a parameter that stands in for a blank cell is blamed for its own faults', async () => {
    const files = [await editedSample({ L3: null })];
    expect(await errors({ files, params: { ...PARAMS, type_contract_id: -1 } })).toEqual([
      ['Parámetro type_contract_id', 'document/too-small', 1],
    ]);
  });
});

test.each([false, true])(
  'a patient without services gets one error, at the record; what all share: %s',
  async (isShared) => {
    const folder = 'samples/rips/grupos';
    const users = readFileSync(`${folder}/usuarios.csv`, 'utf8').trimEnd();
    const patient = users
      .split('\n')[1]!
      .replace('9800020000', '9800020999')
      .replace('ivan.castro20000', 'otro');
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'usuarios.csv');
    writeFileSync(file, `${users}\n${patient}\n`);
    const others = readdirSync(folder).filter((name) => name.endsWith('.csv') && name !== 'usuarios.csv');
    const shared = join(dirname(file), 'transaccion.csv');
    writeFileSync(shared, 'numDocumentoIdObligado,codPrestador\n900123456,110010990101\n');
    const said = await prepareFiles({
      files: [file, ...(isShared ? [shared] : []), ...others.map((name) => join(folder, name))],
      mapping: 'mappings/rips/excel-por-nodo.yaml',
      params: JSON.parse(readFileSync(`${folder}/params.json`, 'utf8')),
    });
    const own = said.issues.filter(({ documentKey }) => documentKey?.includes('9800020999'));
    expect(placed(own)).toEqual([['usuarios.csv!30', 'rips/no-services']]);
  },
);

test('a document of thousands of records is held back, in a moment', async () => {
  const folder = 'samples/rips/grupos';
  const [head, first] = readFileSync(`${folder}/medicamentos.csv`, 'utf8').split('\n');
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'medicamentos.csv');
  writeFileSync(file, `${head}\n${`${first}\n`.repeat(3_001)}`);
  const others = readdirSync(folder).filter((name) => name.endsWith('.csv') && name !== 'medicamentos.csv');
  const said = await prepareFiles({
    files: [file, ...others.map((name) => join(folder, name))],
    mapping: 'mappings/rips/excel-por-nodo.yaml',
    params: JSON.parse(readFileSync(`${folder}/params.json`, 'utf8')),
  });
  const crowded = said.issues.filter(({ code }) => code === 'document/too-many-records');
  expect(
    crowded.map(({ level, place, params }) => [
      level,
      place.file,
      Number(paramOf({ params }, 'count')) > 3_001,
    ]),
  ).toEqual([['error', 'usuarios.csv', true]]);
});

/** The list of services of every kind, with other texts in the first record of a kind. */
async function ofList(kind: string, texts: Readonly<Record<string, string>>) {
  const folder = 'samples/rips/lista';
  const [head = [], ...rows] = readFileSync(`${folder}/servicios octubre.csv`, 'latin1')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(';'));
  const own = rows.findIndex((row) => row[head.indexOf('TIPO DE SERVICIO')] === kind);
  for (const [label, text] of Object.entries(texts)) rows[own]![head.indexOf(label)] = text;
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'servicios.csv');
  writeFileSync(file, [head, ...rows].map((row) => row.join(';')).join('\n'), 'latin1');
  const params = JSON.parse(readFileSync(`${folder}/params.json`, 'utf8')) as Record<string, unknown>;
  const services_by_cups = { '890201': { grupoServicios: '01', codServicio: 328 } };
  const { issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/lista.yaml',
    params: { ...params, services_by_cups },
  });
  const ofRow = issues.filter(({ place }) => place.row === own + 2 || place.file === 'services_by_cups');
  return ofRow.map((issue) => {
    const [[place, code]] = placed([issue]) as [[string, string]];
    return [place.split('!')[1], code, ...(issue.value === undefined ? [] : [issue.value])];
  });
}

test('what a record could have itself is blank there, and not in a table that has none for it', async () => {
  expect(await ofList('CONSULTA', { 'GRUPO SERVICIOS': '', 'COD SERVICIO': '' })).toEqual([
    ['AB2', 'document/required'],
    ['AC2', 'document/required'],
  ]);
});

test('what is computed of a word that nobody knows says nothing more', async () => {
  const said = await ofList('MEDICAMENTO', { 'TIPO MEDICAMENTO': 'POS' });
  expect(said.map(([, code]) => code)).toEqual(['lookup/unknown']);
});

test('a service without patient and kind is no row of totals, and what is wrong with its cells is shown', async () => {
  const blank = { 'TIPO DE SERVICIO': '', DOCUMENTO: '', FECHA: '31/02/2026' };
  expect(await ofList('HOSPITALIZACIÓN', blank)).toEqual(
    expect.arrayContaining([
      ['B11', 'row/key-blank'],
      ['R11', 'cell/date-impossible', '31/02/2026'],
    ]),
  );
});
