import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { compileMapping } from '../../src/toolkit/mapping/load.js';
import { prepareFiles } from '../support/prepare-file.js';

const mappingOf = (target: string, columns: string, document: string): string => `
cargue: 1
name: test
target: ${target}
tables:
  rows:
    header: { within: 5, must_have: [document] }
    columns:
      document: { titles: [Documento], read: identifier }
${columns}
key: document
one_per: { record: rows }
document:
${document}`;

const codesOf = (text: string): string[] => {
  try {
    compileMapping('m.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return error.issues.map(({ code }) => code);
  }
};

describe('required fields that a mapping may leave out', () => {
  const columns = '      hour: { titles: [Hora], read: text }';
  const fields = ['  user_id: { const: 7 }', '  date: { const: "2026-11-03" }', '  time: { from: hour }'];

  test('those that the service gives later', () => {
    expect(codesOf(mappingOf('rips/appointment', columns, fields.join('\n')))).toEqual([]);
  });

  test('no others', () => {
    expect(codesOf(mappingOf('rips/appointment', columns, fields.slice(1).join('\n')))).toEqual([
      'mapping/required-unmapped',
    ]);
  });
});

describe('a lookup that does not say what it gives', () => {
  const columns = `      unfit: { titles: [Incapacidad], read: text }
      zone: { titles: [Zona], read: text }`;
  const lookup = (catalogue: string, from: string, give = ''): string =>
    `{ lookup: { catalogue: ${catalogue}, match: [{ from: ${from}, by: [name] }]${give} } }`;

  /** The leaf as a mapping of a patient makes it of a row. */
  async function made(leaf: string, source: string): Promise<unknown> {
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-lookup-')), 'rows.csv');
    writeFileSync(file, 'Documento;Incapacidad;Zona\n1020304050;SI;Urbano\n');
    const fields = {
      type_document_identification_id: '{ const: 3 }',
      document_number: '{ from: document }',
      name: '{ const: Ana }',
      last_name: '{ const: Ruiz }',
      email: '{ const: ana@example.com }',
      birth_date: '{ const: "1990-01-31" }',
      rips_user_type_id: '{ const: 1 }',
      rips_gender_id: '{ const: 1 }',
      municipality_id: '{ const: 1 }',
      rips_zone_id: '{ const: 1 }',
      [leaf]: source,
    };
    const document = Object.entries(fields).map(([name, from]) => `  ${name}: ${from}`);
    const mappingText = mappingOf('rips/patient', columns, document.join('\n'));
    const { drafts, issues } = await prepareFiles({ files: [file], mappingText, params: {} });
    expect(issues.filter(({ level }) => level === 'error')).toEqual([]); // the other columns are read for nothing
    return drafts[0]?.body[leaf];
  }

  test.each<[string, string, string, unknown]>([
    ['the column that the schema names', 'incapacity', lookup('si_no', 'unfit'), 'SI'],
    ['the id where it names none', 'rips_zone_id', lookup('rips_zones', 'zone'), 2],
    ['what it says itself', 'name', lookup('rips_zones', 'zone', ', give: code'), '02'],
  ])('gives %s', async (_, leaf, source, value) => {
    expect(await made(leaf, source)).toBe(value);
  });
});
