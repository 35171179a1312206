import { stop } from '../toolkit/core/issue.js';
import { isLeftBehind, processMark } from '../toolkit/core/process-mark.js';
import { type Database, onlyRow, type Sql } from './database.js';
import type { DocumentKind } from './kind.js';
import type { NumberRange } from './numbering.js';
import { completeDraft, type Draft, draftsIn, type Run, removeRuns } from './runs.js';
import { numberFrom, seriesKey, seriesOf } from './spool.js';

/** Mark of this process on its drafts that wait for a confirmation. */
const OWN_MARK = processMark();
/** Max wait of a draft of another host, whose processes cannot be checked. */
const MAX_WAIT_MS = 7 * 86_400_000;

/** Drafts of this process that still wait, by journal and run. */
const waitingHere = new Set<string>();
const keyOf = (path: string, run: string): string => `${path}\n${run}`;

/**
 * Marks the caller's drafts as waiting for a confirmation, before it releases the right to send. Other senders then
 * plan and send as if those drafts did not exist, and may take their numbers.
 */
export const beginWaiting = (journal: Database, now: number): Promise<void> =>
  journal.transaction(async (sql) => {
    for (const { id, meta, counts, digest = '' } of await draftsIn(sql)) {
      if (meta.waiting !== undefined) continue;
      const waiting = { by: OWN_MARK, since: now, numbers: await seriesOf(sql, id) };
      await completeDraft(sql, id, { ...meta, waiting }, counts, digest);
      waitingHere.add(keyOf(journal.path, id));
    }
  });

/** Gives up a waiting draft of this process; the next sender removes it. */
export const stopWaiting = (path: string, run: string): void => void waitingHere.delete(keyOf(path, run));

const isAbandoned = (path: string, { id, meta: { waiting } }: Draft, now: number): boolean =>
  waiting === undefined ||
  (waiting.by === OWN_MARK
    ? !waitingHere.has(keyOf(path, id))
    : isLeftBehind(waiting.by) || now - waiting.since > MAX_WAIT_MS);

/**
 * Removes the drafts of killed processes, but none that is held or waits for a confirmation, and frees the numbers of
 * those that wait. Inside a transaction, under the sender lock.
 */
export async function sweepDrafts(sql: Sql, path: string, now: number): Promise<void> {
  const drafts = await draftsIn(sql);
  const abandoned = drafts.filter((draft) => isAbandoned(path, draft, now));
  if (abandoned.length > 0)
    await removeRuns(
      sql,
      abandoned.map(({ id }) => id),
    );
  await freeNumbers(sql, undefined);
}

const FREE = `
  UPDATE document SET consecutive = NULL WHERE consecutive IS NOT NULL AND run IN (
    SELECT id FROM run WHERE state = 'draft' AND held IS NULL AND id IS DISTINCT FROM ?)`;

const freeNumbers = async (sql: Sql, but: string | undefined): Promise<void> =>
  void (await sql.run(FREE, but ?? null));

const UNNUMBERED = `
  SELECT 1 FROM document WHERE run = ? AND state = 'planned' AND prefix IS NOT NULL AND consecutive IS NULL LIMIT 1`;
const USED = `
  SELECT max(consecutive) AS used FROM document WHERE run <> ? AND type_document_id = ? AND prefix = ?`;

/**
 * Takes a draft back after the confirmation; if others took its numbers meanwhile, it gets the next ones. Returns the
 * series that moved, with their new numbers.
 * @throws PipelineError('usage', send/plan-gone) if the draft was removed, or the journal restored
 */
export const endWaiting = (
  journal: Database,
  kind: DocumentKind,
  run: string,
): Promise<readonly NumberRange[]> =>
  journal.transaction(async (sql) => {
    stopWaiting(journal.path, run);
    const draft = (await draftsIn(sql)).find(({ id }) => id === run);
    if (draft === undefined) return stop('usage', { code: 'send/plan-gone', params: { run } });
    const { waiting, ...meta } = draft.meta;
    if (waiting === undefined) return [];
    await completeDraft(sql, run, meta, draft.counts, draft.digest ?? '');
    if ((await sql.first(UNNUMBERED, run)) === undefined) return [];
    await freeNumbers(sql, run);
    const first = new Map<string, number>();
    for (const range of waiting.numbers) {
      const { used } = await onlyRow<{ used: number | null }>(
        sql,
        USED,
        run,
        range.typeDocumentId,
        range.prefix,
      );
      first.set(seriesKey(range), Math.max(range.from, (used ?? 0) + 1));
    }
    await numberFrom(sql, kind, run, first);
    const before = new Map(waiting.numbers.map((range) => [seriesKey(range), range.from]));
    return (await seriesOf(sql, run)).filter((range) => before.get(seriesKey(range)) !== range.from);
  });

/** True if the draft still waits for a confirmation. */
export const isWaiting = ({ state, meta }: Run): boolean => state === 'draft' && meta.waiting !== undefined;
