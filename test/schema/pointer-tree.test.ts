import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/toolkit/core/json.js';
import { PointerTree } from '../../src/toolkit/schema/pointer-tree.js';

interface Met {
  readonly path: string;
  readonly value: JsonValue;
  readonly ends: readonly string[];
}

/** Everything that the walk meets, with the path at that moment. */
function met(pointers: readonly string[], document: JsonValue, path: (string | number)[] = []): Met[] {
  const tree = new PointerTree<string>();
  for (const pointer of pointers) tree.add(pointer, pointer);
  const found: Met[] = [];
  const before = path.length;
  tree.walk(document, path, (value, ends) =>
    found.push({ path: path.slice(before).join('/'), value, ends: [...ends] }),
  );
  return found;
}

const DOCUMENT: JsonValue = {
  users: [{ name: 'a', services: [{ code: '1' }, { code: null }] }, { name: 'b' }],
  nit: '9',
};

test.each<[string, readonly string[], (string | number)[], readonly [string, JsonValue][]]>([
  ['a member', ['/nit'], [], [['nit', '9']]],
  [
    'every item of lists in lists',
    ['/users/*/services/*/code'],
    [],
    [
      ['users/0/services/0/code', '1'],
      ['users/0/services/1/code', null],
    ],
  ],
  ['the item that the walk stands in', ['/users/^/name'], ['users', 1], [['users/1/name', 'b']]],
  ["nothing where the item is another list's", ['/users/^/name'], ['users', 7], []],
  ['nothing below a leaf', ['/nit/x'], [], []],
  ['nothing of a list below a name', ['/users/name'], [], []],
  ['the whole document', [''], [], [['', DOCUMENT]]],
])('meets %s', (_, pointers, path, expected) => {
  expect(met(pointers, DOCUMENT, path).map(({ path: at, value }) => [at, value])).toEqual(expected);
});

test('meets a value once for all pointers that end there', () => {
  const tree = new PointerTree<number>();
  tree.add('/nit', 1);
  tree.add('/nit', 2);
  const found: (readonly number[])[] = [];
  tree.walk(DOCUMENT, [], (_, ends) => found.push(ends));
  expect(found).toEqual([[1, 2]]);
});

test('takes pointers that are added after a walk', () => {
  const tree = new PointerTree<string>();
  tree.add('/nit', 'nit');
  tree.walk(DOCUMENT, [], () => undefined);
  tree.add('/users/*/name', 'name');
  const found: string[] = [];
  tree.walk(DOCUMENT, [], (_, ends) => found.push(...ends));
  expect(found).toEqual(['nit', 'name', 'name']);
});

const KEYS = ['a', 'b', "it's", 'c"d', '__proto__x'];
const keys = fc.constantFrom(...KEYS);
const { node: documents } = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>('x', 1, null, true),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(keys, tie('node'), { maxKeys: 3 }),
  ),
}));
const pointers = fc
  .array(fc.oneof(keys, fc.constant('*')), { maxLength: 4 })
  .map((steps) => steps.map((key) => `/${key}`).join(''));

/** What a pointer leads to, step by step. */
function led(steps: readonly string[], value: JsonValue, path: readonly (string | number)[] = []): string[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [path.join('/')];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return step === '*' ? value.flatMap((item, at) => led(rest, item, [...path, at])) : [];
  return step !== '*' && Object.hasOwn(value, step) ? led(rest, value[step]!, [...path, step]) : [];
}

test('meets what each pointer leads to, and nothing else; without a path the same values', () => {
  fc.assert(
    fc.property(fc.uniqueArray(pointers, { maxLength: 6 }), documents, (wanted, document) => {
      const found = met(wanted, document);
      for (const pointer of wanted)
        expect(
          found
            .filter(({ ends }) => ends.includes(pointer))
            .map(({ path }) => path)
            .sort(),
        ).toEqual(led(pointer.split('/').slice(1), document).sort());
      const tree = new PointerTree<string>();
      for (const pointer of wanted) tree.add(pointer, pointer);
      const path: (string | number)[] = ['kept'];
      const values: JsonValue[] = [];
      tree.each(document, path, (value) => values.push(value));
      expect(path).toEqual(['kept']);
      expect(values).toEqual(found.map(({ value }) => value));
    }),
  );
});
