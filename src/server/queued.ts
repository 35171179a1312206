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

/** A run that was handed over, and where its journal is. */
interface Queued {
  readonly path: string;
  readonly run: string;
}

/** What a worker sees of a run that it sends. */
interface QueueWatch extends ProgressListener {
  /** The client that makes the requests. */
  readonly client: (client: Client) => Client;
  readonly onOpened: (counts: OutcomeCounts) => void;
}

const OVER: TurnEnd = { finished: true, interrupted: false, hopeless: false, moved: false };

/**
 * Whether nothing of it ever left: its numbers may still move. Of one that never began, and of which all is planned, no
 * document need be read; one that an earlier version began, and that was copied, does not say so.
 */
const isFresh = async (
  journal: Sql,
  { run: { id, meta }, counts: { unsent, ...others } }: FoundRun,
): Promise<boolean> =>
  (meta.begun === undefined && Object.values(others).every((count) => count === 0)) ||
  (await journal.first('SELECT 1 FROM document WHERE run = ? AND attempts > 0 LIMIT 1', id)) === undefined;

const OPEN: readonly OutcomeState[] = ['pending', 'unknown', 'unsent'];
const openIn = (counts: OutcomeCounts): number => OPEN.reduce((sum, state) => sum + counts[state], 0);

/**
 * Goes on with a run whose yes was given when it was handed over, until it is done or asked to end. Nobody is asked
 * anything. What is not to be sent any more is over.
 * @throws PipelineError('busy', 'journal', 'usage')
 */
export async function sendQueued(
  context: Context,
  options: RunOptions,
  { path, run }: Queued,
  watch: QueueWatch,
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
        finished: openIn(after) === 0,
        interrupted,
        hopeless: stopped !== undefined && hasTrait(stopped, 'said-by-service'),
        moved: openIn(after) < openIn(before),
        ...(stopped !== undefined && { stopped: stopped.code }),
      };
    } finally {
      await client.close();
    }
    return 'fine';
  });
  return end;
}
