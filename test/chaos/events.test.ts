import { expect, test } from 'vitest';
import { eventRun } from './event-run.js';

/** `npx tsx test/chaos/events.ts` does it with 2,000 invoices. */
test('events over a line that fails, a sender killed twice: none twice, none out of order, none lost', async () => {
  const found = await eventRun({ seed: 7, invoices: 40 });
  expect(found).toMatchObject({ doubles: [], disorder: [], lost: [], kills: 2 });
  expect(found.failed).toBeGreaterThan(5);
});
