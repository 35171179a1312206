import { sum } from '../core/decimal.js';
import { type Issue, stop } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import {
  type ColumnAccount,
  type DocumentCounts,
  type DocumentFate,
  type DocumentState,
  noOutcomes,
  type OutcomeCounts,
  type OutcomeState,
  type RecordCounts,
} from '../schema/document.js';
import type { Statement } from './database.js';
import type { Journal } from './journal.js';
import type { DocumentKind, Totals } from './kind.js';
import { say } from './say.js';
import { bogotaDate } from './traffic.js';

/** What a run was made from; nothing secret. */
export interface RunMeta {
  readonly company: string;
  /** NIT, as an answer showed it. */
  readonly employer?: string;
  readonly url: string;
  readonly inputs: readonly { readonly file: string; readonly path?: string; readonly sha256: string }[];
  readonly mapping?: { readonly name: string; readonly sha256: string };
  readonly params: Readonly<Record<string, unknown>>;
  /** Of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
  /** Whether the key of a document is the worker's document number. */
  readonly keyIsWorker?: boolean;
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

/**
 * `draft`: spooled, nothing sent yet, may vanish. `held`: the same, kept until a person approves it. `closed`: every
 * document is final, or the run was given up.
 */
export type RunState = 'draft' | 'held' | 'open' | 'closed';

/** Who let a held run go. */
export interface Approval {
  readonly by: string;
  /** ISO instant. */
  readonly at: string;
}

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
  /** SHA-256 of what was laid out to be sent, numbers apart; see `planOf`. */
  readonly digest?: string;
  /** Of this very digest. */
  readonly approval?: Approval;
  /** Why the run was given up, and when. */
  readonly abandonment?: { readonly reason: string; readonly at: string };
  /** ISO instant at which it lost what is personal in it. */
  readonly purged?: string;
}

interface Row {
  id: string;
  state: Exclude<RunState, 'held'>;
  created: number;
  ended: number | null;
  test_set: string | null;
  meta: string;
  stopped: string | null;
  digest: string | null;
  held: number | null;
  approval: string | null;
  abandonment: string | null;
  purged: number | null;
}

const toRun = (row: Row): Run => {
  const { counts, ...meta } = JSON.parse(row.meta) as RunMeta & { counts: RunCounts };
  const approval =
    row.approval === null ? undefined : (JSON.parse(row.approval) as Approval & { digest: string });
  return {
    id: row.id,
    state: row.state === 'draft' && row.held !== null ? 'held' : row.state,
    created: new Date(row.created).toISOString(),
    ...(row.ended !== null && { ended: new Date(row.ended).toISOString() }),
    ...(row.test_set !== null && { testSet: row.test_set }),
    meta,
    counts,
    ...(row.stopped !== null && { stopped: JSON.parse(row.stopped) as Issue }),
    ...(row.digest !== null && { digest: row.digest }),
    ...(approval?.digest === row.digest && approval && { approval: { by: approval.by, at: approval.at } }),
    ...(row.purged !== null && { purged: new Date(row.purged).toISOString() }),
    ...(row.abandonment !== null && { abandonment: JSON.parse(row.abandonment) as Run['abandonment'] & {} }),
  };
};

/** All runs, the latest first; drafts are nobody's business. */
export const listRuns = (journal: Journal): readonly Run[] =>
  journal
    .prepare(`SELECT * FROM run WHERE state <> 'draft' ORDER BY created DESC, id DESC`)
    .all<Row>()
    .map(toRun);

/** Runs that wait for an approval, or to be sent after one; the latest first. */
export const heldRuns = (journal: Journal): readonly Run[] =>
  journal
    .prepare(`SELECT * FROM run WHERE state = 'draft' AND held IS NOT NULL ORDER BY created DESC, id DESC`)
    .all<Row>()
    .map(toRun);

/** @throws PipelineError('usage', journal/purged) where the documents are gone */
export function refusePurged({ id, purged }: Run): void {
  if (purged !== undefined)
    stop('usage', { code: 'journal/purged', params: { run: id, date: bogotaDate(Date.parse(purged)) } });
}

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

export function completeDraft(
  journal: Journal,
  id: string,
  meta: RunMeta,
  counts: RunCounts,
  digest: string,
): void {
  journal
    .prepare('UPDATE run SET meta = ?, digest = ? WHERE id = ?')
    .run(JSON.stringify({ ...meta, counts }), digest, id);
}

/** Keeps a draft until a person approves it, or gives it up; its numbers are taken meanwhile. */
export const holdRun = (journal: Journal, id: string, now: number): void =>
  journal.transaction(() => {
    journal.prepare(`UPDATE run SET held = ? WHERE id = ? AND state = 'draft'`).run(now, id);
  });

/** The approval is of the digest that the person saw. */
export function approveRun(
  journal: Journal,
  id: string,
  approval: Approval & { readonly digest: string },
): void {
  journal.transaction(() => {
    journal.prepare('UPDATE run SET approval = ? WHERE id = ?').run(JSON.stringify(approval), id);
  });
}

/** Of `document d`: what a held run has laid out stands in nobody's way. */
export const NOT_HELD = `(d.state <> 'planned' OR NOT EXISTS (
  SELECT 1 FROM run WHERE id = d.run AND state = 'draft' AND held IS NOT NULL))`;

/** Of `document d`: it may have arrived, and nobody will ask any more. */
export const GIVEN_UP = `(d.state IN ('sending', 'pending', 'unknown')
  AND (SELECT abandonment FROM run WHERE id = d.run) IS NOT NULL)`;

/** Before the first request: from here on the run counts. */
export const openRun = (journal: Journal, id: string): void =>
  journal.transaction(() => {
    journal.prepare(`UPDATE run SET state = 'open', ended = NULL, stopped = NULL WHERE id = ?`).run(id);
  });

/** After the last answer. */
export function leaveRun(
  journal: Journal,
  id: string,
  finished: boolean,
  now: number,
  stopped?: Issue,
): void {
  journal.transaction(() => {
    journal
      .prepare('UPDATE run SET state = ?, ended = ?, stopped = ? WHERE id = ?')
      .run(finished ? 'closed' : 'open', now, stopped === undefined ? null : JSON.stringify(stopped), id);
  });
}

/** Forgets a run of which nothing was sent; its numbers are free again. Does nothing to any other. */
export const discardDraft = (journal: Journal, id: string): void =>
  journal.transaction(() => removeDrafts(journal, id));

/** Drafts that a killed process left, but none that is held; for whoever holds the sender lock, inside a transaction. */
export const sweepDrafts = (journal: Journal): void => removeDrafts(journal, null);

function removeDrafts(journal: Journal, id: string | null): void {
  const drafts = `SELECT id FROM run WHERE state = 'draft' AND ${id === null ? 'held IS ?' : 'id = ?'}`;
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
 * Gives up what a run has not sent, so that its subjects can be sent anew; their numbers stay spent. What may have landed
 * still has to be resumed, unless a reason is given: then nobody asks about it any more, it stays unknown until a person
 * settles it, and its subject is sent anew only by a yes of its own. Throws a PipelineError (`usage`) for an unknown run.
 */
export function abandonRun(journal: Journal, id: string, now: number, reason?: string): void {
  const { stopped } = findRun(journal, id);
  journal.transaction(() => {
    if (reason !== undefined)
      journal
        .prepare('UPDATE run SET abandonment = ? WHERE id = ?')
        .run(JSON.stringify({ reason, at: new Date(now).toISOString() }), id);
    journal
      .prepare(
        `UPDATE document SET state = 'rejected', issues = ?, updated = ? WHERE run = ? AND state = 'planned'`,
      )
      .run(JSON.stringify([say('send/abandoned')]), now, id);
    const left = journal
      .prepare(`SELECT 1 FROM document WHERE run = ? AND state NOT IN ('accepted', 'rejected') LIMIT 1`)
      .first(id);
    leaveRun(journal, id, left === undefined || reason !== undefined, now, stopped);
  });
}

/** Documents of a page. */
export const PAGE = 256;

/**
 * The rows of a run in the order of its documents, a page at a time: any run fits in memory, and what is written meanwhile
 * does not disturb. The statement takes the run and the sequence to go on after, and gives at most PAGE rows in order.
 */
export function* pages<Row extends { readonly sequence: number }>(
  page: Statement,
  run: string,
): Iterable<Row> {
  for (let after = 0; ; ) {
    const rows = page.all<Row>(run, after);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.sequence;
  }
}

/** What a person sees: a request that left without an answer may have landed. */
export const outcomeState = (state: DocumentState): OutcomeState =>
  state === 'planned' ? 'unsent' : state === 'sending' ? 'unknown' : state;

/**
 * SQL over `document` as `d`: closed without an answer of anybody, because it never left, or because a person found that it
 * never arrived and gave it up. Nobody rejected it.
 */
export const HELD_BACK = `(d.state = 'rejected' AND (
  (d.attempts = 0 AND instr(d.issues, '"remote/') = 0) OR instr(d.issues, '"send/abandoned"') > 0))`;

export const fateOf = (state: DocumentState, heldBack: number | null): DocumentFate =>
  heldBack === 1 ? 'held-back' : outcomeState(state);

function fates(journal: Journal, run: string): Readonly<Record<DocumentFate, number>> {
  const counts = { ...noOutcomes(), 'held-back': 0 };
  const rows = journal
    .prepare(
      `SELECT d.state, ${HELD_BACK} AS heldBack, count(*) AS count FROM document d WHERE d.run = ? GROUP BY 1, 2`,
    )
    .all<{ state: DocumentState; heldBack: number | null; count: number }>(run);
  for (const { state, heldBack, count } of rows) counts[fateOf(state, heldBack)] += count;
  return counts;
}

/** Of the documents that are made: what is held back is not among them. */
export function outcomeCounts(journal: Journal, run: string): OutcomeCounts {
  const { 'held-back': _, ...outcomes } = fates(journal, run);
  return outcomes;
}

export interface RunAccounting {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly columns?: readonly ColumnAccount[];
  readonly outcomes: OutcomeCounts;
}

/** Nothing is lost: `documents.made` is the sum of the outcomes. Throws a PipelineError (`usage`) for an unknown run. */
export function accounting(journal: Journal, run: string): RunAccounting {
  const { records, documents, columns } = findRun(journal, run).counts;
  const { 'held-back': held, ...outcomes } = fates(journal, run);
  const { planned, made, heldBack } = documents;
  return {
    records,
    documents: { planned, made: made - held, heldBack: heldBack + held },
    ...(columns && { columns }),
    outcomes,
  };
}

/** The figures of what is not final in a run: what a resumed sender may still send. Empty where the kind has none. */
export function leftTotals(journal: Journal, run: string, { totals }: Pick<DocumentKind, 'totals'>): Totals {
  if (totals === undefined) return {};
  const page = journal.prepare(`
    SELECT d.sequence, c.body FROM document d JOIN content c ON c.document = d.id
    WHERE d.run = ? AND d.sequence > ? AND d.state NOT IN ('accepted', 'rejected')
    ORDER BY d.sequence LIMIT ${PAGE}`);
  let found: Totals = {};
  for (const { body } of pages<{ sequence: number; body: string }>(page, run))
    found = added([found, totals(JSON.parse(body) as JsonObject)]);
  return found;
}

/** The figures of all, by name. */
function added(all: readonly Totals[]): Totals {
  const names = new Set(all.flatMap((one) => Object.keys(one)));
  return Object.fromEntries([...names].map((name) => [name, sum(all.map((one) => one[name] ?? '0.00'))]));
}
