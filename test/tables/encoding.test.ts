import { expect, test } from 'vitest';
import { encodeText } from '../../src/toolkit/tables/encoding.js';

test.each<[text: string, bytes: number[] | undefined]>([
  ['Peñ€', [0x50, 0x65, 0xf1, 0x80]],
  ['\u007f\u00a0ÿ', [0x7f, 0xa0, 0xff]],
  ['\u0080', undefined],
  ['\u009f', undefined],
  ['\ufffd', undefined],
  ['ā', undefined],
])('%j in Windows-1252', (text, bytes) => {
  const encoded = encodeText(text, 'windows-1252');
  expect(encoded && [...encoded]).toEqual(bytes);
});
