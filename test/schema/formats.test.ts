import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODES } from '../../src/generated/codes.js';
import { FORMS } from '../../src/generated/forms.js';
import { isPlainDate } from '../../src/toolkit/core/plain-date.js';
import { schemaJson, schemaNames } from '../../src/toolkit/schema/registry.js';
import { FORMATS } from '../../src/toolkit/schema/validate.js';

const CONFORMANCE = JSON.parse(readFileSync('test/schema/conformance.json', 'utf8')) as Record<
  string,
  { readonly pass: readonly unknown[] }
>;

function passes(format: string, text: string): boolean {
  const check = FORMATS[format]!;
  return check instanceof RegExp ? check.test(text) : check(text);
}

/** Text that ends with a line end fits no form; Python's `$` would let it pass, so no other program is asked. */
test('nothing may follow what a form says', () => {
  const examples = Object.values(CONFORMANCE)
    .flatMap(({ pass }) => pass)
    .filter((value) => typeof value === 'string');
  const loose = Object.keys(FORMS).filter((format) => examples.some((text) => passes(format, `${text}\n`)));
  expect(loose).toEqual([]);
});

test('what passes a format passes its pattern', () => {
  const digits = fc.stringMatching(/^[0-9A-Za-z.:T+/=-]{0,24}$/);
  for (const [format, form] of Object.entries(FORMS)) {
    const text = fc.oneof(
      fc.stringMatching(new RegExp(form.pattern)),
      digits,
      fc.emailAddress(),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(text, (value) => {
        const says = new RegExp(form.pattern).test(value);
        const fits = !('maxLength' in form) || value.length <= form.maxLength;
        return !passes(format, value) || (says && fits);
      }),
      { numRuns: 300 },
    );
  }
});

test('a date is what the calendar has', () => {
  const part = (width: number, max: number) =>
    fc.integer({ min: 0, max }).map((n) => String(n).padStart(width, '0'));
  const text = fc.tuple(part(4, 9999), part(2, 14), part(2, 33)).map((parts) => parts.join('-'));
  fc.assert(
    fc.property(text, (date) => passes('date', date) === isPlainDate(date)),
    { numRuns: 2000 },
  );
});

/** Forms that the tolerant view speaks of; it tells faults to nobody. */
const TOLERANT_ONLY = ['alphanumeric', 'number-text', 'integer-text'];

test('every format that a schema names has a check and words of its own', () => {
  const named = schemaNames()
    .flatMap((name) => [...JSON.stringify(schemaJson(name)).matchAll(/"format":"([\w-]+)"/g)])
    .map(([, format]) => format!)
    .filter((format) => !TOLERANT_ONLY.includes(format));
  expect(named.filter((format) => !(format in FORMATS))).toEqual([]);
  const words = (format: string): string => (format === 'clock-time' ? 'time' : format);
  expect(named.filter((format) => !(`document/format-${words(format)}` in CODES))).toEqual([]);
});
