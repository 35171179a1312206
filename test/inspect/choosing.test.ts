import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HeadedSheet } from '../../src/toolkit/inspect/assign.js';
import { chooseReady } from '../../src/toolkit/inspect/choose.js';
import { contentOf, dataRows } from '../../src/toolkit/inspect/content.js';
import type { Fit } from '../../src/toolkit/inspect/fit.js';
import { type Candidate, type LabelFit, worthShowing } from '../../src/toolkit/inspect/labels.js';
import { absentParams, neededParams } from '../../src/toolkit/inspect/needs.js';
import { unreadQuestion } from '../../src/toolkit/inspect/sheet-questions.js';
import { survey } from '../../src/toolkit/inspect/survey.js';
import type { Trial } from '../../src/toolkit/inspect/trial.js';
import { usesOf } from '../../src/toolkit/inspect/uses.js';
import { unknownWords, wordQuestion } from '../../src/toolkit/inspect/word-questions.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import type { CompiledColumn } from '../../src/toolkit/mapping/record.js';
import type { Row } from '../../src/toolkit/tables/table.js';
import { withInputs } from '../support/opened-files.js';
import { type Grid, gridsOf } from './grid.js';

/** Rows below a label, and what a ready-made mapping makes of a whole file. */

describe('the cells of a column', () => {
  const look = (...texts: readonly string[]) =>
    contentOf(
      texts.map((text, number) => ({ number, texts: [text], kinds: ['text'], hidden: false })),
      0,
    );

  test.each([
    [
      'zeros are no size',
      ['0', '0', '0', '1500000', '-2400000', '3000000'],
      { median: 2_400_000, negatives: 1 },
    ],
    ['a number that is 1 more each time counts', ['1', '2', '3'], { counts: true, numeric: 1 }],
    ['two are too few to count', ['1', '2'], { counts: false }],
    ['what begins later does not count', ['2', '3', '4'], { counts: false }],
    ['a gap ends the counting', ['1', '2', '4'], { counts: false }],
    ['words among few numbers', ['Jefe', 'Jefe', '3'], { wordy: true, distinct: ['Jefe', '3'] }],
    ['a null word is none among numbers', ['10', 'N/A', '20'], { wordy: false, numeric: 1 }],
    ['a zero stands for no date', ['2026-10-01', '0', '2026-10-03'], { dated: 1 }],
    ['eight digits are a date only if they can be one', ['20261005', '20261006'], { dated: 1 }],
    ['else a number', ['52111222', '79333444'], { dated: 0, numeric: 1, largest: 79_333_444 }],
  ])('%s', (_, texts, content) => {
    expect(look(...texts)).toMatchObject(content);
  });
});

test('of the rows only so many are looked at, without totals, and without areas where records are wide', () => {
  const rowsOf = (...all: readonly (readonly string[])[]): Row[] =>
    all.map((texts, at) => ({ number: at + 1, texts, kinds: undefined, hidden: false }));
  const numbers = (rows: readonly Row[], from = 1): number[] =>
    dataRows(rows, from).map(({ number }) => number);
  const wide = ['1', 'Ana', 'Ruiz', 'Jefe', '100'];
  expect(numbers(rowsOf(wide, ['VENTAS'], wide, ['Total', '', '', '', '200']))).toEqual([1, 3]);
  expect(numbers(rowsOf(['Ana', 'Jefe'], ['Luis'], ['Total']))).toEqual([1, 2]);
  expect(numbers(rowsOf(['Total'], ['Subtotal']))).toEqual([1, 2]);
  expect(numbers(rowsOf(wide, wide, wide), 2)).toEqual([2, 3]);
  expect(numbers(rowsOf(...Array.from({ length: 250 }, () => wide)))).toHaveLength(200);
});

test('of equally shown candidates the likelier comes first, and contradicted ones not at all', () => {
  const candidate = (value: string, score: number, agreement: Candidate['agreement']): Candidate => ({
    ...{ value, score, agreement, words: 0.6, supports: [] },
  });
  const shown = worthShowing([
    candidate('c', 0.7, 'doubted'),
    candidate('b', 0.9, 'doubted'),
    candidate('d', 0.95, 'contradicted'),
    candidate('a', 0.8, 'agrees'),
  ]);
  expect(shown.map(({ value }) => value)).toEqual(['a', 'b', 'c']);
});

const folder = mkdtempSync(join(tmpdir(), 'cargue-choosing-'));
const ready = [{ name: 'payroll/wide', mapping: await loadMapping('mappings/payroll/wide.yaml') }];
const [{ labels, rows }] = (await gridsOf('samples/payroll/nomina-octubre-2026.xlsx')) as [Grid];
const [header, ...records] = [labels, ...rows.slice(0, 4)].map((cells) =>
  cells.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? ''))),
) as [string[], ...string[][]];

function fileOf(name: string, lines: readonly (readonly string[])[]): string {
  const file = join(folder, name);
  writeFileSync(file, lines.map((cells) => cells.join(';')).join('\n'));
  return file;
}

const params = { month: '2026-10', type_worker_id: 1, sub_type_worker_id: 1 };
const choose = (name: string, lines: readonly (readonly string[])[], row?: number) =>
  withInputs([fileOf(name, lines)], (inputs) =>
    chooseReady(inputs, ready, params, new Map(row === undefined ? [] : [[name, row]])),
  );

describe('a ready-made mapping is chosen', () => {
  test('by its own titles', async () => {
    expect(await choose('own.csv', [header, ...records])).toMatchObject({ name: 'payroll/wide', unsure: [] });
  });

  test('by the header in the row that was said, of two', async () => {
    const lines = [header, records[0]!, header, ...records];
    expect(await choose('two.csv', lines, 3)).toMatchObject({ name: 'payroll/wide', unsure: [] });
  });

  test('not if one title comes twice, which alone is not sure', async () => {
    const twice = [header, ...records].map((line) => [...line, line[header.indexOf('Comisiones')] ?? '']);
    const { name, unsure } = await choose('twice.csv', twice);
    expect(name).toBeUndefined();
    expect(
      unsure.every((label) => label.includes('Comisiones')),
      String(unsure),
    ).toBe(true);
  });

  test('not if one label is not sure, whatever the others are', async () => {
    const changed = header.map((label) => (label === 'Comisiones' ? 'Comis. y otros' : label));
    const { name, closest, unsure } = await choose('unsure.csv', [changed, ...records]);
    expect([name, closest?.name, unsure.length]).toEqual([undefined, 'payroll/wide', 1]);
  });
});

describe('parameters in place of columns', () => {
  const { mapping } = ready[0]!;
  const uses = usesOf(mapping);
  const fit = { mapping, uses } as Fit;
  const instead = new Set(uses.params.flatMap((param) => param.instead));
  const beside = new Set(uses.params.flatMap((param) => param.beside));
  const related = new Set([...beside].filter((column) => !instead.has(column)));
  const ABSENT = [
    ...['type_worker_id', 'sub_type_worker_id', 'document_type_id', 'municipality_id', 'type_contract_id'],
    ...['address', 'payment_method_id', 'account_type'],
  ];
  const EACH_RUN = ['prefix', 'month', 'issue_date'];

  test.each([
    ['of documents with nothing next to it none is absent', new Set<CompiledColumn>(), []],
    ['of those with all but the columns each is absent', related, ABSENT],
    ['of those with the columns too none is absent', new Set([...related, ...instead]), []],
  ])('%s', (_, present, absent) => {
    expect([...absentParams(fit, present, undefined)]).toEqual(absent);
  });

  test('of what documents were found to lack, only that is absent', () => {
    expect([...absentParams(fit, related, new Map([['address', 2]]))]).toEqual(['address']);
  });

  test('a run must give those without a default, and those whose columns are not there', () => {
    const needed = (present: ReadonlySet<CompiledColumn>, given = {}) =>
      neededParams(fit, present, given).map(({ name, standsIn }) => (standsIn ? `${name} instead` : name));
    expect(needed(new Set())).toEqual([...EACH_RUN, 'payment_date instead']);
    expect(needed(new Set(), { month: '2026-10', payment_date: '2026-10-30' })).toEqual([
      'prefix',
      'issue_date',
    ]);
    expect(needed(instead)).toEqual(EACH_RUN);
  });
});

test.each([
  [[{ cell: 'N!B2', text: 'Básico' }], 'Básico'],
  [[], 'X1'],
])('a code is shown with the word beside it, else alone', async (beside, text) => {
  const { ranked } = await withInputs([fileOf('own.csv', [header, ...records])], (inputs) =>
    survey(inputs, ready),
  );
  const word = { kind: 'class', word: 'X1', count: 1, place: { file: 'n', row: 2 }, beside } as const;
  expect(wordQuestion(word, ranked[0]!, 'es').samples.map((sample) => sample.text)).toEqual([text]);
});

test('the words for classes in the records of an unknown word are shown beside it', async () => {
  const kind = { id: 'kind' } as CompiledColumn;
  const concept = { id: 'concept' } as CompiledColumn;
  const table = {
    columns: new Map([
      ['kind', kind],
      ['concept', concept],
    ]),
  };
  const sheet = { name: 'N', source: { file: 'n.csv' } };
  const labelOf = (means: string, column: number, ...texts: readonly string[]) =>
    ({
      ...{ table, sheet, means, column },
      content: { filled: texts.map((text, at) => ({ text, row: at + 2, kind: 'text' })) },
    }) as unknown as LabelFit;
  const labels = [
    labelOf('concept', 0, 'X1', 'D2', 'x1'),
    labelOf('kind', 1, 'Devengo', 'Deducción', 'Devengo'),
  ];
  const uses = { classes: new Map([kind, concept].map((column) => [column, []])), catalogues: new Map() };
  const place = { file: 'n.csv', row: 2, column: 'A' };
  const issues = [{ code: 'class/unknown', level: 'error', value: 'X1', place, params: {} }];
  const found = unknownWords(
    { issues } as unknown as Trial,
    { uses, unused: [], tables: [] } as unknown as Fit,
    labels,
  );
  expect(found.map(({ word, beside }) => [word, beside?.map(({ cell, text }) => `${cell} ${text}`)])).toEqual(
    [['X1', ['N!B2 Devengo']]],
  );
});

test('what a sheet that nothing reads may hold are the tables of the mapping, first that it is none', async () => {
  const mapping = await loadMapping('mappings/payroll/multi-sheet.yaml');
  const headed = {
    sheet: { name: 'Otra', title: 'Otra', input: { tables: [] }, source: { sheet: 'Otra', file: 'n.xlsx' } },
    header: {},
  };
  const fit = { mapping, uses: usesOf(mapping) } as Fit;
  const question = unreadQuestion(headed as unknown as HeadedSheet, fit, 'es');
  expect(question.answers.slice(0, 4).map(({ value }) => value)).toEqual([
    'ignore',
    'workers',
    'payment',
    'hed',
  ]);
});
