import type { Journal } from '../send/journal.js';
import { numberGaps, rejectedNumbers } from '../send/numbering.js';
import { correctedIn } from '../send/planned-document.js';
import { bogotaDate } from '../send/rate-limiter.js';
import { findRun, heldRuns, listRuns, outcomeCounts, type Run } from '../send/runs.js';
import { stop } from '../toolkit/core/issue.js';
import { formatMoment } from '../toolkit/messages/texts.js';
import type { Context, Outcome, UseCase } from './context.js';
import { say, sayAgain, tellAccounts } from './events.js';
import { withJournal } from './journal-access.js';
import type { ServiceOptions } from './options.js';
import { tellOverview } from './overview.js';
import { factsOf, rangesText, tellOutcomes } from './report.js';

export interface StatusOptions extends ServiceOptions {
  readonly all?: boolean;
  readonly watch?: boolean;
}

/** Numbers that are named of those that no longer stand. */
const NAMED = 20;

function tellPurged(context: Context, { purged }: Run): void {
  if (purged !== undefined) sayAgain(context, 'wasPurged', { date: bogotaDate(Date.parse(purged)) });
}

async function tellRun(context: Context, journal: Journal, run: Run): Promise<void> {
  const { id, state, approval, abandonment } = run;
  context.tell({ event: 'run', run, counts: await outcomeCounts(journal, id) });
  if (state === 'held' && approval === undefined)
    sayAgain(context, 'notApproved', { approve: { next: `approve ${id}` } });
  if (approval !== undefined)
    sayAgain(context, 'approvedBy', { by: approval.by, at: formatMoment(approval.at, context.language) });
  if (abandonment !== undefined)
    sayAgain(context, 'abandonedFor', {
      reason: abandonment.reason,
      at: formatMoment(abandonment.at, context.language),
    });
  tellPurged(context, run);
}

/** Numbers that were left out, of all series. */
async function tellGaps(context: Context, journal: Journal): Promise<void> {
  const gaps = await numberGaps(journal);
  if (gaps.length === 0) return;
  context.tell({ event: 'gaps', gaps });
  sayAgain(context, 'numberGaps', { list: rangesText(gaps) });
}

/** Which documents of a run no longer stand, and by which notes. */
async function tellCorrected(context: Context, journal: Journal, run: string): Promise<void> {
  const corrected = [...(await correctedIn(journal, run)).values()].map(
    ({ number, by }) => `${number} → ${by}`,
  );
  const list = corrected.slice(0, NAMED).join(', ') + (corrected.length > NAMED ? ' …' : '');
  if (corrected.length > 0) sayAgain(context, 'correctedLater', { count: corrected.length, list });
}

async function tellOne(context: Context, journal: Journal, id: string): Promise<void> {
  const run = await findRun(journal, id);
  context.tell({ event: 'facts', ...(await factsOf(context, journal, run)) });
  const accounts = await tellOutcomes(context, journal, run.id);
  const rejected = await rejectedNumbers(journal, run.id);
  tellAccounts(context, accounts, {
    run: run.id,
    rejectedNumbers: rejected,
    ...(run.purged && { purged: run.purged }),
  });
  tellPurged(context, run);
  await tellCorrected(context, journal, run.id);
  if (rejected.length > 0) sayAgain(context, 'rejectedNumbers', { list: rangesText(rejected) });
}

/**
 * Tells of a run that was sent by a process that is gone, with the outcome of its documents.
 * @throws PipelineError('usage', journal/no-such-run) if it was only prepared
 */
export const statusOfSent: UseCase<StatusOptions> = (context, [id = ''], options) =>
  withJournal(context, options, async (journal): Promise<Outcome> => {
    const { state } = await findRun(journal, id);
    if (state === 'draft') return stop('usage', { code: 'journal/no-such-run', params: { run: id } });
    await tellOne(context, journal, id);
    const { pending, unknown, unsent, rejected } = await outcomeCounts(journal, id);
    if (state === 'open' && pending + unknown + unsent > 0) return 'unfinished';
    return rejected > 0 ? 'data-errors' : 'fine';
  });

/** `cargue status [RUN]`, or `--all`: what the journal knows, without asking the service. */
export const status: UseCase<StatusOptions> = (context, [id], options) =>
  options.all
    ? tellOverview(context, options.watch === true)
    : withJournal(context, options, async (journal) => {
        if (id !== undefined) {
          await tellOne(context, journal, id);
          return 'fine';
        }
        const runs = [...(await heldRuns(journal)), ...(await listRuns(journal))];
        for (const run of runs) await tellRun(context, journal, run);
        await tellGaps(context, journal);
        if (runs.length === 0) say(context, 'noRuns');
        return 'fine';
      });
