import type { Journal } from '../send/journal.js';
import { numberGaps, rejectedNumbers } from '../send/numbering.js';
import { correctedIn } from '../send/planned-document.js';
import { findRun, heldRuns, listRuns, outcomeCounts, type Run } from '../send/runs.js';
import { stop } from '../toolkit/core/issue.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
import { formatMoment } from '../toolkit/messages/texts.js';
import type { Context, Outcome, UseCase } from './context.js';
import { emitAccounts, emitMessage, emitText } from './events.js';
import { withJournal } from './journal-access.js';
import type { ServiceOptions } from './options.js';
import { emitOverview } from './overview.js';
import { emitOutcomes, factsOf, rangesText } from './report.js';

export interface StatusOptions extends ServiceOptions {
  readonly all?: boolean;
  readonly watch?: boolean;
}

/** Max corrected documents listed. */
const MAX_LISTED_NOTES = 20;

function emitPurged(context: Context, { purged }: Run): void {
  if (purged !== undefined) emitText(context, 'wasPurged', { date: dateInBogota(Date.parse(purged)) });
}

async function emitRun(context: Context, journal: Journal, run: Run): Promise<void> {
  const { id, state, approval, returned, abandonment } = run;
  context.tell({ event: 'run', run, counts: await outcomeCounts(journal, id) });
  if (state === 'held' && approval === undefined)
    emitText(context, 'notApproved', { approve: { next: `approve ${id}` } });
  if (returned !== undefined)
    emitText(context, 'returnedBy', {
      by: returned.by,
      at: formatMoment(returned.at, context.language),
      note: returned.note ?? '—',
    });
  if (approval !== undefined)
    emitText(context, 'approvedBy', { by: approval.by, at: formatMoment(approval.at, context.language) });
  if (abandonment !== undefined)
    emitText(context, 'abandonedFor', {
      reason: abandonment.reason,
      at: formatMoment(abandonment.at, context.language),
    });
  emitPurged(context, run);
}

/** Emits the unused numbers of all series. */
async function emitGaps(context: Context, journal: Journal): Promise<void> {
  const gaps = await numberGaps(journal);
  if (gaps.length === 0) return;
  context.tell({ event: 'gaps', gaps });
  emitText(context, 'numberGaps', { list: rangesText(gaps) });
}

/** Emits the documents of a run that were corrected, with their notes. */
async function emitCorrected(context: Context, journal: Journal, run: string): Promise<void> {
  const corrected = [...(await correctedIn(journal, run)).values()].map(
    ({ number, by }) => `${number} → ${by}`,
  );
  const list =
    corrected.slice(0, MAX_LISTED_NOTES).join(', ') + (corrected.length > MAX_LISTED_NOTES ? ' …' : '');
  if (corrected.length > 0) emitText(context, 'correctedLater', { count: corrected.length, list });
}

async function emitRunDetails(context: Context, journal: Journal, id: string): Promise<void> {
  const run = await findRun(journal, id);
  context.tell({ event: 'facts', ...(await factsOf(context, journal, run)) });
  const accounts = await emitOutcomes(context, journal, run.id);
  const rejected = await rejectedNumbers(journal, run.id);
  emitAccounts(context, accounts, {
    run: run.id,
    rejectedNumbers: rejected,
    ...(run.purged && { purged: run.purged }),
  });
  emitPurged(context, run);
  await emitCorrected(context, journal, run.id);
  if (rejected.length > 0) emitText(context, 'rejectedNumbers', { list: rangesText(rejected) });
}

/**
 * Emits a run sent by a process that has ended.
 * @throws PipelineError('usage', journal/no-such-run) if it is only a draft
 */
export const statusOfSent: UseCase<StatusOptions> = (context, [id = ''], options) =>
  withJournal(context, options, async (journal): Promise<Outcome> => {
    const { state } = await findRun(journal, id);
    if (state === 'draft') return stop('usage', { code: 'journal/no-such-run', params: { run: id } });
    await emitRunDetails(context, journal, id);
    const { pending, unknown, unsent, rejected } = await outcomeCounts(journal, id);
    if (state === 'open' && pending + unknown + unsent > 0) return 'unfinished';
    return rejected > 0 ? 'data-errors' : 'fine';
  });

/** `cargue status [RUN]`, or `--all`: emits what the journal knows; makes no request. */
export const status: UseCase<StatusOptions> = (context, [id], options) =>
  options.all
    ? emitOverview(context, options.watch === true)
    : withJournal(context, options, async (journal) => {
        if (id !== undefined) {
          await emitRunDetails(context, journal, id);
          return 'fine';
        }
        const runs = [...(await heldRuns(journal)), ...(await listRuns(journal))];
        for (const run of runs) await emitRun(context, journal, run);
        await emitGaps(context, journal);
        if (runs.length === 0) emitMessage(context, 'noRuns');
        return 'fine';
      });
