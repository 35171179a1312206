import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Validator } from '@cfworker/json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { bundleSchema } from '../../src/codegen/bundle.js';
import type { SchemaJson } from '../../src/codegen/schema-files.js';
import { FORMS } from '../../src/generated/forms.js';
import type { JsonValue } from '../../src/toolkit/core/json.js';
import { resolveNode, schemaJson, schemaNames } from '../../src/toolkit/schema/registry.js';
import { addKeywords, validate } from '../../src/toolkit/schema/validate.js';
import { CLAIM, RECEIPT } from './event-examples.js';
import { DELETE, PAYROLL, REPLACE, withValue } from './examples.js';
import { CONSULTATION, PATIENT } from './health-examples.js';

/** Values of each leaf form. `beyond` are those that only a check of the format itself refuses: its pattern lets them pass. */
interface Values {
  readonly pass: readonly JsonValue[];
  readonly fail: readonly JsonValue[];
  readonly beyond?: readonly JsonValue[];
}

const LEAVES = JSON.parse(readFileSync('test/schema/conformance.json', 'utf8')) as Record<string, Values>;

const nodeOf = (leaf: string): SchemaJson => {
  const [name = '', pointer = ''] = leaf.split('#');
  return resolveNode(name, pointer.split('/').slice(2)) as SchemaJson;
};

const files = new Map(schemaNames().map((name) => [name, schemaJson(name) as SchemaJson]));

/** A schema as others get it: one file. */
const standing = (name: string): SchemaJson => bundleSchema(name, files);

interface Case {
  readonly schema: string;
  readonly value: unknown;
  readonly ok: boolean;
  readonly beyond?: boolean;
  readonly format?: unknown;
}

/** Of a leaf that is a field, the body has that field alone. */
function cases(leaf: string, values: readonly JsonValue[], ok: boolean, beyond = false): Case[] {
  const [schema = '', pointer] = leaf.split('#/properties/');
  const { format } = nodeOf(leaf);
  return values.map((value) => {
    const body = pointer === undefined ? value : { [pointer]: value };
    return { schema, value: body, ok, beyond, format };
  });
}

const NOT_MONEY = 'mucho';

/** An identity document is a number or a text; what a schema requires may be a member that another one describes. */
const STRICT = { strict: true, allowUnionTypes: true, strictRequired: false };

const strict = addKeywords(new Ajv2020(STRICT));

/** Whole documents, and each with one leaf spoilt. */
const DOCUMENTS: readonly Case[] = (
  [
    ['payroll/payroll', PAYROLL, '/worker/salary', NOT_MONEY],
    ['payroll/payroll', PAYROLL, '/accrued/HEDs/0/payment', NOT_MONEY],
    ['payroll/adjust-note', REPLACE, '/predecessor/cune', 'x'],
    ['payroll/adjust-note', DELETE, '/predecessor/cune', 'x'],
    ['events/event-by-cufe', RECEIPT, '/document_reference/cufe', 'x'],
    ['events/event-by-document', CLAIM, '/base64_attacheddocument', '?'],
    ['rips/patient', PATIENT, '/birth_date', '1990'],
    ['rips/services/consultation', CONSULTATION, '/codConsulta', '1'],
  ] as const
).flatMap(([schema, value, pointer, wrong]) => [
  { schema, value, ok: true },
  { schema, value: withValue(value, pointer, wrong), ok: false },
]);

const CASES: readonly Case[] = [
  ...Object.entries(LEAVES).flatMap(([leaf, { pass, fail, beyond = [] }]) => [
    ...cases(leaf, pass, true),
    ...cases(leaf, fail, false),
    ...cases(leaf, beyond, false, true),
  ]),
  ...DOCUMENTS,
];

/** What a validator that knows patterns alone must say. */
const byPattern = ({ ok, beyond = false }: Case): boolean => ok || beyond;

const told = ({ schema, value }: Case): string => `${schema} ${JSON.stringify(value)}`;

function wrong(
  takes: (schema: string, value: unknown) => boolean,
  says: (one: Case) => boolean = byPattern,
): string[] {
  return CASES.filter((one) => takes(one.schema, one.value) !== says(one)).map(told);
}

function memo<T>(make: (schema: string) => T): (schema: string) => T {
  const made = new Map<string, T>();
  return (schema) => {
    if (!made.has(schema)) made.set(schema, make(schema));
    return made.get(schema)!;
  };
}

test('the table has every leaf form, and those that are numbers', () => {
  const formats = Object.keys(LEAVES).map((leaf) => nodeOf(leaf)['format']);
  expect(new Set(formats.filter((format) => format !== undefined))).toEqual(new Set(Object.keys(FORMS)));
  const common = schemaNames().filter((name) => name.startsWith('common/'));
  expect(common.filter((name) => !(name in LEAVES))).toEqual([]);
});

describe('what the table says is said by', () => {
  test('ajv in strict mode, formats and all', () => {
    const schemas = memo((name) => strict.compile(standing(name)));
    expect(
      wrong(
        (schema, value) => schemas(schema)(value),
        ({ ok }) => ok,
      ),
    ).toEqual([]);
  });

  test('ajv as it comes, by patterns', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    const plain = memo((name) => ajv.compile(standing(name)));
    expect(wrong((schema, value) => plain(schema)(value))).toEqual([]);
  });

  test('@cfworker/json-schema', () => {
    const others = memo((name) => new Validator(standing(name), '2020-12'));
    /** It knows the formats of the standard, and checks them. */
    const standard = (one: Case): boolean =>
      ['date', 'email', 'uri'].includes(String(one.format)) ? one.ok : byPattern(one);
    expect(wrong((schema, value) => others(schema).validate(value).valid, standard)).toEqual([]);
  });

  const python = spawnSync('python3', ['-c', 'import jsonschema']).status === 0;

  test.skipIf(!python)(`Python's jsonschema${python ? '' : ' (not on this machine)'}`, () => {
    const names = [...new Set(CASES.map(({ schema }) => schema))];
    const input = JSON.stringify({
      schemas: Object.fromEntries(names.map((name) => [name, standing(name)])),
      cases: CASES.map(({ schema, value }) => [schema, value]),
    });
    const { stdout, stderr } = spawnSync('python3', ['test/schema/conformance.py'], {
      input,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const said = JSON.parse(stdout) as boolean[];
    expect(CASES.filter((one, at) => said[at] !== byPattern(one)).map(told)).toEqual([]);
  });

  test('the program itself, each fault by one issue', () => {
    const issues = ({ schema, value }: Case) => validate(schema, 'strict', value);
    expect(CASES.filter((one) => issues(one).length !== (one.ok ? 0 : 1)).map(told)).toEqual([]);
  });
});

test('every schema compiles in strict mode, with all that it refers to', () => {
  for (const name of schemaNames()) expect(() => strict.compile(standing(name)), name).not.toThrow();
});

test('a bundle refers to nothing outside itself', () => {
  for (const name of schemaNames()) {
    const text = JSON.stringify(bundleSchema(name, files));
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    expect(
      refs.filter((ref) => !ref.startsWith('#/')),
      name,
    ).toEqual([]);
  }
});

test('a pattern is one that other languages read too', () => {
  const patterns = Object.values(FORMS).map(({ pattern }) => pattern);
  // \d is any digit of Unicode in Python; Go and Rust know neither assertions nor back-references.
  expect(patterns.filter((pattern) => /\\[dwsDWSbB1-9]|\(\?[=!<]/.test(pattern))).toEqual([]);
});
