import type { Family, Notes } from '../families/family.js';
import { capability } from '../families/registry.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Journal } from '../send/journal.js';
import {
  approveRun,
  discardDraft,
  findRun,
  heldRuns,
  monthsOf,
  outcomeCounts,
  type Run,
  recordAct,
  schemasOfRun,
} from '../send/runs.js';
import { planOf } from '../send/spool.js';
import { stop } from '../toolkit/core/issue.js';
import { emitChanges, emitDifferences, emitDocuments } from './approval-summary.js';
import type { Context, UseCase } from './context.js';
import { emitDigest } from './deliver.js';
import { emitMessage } from './events.js';
import { senderOfRun } from './job.js';
import { withSender } from './journal-access.js';
import type { RunOptions } from './options.js';
import { accountsOf } from './report.js';
import { sendApproved } from './resume.js';
import { confirmed } from './secrets.js';
import { destination, serviceAddress } from './service.js';

export interface ApproveOptions extends RunOptions {
  /** Name of the person who approves. */
  readonly as?: string;
  /** True if the person who prepared the run may not approve it. */
  readonly twoPeople?: boolean;
}

/**
 * Returns the approver's name, from `--as` or a prompt.
 * @throws PipelineError('usage', run/needs-name) if there is no name
 */
async function nameOf({ ask }: Context, { as }: ApproveOptions): Promise<string> {
  const name = as ?? (await ask?.text({ key: 'askName' })) ?? '';
  return name.trim() === '' ? stop('usage', { code: 'run/needs-name' }) : name.trim();
}

/** Throws if the approver prepared the run and two people are needed. @throws PipelineError('usage', send/own-approval) */
function refuseOwn({ id, meta }: Run, { as, twoPeople }: ApproveOptions): void {
  const { by, preparers = [] } = meta;
  if (twoPeople && (as === undefined || as === by || preparers.includes(as)))
    stop('usage', { code: 'send/own-approval', params: { run: id } });
}

/** Returns the notes capability if the run's documents are adjust notes. */
async function notesOf(family: Family, schemas: readonly SchemaName[]): Promise<Notes | undefined> {
  const { notes } = (await capability(family, 'corrections')) ?? {};
  return schemas.some((schema) => notes?.fileOf([schema]) === 'notes') ? notes : undefined;
}

/**
 * Emits the documents of a held run with their amounts: the changes of notes, or the documents and their difference
 * from the month before.
 */
async function emitSubjects(context: Context, journal: Journal, { id, testSet }: Run): Promise<void> {
  const { family, kind } = await senderOfRun(context, journal, id);
  const notes = await notesOf(family, await schemasOfRun(journal, id));
  await emitDocuments(context, journal, kind, id, notes === undefined);
  if (notes !== undefined) return emitChanges(context, journal, notes, id, false);
  return emitDifferences(context, journal, family, { run: id, testSet });
}

/** `cargue approve RUN`: approves a held run by name; the approval holds for the digest shown. */
export const approve: UseCase<ApproveOptions> = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal, asking) => {
    const held = await findRun(journal, id);
    if (held.state !== 'held') stop('usage', { code: 'send/not-held', params: { run: id } });
    refuseOwn(held, options);
    const url = serviceAddress(context, options);
    const { family, kind } = await senderOfRun(context, journal, id);
    const { planned, totals, digest } = await planOf(journal, kind, id);
    const {
      errors,
      warnings,
      documents,
      outcomes: { accepted: earlier = 0, rejected: blocked = 0 } = {},
    } = await accountsOf(context, journal, id);
    context.tell({
      event: 'figures',
      ...destination(context, options, url, held.testSet),
      family: family.name,
      months: await monthsOf(journal, id),
      planned,
      totals,
      earlier,
      blocked,
      errors,
      warnings,
    });
    await emitSubjects(context, journal, held);
    if (documents.heldBack > 0) emitMessage(context, 'heldBackCount', { count: documents.heldBack });
    const files = held.meta.inputs.map(({ file }) => file).join(', ');
    if (files !== '') emitMessage(context, 'theFiles', { files });
    emitDigest(context, { run: id, digest });
    const by = await nameOf(asking, options);
    if (!(await confirmed(asking, options, { key: 'askApprove' }))) {
      emitMessage(context, 'notApprovedNow');
      return 'fine';
    }
    const now = await findRun(journal, id);
    if (now.state !== 'held' || now.digest !== held.digest)
      stop('usage', { code: 'send/plan-gone', params: { run: id } });
    const at = context.now().toISOString();
    await approveRun(journal, id, { by, at, digest });
    context.tell({ event: 'approval', run: id, by, at, digest });
    if (options.queue) return sendApproved(context, options, journal, await findRun(journal, id));
    emitMessage(context, 'approvedToSend', { by, send: { next: `send ${id}` } });
    return 'fine';
  });

/** Returns a held run to the person who prepared it, with a note: nothing of it is sent unless it is approved again. */
export const giveBack: UseCase<ApproveOptions> = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const { state } = await findRun(journal, id);
    if (state !== 'held') stop('usage', { code: 'send/not-held', params: { run: id } });
    const by = await nameOf(context, options);
    const note = options.note?.trim();
    const at = context.now().toISOString();
    await recordAct(journal, id, { act: 'returned', by, at, ...(note && { note }) });
    emitMessage(context, 'returned', { run: id });
    return 'fine';
  });

/** Withdraws the request for an approval, since its files changed, and emits it; a run that was sent stays. */
export const withdrawRequest: UseCase<RunOptions> = (context, [id = ''], options) =>
  withSender(context, options, false, async (journal) => {
    const run = (await heldRuns(journal)).find((held) => held.id === id);
    if (run === undefined) return 'usage';
    context.tell({ event: 'run', run, counts: await outcomeCounts(journal, id) });
    await discardDraft(journal, id);
    return 'fine';
  });
