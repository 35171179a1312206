import { withScreener } from '../documents/screen.js';
import { deriveWith, FAMILIES } from '../families/registry.js';
import { loadMapping } from '../mapping/load.js';
import { withLoadedTables } from '../schema/catalogue.js';
import type { Asked, Found, HelperJob } from './screening.js';

/** Messages that came before anybody could look at them, and whoever looks. */
const early: Asked[] = [];
let take = (asked: Asked): void => void early.push(asked);

async function work(job: HelperJob): Promise<void> {
  const mapping = await loadMapping(job.mapping.file);
  if (mapping.sha256 !== job.mapping.sha256) throw new Error('the mapping has changed');
  await withScreener({ ...job, mapping, derive: deriveWith(FAMILIES) }, async (screener) => {
    /** One piece after the other: what is found of one adds to what is known of the next, and answers come in order. */
    let last = Promise.resolve();
    const answer = async ({ table, piece }: Asked): Promise<void> => {
      process.send!({ found: await screener.screen(table, piece) } satisfies Found);
    };
    const failed = new Promise<never>((_, reject) => {
      take = (asked) => {
        last = last.then(() => answer(asked));
        last.catch(reject);
      };
    });
    for (const asked of early.splice(0)) take(asked);
    await failed; // or until whoever asks has enough
  });
}

async function begin(job: HelperJob): Promise<void> {
  process.on('message', (asked: Asked) => take(asked));
  // Whoever asked is gone.
  process.on('disconnect', () => process.kill(process.pid));
  await (job.tables === undefined ? work(job) : withLoadedTables(job.tables, () => work(job)));
}

process.once('message', (job) => void begin(job as HelperJob));
