import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatPlace } from '../../src/toolkit/core/issue.js';
import { prepareFiles } from '../support/prepare-file.js';

const folder = await mkdtemp(join(tmpdir(), 'cargue-zeros-'));
afterAll(() => rm(folder, { recursive: true }));

const COLUMNS =
  '{ document: { titles: [Cédula], read: identifier }, bonus: { titles: [Bono], read: money } }';

const mappingOf = (tables: string, onePer: string, source: string): string => `
cargue: 1
name: test/zeros
target: payroll/bonus
tables:
${tables}
one_per: ${onePer}
document:
  salary_bonus: { from: ${source}, take: sum }
`;

const LIST = mappingOf(
  `  lines: { file: lista.csv, columns: ${COLUMNS} }`,
  '{ key: [document], of: lines }',
  'bonus',
);
const joined = (orphan: string): string =>
  mappingOf(
    `  people: { file: gente.csv, columns: { document: { titles: [Cédula], read: identifier } } }
  lines: { file: lista.csv, join: { on: document, many: true, missing: ignore, orphan: ${orphan} }, columns: ${COLUMNS} }`,
    '{ record: people }\nkey: document',
    'lines.bonus',
  );

async function run(mappingText: string, files: Readonly<Record<string, readonly string[]>>) {
  const paths: string[] = [];
  for (const [name, lines] of Object.entries(files)) {
    const path = join(folder, name);
    await writeFile(path, `${lines.join('\n')}\n`);
    paths.push(path);
  }
  const { drafts, issues, records } = await prepareFiles({ files: paths, mappingText, params: {} });
  return {
    made: drafts.map(({ key, body }) => `${key}: ${body['salary_bonus']}`),
    told: issues.map(({ code, place, value, related = [] }) =>
      [code, value, ...[place, ...related].map(formatPlace)].join(' '),
    ),
    records,
  };
}

describe('rows whose keys differ in zeros alone make no document', () => {
  const told = (row: number): string => `group/other-zeros 79000001 lista.csv!A${row} lista.csv!A2`;
  test.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['one below the other', ['0079000001;1', '79000001;2', '80;4'], ['80: 4.00'], [told(3)]],
    ['apart', ['0079000001;1', '80;4', '79000001;2'], ['80: 4.00'], [told(4)]],
    ['with the same zeros', ['0079000001;1', '0079000001;2'], ['0079000001: 3.00'], []],
    ['zeros at the end, or nothing else', ['790;1', '79;2', '0;4'], ['790: 1.00', '79: 2.00', '0: 4.00'], []],
  ])('%s', async (_, lines, made, issues) => {
    const found = await run(LIST, { 'lista.csv': ['Cédula;Bono', ...lines] });
    expect([found.made, found.told]).toEqual([made, issues]);
    expect(found.records.used + found.records.heldBack).toBe(lines.length);
  });
});

describe('rows of another table whose key differs in zeros alone are no match, and hold back who asks', () => {
  const PEOPLE = ['Cédula', '79000001', '80000002'];
  const told = 'join/other-zeros 79000001 gente.csv!A2 lista.csv!A';
  test.each<[string, readonly string[], readonly string[]]>([
    ['there', ['0079000001;1', '80000002;2'], [`${told}2`]],
    ['beside right ones', ['79000001;1', '80000002;2', '0079000001;4'], [`${told}4`]],
  ])('%s', async (_, lines, issues) => {
    for (const orphan of ['error', 'ignore']) {
      const files = { 'gente.csv': PEOPLE, 'lista.csv': ['Cédula;Bono', ...lines] };
      const { made, told, records } = await run(joined(orphan), files);
      expect([made, told]).toEqual([['80000002: 2.00'], issues]);
      expect(records).toEqual({ read: 2 + lines.length, used: 2, skipped: 0, heldBack: lines.length });
    }
  });

  test('zeros on the side of who asks', async () => {
    const files = { 'gente.csv': ['Cédula', '0079000001'], 'lista.csv': ['Cédula;Bono', '79000001;1'] };
    const { made, told } = await run(joined('error'), files);
    expect([made, told]).toEqual([[], ['join/other-zeros 0079000001 gente.csv!A2 lista.csv!A2']]);
  });

  test('nobody asks: it is said as it is written', async () => {
    const files = { 'gente.csv': ['Cédula', '80000002'], 'lista.csv': ['Cédula;Bono', '0079000001;1'] };
    const { told } = await run(joined('error'), files);
    expect(told).toEqual(['join/orphan 0079000001 lista.csv!A2']);
  });
});
