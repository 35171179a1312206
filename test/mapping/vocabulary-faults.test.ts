import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { isObject, type JsonObject, type JsonValue } from '../../src/toolkit/core/json.js';

/** A copy of schemas and mappings, of which one vocabulary has a fault. */
const ROOT = vi.hoisted(() => ({ folder: '' }));

vi.mock('../../src/toolkit/core/package-file.js', () => {
  ROOT.folder = mkdtempSync(join(tmpdir(), 'cargue-faults-'));
  for (const name of ['schemas', 'mappings', 'package.json'])
    cpSync(name, join(ROOT.folder, name), { recursive: true });
  return { packageFile: (...segments: readonly string[]): string => join(ROOT.folder, ...segments) };
});

const { PipelineError } = await import('../../src/toolkit/core/issue.js');
const { compileMapping } = await import('../../src/toolkit/mapping/load.js');

const fileOf = (name: string): string => join(ROOT.folder, 'mappings/vocabularies', `${name}.yaml`);
const TEXTS = Object.fromEntries(
  ['payroll', 'rips', 'events'].map((name) => [
    name,
    readFileSync(`mappings/vocabularies/${name}.yaml`, 'utf8'),
  ]),
);
const write = (name: string, text: string): void => writeFileSync(fileOf(name), text);
afterAll(() => {
  for (const [name, text] of Object.entries(TEXTS)) write(name, text);
});

/** Issues of a mapping; anything thrown but these fails. */
function issuesOf(text: string) {
  try {
    compileMapping('own.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    expect(error.issues.length).toBeGreaterThan(0);
    return error.issues;
  }
}
const over = (base: string, more = ''): string => `cargue: 1\nextends: ${base}\nname: own\n${more}`;
const shown = (text: string) => issuesOf(text).map(({ code, place }) => [code, place.file, place.line]);

const LAYOUTS: Readonly<Record<string, readonly string[]>> = {
  payroll: ['payroll/wide', 'payroll/long', 'payroll/multi-sheet'],
  rips: ['rips/lista', 'rips/excel-por-nodo', 'rips/3374-zip'],
  events: ['events/list', 'events/columns'],
};

describe('a fault of a vocabulary is told at its line', () => {
  /** Line of the first text of a kind in a vocabulary, from 1. */
  const lineOf = (name: string, text: string): number =>
    TEXTS[name]!.slice(0, TEXTS[name]!.indexOf(text)).split('\n').length;

  test.each([
    ['a syntax that is none', 'payroll', '\nkinds:', '\nkinds: [', 'mapping/yaml'],
    ['a concept of nothing', 'events', '\n  "031":\n', '\n  "031": null\n  "039":\n', 'mapping/shape'],
    ['names that are one text', 'payroll', '  commission: {', '  commission: { titles: X,', 'mapping/shape'],
    [
      'a key that is none',
      'payroll',
      '  commission: {',
      '  commission: { nmaes: [X],',
      'mapping/unknown-key',
    ],
    [
      'a shape that is none',
      'payroll',
      '  commission: {',
      '  commission: { shape: overtme,',
      'mapping/unknown-key',
    ],
    [
      'a fragment that is none',
      'rips',
      '    columns: { use: node_columns, leaves: true }',
      '    columns: { use: node_column, leaves: true }',
      'mapping/unknown-key',
    ],
    [
      'a fragment that has itself',
      'rips',
      '    columns: { use: node_columns, leaves: true }',
      '    columns: { use: node, leaves: true }',
      'mapping/unknown-key',
    ],
    ['parts that are a list', 'rips', '\nparts:\n', '\nparts: [a]\nshapes:\n', 'mapping/shape'],
  ])('%s', (_, name, before, after, code) => {
    write(name, TEXTS[name]!.replace(before, after));
    const [first] = shown(over(LAYOUTS[name]![name === 'rips' ? 1 : 0]!));
    write(name, TEXTS[name]!);
    const line = lineOf(name, before.trimEnd()) + (before.startsWith('\n') ? 1 : 0);
    expect(first?.slice(0, 2)).toEqual([code, `vocabularies/${name}.yaml`]);
    if (code !== 'mapping/yaml') expect(first?.[2]).toBe(line);
  });
});

const WRONG: readonly JsonValue[] = [null, 7, 'x', [], [null], { x: null }, true];

/** Paths of all values of a tree, down to a depth. */
function pathsOf(
  node: JsonValue,
  depth: number,
  path: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  const below = Array.isArray(node)
    ? node.map((value, at) => [at, value] as const)
    : isObject(node)
      ? Object.entries(node)
      : [];
  return [
    path,
    ...(depth > 0 ? below.flatMap(([key, value]) => pathsOf(value!, depth - 1, [...path, key])) : []),
  ];
}

function withValue(
  node: JsonValue,
  [key, ...below]: readonly (string | number)[],
  value: JsonValue,
): JsonValue {
  if (key === undefined) return value;
  const inner = (node as JsonObject)[key] ?? null;
  const put = withValue(inner, below, value);
  return Array.isArray(node)
    ? node.map((item, at) => (at === key ? put : item))
    : { ...(node as JsonObject), [key]: put };
}

describe('whatever is wrong in it, the loader ends with issues', () => {
  test.each(Object.keys(LAYOUTS))('the vocabulary of %s', (name) => {
    const value = parse(TEXTS[name]!) as JsonValue;
    const paths = pathsOf(value, 3);
    // Every value of the first levels, and some of those below; each with one of the wrong ones.
    const some = paths.filter((path, at) => path.length < 2 || at % 61 === 0);
    for (const [at, path] of some.entries()) {
      write(name, JSON.stringify(withValue(value, path, WRONG[at % WRONG.length]!)));
      issuesOf(over(LAYOUTS[name]![at % LAYOUTS[name]!.length]!));
    }
    write(name, TEXTS[name]!);
  });

  const KEYS = [
    'names',
    'titles',
    'words',
    'sheets',
    'numbers',
    'to',
    'column',
    'columns',
    'shape',
    'leaves',
    'elsewhere',
    'fixed',
    'kind',
    'else',
    'side',
    'zero',
    'absent',
    'word',
    'plain',
    'as',
  ];
  test.each([
    ['payroll', 'disability_common'],
    ['rips', 'medicamentos'],
    ['events', '"030"'],
  ])('concepts of a mapping over %s: %s', (name, concept) => {
    const layouts = LAYOUTS[name]!;
    for (const [at, wrong] of [...WRONG, {}, ['+x'], { value: 'x' }, [{ a: 5 }]].entries()) {
      const said = stringify(wrong, { collectionStyle: 'flow' }).trim();
      issuesOf(over(layouts[0]!, `concepts: ${said}\n`));
      for (const [index, key] of [...KEYS.entries()].filter(([index]) => (at + index) % 3 === 0))
        issuesOf(
          over(layouts[(at + index) % layouts.length]!, `concepts: { ${concept}: { ${key}: ${said} } }\n`),
        );
    }
  });

  test('a layout of its own', () => {
    const text = readFileSync('mappings/payroll/multi-sheet.yaml', 'utf8');
    const value = parse(text) as JsonValue;
    for (const [at, path] of pathsOf(value, 4).entries())
      if (path.length < 2 || at % 17 === 0)
        issuesOf(JSON.stringify(withValue(value, path, WRONG[at % WRONG.length]!)));
  });
});
