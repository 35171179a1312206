import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** V8 of Node up to here has the flags; it would complain of one that it has not. */
const LAST_KNOWN = 26;

/** From here on the young generation grows further than to this. */
const GROWING = 24;
const YOUNG_BYTES = 32 * 2 ** 20;

/**
 * Tells V8 that what is made lives short.
 *
 * It looks at the first thousand rows, which wait until it is voted how they are to be read, and then puts all rows of a file where
 * only the slow collection finds them: a tenth of the time of a check.
 *
 * And since Node 24 it lets the young generation grow to half of a heap of 128 MB and more, and then collects the whole heap at each
 * turn: twice the time of a check. Nobody can say the size but who starts the process; but a running one can stop the growth.
 */
export function expectShortLives(): void {
  const version = Number.parseInt(process.versions.node, 10);
  if (version > LAST_KNOWN) return;
  setFlagsFromString('--no-allocation-site-pretenuring');
  if (version < GROWING) return;
  // It grows at a collection alone: a program that waits has nothing to do for it.
  const collections = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young === undefined || young.space_size < YOUNG_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    collections.disconnect();
  });
  collections.observe({ entryTypes: ['gc'] });
}
