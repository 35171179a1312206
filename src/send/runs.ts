import type { ColumnAccount, DocumentCounts, RecordCounts } from '../document/accounting.js';
import type { Issue } from '../issues/issue.js';
import { stop } from '../issues/pipeline-error.js';
import type { Journal } from './journal.js';
import { say } from './say.js';
import { bogotaDate } from './time.js';

/** What a run was made from; nothing secret. */
export interface RunMeta {
  readonly company: string;
  readonly url: string;
  readonly inputs: readonly { readonly file: string; readonly path?: string; readonly sha256: string }[];
  readonly mapping?: { readonly name: string; readonly sha256: string };
  readonly params: Readonly<Record<string, unknown>>;
  /** Of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
}

/** What is known when the last record was read. */
export interface RunCounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Every filled column; older versions kept none. */
  readonly columns?: readonly ColumnAccount[];
  /** Constants that no file supplied. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** `draft`: spooled, nothing sent yet. `closed`: every document is final. */
export type RunState = 'draft' | 'open' | 'closed';

export interface Run {
  /** `2026-11-21-1` */
  readonly id: string;
  readonly state: RunState;
  /** ISO instants. */
  readonly created: string;
  readonly ended?: string;
  readonly testSet?: string;
  readonly meta: RunMeta;
  readonly counts: RunCounts;
  /** Why the last sender stopped early. */
  readonly stopped?: Issue;
}

interface Row {
  id: string;
  state: RunState;
  created: number;
  ended: number | null;
  test_set: string | null;
  meta: string;
  stopped: string | null;
}

const toRun = (row: Row): Run => {
  const { counts, ...meta } = JSON.parse(row.meta) as RunMeta & { counts: RunCounts };
  return {
    id: row.id,
    state: row.state,
    created: new Date(row.created).toISOString(),
    ...(row.ended !== null && { ended: new Date(row.ended).toISOString() }),
    ...(row.test_set !== null && { testSet: row.test_set }),
    meta,
    counts,
    ...(row.stopped !== null && { stopped: JSON.parse(row.stopped) as Issue }),
  };
};

/** All runs, the latest first; drafts are nobody's business. */
export const listRuns = (journal: Journal): readonly Run[] =>
  journal
    .prepare(`SELECT * FROM run WHERE state <> 'draft' ORDER BY created DESC, id DESC`)
    .all<Row>()
    .map(toRun);

/** Throws a PipelineError (`usage`) when the journal has no such run. */
export function findRun(journal: Journal, id: string): Run {
  const row = journal.prepare('SELECT * FROM run WHERE id = ?').first<Row>(id);
  return row === undefined ? stop('usage', { code: 'journal/no-such-run', params: { run: id } }) : toRun(row);
}

/** Date and a number of the day. */
export function nextRunId(journal: Journal, now: number): string {
  const day = bogotaDate(now);
  const last = journal
    .prepare(`SELECT max(CAST(substr(id, 12) AS INTEGER)) AS last FROM run WHERE id LIKE ? || '-%'`)
    .first<{ last: number | null }>(day)?.last;
  return `${day}-${(last ?? 0) + 1}`;
}

export function insertDraft(journal: Journal, id: string, testSet: string | undefined, now: number): void {
  journal
    .prepare(`INSERT INTO run (id, state, created, test_set, meta) VALUES (?, 'draft', ?, ?, '{}')`)
    .run(id, now, testSet ?? null);
}

export function completeDraft(journal: Journal, id: string, meta: RunMeta, counts: RunCounts): void {
  journal.prepare('UPDATE run SET meta = ? WHERE id = ?').run(JSON.stringify({ ...meta, counts }), id);
}

/** Before the first request: from here on the run counts. */
export function openRun(journal: Journal, id: string): void {
  journal.prepare(`UPDATE run SET state = 'open', ended = NULL, stopped = NULL WHERE id = ?`).run(id);
}

/** After the last answer. */
export function leaveRun(
  journal: Journal,
  id: string,
  finished: boolean,
  now: number,
  stopped?: Issue,
): void {
  journal
    .prepare('UPDATE run SET state = ?, ended = ?, stopped = ? WHERE id = ?')
    .run(finished ? 'closed' : 'open', now, stopped === undefined ? null : JSON.stringify(stopped), id);
}

/** Forgets a run of which nothing was sent; its numbers are free again. Does nothing to any other. */
export const discardDraft = (journal: Journal, id: string): void =>
  journal.transaction(() => removeDrafts(journal, id));

/** Drafts that a killed process left; for whoever holds the sender lock, inside a transaction. */
export const sweepDrafts = (journal: Journal): void => removeDrafts(journal, null);

function removeDrafts(journal: Journal, id: string | null): void {
  const drafts = `SELECT id FROM run WHERE state = 'draft' AND id = coalesce(?, id)`;
  const documents = `SELECT id FROM document WHERE run IN (${drafts})`;
  for (const sql of [
    `DELETE FROM content WHERE document IN (${documents})`,
    `DELETE FROM finding WHERE run IN (${drafts})`,
    `DELETE FROM document WHERE run IN (${drafts})`,
    `DELETE FROM run WHERE id IN (${drafts})`,
  ])
    journal.prepare(sql).run(id);
}

/**
 * Gives up what a run has not sent, so that its subjects can be sent anew; their numbers stay spent.
 * What may have landed still has to be resumed; without any the run is closed. Throws a PipelineError (`usage`) for an unknown run.
 */
export function abandonRun(journal: Journal, id: string, now: number): void {
  const { stopped } = findRun(journal, id);
  journal.transaction(() => {
    journal
      .prepare(
        `UPDATE document SET state = 'rejected', issues = ?, updated = ? WHERE run = ? AND state = 'planned'`,
      )
      .run(JSON.stringify([say('send/abandoned')]), now, id);
    const left = journal
      .prepare(`SELECT 1 FROM document WHERE run = ? AND state NOT IN ('accepted', 'rejected') LIMIT 1`)
      .first(id);
    leaveRun(journal, id, left === undefined, now, stopped);
  });
}

/** Whether a document of the run was found to carry somebody else's number. */
export const metStrangers = (journal: Journal, run: string): boolean =>
  journal
    .prepare(
      `SELECT 1 AS met FROM document WHERE run = ? AND state = 'rejected' AND issues LIKE '%"send/number-taken"%'`,
    )
    .first<{ met: number }>(run) !== undefined;
