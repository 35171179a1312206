import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { readSmallText, readYaml } from '../../src/toolkit/mapping/yaml-source.js';
import { word } from '../../src/toolkit/messages/wording.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-yaml-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MILLION = 1_000_000;
const aliases = [...'bcdefghi'].map(
  (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(', ')}]`,
);

describe('a text made to hurt is refused in words', () => {
  test.each<[name: string, text: string, reason: RegExp]>([
    ['60 MB', 'a: 1\n'.repeat(12 * MILLION), /1 MB/],
    ['open lists', '['.repeat(MILLION), /100\.000/],
    ['open lists, fewer', '['.repeat(90_000), /100 niveles/],
    ['nested lists', `${'['.repeat(101)}${']'.repeat(101)}`, /100 niveles/],
    ['nested JSON', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, /100 niveles/],
    ['dashes', '- '.repeat(90_000), /100 niveles/],
    [
      'nested maps',
      Array.from({ length: 1_300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
      /100 niveles/,
    ],
    ['aliases of aliases', ['a: &a [x]', ...aliases].join('\n'), /alias/i],
    ['an alias of nothing', 'a: *b', /alias/i],
    ['a key that comes twice', 'a: 1\nb: 2\na: 3', /dos veces/],
    ['deep inside too', 'a:\n  - { b: 1, b: 2 }', /dos veces/],
  ])('%s', (_, text, reason) => {
    const { value, issues } = readYaml('m.yaml', text);
    expect(value).toBeNull();
    expect(issues[0]).toMatchObject({ code: 'mapping/yaml', place: { file: 'm.yaml' } });
    expect(word(issues[0]!, 'es').message).toMatch(reason);
    expect(issues.length).toBeLessThanOrEqual(100);
  });
});

test('a large map of settings is read at once', () => {
  const text = Array.from({ length: 30_000 }, (_, at) => `key${at}: ${at}`).join('\n');
  expect(readYaml('m.yaml', text)).toMatchObject({ issues: [], value: { key29999: 29_999 } });
});

test('of a file no more is read than shows that it is too large', async () => {
  const file = join(folder, 'large.yaml');
  writeFileSync(file, 'a: 1\n'.repeat(2 * MILLION));
  expect(readSmallText(file).length).toBeLessThan(2 * MILLION);
  const error = await loadMapping(file).catch((found: unknown) => found);
  expect(error).toBeInstanceOf(PipelineError);
  expect((error as PipelineError).issues.map(({ code }) => code)).toEqual(['mapping/yaml']);
});

test.each([
  ['{"a": 1, "b": ["x", null, true], "c": {"d": "1.50", "e": 1.5e3}}'],
  ['{"a \\"quoted\\": b": "c: {d}", "ñ": "\\u00e9"}'],
  ['\n  {"lista": [{"a": 1}, {"a": 2}]}\n'],
])('JSON says what it says to any reader: %s', (text) => {
  expect(readYaml('p.json', text)).toMatchObject({ value: JSON.parse(text), issues: [] });
});

test.each([
  ['{"a": 1, "a": 2}', 'DUPLICATE_KEY'],
  ['{"a": {"b": 1, "b": 2}}', 'DUPLICATE_KEY'],
  [`{"a": ${'['.repeat(120)}1${']'.repeat(120)}}`, 'TOO_DEEP'],
])('JSON is no less strict than YAML: %s', (text, reason) => {
  expect(readYaml('p.json', text).issues).toMatchObject([{ code: 'mapping/yaml', params: { reason } }]);
});

test('a place in JSON is found', () => {
  const { locate } = readYaml('p.json', '{\n  "a": 1,\n  "b": {"c": 2}\n}');
  expect(locate(['b', 'c'])).toEqual({ line: 3, column: 14 });
});
