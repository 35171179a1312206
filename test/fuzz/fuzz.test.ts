import { expect, onTestFinished, test } from 'vitest';
import { Player, play } from './play.js';

const TRIALS = 200;

test('files that were changed at random are read, or refused in words', { timeout: 600_000 }, async () => {
  const player = new Player();
  onTestFinished(() => player.stop());
  const faults: unknown[] = [];
  for (let seed = 1; seed <= TRIALS; seed++) {
    const trial = await play(seed, player);
    if (trial.fault !== undefined) faults.push(trial);
  }
  expect(faults).toEqual([]);
});
