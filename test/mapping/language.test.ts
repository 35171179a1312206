import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { languagePage, readExamples } from '../../src/codegen/pages.js';
import { readJson } from '../../src/codegen/schema-files.js';
import { SchemaUse } from '../../src/codegen/schema-types.js';
import { isObject } from '../../src/toolkit/core/json.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { FUNCTIONS } from '../../src/toolkit/formula/functions.js';
import { runExample, runOwnTests } from '../support/language-example.js';

/** Keywords that restrict what stands together, and declare nothing. */
const RESTRICTIONS: readonly string[] = ['not', 'if', 'then', 'else', 'dependentSchemas'];

/** Every key and every choice that a schema declares, as `SchemaUse` notes them. */
function declared(schema: object): string[] {
  const found = new Set<string>();
  const visit = (node: unknown, at: string): void => {
    if (Array.isArray(node)) for (const [index, inner] of node.entries()) visit(inner, `${at}/${index}`);
    if (!isObject(node)) return;
    for (const choice of (node['enum'] ?? []) as readonly string[]) found.add(`${at}=${choice}`);
    const { properties } = node;
    for (const [key, inner] of Object.entries(node)) {
      if (key === 'properties' && isObject(properties)) {
        for (const [name, one] of Object.entries(properties)) {
          found.add(`${at}/properties/${name}`);
          visit(one, `${at}/properties/${name}`);
        }
      } else if (!RESTRICTIONS.includes(key)) visit(inner, `${at}/${key}`);
    }
  };
  visit(schema, '');
  return [...found];
}

const examples = readExamples(packageFile('schemas', 'mapping.examples'));
const schema = readJson(packageFile('schemas', 'mapping.schema.json'));
const keysAndChoices = declared(schema);

describe('the examples give what they say', () => {
  test.each(examples)('$id', async (example) => {
    const { documents, documents_in_part, issues = [], skipped = [], lint = [] } = example;
    const outcome = await runExample(example);
    const expected = documents_in_part === undefined ? (documents ?? []) : outcome.documents;
    expect(outcome).toEqual({ documents: expected, issues, skipped, lint });
    if (documents_in_part !== undefined) expect(outcome.documents).toMatchObject(documents_in_part);
  });

  test.each(examples.filter(({ mapping }) => parse(mapping).tests !== undefined))(
    'the tests inside $id',
    async (example) => {
      const results = await runOwnTests(example);
      expect(results.length).toBeGreaterThan(0);
      expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
    },
  );
});

test('they show every key and every choice of the language', () => {
  const use = new SchemaUse(schema);
  for (const { mapping } of examples) use.note(parse(mapping));
  expect(keysAndChoices.length).toBeGreaterThan(200);
  expect(keysAndChoices.filter((one) => !use.used.has(one))).toEqual([]);
});

describe('the page', () => {
  const page = languagePage(schema, examples);
  /** Last keys of the rows of each section, with what is said of them. */
  const sections = new Map(
    page.split(/^## /m).map((text) => {
      const rows = [
        ...text.matchAll(/^\| `(?:[^`]*\.)?([^`.]+)`(?: \(required\))? \| ([^|]+) \| ([^|]*) \|/gm),
      ];
      return [
        text.slice(0, text.indexOf('\n')),
        new Map(rows.map(([, key, , about]) => [key!, about!.trim()])),
      ];
    }),
  );
  const keys = keysAndChoices.filter((one) => /\/properties\/[^/=]+$/.test(one));
  const rowOf = (at: string): string | undefined =>
    sections.get(/^\/\$defs\/(\w+)/.exec(at)?.[1] ?? 'mapping')?.get(at.slice(at.lastIndexOf('/') + 1));

  test('has every key, and says what it means', () => {
    expect(keys.filter((at) => !rowOf(at))).toEqual([]);
  });

  test.each(Object.keys(FUNCTIONS))('has the function %s', (name) => {
    expect(page).toContain(`\n| \`${name}(`);
  });

  test.each(examples)('has "$title"', ({ title, mapping }) => {
    expect(page).toContain(`\n### ${title}\n`);
    expect(page).toContain(mapping.trimEnd());
  });
});
