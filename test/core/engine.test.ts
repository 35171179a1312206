import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const ENGINE = pathToFileURL(
  join(import.meta.dirname, '..', '..', 'dist', 'toolkit', 'core', 'engine.js'),
).href;

/** Makes objects that live for a moment, two thousand at a time, and says how large the young generation became. */
const WORK = `
const { expectShortLives } = await import(${JSON.stringify(ENGINE)});
const { getHeapSpaceStatistics } = await import('node:v8');
expectShortLives();
let kept = [];
for (let turn = 0; turn < 300; turn += 1) {
  const made = Array.from({ length: 20_000 }, (_, at) => ({ at, text: String(at) + turn }));
  kept = [...kept.slice(-20), made];
  await new Promise((resolve) => setTimeout(resolve, 1));
}
console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size);
`;

test('the young generation stays as small on every Node, and V8 complains of no flag', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', WORK], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(Number(stdout)).toBeLessThanOrEqual(64 * 2 ** 20);
});
