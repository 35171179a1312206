import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { editorSchema } from '../../src/codegen/editor-schema.js';
import { readJson, type SchemaJson } from '../../src/codegen/schema-files.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';

const schema = editorSchema(readJson(packageFile('schemas/mapping.schema.json')));

test('the mapping language is valid draft 07, and keeps no newer keyword', () => {
  const validate = new Ajv({ strict: false }).compile(schema);
  expect(validate({})).toBe(false);
  expect(JSON.stringify(schema)).not.toMatch(/\$defs|"dependent/);
});

test('what stands beside a reference still counts', () => {
  const source: SchemaJson = {
    $defs: { a: { type: 'string' } },
    properties: { x: { $ref: '#/$defs/a', minLength: 2 } },
  };
  expect(editorSchema(source)).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { a: { type: 'string' } },
    properties: { x: { minLength: 2, allOf: [{ $ref: '#/definitions/a' }] } },
  });
});

test('what one key asks of others stands in one keyword', () => {
  const no = { not: { required: ['b'] } };
  const source: SchemaJson = {
    dependentRequired: { a: ['c'], d: ['e'] },
    dependentSchemas: { a: no, f: no },
  };
  expect(editorSchema(source)['dependencies']).toEqual({
    a: { required: ['c'], allOf: [no] },
    d: ['e'],
    f: no,
  });
});
