import { setFlagsFromString } from 'node:v8';

/** Node up to here knows the flag; it would say so of one that it does not know. */
const LAST_TRIED = 24;

/**
 * Tells V8 that what is made lives short. It looks at the first thousand rows, which wait until it is voted how they are to be read,
 * and then puts all rows of a file where only the slow collection finds them: a tenth of the time of a check.
 */
export function expectShortLives(): void {
  if (Number.parseInt(process.versions.node, 10) <= LAST_TRIED)
    setFlagsFromString('--no-allocation-site-pretenuring');
}
