import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canonicalText,
  isCanonical,
  parseCanonical,
  type TextChange,
} from '../../src/toolkit/core/canonical.js';

const CASES: readonly (readonly [text: string, canonical: string, ...changes: TextChange[]])[] = [
  ['Fabia\u0301n', 'Fabián', 'composed'],
  ['\u200b1.500.000', '1.500.000', 'invisible'],
  ['900\u00ad555321', '900555321', 'invisible'],
  ['\u202a9801234567\u202c', '9801234567', 'invisible'],
  ["'1926665174", '1926665174', 'apostrophe'],
  [" 'Calle 1 ", 'Calle 1', 'apostrophe'],
  ["'entre comillas'", "'entre comillas'"],
  ["O'Higgins", "O'Higgins"],
  ["''", "''"],
  [' "Hugo Fernando"', 'Hugo Fernando', 'quotes'],
  ['\\"Ana\\"', 'Ana', 'quotes'],
  ['"Compras","Pagos"', '"Compras","Pagos"'],
  ['"El Roble"', '"El Roble"'],
  ['Ana\u00a0María\u2009López', 'Ana María López'],
  ['  Calle 1\t', 'Calle 1'],
  ['\ufeffCUFE', 'CUFE', 'invisible'],
  ['\u200b', '', 'invisible'],
  ['Ñandú', 'Ñandú'],
  // UTF-8 read as Latin-1: both halves of the letter stay, so that it can be repaired.
  ['Garc\u00c3\u00ada', 'Garc\u00c3\u00ada'],
];

test.each(CASES)('%j → %j', (text, canonical, ...changes) => {
  const noted: TextChange[] = [];
  expect(canonicalText(text, (change) => noted.push(change))).toBe(canonical);
  expect(noted).toEqual(changes);
});

test('plain text needs no look at its characters, and a canonical text stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const once = canonicalText(text);
      expect(canonicalText(once)).toBe(once);
      if (isCanonical(text)) expect(once).toBe(text);
    }),
    { examples: [["''a"], [' "\'a"'], ['\u200b"a"'], ['\\"\'a\\"'], ["'\u00a0'a"]] },
  );
});

test('a body that was kept is read in canonical form at every depth', () => {
  expect(parseCanonical(JSON.stringify({ a: ['Sofi\u0301a', 1, null], b: { c: "'12" } }))).toEqual({
    a: ['Sofía', 1, null],
    b: { c: '12' },
  });
});
