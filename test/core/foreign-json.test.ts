import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseForeignJson } from '../../src/toolkit/core/foreign-json.js';
import type { JsonValue } from '../../src/toolkit/core/json.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const LIMITS = { maxLength: 1_000, maxDepth: 5, maxValues: 20 };

describe('limits', () => {
  test.each([
    ['as deep as it may be', nested(5), undefined],
    ['deeper', nested(6), 'too-deep'],
    ['deeper and not closed', '['.repeat(400), 'too-deep'],
    ['deeper in objects', `${'{"a":'.repeat(6)}1${'}'.repeat(6)}`, 'too-deep'],
    ['brackets in a text', JSON.stringify('['.repeat(100)), undefined],
    ['brackets after an escaped quote', `"\\"${'['.repeat(100)}"`, undefined],
    ['brackets after an escaped backslash', `["\\\\",${nested(5)}]`, 'too-deep'],
    ['as many values as there may be', JSON.stringify(Array(18).fill(0)), undefined],
    ['more values', JSON.stringify(Array(20).fill(0)), 'too-many'],
    ['commas in a text', JSON.stringify(','.repeat(100)), undefined],
    ['as long as it may be', `"${'x'.repeat(998)}"`, undefined],
    ['longer', `"${'x'.repeat(999)}"`, 'too-large'],
    ['no JSON', 'Undefined index: ResponseDian', 'syntax'],
    ['nothing', '', 'syntax'],
    ['a text without an end', '{"a":"b', 'syntax'],
    ['a key with a wrong escape', '{"\\x":1}', 'syntax'],
    ['closed too often', '[]]]]{', 'syntax'],
  ])('%s', (_, text, problem) => expect(parseForeignJson(text, LIMITS).problem).toBe(problem));

  test.each([
    ['lists', nested(200_000)],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('what would overflow the stack is not built: %s', (_, text) =>
    expect(parseForeignJson(text)).toEqual({ problem: 'too-deep' }),
  );
});

test.each([
  ['none', '{"a":{"b":1},"c":{"b":1},"d":[{"b":1},{"b":1}]}', []],
  ['the same value twice', '{"a":1,"a":1}', ['/a']],
  ['three times', '{"a":1,"a":2,"a":3}', ['/a', '/a']],
  ['written otherwise', '{"a":1,"\\u0061":2}', ['/a']],
  ['below, also in a list', '{"x":[0,{"y/z":{"a":1,"b":2,"a":3}}]}', ['/x/1/y~1z/a']],
  ['after a list and an object', '{"a":[1,{"b":2}],"c":{},"a":3}', ['/a']],
  ['the empty key', '{"":1,"":2}', ['/']],
  ['a text that looks like a key', '{"a":"a","b":["a","a"]}', []],
  ['a key of the language', '{"__proto__":1,"__proto__":2}', ['/__proto__']],
])('repeated keys: %s', (_, text, expected) =>
  expect(parseForeignJson(text)).toMatchObject({ duplicateKeys: expected }),
);

test('anything that JSON.stringify writes is read as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(parseForeignJson(text)).toEqual({ value: JSON.parse(text) as JsonValue, duplicateKeys: [] });
    }),
  );
});

test('any text is read as JSON.parse reads it, or not at all', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '\\', '1', 'null', ' ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        expect(parseForeignJson(text)).toEqual({ problem: 'syntax' });
        return;
      }
      expect(parseForeignJson(text)).toMatchObject({ value });
    }),
    { numRuns: 2_000 },
  );
});
