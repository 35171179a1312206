import type { Issue, Place } from '../core/issue.js';
import type { UncheckedSince } from '../schema/catalogue.js';
import type { Row } from '../tables/table.js';
import type { DocumentKeys } from './seen.js';
import type { ControlSums } from './totals.js';

/**
 * A document as a helper found it, without its content: what is to be told of it, and all that it does to what documents of a run share.
 */
export interface ScreenedDocument {
  /** Of one record after the other. */
  readonly records: number;
  readonly issues: readonly Issue[];
  /** Undefined of a good one. */
  readonly heldBack: HeldBackEvent | undefined;
  readonly keys: DocumentKeys;
  /** By which key it asked each of the tables that it looks up. */
  readonly asked: readonly (string | undefined)[];
  readonly run: OfRun;
  readonly compared: readonly (readonly [name: string, stated: string, computed: string])[];
}

/** A document that is not made, and where its records are. */
export interface HeldBackEvent {
  readonly kind: 'held-back';
  readonly key: string;
  readonly name?: string;
  readonly places: readonly Place[];
  /** Of the records that it joins. */
  readonly beside: readonly Place[];
}

/** What is said of the run as a whole, and counts the documents that have it; most have the same. */
export interface OfRun {
  readonly said: readonly string[];
  readonly unchecked: UncheckedSince;
}

/** A few rows one after the other, each plainly a record. */
export interface ScreenedRows {
  readonly rows: number;
  readonly control: ControlSums;
  readonly sums: readonly string[];
  /** What the records come to, in order; undefined stands for one of which a document is to be made here. */
  readonly documents: readonly (ScreenedDocument | undefined)[];
}

/** How the rows of a run are shared out; a lot is what `slices` gives at once. */
export interface Sharing {
  readonly threads: number;
  /** Lots that are looked at together: so many that giving them back costs little, so few that nobody waits long. */
  readonly lots: number;
  /** Slices that the telling one looks at itself while the others start. */
  readonly head: number;
}

/** The slice of a lot, and who looks at it; 0 is the one that tells. */
export function sliceOf(lot: number, { threads, lots, head }: Sharing) {
  const slice = Math.floor(lot / lots);
  return { slice, within: lot % lots, thread: slice < head ? 0 : slice % threads };
}

/** Helpers that look at rows ahead of the one that tells what is wrong. */
export interface Screening {
  /** What a helper found out of the next rows; undefined where nobody looked at them, or they are no plain records. */
  next(rows: readonly Row[]): ScreenedRows | undefined | Promise<ScreenedRows | undefined>;
  close(): Promise<void>;
}
