import { expect, test } from 'vitest';
import { ripsRun } from './rips-run.js';

/** One whose token sees the appointments, with a sender killed, and one whose token sees none. `rips.ts` plays hundreds. */
test.each([
  { seed: 4, kills: 1 },
  { seed: 6, kills: 0 },
])(
  'packages over a line that fails, seed $seed, $kills killed: nothing twice, lost or wrong',
  async (given) => {
    const found = await ripsRun({ ...given, packages: 25 });
    expect(found).toMatchObject({ doubles: [], lost: [], wrong: [], kills: given.kills });
    // The line did fail, and neither everything nor nothing was left to a person.
    expect(Object.keys(found.faults).length).toBeGreaterThan(5);
    expect(found.hanging.length).toBeGreaterThan(0);
    expect(found.accepted).toBeGreaterThan(0);
  },
);

test('answers that are about the request of another: nothing twice, lost or wrong', async () => {
  const found = await ripsRun({ seed: 3, kills: 0, packages: 25, share: 0.3, names: ['answer to another'] });
  expect(found).toMatchObject({ doubles: [], lost: [], wrong: [] });
  expect(found.faults['answer to another']).toBeGreaterThan(10);
  expect(found.accepted).toBeGreaterThan(0);
});
