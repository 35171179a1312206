import { expect, test } from 'vitest';
import { KINDS, sceneOf, UNREAD } from './kinds.js';
import { judge } from './person.js';

const SEEDS = 20;

const kinds = KINDS.filter((kind) => !UNREAD.includes(kind));
const scenes = Array.from({ length: SEEDS }, (_, seed) => [kinds[seed % kinds.length]!, seed] as const);

test.each(scenes)('%s, seed %i: answers alone give the right documents', async (kind, seed) => {
  const { state, about, questions } = await judge(await sceneOf(kind, seed));
  expect(state, [...about, ...questions].join('\n')).toBe('whole');
});
