import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generate } from '../../src/codegen/generate.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';

const root = packageFile('.');

describe('the committed files', () => {
  test('are what the schemas and the messages give', async () => {
    for (const [path, text] of await generate(root)) {
      // The pages under `docs` are built, not committed.
      if (path.startsWith('docs/')) continue;
      expect(readFileSync(join(root, path), 'utf8'), `${path} is stale: run npm run generate`).toBe(text);
    }
  });
});

describe('a change of a schema', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'cargue-schemas-'));
    for (const folder of ['schemas', join('src', 'toolkit', 'messages')])
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const types = async (): Promise<string> => (await generate(copy)).get('src/generated/schema-types.ts')!;

  test('adds a member to its type', async () => {
    const path = join(copy, 'schemas/payroll/payment-date.schema.json');
    const schema = JSON.parse(readFileSync(path, 'utf8'));
    expect(await types()).not.toContain('paid_by');
    schema.properties.paid_by = { $ref: '../common/text.schema.json', description: 'Who paid.' };
    schema.required.push('paid_by');
    writeFileSync(path, JSON.stringify(schema));
    expect(await types()).toContain('  /**\n   * Who paid.\n   */\n  paid_by: Text;\n');
  });

  test('adds a type and its name', async () => {
    writeFileSync(
      join(copy, 'schemas/payroll/new-thing.schema.json'),
      JSON.stringify({ type: 'object', properties: {} }),
    );
    expect(await types()).toContain("'payroll/new-thing': PayrollNewThing;");
  });

  test('that gives two schemas one type name is refused', async () => {
    writeFileSync(join(copy, 'schemas/responses/money.schema.json'), JSON.stringify({ type: 'string' }));
    await expect(types()).rejects.toThrow('common/money and responses/money');
    rmSync(join(copy, 'schemas/responses/money.schema.json'));
  });

  test('that points nowhere is refused', async () => {
    writeFileSync(
      join(copy, 'schemas/payroll/lost.schema.json'),
      JSON.stringify({ type: 'object', properties: { x: { $ref: '../common/nothing.schema.json' } } }),
    );
    await expect(types()).rejects.toThrow('payroll/lost');
  });
});
