import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placed, prepareFiles } from '../support/prepare-file.js';

const MAPPING = `
cargue: 1
name: test/two-tables
description: { es: Prueba, en: Test }
target: payroll/other-concept
synonyms: [payroll]
tables:
  lines:
    file: [lista*]
    columns:
      kind: { titles: [Clase], read: text }
      document: { titles: [Documento], read: identifier, prefix: { column: kind, words: [CC, CE] } }
  people:
    file: [personal*]
    columns:
      kind: { titles: [Tipo], read: text }
      document: { titles: [Documento], read: identifier }
    join: { on: document }
one_per: { record: lines }
key: document
document:
  description_concept:
    lookup: { catalogue: payroll_type_document_identifications, give: code, match: [{ from: lines.kind }, { from: people.kind }] }
`;

test.each([
  ['is a contradiction where they differ', 'CC 445566', 'CE', [['personal.csv!A2', 'group/conflict']], []],
  ['may be spelt in another way', 'CE 445566', 'Cédula de extranjería', [], ['22']],
  ['counts where the number has none', '445566', 'CE', [], ['22']],
])('a kind before a number and in the table of people %s', async (_, document, kind, issues, codes) => {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-kind-'));
  const files = ['lista.csv', 'personal.csv'].map((name) => join(folder, name));
  writeFileSync(files[0]!, `Documento\n${document}\n`);
  writeFileSync(files[1]!, `Tipo,Documento\n${kind},445566\n`);
  const found = await prepareFiles({ files, mappingText: MAPPING, params: {} });
  expect(placed(found.issues.filter(({ level }) => level === 'error'))).toEqual(issues);
  expect(found.drafts.map(({ body }) => body['description_concept'])).toEqual(codes);
});
