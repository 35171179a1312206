import { type Issue, mapParams } from '../toolkit/core/issue.js';
import {
  formatPointer,
  isObject,
  type JsonObject,
  type JsonValue,
  parsePointer,
  valueAt,
  type Writable,
} from '../toolkit/core/json.js';
import { type Database, onlyRow, type Sql } from './database.js';
import type { DocumentKind, RetainedContent } from './kind.js';
import { PAGE, pages } from './runs.js';

/**
 * Returns the runs that ended before a time, in ms, and the number of their documents; `unfinished` are those with
 * documents that are not final, which cannot be purged yet.
 */
export async function purgeable(journal: Sql, before: number) {
  const open = `EXISTS (SELECT 1 FROM document d WHERE d.run = run.id AND d.state NOT IN ('accepted', 'rejected'))`;
  const runs = async (condition: string): Promise<readonly string[]> => {
    const sql = `SELECT id FROM run WHERE purged IS NULL AND coalesce(ended, created) < ? AND ${condition} ORDER BY created, id`;
    return (await journal.all<{ id: string }>(sql, before)).map(({ id }) => id);
  };
  const closed = await runs(`state = 'closed' AND NOT ${open}`);
  let documents = 0;
  for (const run of closed) {
    const sql = 'SELECT count(*) AS documents FROM document WHERE run = ?';
    documents += (await onlyRow<{ documents: number }>(journal, sql, run)).documents;
  }
  return { runs: closed, documents, unfinished: await runs(`(state <> 'closed' OR ${open})`) };
}

/** Reduces a body to its retained content; a missing leaf becomes null. */
function stripped(body: string, { bare, leaves }: RetainedContent): string {
  const full = JSON.parse(body) as JsonObject;
  const left = structuredClone(bare) as Writable<JsonObject>;
  for (const leaf of leaves) {
    const keys = parsePointer(leaf);
    const last = keys.pop();
    const parent = valueAt(left, formatPointer(keys));
    if (last !== undefined && isObject(parent))
      (parent as Writable<JsonObject>)[last] = (valueAt(full, leaf) ?? null) as JsonValue;
  }
  return JSON.stringify(left);
}

const BODIES = `
  SELECT d.id, d.sequence, d.schema, c.body FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;
const STRIPPED = `UPDATE content SET trace = '{"tables":[],"cells":{}}', body = ? WHERE document = ?`;

const NOTHING: RetainedContent = { bare: {}, leaves: [] };

/** Params of stored issues that are no personal data. */
const RETAINED_PARAMS = ['rule', 'case', 'number', 'run'];

const withoutValues = ({ code, level, params }: Issue): Issue =>
  mapParams({ code, level, params, place: {} } as Issue, (name, value) =>
    RETAINED_PARAMS.includes(name) ? value : '—',
  );

/**
 * Removes bodies, names, traces, answers, findings and excerpts of a run. Data that prevent duplicates stay: subject
 * and period, hash, number, code, state and dates.
 */
export async function purgeRuns(
  journal: Database,
  runs: readonly string[],
  kinds: readonly (Pick<DocumentKind, 'kept'> & { readonly schemas: readonly string[] })[],
  now: number,
): Promise<void> {
  const documents = 'SELECT id FROM document WHERE run = ?';
  const steps = [
    `UPDATE document SET name = NULL,
      number = coalesce(number, (SELECT json_extract(a.body, '$.consecutive') FROM answer a WHERE a.document = document.id)),
      key = coalesce(number, prefix || consecutive, '#' || sequence) WHERE run = ?`,
    `DELETE FROM answer WHERE document IN (${documents})`,
    `UPDATE attempt SET excerpt = NULL WHERE document IN (${documents})`,
    'DELETE FROM finding WHERE run = ?',
    ...((await journal.hasTable('mail'))
      ? [`UPDATE mail SET address = '' WHERE document IN (${documents})`]
      : []),
  ];
  const withIssues = 'SELECT id, issues FROM document WHERE run = ? AND issues IS NOT NULL';
  for (const run of runs)
    await journal.transaction(async (sql) => {
      type Body = { id: number; sequence: number; schema: string; body: string };
      for await (const { id, schema, body } of pages<Body>(sql, BODIES, run)) {
        const { kept = NOTHING } = kinds.find(({ schemas }) => schemas.includes(schema)) ?? {};
        await sql.run(STRIPPED, stripped(body, kept), id);
      }
      for (const step of steps) await sql.run(step, run);
      for (const { id, issues } of await sql.all<{ id: number; issues: string }>(withIssues, run)) {
        const bare = (JSON.parse(issues) as Issue[]).map(withoutValues);
        await sql.run('UPDATE document SET issues = ? WHERE id = ?', JSON.stringify(bare), id);
      }
      await sql.run('UPDATE run SET purged = ? WHERE id = ?', now, run);
    });
}
