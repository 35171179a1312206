import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packagesOf } from './support/packages-of.js';

interface Manifest {
  readonly private: boolean;
  readonly sideEffects: boolean;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}
const { exports, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

/** What each door must not load: who wants one part does not pay for the others. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  '.': ['exceljs', 'fastify'],
  './types': ['ajv', 'undici', 'fastify', 'exceljs', '@photostructure/sqlite', 'big.js'],
  './validate': ['undici', 'fastify', 'exceljs', '@photostructure/sqlite', 'yauzl'],
  './client': ['ajv', 'ajv/dist/2020.js', 'fastify', 'exceljs', '@photostructure/sqlite', 'yauzl'],
  './sandbox': ['undici', 'exceljs', '@photostructure/sqlite', 'yauzl'],
};

const doors = Object.entries(exports).flatMap(([name, door]) =>
  typeof door === 'string' ? [] : [[name, door] as const],
);

test('the doors are those', () => {
  expect(doors.map(([name]) => name)).toEqual(Object.keys(WITHOUT));
  expect(manifest).toMatchObject({ sideEffects: false });
});

test.each(doors)('%s is a file, typed, and loads no more than it must', (name, door) => {
  expect(door.types).toBe(door.default.replace(/\.js$/, '.d.ts'));
  const source = door.default.replace(/^\.\/dist\/(.*)\.js$/, '../src/$1.ts');
  const packages = packagesOf(new URL(source, import.meta.url));
  for (const heavy of WITHOUT[name]!) expect([...packages]).not.toContain(heavy);
  expect(packages.size > 0).toBe(name !== './types');
});
