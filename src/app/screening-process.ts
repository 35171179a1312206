import { expectShortLives } from '../core/engine.js';
import { withScreener } from '../documents/screen.js';
import { deriveWith, FAMILIES } from '../families/registry.js';
import { loadMapping } from '../mapping/load.js';
import { withLoadedTables } from '../schema/catalogue.js';
import type { Asked, HelperJob, Told } from './screening.js';

/** Whoever looks at what is asked; nobody is asked before it says that it is ready. */
let take: (asked: Asked) => void = () => undefined;

const tell = (told: Told): void => void process.send!(told);

async function work(job: HelperJob): Promise<void> {
  const mapping = await loadMapping(job.mapping.file);
  if (mapping.sha256 !== job.mapping.sha256) throw new Error('the mapping has changed');
  await withScreener({ ...job, mapping, derive: deriveWith(FAMILIES) }, async (screener) => {
    /** One piece after the other: what is found of one adds to what is known of the next, and answers come in order. */
    let last = Promise.resolve();
    const answer = async ({ table, piece }: Asked): Promise<void> => {
      tell({ found: await screener.screen(table, piece) });
    };
    const failed = new Promise<never>((_, reject) => {
      take = (asked) => {
        last = last.then(() => answer(asked));
        last.catch(reject);
      };
    });
    tell({ ready: true });
    await failed; // or until whoever asks has enough
  });
}

async function begin(job: HelperJob): Promise<void> {
  process.on('message', (asked: Asked) => take(asked));
  // Whoever asked is gone.
  process.on('disconnect', () => process.kill(process.pid));
  await (job.tables === undefined ? work(job) : withLoadedTables(job.tables, () => work(job)));
}

expectShortLives();
process.once('message', (job) => void begin(job as HelperJob));
