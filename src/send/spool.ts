import { createHash } from 'node:crypto';
import Libsql from 'libsql/promise';
import { sum } from '../core/decimal.js';
import type { Issue, Place } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import type { Envelope } from '../schema/document.js';
import { type Commit, commitQueue, fail, type Value } from './database.js';
import type { Journal } from './journal.js';
import { COUNT_COMMIT } from './journal-proof.js';
import type { Advice, DocumentKind, Scope, Series, Totals } from './kind.js';
import type { NumberRange } from './numbering.js';
import { findRun, PAGE, pages, type RunCounts } from './runs.js';
import { say } from './say.js';

/** A write, to be called inside of `commit`. */
export type Write = (...values: Value[]) => void;

/**
 * A connection that only writes, and waits for the disk on another thread: a slow disk holds up neither answers nor
 * Ctrl-C. Its troubles are PipelineErrors (`journal`).
 */
export interface Writer {
  prepare(sql: string): Promise<Write>;
  readonly commit: Commit;
  close(): void;
}

const BUSY_MS = 5_000;

export async function openWriter({ path, proof }: Journal): Promise<Writer> {
  const db = new Libsql(path, { timeout: BUSY_MS });
  const troubled = (error: unknown): never => fail(path, error);
  const prepare = async (sql: string): Promise<Write> => {
    const statement = await db.prepare(sql).catch(troubled);
    return (...values) => {
      try {
        statement.run(values);
      } catch (error) {
        troubled(error);
      }
    };
  };

  await db.exec('PRAGMA synchronous = FULL').catch(troubled);
  const begin = await prepare('BEGIN IMMEDIATE');
  const rollback = await prepare('ROLLBACK');
  const counted = await db.prepare(COUNT_COMMIT).catch(troubled);
  const commit = commitQueue({
    begin,
    commit: async () => {
      const { commits } = counted.get([]) as { commits: number };
      await db.exec('COMMIT').catch(troubled);
      proof?.note(commits);
    },
    undo: () => {
      try {
        rollback();
      } catch {
        // Nothing was begun, or SQLite has rolled back by itself, as it does when the disk is full.
      }
    },
  });
  return { prepare, commit, close: () => db.close() };
}

/** What a run will send. */
export interface Plan {
  readonly planned: number;
  /** Of the planned documents. */
  readonly totals: Totals;
  /** SHA-256 over the planned documents in order; their numbers do not count, since they may still move. */
  readonly digest: string;
}

type Planned = Pick<Envelope, 'sequence' | 'key' | 'schema'>;

/** Adds documents up as they are laid out, or read again. */
export function planTally({ numbers, totals }: DocumentKind, testSet: string | undefined) {
  const digest = createHash('sha256').update(JSON.stringify([testSet ?? null]));
  let planned = 0;
  let known: Totals = {};
  return {
    /** `series`: where the body has a number. */
    take({ sequence, key, schema }: Planned, body: JsonObject, series?: Series): void {
      const bare = series === undefined || numbers === undefined ? body : numbers.clear(body, series);
      digest.update(JSON.stringify([sequence, key, schema, bare]));
      planned += 1;
      known = sumUp(known, totals?.(body) ?? {});
    },
    finish: (): Plan => ({ planned, totals: known, digest: digest.digest('hex') }),
  };
}

const sumUp = (a: Totals, b: Totals): Totals =>
  Object.fromEntries(Object.entries(b).map(([name, amount]) => [name, sum([a[name] ?? '0.00', amount])]));

interface Row extends Planned {
  readonly id: number;
  readonly hash: string;
  readonly body: string;
  readonly typeDocumentId: number | null;
  readonly prefix: string | null;
  readonly consecutive: number | null;
}

interface PlannedRow extends Row {
  readonly document: JsonObject;
  /** Where it has a number. */
  readonly series?: Series;
}

/** What a run is to send, in order, a page at a time. */
function* plannedRows(journal: Journal, run: string): Iterable<PlannedRow> {
  const page = journal.prepare(`
    SELECT d.id, d.sequence, d.key, d.schema, d.hash, d.type_document_id AS typeDocumentId, d.prefix, d.consecutive, c.body
    FROM document d JOIN content c ON c.document = d.id
    WHERE d.run = ? AND d.sequence > ? AND d.state = 'planned' ORDER BY d.sequence LIMIT ${PAGE}`);
  for (const row of pages<Row>(page, run)) {
    const { typeDocumentId, prefix, body } = row;
    const series = typeDocumentId === null ? undefined : { typeDocumentId, prefix: prefix ?? '' };
    yield { ...row, document: JSON.parse(body) as JsonObject, ...(series && { series }) };
  }
}

/** What a run that was laid out will send, read again from the journal. */
export function planOf(journal: Journal, kind: DocumentKind, run: string): Plan {
  const tally = planTally(kind, findRun(journal, run).testSet);
  for (const row of plannedRows(journal, run)) tally.take(row, row.document, row.series);
  return tally.finish();
}

/**
 * Takes documents out of a draft, by sequence, and what waits for them; the numbers close up. Where an issue says why, the
 * document is held back with it, else it was never planned. Returns what is left to be sent.
 */
export function leaveOut(
  journal: Journal,
  kind: DocumentKind,
  run: string,
  out: ReadonlyMap<number, Issue | undefined>,
): Plan {
  const find = journal.prepare(
    `SELECT d.id, d.key, d.place, coalesce(d.number, d.prefix || d.consecutive, d.key) AS number
      FROM document d WHERE d.run = ? AND d.sequence = ?`,
  );
  const waiting = journal.prepare('SELECT sequence FROM document WHERE run = ? AND waits_for = ?');
  const finding = journal.prepare(`INSERT INTO finding (run, kind, content) VALUES (?, 'issue', ?)`);
  const removals = ['content WHERE document = ?', 'document WHERE id = ?'].map((what) =>
    journal.prepare(`DELETE FROM ${what}`),
  );
  let heldBack = 0;
  let removed = 0;

  function remove(sequence: number, issue: Issue | undefined): void {
    const row = find.first<{ id: number; key: string; place: string | null; number: string }>(run, sequence);
    if (row === undefined) return;
    const why = issue && say('send/predecessor-not-accepted', { number: row.number });
    for (const one of waiting.all<{ sequence: number }>(run, row.id)) remove(one.sequence, why);
    for (const removal of removals) removal.run(row.id);
    removed += 1;
    if (issue === undefined) return;
    heldBack += 1;
    const { column, label, ...record } = (row.place === null ? {} : JSON.parse(row.place)) as Place;
    const told: Issue = { ...issue, documentKey: row.key, place: { ...record, ...issue.place } };
    finding.run(run, JSON.stringify(told));
  }

  journal.transaction(() => {
    const first = new Map(seriesOf(journal, run).map((range) => [seriesKey(range), range.from]));
    for (const [sequence, issue] of out) remove(sequence, issue);
    number(journal, kind, run, first);
    const { meta, counts } = findRun(journal, run);
    const { planned, made } = counts.documents;
    const documents: RunCounts['documents'] = {
      planned: planned - (removed - heldBack),
      made: made - removed,
      heldBack: counts.documents.heldBack + heldBack,
    };
    const text = JSON.stringify({ ...meta, counts: { ...counts, documents } });
    journal.prepare('UPDATE run SET meta = ? WHERE id = ?').run(text, run);
  });
  const plan = planOf(journal, kind, run);
  journal.prepare('UPDATE run SET digest = ? WHERE id = ?').run(plan.digest, run);
  return plan;
}

const seriesKey = ({ typeDocumentId, prefix }: Series): string => `${typeDocumentId}|${prefix}`;

/** The numbers that a draft has, by series. */
const seriesOf = (journal: Journal, run: string): readonly NumberRange[] =>
  journal
    .prepare(`
      SELECT type_document_id AS typeDocumentId, prefix, min(consecutive) AS "from", max(consecutive) AS "to"
      FROM document WHERE run = ? AND state = 'planned' AND consecutive IS NOT NULL GROUP BY type_document_id, prefix`)
    .all<NumberRange>(run);

/** Numbers a draft anew, each series from its first, in order; inside a transaction. */
function number(journal: Journal, kind: DocumentKind, run: string, first: ReadonlyMap<string, number>): void {
  const { numbers } = kind;
  if (numbers === undefined) return;
  const next = new Map(first);
  // Two documents never have one number, not even for a moment.
  journal
    .prepare(
      `UPDATE document SET consecutive = NULL WHERE run = ? AND state = 'planned' AND consecutive IS NOT NULL`,
    )
    .run(run);
  const move = journal.prepare('UPDATE document SET consecutive = ?, number = ? WHERE id = ?');
  const write = journal.prepare('UPDATE content SET body = ? WHERE document = ?');
  for (const { id, series, document } of plannedRows(journal, run)) {
    if (series === undefined) continue;
    const consecutive = next.get(seriesKey(series))!;
    next.set(seriesKey(series), consecutive + 1);
    const body = numbers.write(numbers.clear(document, series), consecutive);
    move.run(consecutive, numbers.text?.(body) ?? null, id);
    write.run(JSON.stringify(body), id);
  }
}

/**
 * Moves the numbers of a draft on where the service shows that somebody else has taken numbers since. Returns the series
 * that moved, with their new numbers.
 */
export async function moveNumbers(
  journal: Journal,
  kind: DocumentKind,
  run: string,
  advice: Advice,
): Promise<readonly NumberRange[]> {
  const highest = journal.prepare(`
    SELECT max(consecutive) AS used, max(CASE WHEN state <> 'planned' THEN consecutive END) AS sent
    FROM document WHERE run <> ? AND type_document_id = ? AND prefix = ?`);
  const ranges = seriesOf(journal, run);
  const first = new Map(ranges.map((range) => [seriesKey(range), range.from]));
  const moved = new Set<string>();
  for (const range of ranges) {
    const next = (await advice(range)) ?? 1;
    const { used, sent } = highest.first<{ used: number | null; sent: number | null }>(
      run,
      range.typeDocumentId,
      range.prefix,
    )!;
    // What this journal sent after the numbers were given says nothing against them.
    if (next <= range.from || next <= (sent ?? 0) + 1) continue;
    first.set(seriesKey(range), Math.max(next, (used ?? 0) + 1));
    moved.add(seriesKey(range));
  }
  if (moved.size > 0) journal.transaction(() => number(journal, kind, run, first));
  return seriesOf(journal, run).filter((range) => moved.has(seriesKey(range)));
}

/** What of a held run cannot be sent any more as it was laid out, and why: other runs were sent meanwhile. */
export function overtaken(scope: Scope, kind: DocumentKind): ReadonlyMap<number, Issue> {
  const judge = kind.judge(scope);
  const found = new Map<number, Issue>();
  for (const { document, series, sequence, key, schema, hash } of plannedRows(scope.journal, scope.run)) {
    const bare = series === undefined ? document : (kind.numbers?.clear(document, series) ?? document);
    const envelope = { sequence, key, schema, hash, document: bare, trace: new Map() } as unknown as Envelope;
    const standing = judge.standing(envelope);
    const [issue] =
      standing.is === 'refused' ? standing.issues : standing.is === 'new' ? [standing.doubt] : [];
    if (issue !== undefined) found.set(sequence, issue);
    else if (standing.is === 'earlier') found.set(sequence, say('send/sent-meanwhile', { key }));
  }
  return found;
}
