import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';
import { type Grid, gridsOf, mapColumn, page, type Value, workbook } from './grid.js';
import { answered, findIn } from './known.js';

const BOOK = 'samples/payroll/nomina-octubre-2026.xlsx';
const params = JSON.parse(readFileSync('samples/payroll/params.json', 'utf8')) as Record<string, unknown>;
const sample = (await gridsOf(BOOK))[0]!;

type Documents = readonly unknown[];

async function documentsOf(files: readonly string[], how: { mapping: string } | { mappingText: string }) {
  const { drafts } = await prepareFiles({ files, params, ...how });
  return drafts.map(({ body }) => body as unknown);
}

const whole: Documents = await documentsOf([BOOK], { mapping: 'mappings/payroll/wide.yaml' });

const book = async (grid: Grid): Promise<string[]> => [await workbook([page(grid)])];

const change = (label: string, how: (value: string, row: number) => Value): Grid =>
  mapColumn(sample, label, (value, row) => (value === null ? null : how(String(value), row)));

const words = (label: string, to: Readonly<Record<string, Value>>): Grid =>
  change(label, (value) => to[value] ?? value);

interface Case {
  readonly name: string;
  readonly grid: Grid;
  /** Question → the answer that is right, and whether it comes first. */
  readonly asked?: Readonly<Record<string, string>>;
  readonly first?: boolean;
  readonly tree?: unknown;
}

const LOST = { tables: { workers: { formats: { zeros: 'lost' } } } };

const CASES: readonly Case[] = [
  {
    name: 'codes that are numbers have lost their zeros',
    grid: change('Código municipio', Number),
    tree: LOST,
  },
  {
    name: 'where some kept them it is asked',
    grid: change('Código municipio', (value, row) => (row % 2 === 0 ? Number(value) : value)),
    asked: { 'zeros.workers.municipality_code': 'lost' },
    first: true,
  },
  {
    name: 'numbers that are ids of the service, or codes of the office: no list knows them as codes',
    grid: words('Tipo documento', { CC: '3', CE: '5', PA: '7', PPT: '12', TI: '2', PEP: '9' }),
    asked: { 'by.workers.document_type': 'id' },
  },
  {
    name: 'numbers that are other entries by code than by id',
    grid: words('Subtipo trabajador', { '00': '1' }),
    asked: { 'by.workers.worker_subtype': 'id' },
  },
  {
    name: 'known words of an account',
    grid: words('Tipo de cuenta', { Ahorros: 'A', Corriente: 'Checking' }),
  },
  {
    name: 'words of an account that nobody knows',
    grid: words('Tipo de cuenta', { Ahorros: 'AHORR. PERS.', Corriente: 'CTA. C. PERS.' }),
    asked: {
      'choice.account_type.AHORR. PERS.': 'Ahorros',
      'choice.account_type.CTA. C. PERS.': 'Corriente',
    },
  },
  {
    name: 'words for yes and no that nobody knows',
    grid: words('Salario integral', { SI: 'INTEG.', NO: 'ORD.' }),
    asked: { 'choice.integral_salary.INTEG.': 'true', 'choice.integral_salary.ORD.': 'false' },
  },
];

describe.each(CASES)('$name', ({ grid, asked = {}, first, tree }) => {
  test('asks no more than that, and gives the documents of the sample', async () => {
    const files = await book(grid);
    const found = await findIn(files, 'payroll');
    if (tree !== undefined) expect(found.tree).toMatchObject(tree as Record<string, unknown>);
    if (first)
      for (const { id, answers } of found.open) expect([id, answers[0]?.value]).toEqual([id, asked[id]]);
    const {
      mapping,
      open,
      asked: questions,
    } = await answered(files, 'payroll', (id) => (id.startsWith('param.') ? 'each_run' : asked[id]));
    expect(open).toEqual([]);
    expect(questions.filter((id) => !id.startsWith('param.')).sort()).toEqual(Object.keys(asked).sort());
    expect(await documentsOf(files, { mappingText: mapping })).toEqual(whole);
  });
});

test('the question between codes and ids says what the values would become', async () => {
  const { open } = await findIn(await book(words('Subtipo trabajador', { '00': '1' })), 'payroll');
  const question = open.find(({ id }) => id === 'by.workers.worker_subtype');
  expect(question?.answers.map(({ value, title }) => [value, title])).toEqual([
    ['code', expect.stringContaining('1 → Dependiente pensionado por vejez activo')],
    ['id', expect.stringContaining('1 → No aplica')],
  ]);
});

test('codes with their zeros are asked nothing', async () => {
  const { open, zeros } = await findIn(await book(sample), 'payroll');
  expect([open.map(({ id }) => id).filter((id) => !id.startsWith('param.')), zeros]).toEqual([[], []]);
});
