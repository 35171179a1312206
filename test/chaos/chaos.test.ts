import { expect, test } from 'vitest';
import { outcomes } from '../../src/send/documents.js';
import { allOf } from '../support/all-of.js';
import { envelopesOf, plainCast } from './cast.js';
import { spoolCast, withJournal } from './cast-spool.js';
import { chaosRun } from './chaos-run.js';
import { openStage, sendOnce } from './stage.js';

/** Production and test set, with and without notes: `npm run chaos` runs hundreds. */
test.concurrent.each([1, 2, 3, 6])('seed %i', async (seed) => {
  const found = await chaosRun({ seed, documents: 60 });
  expect(found).toMatchObject({ doubles: [], lost: [], wrong: [] });
  // The line did fail.
  expect(Object.keys(found.faults).length).toBeGreaterThan(5);
});

const COUNT = 50;

test.each([false, true])(
  'a fresh journal that uses the numbers of someone else calls none of them its own, test set %s',
  async (testSet) => {
    // Nothing of this journal was accepted yet, so that even the right PIN has not shown itself right.
    const stage = await openStage({
      testSet,
      faultOf: ({ about, nth }) => (nth === 1 && /5$/.test(about) ? '429' : undefined),
    });
    try {
      await withJournal(`${stage.path}.other`, async (journal) => {
        const { run } = await spoolCast(journal, envelopesOf(plainCast(COUNT)), stage.testSet);
        await sendOnce(stage, journal, run, { url: stage.box.url });
      });
      const held = stage.box.controls.documents().map(({ number, worker }) => `${number} ${worker}`);
      expect(held).toHaveLength(COUNT);

      const told = await withJournal(stage.path, async (journal) => {
        const { run } = await spoolCast(journal, envelopesOf(plainCast(COUNT, COUNT + 1)), stage.testSet);
        await sendOnce(stage, journal, run);
        return await allOf(outcomes(journal, run));
      });
      expect(told.map(({ state, issues }) => [state, ...issues.map(({ code }) => code)].join(' '))).toEqual(
        Array(COUNT).fill('unknown send/landed-unconfirmed'),
      );
      expect(told.filter(({ documentCode }) => documentCode !== undefined)).toEqual([]);
      expect(stage.box.controls.documents().map(({ number, worker }) => `${number} ${worker}`)).toEqual(held);
    } finally {
      await stage.close();
    }
  },
);

test.each([false, true])(
  'nor while answers are lost: what cannot be told apart stays open, test set %s',
  async (testSet) => {
    const stage = await openStage({
      testSet,
      faultOf: ({ about, nth }) => (nth === 1 && /[37]$/.test(about) ? 'dropped after' : undefined),
    });
    try {
      await withJournal(`${stage.path}.other`, async (journal) => {
        const { run } = await spoolCast(journal, envelopesOf(plainCast(COUNT)), stage.testSet);
        await sendOnce(stage, journal, run, { url: stage.box.url });
      });
      const told = await withJournal(stage.path, async (journal) => {
        const { run } = await spoolCast(journal, envelopesOf(plainCast(COUNT, COUNT + 1)), stage.testSet);
        await sendOnce(stage, journal, run);
        return await allOf(outcomes(journal, run));
      });
      const states = told.map(({ state }) => state);
      expect(states).not.toContain('accepted');
      expect(states).not.toContain('rejected');
    } finally {
      await stage.close();
    }
  },
);
