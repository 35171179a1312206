import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placed, prepareFiles } from '../support/prepare-file.js';

const MAPPING = `
cargue: 1
name: test/late
description: { es: Prueba, en: Test }
target: payroll/other-concept
params:
  kind: { type: text, default: CC }
tables:
  lines:
    columns:
      kind: { titles: [Tipo], read: text }
      document: { titles: [Documento], read: identifier, prefix: { column: kind, words: [CC, CE] } }
one_per: { record: lines }
key: document
document:
  description_concept: { formula: "join(if_blank(kind, param.kind), document)" }
`;

test.each([
  ['in the first rows', 0, []],
  ['far below them', 2_000, ['cell/not-an-identifier']],
])('a kind that first stands before a number %s is not lost', async (_, before, codes) => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-late-')), 'lista.csv');
  const numbers = Array.from({ length: before }, (__, at) => String(52_100_200 + at));
  writeFileSync(file, ['Documento', ...numbers, 'CE 445566'].join('\n'));
  const { drafts, issues } = await prepareFiles({ files: [file], mappingText: MAPPING, params: {} });
  const errors = issues.filter(({ level }) => level === 'error');
  expect(placed(errors).map(([, code]) => code)).toEqual(codes);
  expect(drafts.filter(({ body }) => String(body['description_concept']).endsWith('445566'))).toHaveLength(
    codes.length === 0 ? 1 : 0,
  );
});
