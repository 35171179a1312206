import type { Context } from '../app/context.js';
import { counted, deliverRun, type ProgressListener, renumberIfTaken } from '../app/deliver.js';
import { senderOf } from '../app/job.js';
import { withSender } from '../app/journal-access.js';
import type { RunOptions } from '../app/options.js';
import { recognise, recognising } from '../app/recognise.js';
import { authorityAccess, storeAccess } from '../app/secrets.js';
import { clientFor, serviceAddress } from '../app/service.js';
import type { Client } from '../client/client.js';
import type { Sql } from '../send/database.js';
import { type FoundRun, findRunWithCounts } from '../send/runs.js';
import { hasTrait } from '../toolkit/messages/wording.js';
import type { OutcomeCounts, OutcomeState } from '../toolkit/schema/document.js';
import type { TurnEnd } from './time-slices.js';

interface QueueListener extends ProgressListener {
  readonly client: (client: Client) => Client;
  readonly onOpened: (counts: OutcomeCounts) => void;
}

const OVER: TurnEnd = { finished: true, interrupted: false, hopeless: false, moved: false };

/**
 * True if nothing of the run was ever sent, so that its numbers may still move. Documents are read only if the run
 * was begun, or all is not planned: a run begun by an earlier version, and copied, has no mark.
 */
const isFresh = async (
  journal: Sql,
  { run: { id, meta }, counts: { unsent, ...others } }: FoundRun,
): Promise<boolean> =>
  (meta.begun === undefined && Object.values(others).every((count) => count === 0)) ||
  (await journal.first('SELECT 1 FROM document WHERE run = ? AND attempts > 0 LIMIT 1', id)) === undefined;

const UNFINISHED: readonly OutcomeState[] = ['pending', 'unknown', 'unsent'];
const unfinishedIn = (counts: OutcomeCounts): number =>
  UNFINISHED.reduce((sum, state) => sum + counts[state], 0);

/**
 * Sends a run that was confirmed when it was handed over, until it is done or asked to end; no questions are asked. A
 * run that is not to be sent any more counts as finished.
 * @throws PipelineError('busy', 'journal', 'usage')
 */
export async function sendQueued(
  context: Context,
  options: RunOptions,
  { path, run }: { readonly path: string; readonly run: string },
  watch: QueueListener,
): Promise<TurnEnd> {
  let end = OVER;
  await withSender(context, options, { path }, async (journal) => {
    const found = await findRunWithCounts(journal, run);
    const { state, abandonment, counts } = found.run;
    if (state !== 'open' || abandonment !== undefined) return 'fine';
    const { family, kind } = await senderOf(context, found.schema);
    const access = await authorityAccess(context, family, options);
    const before = found.counts;
    watch.onOpened(before);
    const client = recognising(
      watch.client(await clientFor(context, options, serviceAddress(context, options))),
    );
    try {
      if (await isFresh(journal, found)) {
        const asking = counted(client, options, journal);
        await renumberIfTaken(context, { journal, kind, client: asking }, found.run);
        await recognise(client, asking, kind);
      }
      await storeAccess(context, client, access);
      const { plain, isRecognised } = client;
      const made = counts.documents.made;
      const delivery = { journal, run, client: plain, kind, made, found, watch, isRecognised };
      const { counts: after, stopped, interrupted } = await deliverRun(context, options, delivery);
      end = {
        finished: unfinishedIn(after) === 0,
        interrupted,
        hopeless: stopped !== undefined && hasTrait(stopped, 'said-by-service'),
        moved: unfinishedIn(after) < unfinishedIn(before),
        ...(stopped !== undefined && { stopped: stopped.code }),
      };
    } finally {
      await client.close();
    }
    return 'fine';
  });
  return end;
}
