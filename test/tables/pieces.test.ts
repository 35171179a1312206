import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openInput } from '../../src/tables/open.js';
import type { Row, RowSource } from '../../src/tables/table.js';

const folder = mkdtempSync(join(tmpdir(), 'cargue-pieces-'));

async function allRows(source: RowSource): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of source.batches()) rows.push(...batch);
  return rows;
}

/** The rows of the pieces, one after the other, as far as they say what they are. */
async function rowsOfPieces({
  pieces,
}: RowSource): Promise<{ rows: readonly Row[]; count: number; isWhole: boolean }> {
  const rows: Row[] = [];
  let count = 0;
  for await (const piece of pieces!.all()) {
    if (piece === undefined) return { rows, count, isWhole: false };
    const own: Row[] = [];
    for await (const some of pieces!.rows(piece)) {
      if (some === undefined) return { rows, count, isWhole: false };
      own.push(...some);
    }
    rows.push(...own);
    count += 1;
  }
  return { rows, count, isWhole: true };
}

async function compare(bytes: Buffer) {
  const file = join(folder, 'tabla.csv');
  writeFileSync(file, bytes);
  const input = await openInput(file);
  const [table] = input.tables;
  const whole = await allRows(table!);
  const found = await rowsOfPieces(table!);
  await input.close();
  return { whole, ...found };
}

/** More than a piece, whatever one record holds. */
const TIMES = 6_000;
const FILLER = 'nombre de alguien que vive lejos';

const plain = fc.stringMatching(/^[a-zñ 0-9]{0,12}$/);
const quoted = fc
  .array(fc.constantFrom('a', 'ñ', '""', ';', '\n', '\r\n', '\r', ' '), { maxLength: 8 })
  .map((parts) => `"${parts.join('')}"`);
const record = fc
  .array(fc.oneof(plain, quoted), { minLength: 3, maxLength: 3 })
  .map((fields) => fields.join(';'));

test('what is plain reads in pieces as it does as a whole', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 3, maxLength: 12 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.constantFrom('utf8' as const, 'latin1' as const),
      async (records, end, isEnded, encoding) => {
        const lines = Array.from(
          { length: TIMES },
          (_, at) => `${at};${FILLER};${records[at % records.length]}`,
        );
        const text = `a;b;c;d;e${end}${lines.join(end)}${isEnded ? end : ''}`;
        const { whole, rows, count, isWhole } = await compare(Buffer.from(text, encoding));
        // Changes to canonical form are counted where all rows are read in order.
        const isPlain = whole.every(({ changes }) => changes === undefined);
        expect(isWhole).toBe(isPlain);
        if (!isPlain) return;
        expect(count).toBeGreaterThan(1);
        expect(rows).toEqual(whole);
      },
    ),
    { numRuns: 12 },
  );
});

test.each([
  ['a quote within a field', '12" de ancho'],
  ['a quote that is never closed', '"abierta'],
  ['text behind a quote', '"a"b'],
])('%s: what is before it is the same, and the rest is left to who reads from the top', async (_, field) => {
  const lines = Array.from({ length: TIMES }, (_, at) => `${at};${FILLER};${at === 5_000 ? field : 'x'}`);
  const file = join(folder, 'mala.csv');
  writeFileSync(file, `a;b;c\n${lines.join('\n')}\n`);
  const input = await openInput(file);
  const { rows, isWhole } = await rowsOfPieces(input.tables[0]!);
  expect(isWhole).toBe(false);
  const whole: Row[] = [];
  for await (const batch of input.tables[0]!.batches()) {
    whole.push(...batch);
    if (whole.length >= rows.length) break;
  }
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual(whole.slice(0, rows.length));
  await input.close();
});
