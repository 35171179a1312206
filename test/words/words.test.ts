import { expect, test } from 'vitest';
import { CEILINGS } from './ceilings.js';
import { type Figures, measureWords, TARGETS } from './figures.js';

const figures = measureWords();

test('every room has ceilings, none below what all aim at', () => {
  expect(Object.keys(CEILINGS).sort()).toEqual(Object.keys(figures).sort());
  for (const ceilings of Object.values(CEILINGS))
    for (const name of Object.keys(TARGETS) as (keyof Figures)[])
      expect(ceilings[name]).toBeGreaterThanOrEqual(TARGETS[name]);
});

test.each(
  Object.entries(CEILINGS).flatMap(([room, ceilings]) =>
    (Object.keys(TARGETS) as (keyof Figures)[]).map((name) => [room, name, ceilings[name]] as const),
  ),
)('%s: %s at most %d', (room, name, ceiling) => {
  expect(figures[room]![name]).toBeLessThanOrEqual(ceiling);
});
