import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyIndex } from '../../src/toolkit/documents/repeats.js';
import { createKeyTable } from '../../src/toolkit/tables/key-table.js';

/** Keys as rules make them, and such as could be taken for each other. */
const digits = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.constantFrom('0', '00', '01', '1', '10', '100', '274877906943', '274877906944', '9007199254740993'),
  fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String),
);
const words = fc.constantFrom('', '|', 'CC|', '|CC', '-', 'ñ', '漢', '\u0000', '|2026-10-01', 'A');
const key = fc.array(fc.oneof(digits, words), { maxLength: 5 }).map((parts) => parts.join(''));

test('a key was seen where it was seen first, and no other is taken for it', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), (all) => {
      const seen = new KeyIndex();
      const first = new Map<string, number>();
      for (const [row, one] of all.entries()) {
        const known = first.get(one);
        expect(seen.add(one, { file: row % 3, row })).toEqual(
          known === undefined ? undefined : { file: known % 3, row: known },
        );
        if (known === undefined) first.set(one, row);
      }
    }),
  );
});

test('a key is told again as it was, whatever it is kept as', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), (all) => {
      const keys = createKeyTable();
      const numbers = all.map((one) => keys.add(one));
      expect(numbers.map(keys.text, keys)).toEqual(all);
      expect(keys.size).toBe(new Set(all).size);
    }),
  );
});

test('so are keys of more forms than are told apart, and of so many that all is made wider', () => {
  const seen = new KeyIndex();
  const keyAt = (at: number): string =>
    at % 2 === 0 ? `CC|${1_000_000_000 + at}|890201` : `${at}-${'x'.repeat(at % 7)}${at}y${at * 31}z`;
  const count = 60_000;
  for (let at = 0; at < count; at++) expect(seen.add(keyAt(at), { file: 1, row: at })).toBeUndefined();
  for (let at = 0; at < count; at += 7)
    expect(seen.add(keyAt(at), { file: 2, row: 0 })).toEqual({ file: 1, row: at });
  expect(seen.add('CC|1000060000|890201', { file: 2, row: 0 })).toBeUndefined();
});

test('so are those of more files than fit in two bytes, the first of them of one whose number is the largest', () => {
  const seen = new KeyIndex();
  const fileAt = (at: number): number => (at < 3_000 ? 70_000 : at);
  for (let at = 0; at < 8_000; at++)
    expect(seen.add(`CC|${at + 1}`, { file: fileAt(at), row: at })).toBeUndefined();
  for (let at = 0; at < 8_000; at += 5)
    expect(seen.add(`CC|${at + 1}`, { file: 0, row: 0 })).toEqual({ file: fileAt(at), row: at });
});

test.each([
  ['A5\u0000', 'A\u00005'],
  ['1 A25', '1 A2 5'],
  ['A17', '1A7'],
  ['5', ' 5'],
])('%j is not %j', (one, other) => {
  const seen = new KeyIndex();
  seen.add(one, { file: 1, row: 1 });
  expect(seen.add(other, { file: 1, row: 2 })).toBeUndefined();
});
