import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openInput } from '../../src/toolkit/tables/open.js';
import { prepareFiles } from '../support/prepare-file.js';
import { gridsOf, page, rename, workbook } from './grid.js';
import { answered, findIn } from './known.js';

const FOLDER = 'samples/rips/3374';
const SIDE = `${FOLDER}/complemento.csv`;
const params = JSON.parse(readFileSync(`${FOLDER}/params.json`, 'utf8')) as Record<string, unknown>;

/** The files of the zip by themselves, under other names. */
async function unpacked(named: (name: string) => string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-flat-'));
  const input = await openInput(`${FOLDER}/RIPS000123.zip`);
  const files: string[] = [];
  for (const source of input.tables) {
    const lines: string[] = [];
    for await (const batch of source.batches())
      for (const { texts } of batch) lines.push(Array.from(texts, (text) => text ?? '').join(','));
    const file = join(folder, named(basename(source.file)));
    writeFileSync(file, `${lines.join('\r\n')}\r\n`);
    files.push(file);
  }
  await input.close();
  return [...files, SIDE];
}

const whole = await prepareFiles({
  files: [`${FOLDER}/RIPS000123.zip`, SIDE],
  mapping: 'mappings/rips/3374-zip.yaml',
  params,
});
const documents = whole.drafts.map(({ body }) => body);

test('flat files are told by their names, and nothing is asked', async () => {
  const files = await unpacked((name) => name);
  const { open, tree, fit } = await findIn(files, 'rips');
  expect([fit?.name, open.map(({ id }) => id)]).toEqual(['rips/3374-zip', []]);
  expect(tree['extends']).toBe('rips/3374-zip');
  const { mapping } = await answered(files, 'rips', () => undefined);
  const prepared = await prepareFiles({ files, mappingText: mapping, params });
  expect(prepared.drafts.map(({ body }) => body)).toEqual(documents);
});

test('files of other names are asked about one by one; what they hold puts the right answer among the first three', async () => {
  const NAMES: Readonly<Record<string, string>> = { US: 'U_pacientes', AC: 'C_atenciones', AM: 'drogas' };
  const files = await unpacked((name) => `${NAMES[name.slice(0, 2)] ?? name.slice(0, 8)}.txt`);
  const right: Readonly<Record<string, string>> = {
    layout: 'rips/3374-zip',
    'sheet.U_pacientes.txt': 'us',
    'sheet.C_atenciones.txt': 'ac',
    'sheet.drogas.txt': 'am',
  };
  const found = await findIn(files, 'rips', new Map([['layout', 'rips/3374-zip']]));
  for (const { id, answers } of found.open)
    expect([id, answers.slice(0, 3).map(({ value }) => value)]).toEqual([
      id,
      expect.arrayContaining([right[id]]),
    ]);
  const { mapping, open } = await answered(files, 'rips', (id) => right[id]);
  expect(open).toEqual([]);
  const prepared = await prepareFiles({ files, mappingText: mapping, params });
  expect(prepared.drafts.map(({ body }) => body)).toEqual(documents);
});

const changed = (letters: string, change: (fields: readonly string[]) => readonly string[]) => async () => {
  const files = await unpacked((name) => name);
  for (const file of files.filter((one) => basename(one).startsWith(letters))) {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    // The record with a comma too many stays one with another number of fields.
    writeFileSync(file, `${lines.map((line) => change(line.split(',')).join(',')).join('\r\n')}\r\n`);
  }
  return files;
};

test.each<[what: string, files: () => Promise<string[]>, question: string | undefined, answer: string]>([
  ['AC with 20, texts at the end', changed('AC', (row) => [...row, 'A', '1', 'X']), undefined, ''],
  ['AP with 17, codes at the end', changed('AP', (row) => [...row, '1', '0']), undefined, ''],
  [
    'AC with 20, amounts at the end',
    changed('AC', (row) => [...row, '0.00', '12.00', '38000']),
    'fields.ac',
    '18',
  ],
  ['AP with 17, amounts at the end', changed('AP', (row) => [...row, '0.00', '64000.00']), 'fields.ap', '16'],
  ['AC with one before the amounts', changed('AC', (row) => row.toSpliced(14, 0, '01')), 'fields.ac', '15'],
  ['AP with two before the codes', changed('AP', (row) => row.toSpliced(7, 0, 'X', 'Y')), 'fields.ap', '8'],
])('fields that the norm does not have: %s', async (_, make, question, answer) => {
  const files = await make();
  const { open } = await findIn(files, 'rips');
  expect(open.map(({ id }) => id)).toEqual(question === undefined ? [] : [question]);
  for (const { answers } of open) expect(answers.slice(0, 3).map(({ value }) => value)).toContain(answer);
  const found = await answered(files, 'rips', (id) => (id === question ? answer : undefined));
  expect(found.open).toEqual([]);
  const prepared = await prepareFiles({ files, mappingText: found.mapping, params });
  expect(prepared.drafts.map(({ body }) => body)).toEqual(documents);
  const codes = prepared.issues.map(({ code }) => code);
  expect(codes.filter((code) => /fields-|label-new|amounts-new/.test(code))).toEqual([]);
});

test('labels with the codes of their fields are read by their names', async () => {
  const sheets = await gridsOf('samples/rips/libro/rips-octubre-2026.xlsx');
  const coded = sheets.map((grid) =>
    rename(
      grid,
      Object.fromEntries(
        grid.labels.map((label, at) => [label, `C${String(at + 1).padStart(2, '0')}_${label}`]),
      ),
    ),
  );
  const meant = async (grids: typeof sheets): Promise<unknown> => {
    const { labels } = await findIn([await workbook(grids.map((grid) => page(grid)))], 'rips');
    return labels.map(({ id, state, means }) => [id, state, means]);
  };
  expect(await meant(coded)).toEqual(await meant(sheets));
});
