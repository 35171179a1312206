import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Last version of Node known to have the flags; V8 warns about flags that it does not know. */
const LAST_KNOWN = 26;

/** First version of Node whose young generation grows beyond `YOUNG_BYTES`. */
const GROWING = 24;
const YOUNG_BYTES = 32 * 2 ** 20;

/**
 * Tells V8 that most objects are short-lived.
 *
 * V8 sees that the first thousand rows live until their formats are inferred, and then allocates all rows of a
 * file in the old generation: a tenth of the time of a check. Since Node 24 it also lets the young generation
 * grow to half of a heap of 128 MB and more and collects the whole heap each time: twice the time of a check.
 * The size can only be set when the process starts, but the growth can be stopped later.
 */
export function expectShortLives(): void {
  const version = Number.parseInt(process.versions.node, 10);
  if (version > LAST_KNOWN) return;
  setFlagsFromString('--no-allocation-site-pretenuring');
  if (version < GROWING) return;
  // The space grows only at a collection, so an idle process has nothing to check.
  const collections = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young === undefined || young.space_size < YOUNG_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    collections.disconnect();
  });
  collections.observe({ entryTypes: ['gc'] });
}
