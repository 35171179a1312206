import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { CODES } from '../src/generated/codes.js';

/** Who may import whom, directly; what those may import comes with them. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  'toolkit/core': ['generated'], // which codes there are, and what an issue of each must say: types only
  generated: [],
  'toolkit/messages': ['toolkit/core', 'generated'],
  'toolkit/formula': ['toolkit/core', 'toolkit/messages'],
  'toolkit/schema': ['toolkit/formula', 'toolkit/messages', 'generated'],
  'toolkit/tables': ['toolkit/schema'],
  'toolkit/mapping': ['toolkit/tables'],
  'toolkit/documents': ['toolkit/mapping'],
  'toolkit/inspect': ['toolkit/documents'],
  client: ['toolkit/core', 'generated', 'toolkit/messages'],
  send: ['client', 'toolkit/schema'],
  families: ['send', 'toolkit/documents', 'report'],
  report: ['toolkit/mapping'],
  sandbox: ['families'],
  codegen: ['toolkit/formula'], // its pages list the codes of issues and the functions of formulas
  app: ['toolkit/inspect', 'toolkit/documents', 'send', 'families', 'report', 'sandbox', 'codegen'],
  server: ['app'],
  page: ['app'],
  cli: ['app', 'server', 'page'],
};

/** Packages and globals that only one part may know. */
const ONLY: Readonly<Record<string, string>> = {
  ajv: 'toolkit/schema',
  'ajv-formats': 'toolkit/schema',
  undici: 'client',
  pg: 'send',
  'p-limit': 'send',
  exceljs: 'report',
  fastify: 'sandbox page',
  open: 'page',
  preact: 'page',
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
  .filter((file) => /\.tsx?$/.test(file) && file.includes('/') && !file.endsWith('vite.config.ts'));

const importsOf = (file: string): string[] =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1]!,
  );

const targetOf = (file: string, specifier: string): string =>
  relative('src', join('src', dirname(file), specifier)).replaceAll('\\', '/');

/** Room of a file: its first folder, or two where the first holds rooms. */
const partOf = (file: string): string => /^(toolkit\/)?[^/]+/.exec(file)![0];

test('every folder is in the table', () => {
  expect(new Set(files.map(partOf))).toEqual(new Set(Object.keys(MAY)));
});

test('imports go downwards only', () => {
  const wrong = files.flatMap((file) => {
    const part = partOf(file);
    const allowed = reachable(part).add(part);
    return importsOf(file)
      .filter((specifier) => {
        if (specifier.startsWith('.')) return !allowed.has(partOf(targetOf(file, specifier)));
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        return ONLY[name] !== undefined && !ONLY[name].split(' ').includes(part);
      })
      .map((specifier) => `${file} imports ${specifier}`);
  });
  expect(wrong).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  const next = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => targetOf(file, specifier).replace(/\.js$/, '.ts'))
        .map((other) => (files.includes(other) ? other : `${other}x`))
        .filter((other) => other !== file), // text of a generated file
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (way.includes(file) || done.has(file)) return;
    for (const other of next.get(file) ?? []) visit(other, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('only cli knows the process', () => {
  const users = files.filter((file) =>
    /process\.(exit|env|stdout|stderr|argv)/.test(readFileSync(join('src', file), 'utf8')),
  );
  expect(new Set(users.map(partOf))).toEqual(new Set(['cli']));
});

test('nothing hangs on the text of a code', () => {
  const stages = new Set(Object.keys(CODES).map((code) => code.split('/')[0]!));
  for (const family of ['events', 'payroll', 'rips']) stages.delete(family); // schemas are called so too
  const any = [...stages].join('|');
  const reading = new RegExp(`(?<!\\\\)/\\^?\\(*(${any})\\\\/|'"?(${any})/'|LIKE '%`);
  const lines = files
    .filter((file) => !['generated', 'codegen'].includes(partOf(file)))
    .flatMap((file) =>
      readFileSync(join('src', file), 'utf8')
        .split('\n')
        .filter((line) => reading.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(lines).toEqual([]);
});

test('which SQLite there is, one file knows', () => {
  const users = files.filter((file) =>
    /['"`](@photostructure\/sqlite|node:sqlite)\b/.test(readFileSync(join('src', file), 'utf8')),
  );
  expect(users).toEqual(['toolkit/core/sqlite-engine.ts']);
});

test('what people read is data: no code holds a text in both languages', () => {
  const isBilingual = /\bes: ?\n? *['"`]|[!=]== 'es'\s*\? *['"`]/;
  const holders = files.filter(
    (file) =>
      !['generated', 'toolkit/messages'].includes(partOf(file)) &&
      isBilingual.test(readFileSync(join('src', file), 'utf8')),
  );
  expect(holders).toEqual([]);
});

test('what is exported is used by another file, and not by tests alone', () => {
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `../test/${file.replaceAll('\\', '/')}`);
  const doors = readdirSync('src').filter((file) => file.endsWith('.ts'));
  const texts = new Map(
    [...files, ...doors, ...tests].map((file) => [file, readFileSync(join('src', file), 'utf8')]),
  );
  const users = new Map<string, string[]>();
  for (const file of texts.keys())
    for (const specifier of importsOf(file)) {
      const plain = targetOf(file, specifier).replace(/\.js$/, '.ts');
      const target = texts.has(plain) ? plain : `${plain}x`;
      users.set(target, [...(users.get(target) ?? []), file]);
    }
  const isNamed = (name: string, file: string, times = 1): boolean =>
    texts.get(file)!.split(new RegExp(`\\b${name}\\b`)).length > times;
  const open = files
    .filter((file) => !['generated', 'codegen'].includes(partOf(file)))
    .flatMap((file) => {
      const names = texts.get(file)!.matchAll(/^export (?:async )?\w+\*? (\w+)/gm);
      return [...names].flatMap(([, name]) => {
        const naming = (users.get(file) ?? []).filter(
          (user) => isNamed(name!, user) || /export type \* from/.test(texts.get(user)!),
        );
        const isUsed =
          naming.some((user) => !tests.includes(user)) || (naming.length > 0 && isNamed(name!, file, 2));
        return isUsed ? [] : [`${file}: ${name}`];
      });
    });
  expect(open).toEqual([]);
});

test('no file is a junk drawer', () => {
  expect(files.filter((file) => /(utils?|helpers?|manager)\.ts$/i.test(file))).toEqual([]);
});

/**
 * Who may still name a family, and why: the command line by the names of its commands and options, the words of the
 * workbook, what is generated from schemas, and rules of the service's contract by operation.
 */
const MAY_NAME: readonly string[] = [
  'cli/options.ts',
  'app/invoice-events.ts', // the code of its issue
  'codegen/pages.ts',
  'codegen/schema-files.ts',
  'toolkit/schema/catalogue.ts', // the code of its issue
  'toolkit/schema/rule-data.ts',
  'send/verdict.ts',
];

/** A folder of a family, a schema, mapping or code that begins with one, or a word that only one uses. */
const NAMES_FAMILY =
  /families\/(payroll|rips|events)\/|['`](payroll|rips|events|attention)\/[a-z]|\b\w*(rips|patient|attention)\w*|\b(cude|cuv)\b/i;

test('only the registry names a family; the sandbox has its own', () => {
  const code = (file: string): string =>
    readFileSync(join('src', file), 'utf8')
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/(^|[\s;])\/\/.*$/gm, '');
  const naming = files
    .filter((file) => !['families', 'sandbox', 'generated', 'toolkit/messages'].includes(partOf(file)))
    .filter((file) => NAMES_FAMILY.test(code(file)));
  expect(naming.toSorted()).toEqual(MAY_NAME.toSorted());
  const registering = files.filter(
    (file) =>
      !/^(families\/[a-z]+|sandbox)\//.test(file) &&
      importsOf(file).some((specifier) => /^(\.\.\/families|\.)\/(payroll|rips|events)\//.test(specifier)),
  );
  expect(registering).toEqual(['families/registry.ts']);
});
