import { type Issue, mapParams } from '../core/issue.js';
import type { Journal } from './journal.js';

/** What of a journal can lose what is personal in it, and what cannot yet. */
export interface Purgeable {
  readonly runs: readonly string[];
  readonly documents: number;
  /** Runs that ended before the moment as well, and have documents that are not final. */
  readonly unfinished: readonly string[];
}

const idsOf = (rows: readonly { id: string }[]): readonly string[] => rows.map(({ id }) => id);

/** Runs that came to rest before a moment, milliseconds. */
export function purgeable(journal: Journal, before: number): Purgeable {
  const open = `EXISTS (SELECT 1 FROM document d WHERE d.run = run.id AND d.state NOT IN ('accepted', 'rejected'))`;
  const runs = (condition: string): readonly string[] =>
    idsOf(
      journal
        .prepare(
          `SELECT id FROM run WHERE purged IS NULL AND coalesce(ended, created) < ? AND ${condition} ORDER BY created, id`,
        )
        .all<{ id: string }>(before),
    );
  const closed = runs(`state = 'closed' AND NOT ${open}`);
  const count = journal.prepare('SELECT count(*) AS documents FROM document WHERE run = ?');
  const documents = closed.reduce((sum, id) => sum + count.first<{ documents: number }>(id)!.documents, 0);
  return { runs: closed, documents, unfinished: runs(`(state <> 'closed' OR ${open})`) };
}

/** Dates and numbers that notes and later runs ask for; nothing of a person. */
const SKELETON = `json_object(
  'period', json_object(
    'settlement_start_date', json_extract(body, '$.period.settlement_start_date'),
    'settlement_end_date', json_extract(body, '$.period.settlement_end_date'),
    'issue_date', json_extract(body, '$.period.issue_date')),
  'patient', json('{}'), 'appointment', json('{}'),
  'document', json_object(
    'note_type', json_extract(body, '$.document.note_type'),
    'note_number', json_extract(body, '$.document.note_number'), 'services', json('[]')))`;

/** What an issue says without what it found: `rule` and the like stay. */
const KEPT = ['rule', 'case', 'number', 'run'];

const withoutValues = ({ code, level, params }: Issue): Issue =>
  mapParams({ code, level, params, place: {} } as Issue, (name, value) =>
    KEPT.includes(name) ? value : '—',
  );

const hasTable = (journal: Journal, table: string): boolean =>
  journal.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).first(table) !== undefined;

/**
 * Removes bodies, names, traces, answers, findings and what excerpts say. What makes doubles impossible stays: whose month or
 * care it was, hash, number, code, state and dates.
 */
export function purgeRuns(journal: Journal, runs: readonly string[], now: number): void {
  // What is removed is written over.
  journal.prepare('PRAGMA secure_delete = ON').all();
  const documents = 'SELECT id FROM document WHERE run = ?';
  const steps = [
    `UPDATE content SET trace = '{"tables":[],"cells":{}}', body = ${SKELETON} WHERE document IN (${documents})`,
    `UPDATE document SET name = NULL,
      number = coalesce(number, (SELECT json_extract(a.body, '$.consecutive') FROM answer a WHERE a.document = document.id)),
      key = coalesce(number, prefix || consecutive, '#' || sequence) WHERE run = ?`,
    `DELETE FROM answer WHERE document IN (${documents})`,
    `UPDATE attempt SET excerpt = NULL WHERE document IN (${documents})`,
    'DELETE FROM finding WHERE run = ?',
    ...(hasTable(journal, 'mail') ? [`UPDATE mail SET address = '' WHERE document IN (${documents})`] : []),
  ].map((sql) => journal.prepare(sql));
  const told = journal.prepare('SELECT id, issues FROM document WHERE run = ? AND issues IS NOT NULL');
  const tell = journal.prepare('UPDATE document SET issues = ? WHERE id = ?');
  const mark = journal.prepare('UPDATE run SET purged = ? WHERE id = ?');
  for (const run of runs)
    journal.transaction(() => {
      for (const step of steps) step.run(run);
      for (const { id, issues } of told.all<{ id: number; issues: string }>(run))
        tell.run(JSON.stringify((JSON.parse(issues) as Issue[]).map(withoutValues)), id);
      mark.run(now, run);
    });
}
