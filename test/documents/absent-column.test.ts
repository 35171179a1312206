import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placed, prepareFiles } from '../support/prepare-file.js';

const MAPPING = `
cargue: 1
name: test/absent
description: { es: Prueba, en: Test }
target: payroll/payment
params:
  method: { type: integer, optional: true }
tables:
  workers:
    file: [personal*]
    columns:
      document: { titles: [Documento], read: identifier }
      means: { titles: [Medio de pago], read: text }
  paid:
    file: [pagos*]
    optional: true
    columns:
      document: { titles: [Documento], read: identifier }
      means: { titles: [Medio de pago], read: text }
    join: { on: document }
one_per: { record: workers }
key: document
document:
  payment_method_id: { lookup: { catalogue: payment_methods, match: [{ from: paid.means }, { from: means }] }, default: { param: method } }
`;

test.each<[string, Readonly<Record<string, unknown>>, readonly (readonly string[])[], number]>([
  ['is said of the table that is there', {}, [['personal.csv!A1', 'header/missing']], 0],
  ['is not missed where a parameter gives it', { method: 10 }, [], 1],
])('a column that an absent table could have %s', async (_, params, issues, made) => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-absent-')), 'personal.csv');
  writeFileSync(file, 'Documento\n445566\n');
  const found = await prepareFiles({ files: [file], mappingText: MAPPING, params });
  expect(placed(found.issues.filter(({ level }) => level === 'error'))).toEqual(issues);
  expect(found.drafts).toHaveLength(made);
});
