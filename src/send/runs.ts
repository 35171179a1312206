import type { Text, Trait } from '../generated/issue-codes.js';
import type { SchemaName } from '../generated/schema-types.js';
import { type Issue, stop } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
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
  type OwnedTable,
  type RecordCounts,
  type StyledColumn,
} from '../toolkit/schema/document.js';
import type { LawUsed } from '../toolkit/schema/law-tables.js';
import { createIssue } from './create-issue.js';
import { type Database, onlyRow, type Sql, type Write } from './database.js';
import { addTotals, type DocumentKind, type Series, type Totals } from './kind.js';
import { recordNamesFromText } from './trace-text.js';

/** Origin of a run, without secrets. */
export interface RunMeta {
  readonly company: string;
  /** NIT that an answer showed. */
  readonly employer?: string;
  readonly url: string;
  readonly inputs: readonly { readonly file: string; readonly path?: string; readonly sha256: string }[];
  readonly mapping?: { readonly name: string; readonly sha256: string };
  readonly params: Readonly<Record<string, unknown>>;
  /** Names of the params for users. */
  readonly titles?: Readonly<Record<string, Text>>;
  /** Versions of the program and of Node. */
  readonly versions: Readonly<Record<string, string>>;
  /** Tables of the law that the run was checked by. */
  readonly law?: LawUsed;
  /** True if the key of a document is the employee's document number. */
  readonly keyIsWorker?: boolean;
  /** User name that began it, as the system gives it. */
  readonly by?: string;
  /** People who worked on its files in the page, where several do. */
  readonly preparers?: readonly string[];
  /** Note of the person who asks for the approval. */
  readonly note?: string;
  /** Actions on it and on earlier requests of its files, apart from the approval, in order. */
  readonly acts?: readonly RunAct[];
  /** ISO instant at which it was first sent. */
  readonly begun?: string;
  /** Set in a draft that waits for a confirmation while others may send. */
  readonly waiting?: PendingConfirmation;
}

/**
 * `asked`, `withdrawn`: of an earlier request with the same files, which is gone. `returned`: not approved, with a note
 * to the person who prepared it. `sent`: sent or continued.
 */
export interface RunAct {
  readonly act: 'asked' | 'returned' | 'withdrawn' | 'sent';
  readonly by: string;
  /** ISO instant. */
  readonly at: string;
  readonly note?: string;
}

/** User who is asked to confirm, time in ms, and the numbers that were shown. */
interface PendingConfirmation {
  readonly by: string;
  readonly since: number;
  readonly numbers: readonly (Series & { readonly from: number; readonly to: number })[];
}

/** Counts that are known after the last record. */
export interface RunCounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Every filled column; undefined in runs of older versions. */
  readonly columns?: readonly ColumnAccount[];
  readonly styled?: readonly StyledColumn[];
  readonly owned?: readonly OwnedTable[];
  /** Constants that no file supplied. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * `draft`: planned, nothing sent yet, may vanish. `held`: the same, kept until a user approves it. `closed`: every
 * document is final, or the run was given up.
 */
type RunState = 'draft' | 'held' | 'open' | 'closed';

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
  /** Reason why the last sender stopped early. */
  readonly stopped?: Issue;
  /** SHA-256 of the plan without numbers; see `planOf`. */
  readonly digest?: string;
  /** Approval of this very digest. */
  readonly approval?: Approval;
  /** Last act if it returned the run, unless it was approved since. */
  readonly returned?: RunAct;
  /** Reason and time of giving the run up. */
  readonly abandonment?: { readonly reason: string; readonly at: string };
  /** ISO instant at which its personal data were removed. */
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
  const last = meta.acts?.at(-1);
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
    ...(last?.act === 'returned' && row.approval === null && { returned: last }),
    ...(row.purged !== null && { purged: new Date(row.purged).toISOString() }),
    ...(row.abandonment !== null && { abandonment: JSON.parse(row.abandonment) as Run['abandonment'] & {} }),
  };
};

/** Returns all runs but drafts, the latest first. */
export const listRuns = async (journal: Sql): Promise<readonly Run[]> =>
  (await journal.all<Row>(`SELECT * FROM run WHERE state <> 'draft' ORDER BY created DESC, id DESC`)).map(
    toRun,
  );

/** Returns runs that wait for an approval, or to be sent after one; the latest first. */
export const heldRuns = async (journal: Sql): Promise<readonly Run[]> =>
  (
    await journal.all<Row>(
      `SELECT * FROM run WHERE state = 'draft' AND held IS NOT NULL ORDER BY created DESC, id DESC`,
    )
  ).map(toRun);

/**
 * Throws if the documents of the run were removed.
 * @throws PipelineError('usage', journal/purged)
 */
export function refusePurged({ id, purged }: Run): void {
  if (purged !== undefined)
    stop('usage', { code: 'journal/purged', params: { run: id, date: dateInBogota(Date.parse(purged)) } });
}

/** Returns the schema of a run's first document. */
export const schemaOfRun = async (journal: Sql, run: string): Promise<SchemaName | undefined> =>
  (
    await journal.first<{ schema: SchemaName }>(
      'SELECT schema FROM document WHERE run = ? ORDER BY sequence LIMIT 1',
      run,
    )
  )?.schema;

export const schemasOfRun = async (journal: Sql, run: string): Promise<readonly SchemaName[]> =>
  (await journal.all<{ schema: SchemaName }>('SELECT DISTINCT schema FROM document WHERE run = ?', run)).map(
    ({ schema }) => schema,
  );

/** Returns the NIT in a run's company name; undefined if it is no NIT. */
export const nitOf = (company: string): string | undefined =>
  /^(\d{5,10})(-\d)?$/.exec(company.replace(/[.\s]/g, ''))?.[1];

const COMPANIES = `
  SELECT DISTINCT json_extract(meta, '$.employer') AS employer, json_extract(meta, '$.company') AS company FROM run`;

/** Returns the NIT of the journal's company: from an answer or a proof, else from a run's company name. */
export async function employerOf(journal: Sql): Promise<string | undefined> {
  const rows = await journal.all<{ employer: string | null; company: string | null }>(COMPANIES);
  const shown = rows.find(({ employer }) => employer !== null)?.employer ?? undefined;
  return shown ?? rows.map(({ company }) => nitOf(company ?? '')).find((nit) => nit !== undefined);
}

/** Returns the months of the documents that belong to one. */
export async function monthsOf(journal: Sql, run: string): Promise<readonly string[]> {
  const rows = await journal.all<{ period: string }>(
    'SELECT DISTINCT period FROM document WHERE run = ? AND period IS NOT NULL ORDER BY period',
    run,
  );
  return [...new Set(rows.map(({ period }) => period.slice(-'2026-10'.length)))];
}

/** Throws a PipelineError (`usage`) if the journal has no such run. */
export async function findRun(journal: Sql, id: string): Promise<Run> {
  const row = await journal.first<Row>('SELECT * FROM run WHERE id = ?', id);
  return row === undefined ? stop('usage', { code: 'journal/no-such-run', params: { run: id } }) : toRun(row);
}

/** Returns a new run id: the date and a number of the day. */
export async function nextRunId(journal: Sql, now: number): Promise<string> {
  const day = dateInBogota(now);
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

/** Keeps a draft until a user approves it or gives it up; its numbers stay taken. */
export async function holdRun(journal: Sql, id: string, now: number): Promise<void> {
  await journal.run(`UPDATE run SET held = ? WHERE id = ? AND state = 'draft'`, now, id);
}

/** Stores the approval of the digest that the user saw. */
export async function approveRun(
  journal: Sql,
  id: string,
  approval: Approval & { readonly digest: string },
): Promise<void> {
  await journal.run('UPDATE run SET approval = ? WHERE id = ?', JSON.stringify(approval), id);
}

/** Stores what a person did with a run; a returned one has to be approved again. */
export const recordAct = (journal: Database, id: string, act: RunAct): Promise<void> =>
  journal.transaction(async (sql) => {
    const { meta } = await onlyRow<Pick<Row, 'meta'>>(sql, 'SELECT meta FROM run WHERE id = ?', id);
    const { acts = [], ...rest } = JSON.parse(meta) as RunMeta;
    const text = JSON.stringify({ ...rest, acts: [...acts, act] });
    await sql.run('UPDATE run SET meta = ? WHERE id = ?', text, id);
    if (act.act === 'returned') await sql.run('UPDATE run SET approval = NULL WHERE id = ?', id);
  });

/**
 * SQL over `document d`: false for documents that a held run, or one that waits for a confirmation, has only planned.
 */
export const NOT_HELD = `(d.state <> 'planned' OR NOT EXISTS (
  SELECT 1 FROM run WHERE id = d.run AND state = 'draft'
    AND (held IS NOT NULL OR json_extract(meta, '$.waiting') IS NOT NULL)))`;

/** SQL over `document d`: true if it may have arrived, and its run was given up, so that it is not asked about. */
export const GIVEN_UP = `(d.state IN ('sending', 'pending', 'unknown')
  AND (SELECT abandonment FROM run WHERE id = d.run) IS NOT NULL)`;

/** Opens a run for good; a draft before may still vanish. */
export async function openRun(journal: Sql, id: string): Promise<void> {
  await journal.run(`UPDATE run SET state = 'open', ended = NULL, stopped = NULL WHERE id = ?`, id);
}

const BEGUN = `
  UPDATE run SET state = 'open', ended = NULL, stopped = NULL,
    meta = json_set(meta, '$.begun', coalesce(json_extract(meta, '$.begun'), ?)) WHERE id = ?`;

/** Write that opens a run before its first request. */
export const beginning = (id: string, now: number): Write => [BEGUN, new Date(now).toISOString(), id];

/** Closes a run, or leaves it open if it is not finished. */
export async function leaveRun(
  journal: Sql,
  id: string,
  finished: boolean,
  now: number,
  stopped?: Issue,
): Promise<void> {
  const reason = stopped === undefined ? null : JSON.stringify(stopped);
  const sql = 'UPDATE run SET state = ?, ended = ?, stopped = ? WHERE id = ?';
  await journal.run(sql, finished ? 'closed' : 'open', now, reason, id);
}

/**
 * Removes a run of which nothing was sent; its numbers are free again. Does nothing to any other run. Uses the
 * journal's writer, since a large draft would block the thread of a server.
 */
export async function discardDraft(journal: Database, id: string): Promise<void> {
  const writer = await journal.writer();
  try {
    await writer.commit(...removalOf(id));
  } finally {
    await writer.close();
  }
}

/** Draft that is not held. */
export type Draft = Pick<Run, 'id' | 'meta' | 'counts' | 'digest'>;

export const draftsIn = async (journal: Sql): Promise<readonly Draft[]> =>
  (await journal.all<Row>(`SELECT * FROM run WHERE state = 'draft' AND held IS NULL`)).map(toRun);

/** Removes drafts by id; inside a transaction. */
export async function removeRuns(journal: Sql, ids: readonly string[]): Promise<void> {
  for (const id of ids) for (const write of removalOf(id)) await journal.run(...write);
}

/** Returns the writes that remove a run if it is a draft. */
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
 * Gives up what a run has not sent, so that its subjects can be sent in another run; their numbers stay spent.
 * Documents that may have landed still have to be resumed, unless a reason is given: then they stay unknown until a
 * user settles them, and their subjects are sent again only after a separate confirmation. Throws a PipelineError
 * (`usage`) for an unknown run.
 */
export async function abandonRun(journal: Database, id: string, now: number, reason?: string): Promise<void> {
  const { stopped } = await findRun(journal, id);
  await journal.transaction(async (sql) => {
    const abandonment = JSON.stringify({ reason, at: new Date(now).toISOString() });
    if (reason !== undefined) await sql.run('UPDATE run SET abandonment = ? WHERE id = ?', abandonment, id);
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

export const PAGE = 128;

/**
 * Yields rows page by page, so that any number fits in memory and writes in between do not disturb. `page` returns at
 * most `size` rows after a key, in the order of the keys.
 */
export async function* paged<Row, Key>(
  first: Key,
  page: (after: Key) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  size = PAGE,
): AsyncGenerator<Row> {
  for (let after = first; ; ) {
    const rows = await page(after);
    for (const row of rows) yield row;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    after = keyOf(last);
  }
}

/**
 * Yields the rows of a run in the order of its documents. The statement takes the run and the last sequence, and returns
 * at most PAGE rows in order.
 */
export const pages = <Row extends { readonly sequence: number }>(
  journal: Sql,
  page: string,
  run: string,
): AsyncIterable<Row> =>
  paged(
    0,
    async (after) => {
      if (after > 0) await giveTurn();
      return journal.all<Row>(page, run, after);
    },
    ({ sequence }) => sequence,
  );

/** Returns the number of the run's first document that may have landed. */
export const firstOpen = async (journal: Sql, run: string): Promise<string | undefined> =>
  (
    await journal.first<{ number: string }>(
      `SELECT coalesce(number, prefix || consecutive, key) AS number FROM document
      WHERE run = ? AND state IN ('sending', 'pending', 'unknown') ORDER BY sequence LIMIT 1`,
      run,
    )
  )?.number;

/** Returns the state that users see; a request that left without an answer may have landed. */
export const outcomeState = (state: DocumentState): OutcomeState =>
  state === 'planned' ? 'unsent' : state === 'sending' ? 'unknown' : state;

/** SQL over `document` as `d`: true if one of its issues is of a code with the trait. */
const isSaid = (trait: Trait): string =>
  `(${codesWith(trait)
    .map((code) => `instr(d.issues, '"code":"${code}"') > 0`)
    .join(' OR ')})`;

/**
 * SQL over `document` as `d`: true if it is closed without an answer, because it was never sent, or because a user
 * found that it never arrived. The service did not reject it.
 */
export const HELD_BACK = `(d.state = 'rejected' AND (
  (d.attempts = 0 AND NOT ${isSaid('said-by-service')}) OR ${isSaid('given-up')}))`;

export const fateOf = (state: DocumentState, heldBack: unknown): DocumentFate =>
  heldBack ? 'held-back' : outcomeState(state);

/** Held-back documents always have issues, which makes the count fast. */
const HELD = `SELECT count(*) AS count FROM document d WHERE d.run = ? AND d.issues IS NOT NULL AND ${HELD_BACK}`;

async function fates(journal: Sql, run: string): Promise<Readonly<Record<DocumentFate, number>>> {
  const counts = { ...noOutcomes(), 'held-back': 0 };
  const tally = await journal.tally?.(run);
  if (tally !== undefined) {
    const held = tally['rejected'] === 0 ? 0 : (await onlyRow<{ count: number }>(journal, HELD, run)).count;
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

/** Run and counts of its outcomes, as the holder of the right to send found them. */
export interface FoundRun {
  readonly run: Run;
  /** Schema of its first document; undefined if it has none. */
  readonly schema: SchemaName | undefined;
  readonly counts: OutcomeCounts;
}

/** Throws a PipelineError (`usage`) if the journal has no such run. */
export async function findRunWithCounts(journal: Sql, id: string): Promise<FoundRun> {
  const row = await journal.first<Row & { schema: SchemaName | null }>(
    'SELECT r.*, (SELECT d.schema FROM document d WHERE d.run = r.id ORDER BY d.sequence LIMIT 1) AS schema FROM run r WHERE r.id = ?',
    id,
  );
  if (row === undefined) return stop('usage', { code: 'journal/no-such-run', params: { run: id } });
  return { run: toRun(row), schema: row.schema ?? undefined, counts: await outcomeCounts(journal, id) };
}

/** Counts the outcomes of the documents made; those held back are not among them. */
export async function outcomeCounts(journal: Sql, run: string): Promise<OutcomeCounts> {
  const { 'held-back': _, ...outcomes } = await fates(journal, run);
  return outcomes;
}

export interface RunAccounting {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Undefined for runs of versions that did not store them. */
  readonly columns?: readonly ColumnAccount[];
  readonly outcomes: OutcomeCounts;
}

const traces = (held: 'IS TRUE' | 'IS NOT TRUE'): string => `
  SELECT d.sequence, c.trace FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.sequence > ? AND (${HELD_BACK}) ${held} ORDER BY d.sequence LIMIT ${PAGE}`;

/** Yields the names of the records that documents of a run are counted with; a purged run has none. */
async function* recordNamesIn(journal: Sql, page: string, run: string): AsyncIterable<string> {
  for await (const { trace } of pages<{ sequence: number; trace: string }>(journal, page, run))
    yield* recordNamesFromText(trace);
}

/**
 * Moves records from used to held back if they feed no other document than good ones that are not sent. `idle`: names
 * of the records of such documents; names that other documents use are removed from it.
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

/**
 * Returns the accounting of a run; `documents.made` is the sum of the outcomes. Throws a PipelineError (`usage`) for
 * an unknown run.
 */
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

/** Conditions by part of a run; `left`: not final, so that a resumed sender may send it. */
const PARTS = {
  left: `d.state NOT IN ('accepted', 'rejected')`,
  accepted: `d.state = 'accepted'`,
} as const;

/** Returns the figures of a part of a run; `{}` if the kind has none. */
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
  let found: Totals = {};
  for await (const { body } of pages<{ sequence: number; body: string }>(journal, bodies, run))
    found = addTotals(found, totals(JSON.parse(body) as JsonObject));
  return found;
}

/** Returns the figures of a run by the outcome of its documents; `{}` if the kind has none. */
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
  const found: Partial<Record<DocumentFate, Totals>> = {};
  for await (const { state, heldBack, body } of pages<Row>(journal, bodies, run)) {
    const fate = fateOf(state, heldBack);
    found[fate] = addTotals(found[fate] ?? {}, totals(JSON.parse(body) as JsonObject));
  }
  return found;
}
