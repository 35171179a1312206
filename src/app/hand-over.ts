import { setTimeout as wait } from 'node:timers/promises';
import { tokenFingerprint } from '../client/address.js';
import type { Journal } from '../send/journal.js';
import { openQueue } from '../send/queue.js';
import { findRun, openRun, outcomeCounts } from '../send/runs.js';
import type { Context, Outcome } from './context.js';
import { done, outcomeOf } from './deliver.js';
import { say } from './events.js';
import { claimToken, journalsOf, sharedJournals, stopping, withJournal } from './journal-access.js';
import type { RunOptions } from './options.js';
import { closeWithAccounts } from './report.js';
import { serviceAddress } from './service.js';

const OWN = 'SELECT cargue.wanted() AS journal';

/** Lets a run go to the workers: it is open and in the queue, or neither. */
export async function handOver(
  context: Context,
  options: RunOptions,
  journal: Journal,
  run: string,
): Promise<void> {
  const { concurrency, rate } = options;
  const { token } = context;
  // By it a worker finds that it may send for a company that nobody named.
  if (token !== undefined)
    await claimToken(
      context,
      options,
      journal,
      tokenFingerprint(serviceAddress(context, options).href, token),
    );
  const { database, workers } = await sharedJournals(context);
  const queue = await openQueue(database);
  await journal.transaction(async (sql) => {
    await openRun(sql, run);
    const { journal: own } = (await sql.first<{ journal: number }>(OWN))!;
    await queue.put(sql, {
      journal: own,
      run,
      ...(concurrency !== undefined && { concurrency }),
      ...(rate !== undefined && { rate }),
    });
  });
  context.tell({ event: 'queued', run });
  say(context, 'queued', {
    run,
    status: { next: `status ${run}`, local: true },
    report: { next: `report ${run}`, local: true },
  });
  if ((await workers()) === 0) say(context, 'queuedWhen');
}

/** Of a screen that stays: where somebody is there who sends for this company, it is theirs, and looked at until it is over. */
export async function byWorkers<O extends RunOptions>(context: Context, options: O): Promise<O> {
  const { shared } = await journalsOf(context);
  const url = options.url ?? context.url;
  if (shared === undefined || url === undefined || context.token === undefined) return options;
  const theirs = await shared.workers(tokenFingerprint(url, context.token));
  return theirs > 0 ? { ...options, queue: 'follow' } : options;
}

const LOOK_MS = 1_000;

/** Shows how a run gets on that workers send, until it is over or nobody looks any more; then what came of it. */
export const followRun = (context: Context, options: RunOptions, run: string): Promise<Outcome> =>
  withJournal(context, options, async (journal) => {
    const { database } = await sharedJournals(context);
    const queue = await openQueue(database);
    const { journal: own } = (await journal.first<{ journal: number }>(OWN))!;
    const { finish, done: stopListening } = stopping(context);
    const { counts: laidOut } = await findRun(journal, run);
    context.tell({ event: 'begins', what: 'following', total: laidOut.documents.made, before: 0 });
    try {
      for (;;) {
        const isLeft = await queue.has({ journal: own, run });
        const counts = await outcomeCounts(journal, run);
        context.tell({ event: 'progress', done: done(counts) });
        if (!isLeft || finish.aborted) break;
        await wait(LOOK_MS);
      }
    } finally {
      context.tell({ event: 'ends' });
      stopListening();
    }
    const { stopped } = await findRun(journal, run);
    if (stopped !== undefined) context.tell({ event: 'stopped', issue: stopped });
    await closeWithAccounts(context, journal, run, options);
    const counts = await outcomeCounts(journal, run);
    return outcomeOf({ counts, interrupted: finish.aborted, ...(stopped && { stopped }) }, 0);
  });
