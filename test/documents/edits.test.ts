import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Edit } from '../../src/toolkit/tables/edits.js';
import { bookOf, editedSample } from '../support/edit-workbook.js';
import { openInputs } from '../support/opened-files.js';
import { type Prepared, placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const FILE = 'nomina-octubre-2026.xlsx';
const SHEET = 'Nomina';

const cells = (texts: Readonly<Record<string, string>>, at: object = { file: FILE, sheet: SHEET }): Edit[] =>
  Object.entries(texts).map(([cell, text]) => ({
    ...(at as { file: string }),
    row: Number(cell.replace(/\D/g, '')),
    column: cell.replace(/\d/g, ''),
    text,
  }));

const outcome = ({ drafts, issues, records, documents }: Prepared) => ({
  bodies: drafts.map(({ body }) => body),
  issues: placed(issues),
  records,
  documents,
});

describe('a mended file gives what it would give had its cells said so', () => {
  test.each<[string, Record<string, string>, Record<string, string | number | null>]>([
    ['an amount', { V2: '1.750.906' }, { V2: '1.750.906' }],
    ['a whole number where a number stands', { V2: '1750906' }, { V2: 1750906 }],
    ['a formula', { AR2: '2305808' }, { AR2: 2305808 }],
    ['an amount that is none', { V2: 'dos millones' }, { V2: 'dos millones' }],
    ['a date', { P2: '2019-02-28' }, { P2: '2019-02-28' }],
    ['a date that is none', { P2: '2019-02-31' }, { P2: '2019-02-31' }],
    ['a cell that is emptied', { C2: '  ' }, { C2: null }],
    ['a cell beyond the end of its row', { BZ2: 'aparte' }, { BZ2: 'aparte' }],
    ['a title of the header', { V1: 'Otra cosa' }, { V1: 'Otra cosa' }],
    ['cells of two rows', { B3: '77', E3: 'Ana', V4: 'x' }, { B3: 77, E3: 'Ana', V4: 'x' }],
  ])('%s', async (_, edits, values) => {
    const wanted = await prepareFiles({ files: [await editedSample(values)] });
    const mended = await prepareFiles({ edits: cells(edits) });
    expect(outcome(mended)).toEqual(
      JSON.parse(JSON.stringify(outcome(wanted)).replaceAll('libro.xlsx', FILE)),
    );
    expect(outcome(mended)).not.toEqual(outcome(await prepareFiles({})));
  });

  test('the last edit of a cell counts', async () => {
    const twice = [...cells({ E2: 'Uno' }), ...cells({ E2: 'Dos' })];
    const { drafts } = await prepareFiles({ edits: twice });
    expect(drafts[0]!.body).toMatchObject({ worker: { first_name: 'Dos' } });
  });

  test('edits of another file or sheet change nothing', async () => {
    const others = [
      ...cells({ V2: 'x' }, { file: 'otro.xlsx', sheet: SHEET }),
      ...cells({ V2: 'x' }, { file: FILE, sheet: 'Otra' }),
    ];
    expect(outcome(await prepareFiles({ edits: others }))).toEqual(outcome(await prepareFiles({})));
  });
});

const leftOut = (...rows: number[]): Edit[] =>
  rows.map((row) => ({ file: FILE, sheet: SHEET, row, leftOut: true }));

test('a row left out is skipped, and the accounts hold', async () => {
  const before = await prepareFiles({});
  const after = await prepareFiles({ edits: leftOut(2, 5) });
  expect(after.skipped).toEqual([`${SHEET}!2`, `${SHEET}!5`]);
  expect(after.records).toEqual({ ...before.records, used: before.records.used - 2, skipped: 2 });
  expect(after.documents).toMatchObject({ planned: 23, made: 23, heldBack: 0 });
  expect(placed(after.issues)).toEqual([]);
});

test('a row left out beats what was mended in it', async () => {
  const edits = [...cells({ V2: 'x' }), ...leftOut(2), ...cells({ V2: 'y' })];
  expect(outcome(await prepareFiles({ edits }))).toEqual(outcome(await prepareFiles({ edits: leftOut(2) })));
});

/** The texts of all sheets of a file. */
async function textsOf(file: string, edits: readonly Edit[]) {
  const inputs = await openInputs([file], edits);
  try {
    const found: unknown[] = [];
    for (const { tables } of inputs)
      for (const { sheet, batches } of tables)
        for await (const rows of batches())
          for (const { number, texts } of rows) found.push([sheet, number, ...texts]);
    return found;
  } finally {
    for (const input of inputs) await input.close();
  }
}

test('each sheet has its own edits', async () => {
  const file = await bookOf({
    Uno: [['a', 1]],
    Dos: [
      ['a', 1],
      ['b', 2],
    ],
  });
  const at = { file: 'libro.xlsx' };
  const edits = [
    ...cells({ A1: 'x' }, { ...at, sheet: 'Uno' }),
    ...cells({ B2: '3', A1: '', B1: '' }, { ...at, sheet: 'Dos' }),
  ];
  expect(await textsOf(file, edits)).toEqual([
    ['Uno', 1, 'x', '1'],
    ['Dos', 2, 'b', '3'],
  ]);
});

test('a table in text is mended by its records', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'datos.csv');
  writeFileSync(file, 'a;b\n"dos\nlíneas";1\nc;2\n');
  expect(await textsOf(file, cells({ B3: '1.000', C2: 'más' }, { file: 'datos.csv' }))).toEqual([
    [undefined, 1, 'a', 'b'],
    [undefined, 2, 'dos\nlíneas', '1', 'más'],
    [undefined, 3, 'c', '1.000'],
  ]);
});

test('nothing is laid over a file that was not mended', async () => {
  const plain = await openInputs([SAMPLE]);
  const other = await openInputs([SAMPLE], cells({ A1: 'x' }, { file: 'otro.xlsx', sheet: SHEET }));
  expect(Object.keys(plain[0]!.tables[0]!)).toEqual(Object.keys(other[0]!.tables[0]!));
  expect(String(other[0]!.tables[0]!.batches)).toBe(String(plain[0]!.tables[0]!.batches));
  for (const { close } of [...plain, ...other]) await close();
});
