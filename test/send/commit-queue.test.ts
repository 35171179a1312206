import { expect, test } from 'vitest';
import { commitQueue } from '../../src/send/commit-queue.js';

/** A disk that writes down what happens. */
function disk() {
  const events: string[] = [];
  const transaction = (work: () => void): void => {
    events.push('begin');
    work();
    events.push('commit');
  };
  return { events, commit: commitQueue(transaction) };
}

test('writes of one turn share a commit, and nobody goes on before it', async () => {
  const { events, commit } = disk();
  const write = async (name: string): Promise<void> => {
    await commit(() => void events.push(`write ${name}`));
    events.push(`go ${name}`);
  };
  await Promise.all([write('a'), write('b')]);
  await write('c');
  expect(events).toEqual(['begin', 'write a', 'write b', 'commit', 'go a', 'go b', 'begin', 'write c', 'commit', 'go c']);
});

test('when the disk refuses, everyone of the group hears of it, and the next group tries anew', async () => {
  let full = true;
  const commit = commitQueue((work) => {
    if (full) throw new Error('full');
    work();
  });
  const results = await Promise.allSettled([commit(() => {}), commit(() => {})]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  full = false;
  await expect(commit(() => {})).resolves.toBeUndefined();
});
