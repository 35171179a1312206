import { setFlagsFromString } from 'node:v8';

interface Setting {
  readonly flag: string;
  /** Last version of Node whose V8 has the flag and gains by it. */
  readonly upTo: number;
}

/** Of other versions V8 would complain of a flag that it has not. */
const SETTINGS: readonly Setting[] = [
  // It looks at the first thousand rows, which wait until it is voted how they are to be read, and then puts all rows of a file where
  // only the slow collection finds them: a tenth of the time of a check.
  { flag: '--no-allocation-site-pretenuring', upTo: 24 },
  // Rules and mappings are straight code, in which little is gained by putting one function into another; compiling the result took a
  // quarter of the time of all processes of a check.
  { flag: '--max-inlined-bytecode-size-cumulative=100', upTo: 22 },
];

/** Tells V8 what kind of work it has: what is made lives short, and a check is over in seconds. */
export function tuneEngine(): void {
  const major = Number.parseInt(process.versions.node, 10);
  for (const { flag, upTo } of SETTINGS) if (major <= upTo) setFlagsFromString(flag);
}
