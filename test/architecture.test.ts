import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Who may import whom, directly; what those may import comes with them. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  issues: [],
  values: ['issues'],
  generated: [],
  codegen: ['formula'], // its pages list the codes of issues and the functions of formulas
  formula: ['values', 'issues'],
  catalogue: ['values', 'issues'],
  document: ['values', 'issues', 'generated'],
  schema: ['document', 'formula', 'catalogue'],
  source: ['values', 'issues'],
  mapping: ['source', 'schema'],
  pipeline: ['mapping', 'rips'],
  inspect: ['pipeline'],
  payroll: ['schema'],
  rips: ['schema'],
  events: ['schema', 'source'], // an event may carry its invoice as a file
  client: ['generated', 'values', 'issues'],
  send: ['client', 'schema', 'payroll', 'rips', 'events'],
  report: ['document'],
  sandbox: ['schema', 'payroll', 'rips', 'events'],
  cli: ['inspect', 'pipeline', 'send', 'report', 'sandbox', 'codegen'],
};

/** Packages and globals that only one part may know. */
const ONLY: Readonly<Record<string, string>> = {
  ajv: 'schema',
  'ajv-formats': 'schema',
  undici: 'client',
  'p-limit': 'send',
  exceljs: 'report',
  fastify: 'sandbox',
  commander: 'cli',
};

function reachable(part: string, seen = new Set<string>()): Set<string> {
  for (const next of MAY[part] ?? []) {
    if (seen.has(next)) continue;
    seen.add(next);
    reachable(next, seen);
  }
  return seen;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && file.includes('/'));

const importsOf = (file: string): string[] =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1]!,
  );

const partOf = (file: string): string => file.split('/')[0]!;

test('every folder is in the table', () => {
  expect(new Set(files.map(partOf))).toEqual(new Set(Object.keys(MAY)));
});

describe('imports go downwards only', () => {
  test.each(files)('%s', (file) => {
    const part = partOf(file);
    const allowed = reachable(part).add(part);
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) {
        const target = relative('src', join('src', dirname(file), specifier)).replaceAll('\\', '/');
        expect([...allowed], `${file} imports ${specifier}`).toContain(partOf(target));
      } else {
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        if (ONLY[name] !== undefined) expect(part, `${file} imports ${name}`).toBe(ONLY[name]);
      }
    }
  });
});

test('only cli knows the process', () => {
  const users = files.filter((file) =>
    /process\.(exit|env|stdout|stderr|argv)/.test(readFileSync(join('src', file), 'utf8')),
  );
  expect(new Set(users.map(partOf))).toEqual(new Set(['cli']));
});

test('no file is a junk drawer', () => {
  expect(files.filter((file) => /(utils?|helpers?|manager)\.ts$/i.test(file))).toEqual([]);
});
