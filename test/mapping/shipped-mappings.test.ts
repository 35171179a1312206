import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compileMapping } from '../../src/toolkit/mapping/load.js';
import { issuesOfLoading } from '../support/mapping-issues.js';

/** Every version of a ready-made mapping, and of one that inspect wrote, up to 29 November 2026: path, day, text. */
const VERSIONS = JSON.parse(
  brotliDecompressSync(readFileSync('test/mapping/shipped-mappings.json.br')).toString(),
) as readonly (readonly [path: string, day: string, text: string])[];

/** The day of release 0.2.0, the first with ready-made mappings. */
const RELEASED = '2026-11-23';

/** Versions that were in no release, and say what a release never could: each is told where and why. */
const NEVER_RELEASED: readonly (readonly [code: RegExp, paths: RegExp, reason: string])[] = [
  [
    /^mapping\/(shape|no-titles)$/,
    /(wide|long|excel-por-nodo|interfaz)\.yaml$/,
    'forms before the first release',
  ],
  [/^mapping\/unknown-key under$/, /quincenas/, 'side_by_side took its place before the first release'],
  [
    /^(mapping\/(column-gone|unknown-column)|formula\/unknown-name)/,
    /lista-y-zip|list-with-files/,
    'read files that another mapping reads',
  ],
  [/^mapping\/shape$/, /multi-sheet/, 'once named several tables for some hours'],
  [/^mapping\/unknown-column workers\.split_/, /long/, 'columns of a day'],
  [/^mapping\/no-effect split$/, /columns|invoices/, 'split was said twice'],
  [/^mapping\/unknown-key carried$/, /consultas|lista/, 'fill_down took its place within a day'],
  [/^formula\/unknown-function$/, /consultas|lista|excel-por-nodo/, 'same_nit took its place within a day'],
  [
    /^mapping\/(shape|missing-key|unknown-param)/,
    /wide|long|multi-sheet|libro-de-novedades/,
    'layouts over a vocabulary of that day',
  ],
];

const issuesOf = (text: string) => issuesOfLoading(() => compileMapping('own.yaml', text));

const PATHS = [...new Set(VERSIONS.map(([path]) => path))];

describe.each(PATHS)('%s', (path) => {
  const own = VERSIONS.filter(([of]) => of === path);

  test('loads in each of its versions, or is told at its line', () => {
    for (const [, day, text] of own)
      for (const { code, value = '', place } of issuesOf(text)) {
        const said = value === '' ? code : `${code} ${value}`;
        const known = NEVER_RELEASED.some(
          ([pattern, paths]) => (pattern.test(said) || pattern.test(code)) && paths.test(path),
        );
        expect(known, `${day} ${said} ${place.line}`).toBe(true);
        expect(place.line, said).toBeGreaterThan(0);
      }
  });

  test('loads as it was released', () => {
    const [, , released] = own.findLast(([, day]) => day <= RELEASED) ?? [];
    if (released !== undefined) expect(issuesOf(released)).toEqual([]);
  });
});

test('the versions are many', () => {
  expect(VERSIONS.length).toBe(392);
  expect(PATHS.filter((path) => path.startsWith('mappings/')).length).toBeGreaterThan(20);
});
