import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createKeyHashes } from '../../src/tables/key-table.js';
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

test('a record without key is refused where it stands', async () => {
  const { documents, issues, heldBack } = await run('blank', [SORTED[0]!, ';5/10/2026;9', SORTED[1]!]);
  expect(documents).toEqual([['11 2026-10-05', '3.00']]);
  expect(issues).toEqual(['row/key-blank']);
  expect(heldBack.length).toBe(1);
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
