import { expect, test } from 'vitest';
import { secretPattern } from '../../src/values/secret-pattern.js';

const SECRET = 'ab/c+d="ñ\\e';

test.each([
  ['as it is', SECRET],
  ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['as PHP writes JSON', 'ab\\/c+d=\\"\\u00f1\\\\e'],
  ['as JSON in JSON', 'ab\\\\\\/c+d=\\\\\\"\\\\u00f1\\\\\\\\e'],
  ['in an address', 'ab%2Fc%2Bd%3D%22ñ\\e'],
  ['in a page', 'ab&#47;c&#x2b;d=&quot;ñ&#092;e'],
])('a secret is found %s', (_, text) => {
  expect(`[${text}]`.replace(secretPattern(SECRET), '…')).toBe('[…]');
});

test.each(['ab/c', 'abc+d="ñ\\e', 'xb/c+d="ñ\\e'])('%s is none', (text) => {
  expect(text.replace(secretPattern(SECRET), '…')).toBe(text);
});
