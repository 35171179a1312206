import type { Family, Notes } from '../families/family.js';
import { capability } from '../families/registry.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Journal } from '../send/journal.js';
import { approveRun, findRun, monthsOf, type Run, schemasOfRun } from '../send/runs.js';
import { planOf } from '../send/spool.js';
import { stop } from '../toolkit/core/issue.js';
import type { Context, UseCase } from './context.js';
import { tellDigest } from './deliver.js';
import { say } from './events.js';
import { senderOfRun } from './job.js';
import { withSender } from './journal-access.js';
import type { RunOptions } from './options.js';
import { accountsOf } from './report.js';
import { sendApproved } from './resume.js';
import { confirmed } from './secrets.js';
import { destination, serviceAddress } from './service.js';
import { tellChanges, tellDifferences, tellDocuments } from './to-decide.js';

export interface ApproveOptions extends RunOptions {
  /** Name of the person who approves. */
  readonly as?: string;
}

/**
 * Whoever approves is named: by `--as`, else asked.
 * @throws PipelineError('usage', run/needs-name) where nobody can answer
 */
async function nameOf({ ask }: Context, { as }: ApproveOptions): Promise<string> {
  const name = as ?? (await ask?.text({ key: 'askName' })) ?? '';
  return name.trim() === '' ? stop('usage', { code: 'run/needs-name' }) : name.trim();
}

/** How a run corrects what was accepted, where it does. */
async function notesOf(family: Family, schemas: readonly SchemaName[]): Promise<Notes | undefined> {
  const { notes } = (await capability(family, 'corrections')) ?? {};
  return schemas.some((schema) => notes?.fileOf([schema]) === 'notes') ? notes : undefined;
}

/** Whom a held run is about, with the amounts: what a note changes, else what leaves and how it differs from the month before. */
async function tellWhom(context: Context, journal: Journal, { id, testSet }: Run): Promise<void> {
  const { family, kind } = await senderOfRun(context, journal, id);
  const notes = await notesOf(family, await schemasOfRun(journal, id));
  await tellDocuments(context, journal, kind, id, notes === undefined);
  if (notes !== undefined) return tellChanges(context, journal, notes, id, false);
  return tellDifferences(context, journal, family, { run: id, testSet });
}

/** `cargue approve RUN`: a person lets a held run go, by name; the approval is of the digest shown. */
export const approve: UseCase<ApproveOptions> = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal, asking) => {
    const held = await findRun(journal, id);
    if (held.state !== 'held') stop('usage', { code: 'send/not-held', params: { run: id } });
    const url = serviceAddress(context, options);
    const { kind } = await senderOfRun(context, journal, id);
    const { planned, totals, digest } = await planOf(journal, kind, id);
    const { errors, warnings, documents, outcomes } = await accountsOf(context, journal, id);
    const { accepted: earlier, rejected: blocked } = outcomes!;
    context.tell({
      event: 'figures',
      ...destination(context, options, url, held.testSet),
      months: await monthsOf(journal, id),
      planned,
      totals,
      earlier,
      blocked,
      errors,
      warnings,
    });
    await tellWhom(context, journal, held);
    if (documents.heldBack > 0) say(context, 'heldBackCount', { count: documents.heldBack });
    const files = held.meta.inputs.map(({ file }) => file).join(', ');
    if (files !== '') say(context, 'theFiles', { files });
    tellDigest(context, { run: id, digest });
    const by = await nameOf(asking, options);
    if (!(await confirmed(asking, options, { key: 'askApprove' }))) {
      say(context, 'notApprovedNow');
      return 'fine';
    }
    const now = await findRun(journal, id);
    if (now.state !== 'held' || now.digest !== held.digest)
      stop('usage', { code: 'send/plan-gone', params: { run: id } });
    const at = context.now().toISOString();
    await approveRun(journal, id, { by, at, digest });
    context.tell({ event: 'approval', run: id, by, at, digest });
    if (options.queue) return sendApproved(context, options, journal, await findRun(journal, id));
    say(context, 'approvedToSend', { by, send: { next: `send ${id}` } });
    return 'fine';
  });
