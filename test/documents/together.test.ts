import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createKeyHashes } from '../../src/toolkit/tables/key-table.js';
import { prepareFiles } from '../support/prepare-file.js';

const folder = await mkdtemp(join(tmpdir(), 'cargue-together-'));
afterAll(() => rm(folder, { recursive: true }));

const MAPPING = `
cargue: 1
name: test/together
target: payroll/bonus
tables:
  lines:
    skip: [{ when: 'document = "TOTAL"', note: total }]
    formats: { date: dmy }
    columns:
      document: { titles: [Cédula], read: identifier }
      day: { titles: [Fecha], read: date }
      bonus: { titles: [Bono], read: money }
one_per: { key: [document, day], of: lines }
document:
  salary_bonus: { from: bonus, take: sum }
`;

/** Records on their way, and the documents among them: what came out before all was read. */
async function run(name: string, lines: readonly string[]) {
  const file = join(folder, `${name}.csv`);
  await writeFile(file, ['Cédula;Fecha;Bono', ...lines].join('\n'));
  const { drafts, issues, records, heldBack } = await prepareFiles({
    files: [file],
    mappingText: MAPPING,
    params: {},
  });
  return {
    documents: drafts.map(({ key, body }) => [key, body['salary_bonus']]),
    issues: issues.map(({ code }) => code),
    records,
    heldBack,
  };
}

const SORTED = [
  '11;5/10/2026;1',
  '11;05/10/2026;2',
  '11;20/10/2026;3',
  'TOTAL;;6',
  '22;5/10/2026;4',
  '33;5/10/2026;5',
];

test('records that stand together and records that do not give the same documents', async () => {
  const sorted = await run('sorted', SORTED);
  expect(sorted.documents).toEqual([
    ['11 2026-10-05', '3.00'],
    ['11 2026-10-20', '3.00'],
    ['22 2026-10-05', '4.00'],
    ['33 2026-10-05', '5.00'],
  ]);
  const scattered = await run('scattered', [SORTED[0]!, ...SORTED.slice(2), SORTED[1]!]);
  expect(scattered).toEqual(sorted);
});

/** In a row of `TWICE`, the second of the first document. */
const TWICE = [SORTED[0]!, SORTED[1]!, '22;6/10/2026;4', '33;7/10/2026;5'];

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  [
    'a part of its key: all that agree in that part',
    [TWICE[0]!, ';05/10/2026;2', ...TWICE.slice(2)],
    ['22', '33'],
    ['row/key-blank', 'join/owner-unknown'],
  ],
  [
    'a part that nobody has',
    [TWICE[0]!, ';08/10/2026;2', ...TWICE.slice(2)],
    ['11', '22', '33'],
    ['row/key-blank'],
  ],
  ['nothing: the one above', [TWICE[0]!, ';;2', ...TWICE.slice(2)], ['22', '33'], ['row/key-blank']],
  ['nothing, above all others: the one below', [';;2', ...TWICE], ['22', '33'], ['row/key-blank']],
  [
    'nothing, where documents are scattered: all',
    [TWICE[0]!, TWICE[2]!, TWICE[1]!, ';;2', TWICE[3]!],
    [],
    ['row/key-blank', 'join/owner-unknown'],
  ],
  [
    'a part that cannot be read',
    [TWICE[0]!, '11;32/10/2026;2', ...TWICE.slice(2)],
    ['22', '33'],
    ['cell/date-impossible', 'join/owner-unknown'],
  ],
  ['nothing, below all others: the one above', [...TWICE, ';;2'], ['11', '22'], ['row/key-blank']],
  ['nothing in all of the file', [';;1', ';;2'], [], ['row/key-blank', 'row/key-blank']],
])('a record that says of its key %s may be of what is held back', async (_, lines, made, codes) => {
  const { documents, issues, records } = await run('blank', lines);
  expect(documents.map(([key]) => String(key).split(' ')[0])).toEqual(made);
  expect([...issues].sort()).toEqual([...codes].sort());
  expect(records).toMatchObject({ read: lines.length, skipped: 0 });
  expect(records.used + records.heldBack).toBe(lines.length);
});

test('values decide what stands together, not how they are written', async () => {
  const { documents } = await run('written', ['11;5/10/2026;1', '22;5/10/2026;2', '11;05/10/2026;3']);
  expect(documents).toEqual([
    ['11 2026-10-05', '4.00'],
    ['22 2026-10-05', '2.00'],
  ]);
});

test('every key of many is told from the others', () => {
  const hashes = createKeyHashes();
  for (let at = 0; at < 100_000; at++) expect(hashes.add(`98${at} 2026-10-05`)).toBe(true);
  expect(hashes.add('9899999 2026-10-05')).toBe(false);
});
