import { createHash } from 'node:crypto';
import type { Issue, Place } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { required } from '../toolkit/core/required.js';
import type { Document } from '../toolkit/schema/document.js';
import { createIssue } from './create-issue.js';
import { type Database, onlyRow, type Sql } from './database.js';
import { type Advice, addTotals, type DocumentKind, type Scope, type Series, type Totals } from './kind.js';
import type { NumberRange } from './numbering.js';
import { bodyOf, plannedBy, plannedPage } from './planned-document.js';
import { completeDraft, findRun, type RunCounts, withHeldBack } from './runs.js';
import { recordNamesFromText, rowsIn, traceFromText } from './trace-text.js';

export interface Plan {
  readonly planned: number;
  readonly totals: Totals;
  /** SHA-256 over the planned documents in order, without numbers, since those may still move. */
  readonly digest: string;
}

/** Adds documents up as they are planned, or read again. */
export function planTally({ numbers, totals }: DocumentKind, testSet: string | undefined) {
  const digest = createHash('sha256').update(JSON.stringify([testSet ?? null]));
  let planned = 0;
  let known: Totals = {};
  return {
    /** Adds a document; `series`: that of its number, if it has one. */
    take(
      { sequence, key, schema }: Pick<Document, 'sequence' | 'key' | 'schema'>,
      body: JsonObject,
      series?: Series,
    ): void {
      const bare = series === undefined || numbers === undefined ? body : numbers.clear(body, series);
      digest.update(JSON.stringify([sequence, key, schema, bare]));
      planned += 1;
      known = addTotals(known, totals?.(body) ?? {});
    },
    finish: (): Plan => ({ planned, totals: known, digest: digest.digest('hex') }),
  };
}

const PLANNED = plannedPage(`d.state = 'planned'`);

export async function planOf(journal: Sql, kind: DocumentKind, run: string): Promise<Plan> {
  const tally = planTally(kind, (await findRun(journal, run)).testSet);
  for await (const document of plannedBy(journal, PLANNED, run))
    tally.take(document, bodyOf(document), document.series);
  return tally.finish();
}

const BY_SEQUENCE = `
  SELECT d.id, d.key, d.name, d.place, coalesce(d.number, d.prefix || d.consecutive, d.key) AS number, c.trace
  FROM document d JOIN content c ON c.document = d.id WHERE d.run = ? AND d.sequence = ?`;

/**
 * Takes documents out of a draft, by sequence, with those that wait for them, and numbers the rest again. A document
 * with an issue counts as held back, one without as never planned. Returns what is left to be sent.
 */
export const leaveOut = (
  database: Database,
  kind: DocumentKind,
  run: string,
  out: ReadonlyMap<number, Issue | undefined>,
): Promise<Plan> =>
  database.transaction(async (journal) => {
    let heldBack = 0;
    let removed = 0;
    const idle = new Set<string>();

    async function remove(sequence: number, issue: Issue | undefined): Promise<void> {
      type NamedRow = Record<'key' | 'number' | 'trace', string> & {
        id: number;
        name: string | null;
        place: string | null;
      };
      const row = await journal.first<NamedRow>(BY_SEQUENCE, run, sequence);
      if (row === undefined) return;
      const orphaned = issue && createIssue('send/predecessor-not-accepted', { number: row.number });
      const waiting = 'SELECT sequence FROM document WHERE run = ? AND waits_for = ?';
      for (const follower of await journal.all<{ sequence: number }>(waiting, run, row.id))
        await remove(follower.sequence, orphaned);
      await journal.run('DELETE FROM content WHERE document = ?', row.id);
      await journal.run('DELETE FROM document WHERE id = ?', row.id);
      removed += 1;
      if (issue === undefined) return;
      heldBack += 1;
      for (const record of recordNamesFromText(row.trace)) idle.add(record);
      const { column, label, ...record } = (row.place === null ? {} : JSON.parse(row.place)) as Place;
      const issueAtRecord: Issue = { ...issue, documentKey: row.key, place: { ...record, ...issue.place } };
      const document = {
        ...(row.name !== null && { name: row.name }),
        records: rowsIn(traceFromText(row.trace)),
      };
      const finding = `INSERT INTO finding (run, kind, content) VALUES (?, 'issue', ?)`;
      await journal.run(finding, run, JSON.stringify({ ...issueAtRecord, document }));
    }

    const first = new Map((await seriesOf(journal, run)).map((range) => [seriesKey(range), range.from]));
    for (const [sequence, issue] of out) await remove(sequence, issue);
    await numberFrom(journal, kind, run, first);
    const { meta, counts } = await findRun(journal, run);
    const { planned, made } = counts.documents;
    const documents: RunCounts['documents'] = {
      planned: planned - (removed - heldBack),
      made: made - removed,
      heldBack: counts.documents.heldBack + heldBack,
    };
    const records = await withHeldBack(journal, run, counts.records, idle);
    const plan = await planOf(journal, kind, run);
    await completeDraft(journal, run, meta, { ...counts, records, documents }, plan.digest);
    return plan;
  });

export const seriesKey = ({ typeDocumentId, prefix }: Series): string => `${typeDocumentId}|${prefix}`;

const PLANNED_NUMBERS = `(
  SELECT run, type_document_id, prefix, consecutive AS low, consecutive AS high
  FROM document WHERE state = 'planned' AND consecutive IS NOT NULL)`;

/**
 * Returns the numbers that a run has planned, by series. Uses the journal's ranges if it has them and the run has
 * only planned documents.
 */
export async function seriesOf(journal: Sql, run: string): Promise<readonly NumberRange[]> {
  const { planned = 0, ...others } = (await journal.tally?.(run)) ?? {};
  const isWhole = planned > 0 && Object.values(others).every((count) => count === 0);
  return journal.all<NumberRange>(
    `
    SELECT type_document_id AS "typeDocumentId", prefix, min(low) AS "from", max(high) AS "to"
    FROM ${(isWhole && journal.numbers) || PLANNED_NUMBERS} AS ranges WHERE run = ? GROUP BY type_document_id, prefix`,
    run,
  );
}

/** Numbers a draft again, each series from its first number, in order; inside a transaction. */
export async function numberFrom(
  journal: Sql,
  kind: DocumentKind,
  run: string,
  first: ReadonlyMap<string, number>,
): Promise<void> {
  const { numbers } = kind;
  if (numbers === undefined) return;
  const next = new Map(first);
  // Two documents never have one number, not even for a moment.
  const freed = `UPDATE document SET consecutive = NULL WHERE run = ? AND state = 'planned' AND consecutive IS NOT NULL`;
  await journal.run(freed, run);
  for await (const document of plannedBy(journal, PLANNED, run)) {
    const { id, series } = document;
    if (series === undefined) continue;
    const consecutive = required(next, seriesKey(series));
    next.set(seriesKey(series), consecutive + 1);
    const body = numbers.write(numbers.clear(bodyOf(document), series), consecutive);
    const text = numbers.text?.(body) ?? null;
    await journal.run('UPDATE document SET consecutive = ?, number = ? WHERE id = ?', consecutive, text, id);
    await journal.run('UPDATE content SET body = ? WHERE document = ?', JSON.stringify(body), id);
  }
}

const HIGHEST = `
  SELECT max(consecutive) AS used, max(CASE WHEN state <> 'planned' THEN consecutive END) AS sent
  FROM document WHERE run <> ? AND type_document_id = ? AND prefix = ?`;

/**
 * Moves the numbers of a draft on if the service shows that another sender has taken numbers since. Returns the
 * series that moved, with their new numbers.
 */
export async function moveNumbers(
  journal: Database,
  kind: DocumentKind,
  run: string,
  advice: Advice,
): Promise<readonly NumberRange[]> {
  const ranges = await seriesOf(journal, run);
  const first = new Map(ranges.map((range) => [seriesKey(range), range.from]));
  const moved = new Set<string>();
  for (const range of ranges) {
    const next = await advice(range);
    if (typeof next !== 'number' || next <= range.from) continue;
    type Highest = { used: number | null; sent: number | null };
    const { typeDocumentId, prefix } = range;
    const { used, sent } = await onlyRow<Highest>(journal, HIGHEST, run, typeDocumentId, prefix);
    // Numbers that this journal has sent since do not count.
    if (next <= (sent ?? 0) + 1) continue;
    first.set(seriesKey(range), Math.max(next, (used ?? 0) + 1));
    moved.add(seriesKey(range));
  }
  if (moved.size === 0) return [];
  await journal.transaction((sql) => numberFrom(sql, kind, run, first));
  return (await seriesOf(journal, run)).filter((range) => moved.has(seriesKey(range)));
}

/**
 * Returns documents of a held run that cannot be sent as planned, with the reason: other runs were sent meanwhile.
 */
export async function staleDocuments(scope: Scope, kind: DocumentKind): Promise<ReadonlyMap<number, Issue>> {
  const judge = kind.judge(scope);
  const found = new Map<number, Issue>();
  for await (const document of plannedBy(scope.journal, PLANNED, scope.run)) {
    const { sequence, key, schema, hash, series } = document;
    const numbered = bodyOf(document);
    const body = series === undefined ? numbered : (kind.numbers?.clear(numbered, series) ?? numbered);
    const admission = await judge.admit({ sequence, key, schema, hash, body, trace: new Map() });
    const [refusal] =
      admission.is === 'refused' ? admission.issues : admission.is === 'new' ? [admission.doubt] : [];
    const issue = admission.is === 'earlier' ? createIssue('send/sent-meanwhile') : refusal;
    if (issue !== undefined) found.set(sequence, { ...issue, documentKey: key });
  }
  return found;
}
