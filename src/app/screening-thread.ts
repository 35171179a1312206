import { parentPort, workerData } from 'node:worker_threads';
import { withScreener } from '../documents/screen.js';
import { deriveWith, FAMILIES } from '../families/registry.js';
import { loadMapping } from '../mapping/load.js';
import { withLoadedTables } from '../schema/catalogue.js';
import type { Asked, HelperJob } from './screening.js';

async function work(job: HelperJob): Promise<void> {
  const mapping = await loadMapping(job.mapping.file);
  if (mapping.sha256 !== job.mapping.sha256) throw new Error('the mapping has changed');
  await withScreener({ ...job, mapping, derive: deriveWith(FAMILIES) }, async (screener) => {
    /** One piece after the other: what is found of one adds to what is known of the next, and answers come in order. */
    let last = Promise.resolve();
    const answer = async ({ table, piece }: Asked): Promise<void> => {
      parentPort!.postMessage(await screener.screen(table, piece));
    };
    const failed = new Promise<never>((_, reject) => {
      parentPort!.on('message', (asked: Asked) => {
        last = last.then(() => answer(asked));
        last.catch(reject);
      });
    });
    await failed; // or until whoever asks has enough
  });
}

const job = workerData as HelperJob;
await (job.tables === undefined ? work(job) : withLoadedTables(job.tables, () => work(job)));
