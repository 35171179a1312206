import fc from 'fast-check';
import { expect, test } from 'vitest';
import { traceFromText, traceToText } from '../../src/send/trace-text.js';
import type { Place } from '../../src/toolkit/core/issue.js';

const place: fc.Arbitrary<Place> = fc.record(
  {
    file: fc.constantFrom('nómina.xlsx', 'b.csv'),
    sheet: fc.constantFrom('Nómina', 'Extras'),
    row: fc.integer({ min: 1, max: 1_000_000 }),
    column: fc.constantFrom('A', 'AB'),
    label: fc.string(),
    line: fc.integer({ min: 1 }),
  },
  { requiredKeys: [] },
);

test('a trace comes back as it was', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.string().map((key) => `/${key}`),
          fc.array(place, { maxLength: 3 }),
        ),
      ),
      (entries) => {
        const trace = new Map(entries.filter(([pointer]) => pointer !== '/__proto__'));
        expect(traceFromText(traceToText({ trace }))).toEqual(trace);
      },
    ),
  );
});
