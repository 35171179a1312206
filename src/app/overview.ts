import { setTimeout as wait } from 'node:timers/promises';
import type { OverviewRow } from '../send/journals.js';
import type { Issue } from '../toolkit/core/issue.js';
import type { DocumentState } from '../toolkit/schema/document.js';
import type { Context, Outcome } from './context.js';
import type { RunView } from './events.js';
import { sharedJournals } from './journal-access.js';

/** Max age of ended runs in the overview: a day. */
const MAX_ENDED_AGE_MS = 86_400_000;
const POLL_INTERVAL_MS = 2_000;

/** Documents finished at the previous poll. */
type PreviousCounts = ReadonlyMap<string, { readonly at: number; readonly done: number }>;

const nameOf = ({ journal, run }: OverviewRow): string => `${journal}/${run}`;

export const countsOf = ({ counts }: OverviewRow): Partial<Record<DocumentState, number>> =>
  counts === null ? {} : JSON.parse(counts);

function viewOf(row: OverviewRow, before: PreviousCounts, now: number): RunView {
  const { address, company, run, state, created, sender, stopped } = row;
  const counts = countsOf(row);
  const made = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const done = (counts.accepted ?? 0) + (counts.rejected ?? 0);
  const last = before.get(nameOf(row)) ?? { at: created, done: 0 };
  const minutes = Math.max(1, (row.ended ?? now) - last.at) / 60_000;
  return {
    address,
    company,
    run,
    state,
    made,
    done,
    open: made - done,
    sender: state === 'open' ? sender : null,
    perMinute: Math.max(0, Math.round((done - last.done) / minutes)),
    age: Math.round((now - created) / 1_000),
    stopped: stopped === null ? null : (JSON.parse(stopped) as Issue),
  };
}

/** `cargue status --all [--watch]`: emits the runs of all companies the login may see. */
export async function emitOverview(context: Context, watch: boolean): Promise<Outcome> {
  const { overview, workers: countWorkers } = await sharedJournals(context);
  let isOver = false;
  let wake = (): void => {};
  const end = (): void => {
    isOver = true;
    wake();
  };
  const stopListening = watch ? context.onInterrupt(end, end) : () => {};
  let before: PreviousCounts = new Map();
  try {
    for (;;) {
      const now = context.now().getTime();
      const rows = await overview(now - MAX_ENDED_AGE_MS);
      const runs = rows.map((row) => viewOf(row, before, now));
      const sum = (of: (run: RunView) => number): number => runs.reduce((all, run) => all + of(run), 0);
      const workers = await countWorkers();
      const companies = new Set(rows.map(({ journal }) => journal)).size;
      const total = {
        runs: runs.length,
        companies,
        made: sum(({ made }) => made),
        done: sum(({ done }) => done),
        open: sum(({ open }) => open),
        workers,
      };
      context.tell({ event: 'overview', runs, total });
      if (!watch || isOver) return 'fine';
      before = new Map(rows.map((row, at) => [nameOf(row), { at: now, done: runs[at]?.done ?? 0 }]));
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), wait(POLL_INTERVAL_MS)]);
      if (isOver) return 'fine';
    }
  } finally {
    stopListening();
  }
}
