import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from '../../src/toolkit/schema/catalogue-text.js';

const folder = join('schemas', 'catalogues');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.csv'),
);

test.each(files)('%s is read as any reader of CSV reads it', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(cellsOf(text)).toEqual(parse(text));
});

test('so is every list as it is kept', () => {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const cell = fc.string({ unit: fc.constantFrom('a', 'ñ', '"', ',', '\n', '\r', ' '), maxLength: 6 });
  const list = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
    );
  fc.assert(
    fc.property(list, (lines) => {
      const text = lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
      expect(cellsOf(text)).toEqual(lines);
    }),
  );
});
