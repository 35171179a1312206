import { expect, test } from 'vitest';
import { fewTexts } from '../../src/toolkit/mapping/read/cell.js';

/** A reader that remembers what it was asked, and is blank for a hyphen. */
function counting() {
  const asked: string[] = [];
  const read = fewTexts((text): string | undefined => {
    asked.push(text);
    return text === '-' ? undefined : text.toUpperCase();
  });
  return { asked, read };
}

test('what a text means is worked out once, a blank too', () => {
  const { asked, read } = counting();
  expect(['cc', '-', 'ti', 'cc', '-', 'ti', 'cc'].map(read)).toEqual([
    'CC',
    undefined,
    'TI',
    'CC',
    undefined,
    'TI',
    'CC',
  ]);
  expect(asked).toEqual(['cc', '-', 'ti']);
});

test('a column of ever new texts is left alone, and still read right', () => {
  const { asked, read } = counting();
  const texts = Array.from({ length: 1_200 }, (_, at) => `doc ${at}`);
  expect(texts.map(read)).toEqual(texts.map((text) => text.toUpperCase()));
  expect(asked).toHaveLength(1_200);
  expect(read('doc 0')).toBe('DOC 0');
  expect(asked).toHaveLength(1_201);
});

test('a column that becomes ever new is left alone in the end', () => {
  const { asked, read } = counting();
  for (let at = 0; at < 4_000; at++) read(`code ${at % 1_000}`);
  for (let at = 0; at < 3_000; at++) expect(read(`doc ${at}`)).toBe(`DOC ${at}`);
  const before = asked.length;
  read('code 1');
  expect(asked).toHaveLength(before + 1);
});

test('long texts are not kept', () => {
  const { asked, read } = counting();
  const remark = 'a remark that is much longer than any code would be';
  read(remark);
  read(remark);
  expect(asked).toEqual([remark, remark]);
});
