import type { Text, Trait } from '../generated/issue-codes.js';
import type { SchemaName } from '../generated/schema-types.js';
import { add, type Decimal } from '../toolkit/core/decimal.js';
import { type Issue, stop } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { giveTurn } from '../toolkit/core/turn.js';
import { codesWith } from '../toolkit/messages/wording.js';
import {
  type ColumnAccount,
  type DocumentCounts,
  type DocumentFate,
  type DocumentState,
  noOutcomes,
  type OutcomeCounts,
  type OutcomeState,
  type RecordCounts,
  type StyledColumn,
} from '../toolkit/schema/document.js';
import type { LawUsed } from '../toolkit/schema/law-tables.js';
import { createIssue } from './create-issue.js';
import type { Database, Sql, Write } from './database.js';
import type { DocumentKind, Series, Totals } from './kind.js';
import { bogotaDate } from './rate-limiter.js';
import { recordNamesFromText } from './trace-text.js';

/** What a run was made from; nothing secret. */
export interface RunMeta {
  readonly company: string;
  /** NIT, as an answer showed it. */
  readonly employer?: string;
  readonly url: string;
  readonly inputs: readonly { readonly file: string; readonly path?: string; readonly sha256: string }[];
  readonly mapping?: { readonly name: string; readonly sha256: string };
  readonly params: Readonly<Record<string, unknown>>;
  /** What people call them. */
  readonly titles?: Readonly<Record<string, Text>>;
  /** Of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
  /** The tables of the law that it was checked by. */
  readonly law?: LawUsed;
  /** Whether the key of a document is the worker's document number. */
  readonly keyIsWorker?: boolean;
  /** Who began it, as the system calls them. */
  readonly by?: string;
  /** ISO instant at which it was first sent. */
  readonly begun?: string;
  /** Of a draft that waits for a person's yes while others may send. */
  readonly waiting?: Waiting;
}

/** Who waits for a person's yes, since when in milliseconds, and the numbers that were shown. */
interface Waiting {
  readonly by: string;
  readonly since: number;
  readonly numbers: readonly (Series & { readonly from: number; readonly to: number })[];
}

/** What is known when the last record was read. */
export interface RunCounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Every filled column; older versions kept none. */
  readonly columns?: readonly ColumnAccount[];
  readonly styled?: readonly StyledColumn[];
  /** Constants that no file supplied. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * `draft`: spooled, nothing sent yet, may vanish. `held`: the same, kept until a person approves it. `closed`: every
 * document is final, or the run was given up.
 */
type RunState = 'draft' | 'held' | 'open' | 'closed';

/** Who let a held run go. */
interface Approval {
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
export const listRuns = async (journal: Sql): Promise<readonly Run[]> =>
  (await journal.all<Row>(`SELECT * FROM run WHERE state <> 'draft' ORDER BY created DESC, id DESC`)).map(
    toRun,
  );

/** Runs that wait for an approval, or to be sent after one; the latest first. */
export const heldRuns = async (journal: Sql): Promise<readonly Run[]> =>
  (
    await journal.all<Row>(
      `SELECT * FROM run WHERE state = 'draft' AND held IS NOT NULL ORDER BY created DESC, id DESC`,
    )
  ).map(toRun);

/** @throws PipelineError('usage', journal/purged) where the documents are gone */
export function refusePurged({ id, purged }: Run): void {
  if (purged !== undefined)
    stop('usage', { code: 'journal/purged', params: { run: id, date: bogotaDate(Date.parse(purged)) } });
}

/** The schema of a run's first document. */
export const schemaOfRun = async (journal: Sql, run: string): Promise<SchemaName | undefined> =>
  (
    await journal.first<{ schema: SchemaName }>(
      'SELECT schema FROM document WHERE run = ? ORDER BY sequence LIMIT 1',
      run,
    )
  )?.schema;

/** The schemas of a run's documents. */
export const schemasOfRun = async (journal: Sql, run: string): Promise<readonly SchemaName[]> =>
  (await journal.all<{ schema: SchemaName }>('SELECT DISTINCT schema FROM document WHERE run = ?', run)).map(
    ({ schema }) => schema,
  );

/** Of a company as a run names it, where that is one. */
export const nitOf = (company: string): string | undefined =>
  /^(\d{5,10})(-\d)?$/.exec(company.replace(/[.\s]/g, ''))?.[1];

const COMPANIES = `
  SELECT DISTINCT json_extract(meta, '$.employer') AS employer, json_extract(meta, '$.company') AS company FROM run`;

/** Returns the NIT of the journal's company: as an answer or a proof showed it, else as some run names it. */
export async function employerOf(journal: Sql): Promise<string | undefined> {
  const rows = await journal.all<{ employer: string | null; company: string | null }>(COMPANIES);
  const shown = rows.find(({ employer }) => employer !== null)?.employer ?? undefined;
  return shown ?? rows.map(({ company }) => nitOf(company ?? '')).find((nit) => nit !== undefined);
}

/** Months of the documents, as far as they belong to one. */
export async function monthsOf(journal: Sql, run: string): Promise<readonly string[]> {
  const rows = await journal.all<{ period: string }>(
    'SELECT DISTINCT period FROM document WHERE run = ? AND period IS NOT NULL ORDER BY period',
    run,
  );
  return [...new Set(rows.map(({ period }) => period.slice(-'2026-10'.length)))];
}

/** Throws a PipelineError (`usage`) when the journal has no such run. */
export async function findRun(journal: Sql, id: string): Promise<Run> {
  const row = await journal.first<Row>('SELECT * FROM run WHERE id = ?', id);
  return row === undefined ? stop('usage', { code: 'journal/no-such-run', params: { run: id } }) : toRun(row);
}

/** Date and a number of the day. */
export async function nextRunId(journal: Sql, now: number): Promise<string> {
  const day = bogotaDate(now);
  const found = await journal.first<{ last: number | null }>(
    `SELECT max(CAST(substr(id, 12) AS INTEGER)) AS last FROM run WHERE id LIKE ? || '-%'`,
    day,
  );
  return `${day}-${(found?.last ?? 0) + 1}`;
}

export async function insertDraft(
  journal: Sql,
  id: string,
  testSet: string | undefined,
  now: number,
): Promise<void> {
  const sql = `INSERT INTO run (id, state, created, test_set, meta) VALUES (?, 'draft', ?, ?, '{}')`;
  await journal.run(sql, id, now, testSet ?? null);
}

export async function completeDraft(
  journal: Sql,
  id: string,
  meta: RunMeta,
  counts: RunCounts,
  digest: string,
): Promise<void> {
  const text = JSON.stringify({ ...meta, counts });
  await journal.run('UPDATE run SET meta = ?, digest = ? WHERE id = ?', text, digest, id);
}

/** Keeps a draft until a person approves it, or gives it up; its numbers are taken meanwhile. */
export async function holdRun(journal: Sql, id: string, now: number): Promise<void> {
  await journal.run(`UPDATE run SET held = ? WHERE id = ? AND state = 'draft'`, now, id);
}

/** The approval is of the digest that the person saw. */
export async function approveRun(
  journal: Sql,
  id: string,
  approval: Approval & { readonly digest: string },
): Promise<void> {
  await journal.run('UPDATE run SET approval = ? WHERE id = ?', JSON.stringify(approval), id);
}

/** Of `document d`: what a held run, or one that waits for a yes, has planned is in nobody's way. */
export const NOT_HELD = `(d.state <> 'planned' OR NOT EXISTS (
  SELECT 1 FROM run WHERE id = d.run AND state = 'draft'
    AND (held IS NOT NULL OR json_extract(meta, '$.waiting') IS NOT NULL)))`;

/** Of `document d`: it may have arrived, and nobody will ask any more. */
export const GIVEN_UP = `(d.state IN ('sending', 'pending', 'unknown')
  AND (SELECT abandonment FROM run WHERE id = d.run) IS NOT NULL)`;

/** Nobody takes it back: from here on the run counts. */
export async function openRun(journal: Sql, id: string): Promise<void> {
  await journal.run(`UPDATE run SET state = 'open', ended = NULL, stopped = NULL WHERE id = ?`, id);
}

const BEGUN = `
  UPDATE run SET state = 'open', ended = NULL, stopped = NULL,
    meta = json_set(meta, '$.begun', coalesce(json_extract(meta, '$.begun'), ?)) WHERE id = ?`;

/** What is written before all else of a turn. */
export const beginning = (id: string, now: number): Write => [BEGUN, new Date(now).toISOString(), id];

/** After the last answer. */
export async function leaveRun(
  journal: Sql,
  id: string,
  finished: boolean,
  now: number,
  stopped?: Issue,
): Promise<void> {
  const why = stopped === undefined ? null : JSON.stringify(stopped);
  const sql = 'UPDATE run SET state = ?, ended = ?, stopped = ? WHERE id = ?';
  await journal.run(sql, finished ? 'closed' : 'open', now, why, id);
}

/**
 * Forgets a run of which nothing was sent; its numbers are free again. Does nothing to any other. Written by the writer of
 * the journal: a large draft would keep the thread of a server.
 */
export async function discardDraft(journal: Database, id: string): Promise<void> {
  const writer = await journal.writer();
  try {
    await writer.commit(...removalOf(id));
  } finally {
    await writer.close();
  }
}

/** A draft that no person holds. */
export type Draft = Pick<Run, 'id' | 'meta' | 'counts' | 'digest'>;

/** Returns the drafts that are not held. */
export const draftsIn = async (journal: Sql): Promise<readonly Draft[]> =>
  (await journal.all<Row>(`SELECT * FROM run WHERE state = 'draft' AND held IS NULL`)).map(toRun);

/** Removes drafts by id; inside a transaction. */
export async function removeRuns(journal: Sql, ids: readonly string[]): Promise<void> {
  for (const id of ids) for (const write of removalOf(id)) await journal.run(...write);
}

/** Returns what removes a run, if it is a draft. */
function removalOf(id: string): readonly Write[] {
  const draft = `SELECT id FROM run WHERE state = 'draft' AND id = ?`;
  return [
    [`DELETE FROM content WHERE document IN (SELECT id FROM document WHERE run IN (${draft}))`, id],
    [`DELETE FROM finding WHERE run IN (${draft})`, id],
    [`DELETE FROM document WHERE run IN (${draft})`, id],
    [`DELETE FROM run WHERE id IN (${draft})`, id],
  ];
}

/**
 * Gives up what a run has not sent, so that its subjects can be sent anew; their numbers stay spent. What may have landed
 * still has to be resumed, unless a reason is given: then nobody asks about it any more, it stays unknown until a person
 * settles it, and its subject is sent anew only by a yes of its own. Throws a PipelineError (`usage`) for an unknown run.
 */
export async function abandonRun(journal: Database, id: string, now: number, reason?: string): Promise<void> {
  const { stopped } = await findRun(journal, id);
  await journal.transaction(async (sql) => {
    const why = JSON.stringify({ reason, at: new Date(now).toISOString() });
    if (reason !== undefined) await sql.run('UPDATE run SET abandonment = ? WHERE id = ?', why, id);
    await sql.run(
      `UPDATE document SET state = 'rejected', issues = ?, updated = ? WHERE run = ? AND state = 'planned'`,
      JSON.stringify([createIssue('send/abandoned')]),
      now,
      id,
    );
    const left = await sql.first(
      `SELECT 1 FROM document WHERE run = ? AND state NOT IN ('accepted', 'rejected') LIMIT 1`,
      id,
    );
    await leaveRun(sql, id, left === undefined || reason !== undefined, now, stopped);
  });
}

/** Documents of a page. */
export const PAGE = 128;

/**
 * The rows of a run in the order of its documents, a page at a time: any run fits in memory, and what is written meanwhile
 * does not disturb. The sentence takes the run and the sequence to go on after, and gives at most PAGE rows in order.
 */
export async function* pages<Row extends { readonly sequence: number }>(
  journal: Sql,
  page: string,
  run: string,
): AsyncIterable<Row> {
  for (let after = 0; ; ) {
    const rows = await journal.all<Row>(page, run, after);
    for (const row of rows) yield row;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.sequence;
    await giveTurn();
  }
}

/** What people call the first document of a run that may have landed. */
export const firstOpen = async (journal: Sql, run: string): Promise<string | undefined> =>
  (
    await journal.first<{ number: string }>(
      `SELECT coalesce(number, prefix || consecutive, key) AS number FROM document
      WHERE run = ? AND state IN ('sending', 'pending', 'unknown') ORDER BY sequence LIMIT 1`,
      run,
    )
  )?.number;

/** What a person sees: a request that left without an answer may have landed. */
export const outcomeState = (state: DocumentState): OutcomeState =>
  state === 'planned' ? 'unsent' : state === 'sending' ? 'unknown' : state;

/** SQL over `document` as `d`: whether one of its issues is of a code with the trait. */
const isSaid = (trait: Trait): string =>
  `(${codesWith(trait)
    .map((code) => `instr(d.issues, '"code":"${code}"') > 0`)
    .join(' OR ')})`;

/**
 * SQL over `document` as `d`: closed without an answer of anybody, because it never left, or because a person found that it
 * never arrived and gave it up. Nobody rejected it.
 */
export const HELD_BACK = `(d.state = 'rejected' AND (
  (d.attempts = 0 AND NOT ${isSaid('said-by-service')}) OR ${isSaid('given-up')}))`;

export const fateOf = (state: DocumentState, heldBack: unknown): DocumentFate =>
  heldBack ? 'held-back' : outcomeState(state);

/** Why is always said. */
const HELD = `SELECT count(*) AS count FROM document d WHERE d.run = ? AND d.issues IS NOT NULL AND ${HELD_BACK}`;

async function fates(journal: Sql, run: string): Promise<Readonly<Record<DocumentFate, number>>> {
  const counts = { ...noOutcomes(), 'held-back': 0 };
  const tally = await journal.tally?.(run);
  if (tally !== undefined) {
    const held = tally['rejected'] === 0 ? 0 : (await journal.first<{ count: number }>(HELD, run))!.count;
    for (const [state, count] of Object.entries(tally)) counts[outcomeState(state as DocumentState)] += count;
    return { ...counts, rejected: counts.rejected - held, 'held-back': held };
  }
  const rows = await journal.all<{ state: DocumentState; heldBack: unknown; count: number }>(
    `SELECT d.state, ${HELD_BACK} AS "heldBack", count(*) AS count FROM document d WHERE d.run = ? GROUP BY 1, 2`,
    run,
  );
  for (const { state, heldBack, count } of rows) counts[fateOf(state, heldBack)] += count;
  return counts;
}

/** A run and how its documents are, as whoever has the right to send found them. */
export interface FoundRun {
  readonly run: Run;
  /** Of its first document; it may have none. */
  readonly schema: SchemaName | undefined;
  readonly counts: OutcomeCounts;
}

/** Throws a PipelineError (`usage`) when the journal has no such run. */
export async function findRunWithCounts(journal: Sql, id: string): Promise<FoundRun> {
  const row = await journal.first<Row & { schema: SchemaName | null }>(
    'SELECT r.*, (SELECT d.schema FROM document d WHERE d.run = r.id ORDER BY d.sequence LIMIT 1) AS schema FROM run r WHERE r.id = ?',
    id,
  );
  if (row === undefined) return stop('usage', { code: 'journal/no-such-run', params: { run: id } });
  return { run: toRun(row), schema: row.schema ?? undefined, counts: await outcomeCounts(journal, id) };
}

/** Of the documents that are made: what is held back is not among them. */
export async function outcomeCounts(journal: Sql, run: string): Promise<OutcomeCounts> {
  const { 'held-back': _, ...outcomes } = await fates(journal, run);
  return outcomes;
}

export interface RunAccounting {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly columns?: readonly ColumnAccount[];
  readonly outcomes: OutcomeCounts;
}

const traces = (held: 'IS TRUE' | 'IS NOT TRUE'): string => `
  SELECT d.sequence, c.trace FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.sequence > ? AND (${HELD_BACK}) ${held} ORDER BY d.sequence LIMIT ${PAGE}`;

/** The names of the records that documents of a run are counted with; those of a purged one are forgotten. */
async function* recordNamesIn(journal: Sql, page: string, run: string): AsyncIterable<string> {
  for await (const { trace } of pages<{ sequence: number; trace: string }>(journal, page, run))
    yield* recordNamesFromText(trace);
}

/**
 * The counts of records, of which some are held back with documents that were good and do not leave: those that feed no other
 * document. `idle`: names of the records of such documents; those of the others are taken out of it.
 */
export async function withHeldBack(
  journal: Sql,
  run: string,
  records: RecordCounts,
  idle: Set<string>,
): Promise<RecordCounts> {
  if (idle.size > 0)
    for await (const record of recordNamesIn(journal, traces('IS NOT TRUE'), run)) idle.delete(record);
  return { ...records, used: records.used - idle.size, heldBack: records.heldBack + idle.size };
}

/** Nothing is lost: `documents.made` is the sum of the outcomes. Throws a PipelineError (`usage`) for an unknown run. */
export async function accounting(journal: Sql, run: string): Promise<RunAccounting> {
  const { records, documents, columns } = (await findRun(journal, run)).counts;
  const { 'held-back': held, ...outcomes } = await fates(journal, run);
  const { planned, made, heldBack } = documents;
  const idle = new Set<string>();
  if (held > 0) for await (const record of recordNamesIn(journal, traces('IS TRUE'), run)) idle.add(record);
  return {
    records: await withHeldBack(journal, run, records, idle),
    documents: { planned, made: made - held, heldBack: heldBack + held },
    ...(columns && { columns }),
    outcomes,
  };
}

/** `left`: not final, what a resumed sender may still send. */
const PARTS = {
  left: `d.state NOT IN ('accepted', 'rejected')`,
  accepted: `d.state = 'accepted'`,
} as const;

/** The figures of a part of a run. Empty where the kind has none. */
export async function runTotals(
  journal: Sql,
  run: string,
  { totals }: Pick<DocumentKind, 'totals'>,
  part: keyof typeof PARTS,
): Promise<Totals> {
  if (totals === undefined) return {};
  const bodies = `
    SELECT d.sequence, c.body FROM document d JOIN content c ON c.document = d.id
    WHERE d.run = ? AND d.sequence > ? AND ${PARTS[part]} ORDER BY d.sequence LIMIT ${PAGE}`;
  const found: Record<string, Decimal> = {};
  for await (const { body } of pages<{ sequence: number; body: string }>(journal, bodies, run))
    addTo(found, totals(JSON.parse(body) as JsonObject));
  return found;
}

/** The figures of a run by what became of its documents. Empty where the kind has none. */
export async function totalsByFate(
  journal: Sql,
  run: string,
  { totals }: Pick<DocumentKind, 'totals'>,
): Promise<Readonly<Partial<Record<DocumentFate, Totals>>>> {
  if (totals === undefined) return {};
  const bodies = `
    SELECT d.sequence, d.state, ${HELD_BACK} AS "heldBack", c.body FROM document d JOIN content c ON c.document = d.id
    WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;
  type Row = { sequence: number; state: DocumentState; heldBack: unknown; body: string };
  const found: Partial<Record<DocumentFate, Record<string, Decimal>>> = {};
  for await (const { state, heldBack, body } of pages<Row>(journal, bodies, run)) {
    const fate = fateOf(state, heldBack);
    found[fate] ??= {};
    addTo(found[fate], totals(JSON.parse(body) as JsonObject));
  }
  return found;
}

/** Adds figures to those of the same name. */
function addTo(found: Record<string, Decimal>, more: Totals): void {
  for (const [name, figure] of Object.entries(more)) found[name] = add(found[name] ?? '0.00', figure);
}
