import { expect, test } from 'vitest';
import { Task } from '../../src/page/server/task.js';

const BATCHES = 20;
const BATCH_MS = 20;

/** Holds the thread, as reading a batch of records does. */
function hold(): void {
  const end = performance.now() + BATCH_MS;
  while (performance.now() < end);
}

test('a use case in the thread of the server lets requests be answered between its batches', async () => {
  const surroundings = { language: 'es', now: () => new Date(), workspace: '.' } as const;
  let turns = 0;
  const work = async ({ taken }: { readonly taken: () => Promise<void> }) => {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      hold();
      await taken();
    }
    return 'fine' as const;
  };
  const task = new Task('send', work, surroundings, [], {});
  const turn = (): void => {
    if (task.view().state === 'ended') return;
    turns += 1;
    setImmediate(turn);
  };
  setImmediate(turn);
  await task.done;
  expect(turns).toBeGreaterThan(2);
});
