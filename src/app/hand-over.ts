import { setTimeout as wait } from 'node:timers/promises';
import { tokenFingerprint } from '../client/address.js';
import { onlyRow } from '../send/database.js';
import type { Journal } from '../send/journal.js';
import { openQueue } from '../send/queue.js';
import { findRun, openRun, outcomeCounts } from '../send/runs.js';
import type { Context, Outcome } from './context.js';
import { done, outcomeOf } from './deliver.js';
import { emitMessage } from './events.js';
import { claimToken, journalsOf, listenForStop, sharedJournals, withJournal } from './journal-access.js';
import type { RunOptions } from './options.js';
import { closeWithAccounts } from './report.js';
import { serviceAddress } from './service.js';

const JOURNAL_ID = 'SELECT cargue.wanted() AS journal';

/** Opens a run and puts it in the workers' queue, in one transaction. */
export async function handOver(
  context: Context,
  options: RunOptions,
  journal: Journal,
  run: string,
): Promise<void> {
  const { concurrency, rate } = options;
  const { token } = context;
  // Lets a worker find that it may send for this company.
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
    const { journal: journalId } = await onlyRow<{ journal: number }>(sql, JOURNAL_ID);
    await queue.put(sql, {
      journal: journalId,
      run,
      ...(concurrency !== undefined && { concurrency }),
      ...(rate !== undefined && { rate }),
    });
  });
  context.tell({ event: 'queued', run });
  emitMessage(context, 'queued', {
    run,
    status: { next: `status ${run}`, local: true },
    report: { next: `report ${run}`, local: true },
  });
  if ((await workers()) === 0) emitMessage(context, 'queuedWhen');
}

/** Sets `queue: 'follow'` if a queue worker already serves this company. */
export async function byWorkers<O extends RunOptions>(context: Context, options: O): Promise<O> {
  const { shared } = await journalsOf(context);
  const url = options.url ?? context.url;
  if (shared === undefined || url === undefined || context.token === undefined) return options;
  const workers = await shared.workers(tokenFingerprint(url, context.token));
  return workers > 0 ? { ...options, queue: 'follow' } : options;
}

const POLL_INTERVAL_MS = 1_000;

/** Shows the progress of a run that workers send until it ends or the user stops, then its accounts. */
export const followRun = (context: Context, options: RunOptions, run: string): Promise<Outcome> =>
  withJournal(context, options, async (journal) => {
    const { database } = await sharedJournals(context);
    const queue = await openQueue(database);
    const { journal: journalId } = await onlyRow<{ journal: number }>(journal, JOURNAL_ID);
    const { finish, done: stopListening } = listenForStop(context);
    const { counts: planned } = await findRun(journal, run);
    context.tell({ event: 'begins', what: 'following', total: planned.documents.made, before: 0 });
    try {
      for (;;) {
        const isLeft = await queue.has({ journal: journalId, run });
        const counts = await outcomeCounts(journal, run);
        context.tell({ event: 'progress', done: done(counts) });
        if (!isLeft || finish.aborted) break;
        await wait(POLL_INTERVAL_MS);
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
