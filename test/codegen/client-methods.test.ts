import { expect, test } from 'vitest';
import { clientMethods } from '../../src/codegen/operations.js';

const apiWith = (...methods: (string | undefined)[]) => ({
  paths: Object.fromEntries(
    methods.map((method, at) => [
      `/${at}`,
      {
        get: {
          operationId: `operation${at}`,
          summary: 'Ask',
          tags: ['x'],
          responses: {},
          ...(method !== undefined && { 'x-client': method }),
        },
      },
    ]),
  ),
});

test('an operation hangs where it says', () => {
  const text = clientMethods(apiWith('a.b.ask'));
  expect(text).toMatch(/a: \{\s+b: \{\s+\/\*\* Ask: `GET \/0`\. \*\/\s+ask: 'operation0',/);
});

test.each([
  ['no method', [undefined], 'operation0'],
  ['a method in no group', ['ask'], 'operation0'],
  ['a method taken', ['a.ask', 'a.ask'], 'operation1: a.ask is taken'],
  ['a group where a method is', ['a.ask', 'a.ask.more'], 'operation1'],
  ['a method where a group is', ['a.ask.more', 'a.ask'], 'operation1'],
])('%s is refused', (_, methods, message) => {
  expect(() => clientMethods(apiWith(...methods))).toThrow(message);
});
