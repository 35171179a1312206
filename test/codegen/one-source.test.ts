import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleOpenApi } from '../../src/codegen/bundle.js';
import { generate } from '../../src/codegen/generate.js';
import { readJson, readSchemaFiles, type SchemaJson } from '../../src/codegen/schema-files.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { PATIENT } from '../schema/health-examples.js';

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'cargue-one-source-'));
  for (const part of ['package.json', 'schemas', 'src'])
    cpSync(packageFile(part), join(copy, part), { recursive: true });
  symlinkSync(packageFile('node_modules'), join(copy, 'node_modules'), 'dir');
});
afterAll(() => rmSync(copy, { recursive: true }));

const typesOfCopy = async (): Promise<string> => (await generate(copy)).get('src/generated/schema-types.ts')!;

/** The validator that stands in the copy and reads the schemas there. */
async function faults(document: object): Promise<string[]> {
  const { validate } = (await import(
    pathToFileURL(join(copy, 'src/toolkit/schema/validate.ts')).href
  )) as typeof import('../../src/toolkit/schema/validate.js');
  return validate('rips/patient', 'strict', document).map((issue) => `${issue.place.pointer} ${issue.code}`);
}

const patientOfBundle = (): SchemaJson => {
  const schemas = join(copy, 'schemas');
  const bundle = bundleOpenApi(readJson(join(schemas, 'service.openapi.json')), readSchemaFiles(schemas));
  return (bundle['components'] as { schemas: Record<string, SchemaJson> }).schemas['RipsPatient']!;
};

test('a member added to a schema file is in the type, the validator and the OpenAPI document', async () => {
  const path = join(copy, 'schemas/rips/patient.schema.json');
  const schema = JSON.parse(readFileSync(path, 'utf8'));
  schema.properties.blood_group = {
    type: 'string',
    enum: ['A', 'B', 'AB', 'O'],
    title: 'Grupo sanguíneo',
    description: 'Blood group.',
    'x-layer': 'observed',
  };
  schema.required.push('blood_group');
  expect(await typesOfCopy()).not.toContain('blood_group');
  writeFileSync(path, JSON.stringify(schema));

  expect(await typesOfCopy()).toContain("  blood_group: 'A' | 'B' | 'AB' | 'O';\n");
  expect(await faults(PATIENT)).toEqual(['/blood_group document/required']);
  expect(await faults({ ...PATIENT, blood_group: 'C' })).toEqual(['/blood_group document/choice']);
  expect(await faults({ ...PATIENT, blood_group: 'AB' })).toEqual([]);
  expect(patientOfBundle()).toMatchObject({ properties: { blood_group: { enum: ['A', 'B', 'AB', 'O'] } } });
});
