import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placed, prepareFiles } from '../support/prepare-file.js';

/** A list of concepts, of which those of one kind are added up. */
const MAPPING = `
cargue: 1
name: test
target: payroll/bonus
tables:
  lines:
    columns:
      document: { titles: [Cédula], read: identifier }
      concept: { titles: [Concepto], read: text }
      value: { titles: [Valor], read: money }
one_per: { key: [document], of: [lines] }
document:
  salary_bonus: { from: value, take: sum, where: 'concept = "Bono"' }
  non_salary_bonus: { from: value, take: sum, where: 'concept = "Regalo"' }
`;

test.each<[lines: readonly string[], at: string, code: string]>([
  [['Regalo;50', 'Bono;100', 'Bono;72,5555'], 'lista.csv!C4', 'cell/too-many-decimals'],
  [['Bono;50', 'Bono;100', 'Regalo;7,1255'], 'lista.csv!C4', 'cell/too-many-decimals'],
  [['Regalo;50', 'Bono;100', 'Bono;-20'], 'lista.csv!C4', 'cell/negative-part'],
])('what is wrong with a sum of %j stands at %s', async (lines, at, code) => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-sums-')), 'lista.csv');
  writeFileSync(file, ['Cédula;Concepto;Valor', ...lines.map((line) => `52100200;${line}`)].join('\n'));
  const { issues } = await prepareFiles({ files: [file], mappingText: MAPPING, params: {} });
  expect(placed(issues.filter(({ level }) => level === 'error'))).toEqual([[at, code]]);
});

test('a column that is called as a value is the column', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-sums-')), 'lista.csv');
  writeFileSync(file, 'Cédula;Bono;Regalo\n52100200;100;100\n79300400;100;200\n');
  const mappingText = `
cargue: 1
name: test
target: payroll/bonus
tables:
  workers:
    columns:
      document: { titles: [Cédula], read: identifier }
      bonus: { titles: [Bono], read: money }
      gift: { titles: [Regalo], read: money }
one_per: { record: workers }
key: document
values:
  bonus: { formula: "sum(gift, gift)" }
document:
  salary_bonus: { from: bonus }
  non_salary_bonus: { formula: "if(value.bonus > 0, gift, gift)" }
checks:
  - each: workers
    once: [[bonus, gift]]
    message: { es: El mismo valor., en: The same amount. }
`;
  const { issues } = await prepareFiles({ files: [file], mappingText, params: {} });
  expect(placed(issues.filter(({ level }) => level === 'error'))).toEqual([['lista.csv!B2', 'check/failed']]);
});
