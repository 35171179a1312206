import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bundleOpenApi } from '../../src/codegen/bundle.js';
import { readJson, readSchemaFiles } from '../../src/codegen/schema-files.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';

const LINTER = packageFile('node_modules/@redocly/cli/bin/cli.js');
const SOURCE = packageFile('schemas/service.openapi.json');

const folder = mkdtempSync(join(tmpdir(), 'cargue-openapi-'));
const config = join(folder, 'redocly.yaml');
const bundle = join(folder, 'openapi.json');
writeFileSync(config, 'extends: [recommended]\ntelemetry: off\n');
writeFileSync(
  bundle,
  JSON.stringify(bundleOpenApi(readJson(SOURCE), readSchemaFiles(packageFile('schemas')))),
);
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly totals: { readonly errors: number; readonly ignored: number };
  readonly problems: readonly {
    readonly severity: string;
    readonly ruleId: string;
    readonly message: string;
  }[];
}

function lint(file: string): Report {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [LINTER, 'lint', file, '--config', config, '--format', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  if (!stdout.includes('{')) throw new Error(stderr);
  return JSON.parse(stdout.slice(stdout.indexOf('{'))) as Report;
}

/** What the linter warns of, and why it stays. */
const KNOWN_WARNINGS: readonly string[] = [
  'no-required-schema-properties-undefined', // `then` demands a member that stands beside it, as JSON Schema does
  'no-unused-components', // the bundle refers to the members of a schema, not to the whole
];

test.each([
  ['the file', SOURCE],
  ['the bundle', bundle],
])('%s passes the public linter', (_, file) => {
  const { totals, problems } = lint(file);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, ignored: 0 });
  expect(KNOWN_WARNINGS).toEqual(expect.arrayContaining(problems.map(({ ruleId }) => ruleId)));
});

test('the linter would find a mistake', () => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, JSON.stringify({ ...readJson(bundle), paths: { '/x': { get: { responses: 1 } } } }));
  expect(lint(broken).totals.errors).toBeGreaterThan(0);
});
