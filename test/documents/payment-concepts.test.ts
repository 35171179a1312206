import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { valueAt } from '../../src/toolkit/core/json.js';
import { prepareFiles } from '../support/prepare-file.js';

const FOLDER = 'samples/rips/consultas';
const RECORDS = readFileSync(join(FOLDER, 'Consultas octubre.csv'), 'latin1')
  .trimEnd()
  .split(/\r?\n/)
  .map((line) => line.split(';'));
const params = JSON.parse(readFileSync(join(FOLDER, 'params.json'), 'utf8')) as Record<string, unknown>;
const HEAD = RECORDS[0]!;
const PAYMENT = [HEAD.indexOf('Cuota'), HEAD.indexOf('Concepto')];

/** The first consultation of the sample with other columns for its payment; the others fill each of them, and say how dates are written. */
async function paid(
  columns: Readonly<Record<string, string>>,
  more: Readonly<Record<string, unknown>> = {},
  told = 'error',
) {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-paid-')), 'consultas.csv');
  const others = (record: readonly string[]) => record.filter((_, at) => !PAYMENT.includes(at));
  const zeros = Object.keys(columns).map((title) => (title === 'Concepto' ? '5' : '0'));
  const records = [
    [...others(HEAD), ...Object.keys(columns)],
    [...others(RECORDS[1]!), ...Object.values(columns)],
    ...RECORDS.slice(2, 12).map((record) => [...others(record), ...zeros]),
  ];
  writeFileSync(file, records.map((record) => record.join(';')).join('\n'), 'latin1');
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/rips/consultas.yaml',
    params: { ...params, ...more },
  });
  const service = drafts[0]?.body;
  return {
    errors: issues.flatMap(({ code, level, place }) =>
      level === told && place.row === 2 ? [[code, place.label]] : [],
    ),
    concept: service && valueAt(service, '/document/services/0/conceptoRecaudo'),
    amount: service && valueAt(service, '/document/services/0/valorPagoModerador'),
  };
}

test.each<[columns: Readonly<Record<string, string>>, concept: number, amount: number]>([
  [{ Copago: '4.700,00', 'Cuota moderadora': '0,00' }, 1, 4700],
  [{ Copago: '0,00', 'Cuota moderadora': '4.700,00' }, 2, 4700],
  [{ Copago: '', 'Cuota moderadora': '4.700,00' }, 2, 4700],
  [{ Copago: '0,00', 'Cuota moderadora': '' }, 5, 0],
  [{ 'Cuota moderadora': '0,00' }, 5, 0],
  [{ 'Pago moderador': '0,00' }, 5, 0],
  [{ Copago: '4.700,00' }, 1, 4700],
  [{ Copago: '4.700,00', Concepto: 'Cuota moderadora' }, 2, 4700],
  [{ Copago: '4.700,00', 'Cuota moderadora': '0', 'Pago moderador': '4.700,00' }, 1, 4700],
])('%j is concept %i', async (columns, concept, amount) => {
  expect(await paid(columns)).toEqual({ errors: [], concept, amount });
});

test('what is said of all is meant', async () => {
  expect(await paid({ Copago: '4.700,00' }, { conceptoRecaudo: 2 })).toEqual({
    errors: [],
    concept: 2,
    amount: 4700,
  });
});

test('that nothing was paid, said of all, holds for those that paid nothing', async () => {
  const none = { conceptoRecaudo: 5 };
  expect(await paid({ 'Cuota moderadora': '4.700,00' }, none)).toEqual({
    errors: [],
    concept: 2,
    amount: 4700,
  });
  expect(await paid({ 'Cuota moderadora': '0,00' }, none)).toEqual({ errors: [], concept: 5, amount: 0 });
});

test('without a column for it the payment is asked of all, and of no record', async () => {
  expect((await paid({})).errors).toEqual([]);
  expect(await paid({}, { valorPagoModerador: '0' })).toEqual({ errors: [], concept: 5, amount: 0 });
});

test('where nothing says the concept, that is missing, and no column that the file does not have', async () => {
  expect((await paid({ 'Cuota moderadora': '', Concepto: '' })).errors).toEqual([
    ['document/required', 'Concepto'],
    ['document/required', 'Cuota moderadora'],
  ]);
});

test.each<[columns: Readonly<Record<string, string>>, at: string]>([
  [{ Copago: '12.000,00', 'Cuota moderadora': '4.700,00' }, 'Copago'],
  [{ Copago: '12.000,00', 'Pago moderador': '15.000,00' }, 'Pago moderador'],
])('%j is an error at %s', async (columns, at) => {
  expect((await paid(columns)).errors).toEqual([['check/failed', at]]);
});

test.each<[columns: Readonly<Record<string, string>>, told: boolean]>([
  [{ Copago: '4.700,00', Concepto: '02' }, true],
  [{ Copago: '4.700,00', Concepto: 'Cuota moderadora' }, true],
  [{ 'Cuota moderadora': '4.700,00', Concepto: 'Copago' }, true],
  [{ 'Cuota moderadora': '4.700,00', Concepto: '02' }, false],
  [{ Copago: '4.700,00', Concepto: '01' }, false],
  [{ Copago: '0,00', Concepto: '05' }, false],
  [{ Cuota: '4.700,00', Concepto: '01' }, false],
])('a title that says another concept than the record does is told: %j', async (columns, told) => {
  const { errors: warnings } = await paid(columns, {}, 'warning');
  expect(warnings.filter(([code]) => code === 'check/failed')).toEqual(
    told ? [['check/failed', 'Concepto']] : [],
  );
});
