import { expect, test } from 'vitest';
import { KILL_POINT_NAMES } from './kill-points.js';
import { killAt, killRun } from './kill-run.js';

const NOTHING = { doubles: [], lost: [], wrong: [] };

test.each(KILL_POINT_NAMES)('killed at «%s», then resumed', async (name) => {
  expect(await killAt(name)).toMatchObject({ kills: 1, ...NOTHING });
});

test('killed again and again at random moments, on a line that fails, then resumed', async () => {
  expect(await killRun({ seed: 3, kills: 2, documents: 40 })).toMatchObject({ kills: 2, ...NOTHING });
});
