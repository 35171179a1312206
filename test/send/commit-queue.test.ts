import { expect, test } from 'vitest';
import { commitQueue } from '../../src/send/database.js';

/** A disk that takes a turn of the event loop for a commit, and writes down what happens. */
function disk() {
  const events: string[] = [];
  const trouble = { full: false };
  const commit = commitQueue<string>({
    commit: async (names) => {
      events.push('begin', ...names.map((name) => `write ${name}`));
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (trouble.full) throw new Error('full');
      events.push('commit');
    },
    undo: () => void events.push('undo'),
  });
  const write = async (name: string): Promise<void> => {
    await commit(name);
    events.push(`go ${name}`);
  };
  return { events, trouble, write };
}

test('writes of one turn share a commit, and nobody goes on before it', async () => {
  const { events, write } = disk();
  await Promise.all([write('a'), write('b')]);
  await write('c');
  const first = ['begin', 'write a', 'write b', 'commit', 'go a', 'go b'];
  expect(events).toEqual([...first, 'begin', 'write c', 'commit', 'go c']);
});

test('what is asked for while the disk is busy waits for the next group', async () => {
  const { events, write } = disk();
  const first = write('a');
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, write('b'), write('c')]);
  expect(events).toEqual([
    'begin',
    'write a',
    'commit',
    'begin',
    'write b',
    'write c',
    'go a',
    'commit',
    'go b',
    'go c',
  ]);
});

test('when the disk refuses, everyone of the group hears of it, and the next group tries anew', async () => {
  const { events, trouble, write } = disk();
  trouble.full = true;
  const results = await Promise.allSettled([write('a'), write('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  trouble.full = false;
  await write('c');
  expect(events).toEqual(['begin', 'write a', 'write b', 'undo', 'begin', 'write c', 'commit', 'go c']);
});
