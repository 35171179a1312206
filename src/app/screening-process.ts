import { screen } from '../documents/screen.js';
import { deriveWith, FAMILIES } from '../families/registry.js';
import { loadMapping } from '../mapping/load.js';
import { withLoadedTables } from '../schema/catalogue.js';
import type { HelperJob, Said, Told } from './screening.js';

/** Slices that a helper may be ahead, so that what it found does not pile up. */
const AHEAD = 16;

let told = 0;
let wake = (): void => undefined;

async function work(job: HelperJob): Promise<void> {
  const mapping = await loadMapping(job.mapping.file);
  if (mapping.sha256 !== job.mapping.sha256) return;
  await screen({ ...job, mapping, derive: deriveWith(FAMILIES) }, job, async (slice, found) => {
    process.send!({ slice, found } satisfies Said);
    while (slice - told > AHEAD)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  });
}

async function begin(job: HelperJob): Promise<void> {
  process.on('message', (message) => {
    told = (message as Told).told;
    wake();
  });
  // Whoever asked is gone: what is not found needs no word.
  process.on('disconnect', () => process.kill(process.pid));
  await (job.tables === undefined ? work(job) : withLoadedTables(job.tables, () => work(job)));
  process.send!('end' satisfies Said);
}

process.once('message', (job) => void begin(job as HelperJob));
