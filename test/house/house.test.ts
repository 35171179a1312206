import { expect, test } from 'vitest';
import { CEILINGS } from './ceilings.js';
import { measureHouse } from './figures.js';

const figures = measureHouse();

test.each(Object.entries(CEILINGS))('%s: at most %d', (name, ceiling) => {
  expect(figures[name]).toBeLessThanOrEqual(ceiling);
});
