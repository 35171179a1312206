import { expect, test } from 'vitest';
import { secretHider } from '../../src/toolkit/core/secret-hider.js';

const SECRET = 'ab/c+d="ñ\\e';

test.each([
  ['as it is', SECRET],
  ['as JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['as PHP writes JSON', 'ab\\/c+d=\\"\\u00f1\\\\e'],
  ['as JSON in JSON', 'ab\\\\\\/c+d=\\\\\\"\\\\u00f1\\\\\\\\e'],
  ['in an address', 'ab%2Fc%2Bd%3D%22ñ\\e'],
  ['in a page', 'ab&#47;c&#x2b;d=&quot;ñ&#092;e'],
])('a secret is found %s', (_, text) => {
  expect(secretHider(SECRET)(`[${text}]`, '…')).toBe('[…]');
});

test.each(['ab/c', 'abc+d="', 'xb/c+d="'])('%s is none', (text) => {
  expect(secretHider(SECRET)(text, '…')).toBe(text);
});

const TOKEN = 'k7Qz-93bLm/XwR2+vT8nYpC4sHfJ6dGa';
const b64 = (text: string): string => Buffer.from(text).toString('base64');
const entities = (write: (code: number) => string): string =>
  [...TOKEN].map((unit) => `&#${write(unit.charCodeAt(0))};`).join('');

test.each([
  ['backwards', [...TOKEN].reverse().join('')],
  ['in base64', b64(TOKEN)],
  ['in base64 behind a word', b64(`Bearer ${TOKEN}`)],
  ['in base64 behind two letters and before more', b64(`a:${TOKEN} is it`)],
  ['in base64 for addresses', Buffer.from(`x${TOKEN}`).toString('base64url')],
  ['as decimal entities', entities((code) => String(code))],
  ['as hexadecimal entities', entities((code) => `x${code.toString(16)}`)],
  ['as JSON escapes', [...TOKEN].map((unit) => `\\u00${unit.charCodeAt(0).toString(16)}`).join('')],
  ['without its beginning', TOKEN.slice(9)],
  ['without its end', TOKEN.slice(0, 17)],
  ['only its middle', TOKEN.slice(6, 22)],
  ['twice', `${TOKEN}${TOKEN}`],
])('a token echoed %s leaves no piece of twelve characters', (_, echo) => {
  const clean = secretHider(TOKEN)(`{"message":"Token: ${echo}, no"}`, '…');
  const pieces = Array.from({ length: echo.length - 11 }, (_one, at) => echo.slice(at, at + 12));
  expect(pieces.filter((piece) => clean.includes(piece))).toEqual([]);
  expect(clean).toContain('{"message":"Token: ');
  expect(clean).toMatch(/, no"}$/);
});

test('what merely looks like it stays, and eight megabytes cost little', () => {
  const hide = secretHider(TOKEN);
  const text = `${b64('a document of somebody else').repeat(230_000)}${TOKEN.slice(0, 7)}`;
  const begun = performance.now();
  expect(hide(text, '…')).toBe(text);
  expect(performance.now() - begun).toBeLessThan(10_000);
});
