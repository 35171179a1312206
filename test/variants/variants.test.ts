import { expect, test } from 'vitest';
import { KINDS, sceneOf } from './kinds.js';
import { judge } from './person.js';

const SEEDS = 20;

const scenes = Array.from({ length: SEEDS }, (_, seed) => [KINDS[seed % KINDS.length]!, seed] as const);

test.each(scenes)('%s, seed %i: answers alone give the right documents', async (kind, seed) => {
  const { state, about, questions } = await judge(await sceneOf(kind, seed));
  expect(state, [...about, ...questions].join('\n')).toBe('whole');
});
