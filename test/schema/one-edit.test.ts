import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** What the built program says once a required field was added to one schema file, and nothing else was touched. */
interface Seen {
  readonly type: boolean;
  readonly validator: string[];
  readonly openApi: boolean;
  readonly sandbox: { readonly status: number; readonly fields: string[] };
  readonly mapping: string[];
  readonly editor: unknown;
}

const LOOK = `
import { readFileSync } from 'node:fs';
import { generate } from './dist/codegen/generate.js';
import { bundleOpenApi } from './dist/codegen/bundle.js';
import { readSchemaFiles, readJson } from './dist/codegen/schema-files.js';
import { compileMapping } from './dist/toolkit/mapping/load.js';
import { startSandbox } from './dist/sandbox/server.js';
import { mappingWithTargets } from './dist/toolkit/schema/views.js';
import { validate } from './dist/toolkit/schema/validate.js';

const document = JSON.parse(readFileSync('golden.jsonl', 'utf8').split('\\n')[0]);
const types = (await generate('.')).get('src/generated/schema-types.ts');
const bundle = bundleOpenApi(readJson('schemas/service.openapi.json'), readSchemaFiles('schemas'));
const sandbox = await startSandbox();
const answer = await fetch(sandbox.url + '/api/ubl2.1/payroll', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + sandbox.token, 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify(document),
});
const body = await answer.json();
await sandbox.close();
let mapping = [];
try {
  compileMapping('wide.yaml', readFileSync('mappings/payroll/wide.yaml', 'utf8'));
} catch (error) {
  mapping = error.issues.map((issue) => issue.code + ' ' + issue.params.pointer);
}
console.log(JSON.stringify({
  type: /shoe_size: /.test(types),
  validator: validate('payroll/payroll', 'strict', document).map((issue) => issue.code + ' ' + issue.place.pointer),
  editor: mappingWithTargets([]).allOf.find((branch) => branch.if.properties.target.const === 'payroll/payroll').then.properties.document.properties.worker.properties.shoe_size,
  openApi: JSON.stringify(bundle).includes('"shoe_size"'),
  sandbox: { status: answer.status, fields: Object.keys(body.errors ?? {}) },
  mapping,
}));
`;

const folder = mkdtempSync(join(tmpdir(), 'cargue-one-edit-'));
let seen: Seen;

beforeAll(() => {
  for (const part of ['dist', 'schemas', 'mappings', 'package.json', 'src/toolkit/messages'])
    cpSync(part, join(folder, part), { recursive: true });
  cpSync('test/golden/payroll/nomina-octubre-2026.jsonl', join(folder, 'golden.jsonl'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  const file = join(folder, 'schemas/payroll/worker.schema.json');
  const worker = JSON.parse(readFileSync(file, 'utf8')) as {
    required: string[];
    properties: Record<string, unknown>;
  };
  worker.properties['shoe_size'] = {
    type: 'integer',
    title: 'Talla',
    description: 'A new field.',
    'x-layer': 'contract',
  };
  worker.required.push('shoe_size');
  writeFileSync(file, JSON.stringify(worker));
  writeFileSync(join(folder, 'look.mjs'), LOOK);
  seen = JSON.parse(execFileSync(process.execPath, ['look.mjs'], { cwd: folder, encoding: 'utf8' })) as Seen;
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, (seen: Seen) => unknown, unknown]>([
  ['the type has the field', ({ type }) => type, true],
  ['the validator asks for it', ({ validator }) => validator, ['document/required /worker/shoe_size']],
  ['the OpenAPI document describes it', ({ openApi }) => openApi, true],
  [
    'the sandbox refuses a document without it',
    ({ sandbox }) => sandbox,
    { status: 422, fields: ['worker.shoe_size'] },
  ],
  [
    'editors of mappings complete it',
    ({ editor }) => editor,
    { allOf: [{ $ref: '#/$defs/leaf' }], description: 'Talla. A new field.' },
  ],
  ['a mapping must fill it', ({ mapping }) => mapping, ['mapping/required-unmapped /worker/shoe_size']],
])('one edit in a schema file: %s', (_, part, expected) => expect(part(seen)).toEqual(expected));
