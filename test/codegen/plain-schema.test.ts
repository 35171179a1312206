import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { plainSchema } from '../../src/codegen/plain-schema.js';

const SCHEMA = {
  type: 'object',
  properties: {
    code: { type: ['string', 'null'], minLength: 2, format: 'code', 'x-layer': 'contract' },
    amount: { type: ['number', 'string'], minimum: 1, pattern: '^[0-9]+$' },
    format: { type: 'string' },
  },
  required: ['code'],
  if: { required: ['amount'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['format'] },
};

test.each([
  [{ code: 'ab' }, true],
  [{ code: null }, true],
  [{ code: 'a' }, false],
  [{ code: 3 }, false],
  [{}, false],
  [{ code: 'ab', amount: 1, format: 'x' }, true],
  [{ code: 'ab', amount: '1', format: 'x' }, true],
  [{ code: 'ab', amount: 0, format: 'x' }, false],
  [{ code: 'ab', amount: 'x', format: 'x' }, false],
  [{ code: 'ab', amount: 1 }, false],
])('a plain schema judges %j as the schema does', (document, isValid) => {
  const plain = plainSchema(SCHEMA);
  expect(JSON.stringify(plain)).not.toContain('x-layer');
  expect(new Ajv({ strict: true }).validate(plain, document)).toBe(isValid);
  const asItIs = new Ajv({ strict: false, formats: { code: true } });
  expect(asItIs.validate(SCHEMA, document)).toBe(isValid);
});
