import { expect, test } from 'vitest';
import { workersRun } from './workers.js';

test('a fleet whose workers are killed, frozen and cut off, and whose database falls, doubles and loses nothing', async () => {
  const found = await workersRun({
    seed: 2,
    workers: 2,
    companies: 4,
    documents: 200,
    kills: 3,
    // So few that both have runs, whichever is struck.
    places: 2,
    every: 300,
  });
  expect(found).toMatchObject({ documents: 200, doubles: [], lost: [], wrong: [] });
  expect(found.done['server killed']).toBe(1);
  expect(found.takeovers).toBeGreaterThan(0);
}, 180_000);
