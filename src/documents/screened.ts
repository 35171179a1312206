import type { Issue, Place } from '../core/issue.js';
import type { LocatedTable } from '../mapping/record.js';
import type { UncheckedSince } from '../schema/catalogue.js';
import type { Piece, Row } from '../tables/table.js';
import type { CensusShare, ComparedTotal } from './cells.js';
import type { Located } from './locate.js';
import type { KeysOfRun } from './seen.js';
import type { ControlSums } from './totals.js';

/**
 * Documents one after the other as a helper found them, without their content: what is to be told of them, and all that they do
 * to what documents of a run share. Several together are good, and nothing is to be told of them.
 */
export interface ScreenedDocuments {
  readonly documents: number;
  readonly records: number;
  /** Of a single one. */
  readonly issues: readonly Issue[];
  readonly heldBack: HeldBackEvent | undefined;
  readonly keys: KeysOfRun;
  /** By which keys they asked each of the tables that they look up. */
  readonly asked: readonly (readonly string[])[];
  readonly run: OfRun;
  readonly compared: readonly ComparedTotal[];
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

/** Rows one after the other, each plainly a record. */
export interface ScreenedRows {
  readonly rows: number;
  readonly control: ControlSums;
  readonly census: CensusShare;
  /** What the records come to, in order; rows stand for records of which documents are to be made by the one that tells. */
  readonly documents: readonly (ScreenedDocuments | readonly Row[])[];
}

/** What a helper found out of the data rows of a piece; bare rows are no plain records, or none at all. */
export interface ScreenedPiece {
  readonly rows: number;
  readonly parts: readonly (ScreenedRows | readonly Row[])[];
}

/** Looks at pieces of the tables of a run. */
export interface Screener {
  /** @param table number of the located table; undefined where the piece tells nothing by itself */
  screen(table: number, piece: Piece): Promise<ScreenedPiece | undefined>;
}

/** A screener elsewhere. */
export interface Helper {
  /** Resolves when it can look; it is handed nothing before, so that nobody waits for it. */
  readonly ready: Promise<void>;
  /** Undefined where it could not look: whoever asked looks itself. Never throws. */
  screen(
    table: number,
    piece: Piece,
  ): Promise<{ readonly found: Awaited<ReturnType<Screener['screen']>> } | undefined>;
}

/** Helpers of a run, and what looks at pieces here while they are busy. */
export interface Screening {
  readonly helpers: readonly Helper[];
  /** @param voted the one table that it will be asked for, once its formats are known */
  own(located: Located, voted: LocatedTable): Promise<Screener>;
  close(): Promise<void>;
}

/** Pieces that a helper has at once, so that it never waits for the next one. */
const EACH = 4;
/** Pieces that may be looked at or found beside those. */
const AHEAD = 4;

interface Entry {
  readonly piece: Piece;
  state: 'open' | 'given' | 'looked';
  found: ScreenedPiece | undefined;
}

/**
 * Pieces of a table in order, each with what was found: by helpers while they last, and by `own` where the next piece is not
 * looked at yet. Undefined, and nothing after it, where a piece tells nothing by itself, or the rest is in none.
 */
export async function* screenedPieces(
  table: number,
  pieces: AsyncIterator<Piece | undefined>,
  helpers: readonly Helper[],
  own: Screener,
): AsyncGenerator<{ readonly piece: Piece; readonly found: ScreenedPiece } | undefined> {
  const most = EACH * helpers.length + AHEAD;
  const line: Entry[] = [];
  /** How many pieces each has that can look. */
  const busy = new Map<Helper, number>();
  const all: { end?: 'over' | 'cut' | { readonly cause: unknown } } = {};
  let reading: Promise<void> | undefined;
  let wake = (): void => undefined;
  let isOver = false;

  /** Reads on; what goes wrong is thrown in its turn. */
  const read = async (): Promise<void> => {
    try {
      const next = await pieces.next();
      if (next.done === true) all.end = 'over';
      else if (next.value === undefined) all.end = 'cut';
      else line.push({ piece: next.value, state: 'open', found: undefined });
    } catch (cause) {
      all.end = { cause };
    }
    reading = undefined;
    share();
    wake();
  };
  const share = (): void => {
    for (const [helper, has] of busy)
      for (let more = has; more < EACH; more++) {
        const entry = line.find(({ state }) => state === 'open');
        if (entry !== undefined) void give(helper, entry);
      }
    if (reading === undefined && all.end === undefined && line.length < most) reading = read();
  };
  const give = async (helper: Helper, entry: Entry): Promise<void> => {
    entry.state = 'given';
    busy.set(helper, busy.get(helper)! + 1);
    const answer = await helper.screen(table, entry.piece);
    if (answer === undefined) {
      busy.delete(helper);
      entry.state = 'open';
    } else {
      busy.set(helper, busy.get(helper)! - 1);
      Object.assign(entry, answer, { state: 'looked' });
    }
    share();
    wake();
  };
  const look = async (entry: Entry): Promise<void> => {
    entry.state = 'given';
    entry.found = await own.screen(table, entry.piece);
    entry.state = 'looked';
  };

  for (const helper of helpers)
    void helper.ready.then(() => {
      if (isOver) return;
      busy.set(helper, 0);
      share();
      wake();
    });
  try {
    for (;;) {
      share();
      const [first] = line;
      if (first?.state === 'looked') {
        line.shift();
        share();
        yield first.found && { piece: first.piece, found: first.found };
        if (first.found === undefined) return;
        continue;
      }
      if (first === undefined && reading === undefined && all.end !== undefined) {
        if (all.end === 'cut') yield undefined;
        if (typeof all.end === 'object') throw all.end.cause;
        return;
      }
      const open = line.find(({ state }) => state === 'open');
      if (open !== undefined) await look(open);
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    isOver = true;
    await reading;
    await pieces.return?.();
  }
}
