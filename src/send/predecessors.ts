import type { Issue } from '../toolkit/core/issue.js';
import { createIssue } from './create-issue.js';
import type { Database, Sql } from './database.js';
import type { DocumentKind } from './kind.js';
import type { Policy } from './rate-limiter.js';

/** Documents that may be sent now and could not before; empty if this run will send no more. */
interface Turn {
  readonly ids: ReadonlySet<number>;
  /** Wait before they are sent, in ms. */
  readonly pause: number;
}

export const NO_TURN: Turn = { ids: new Set(), pause: 0 };

interface TriedEarly {
  readonly id: number;
  readonly attempts: number;
  readonly issues: string;
}

/** Returns the rules of DIAN that rejected a document. */
const rulesOf = (issues: readonly Issue[]): readonly string[] =>
  issues.flatMap(({ code, params }) => (code === 'remote/rejected' ? [String(params['rule'])] : []));

/**
 * Finds documents whose predecessor is now accepted, and documents that DIAN rejected only because it did not find
 * the predecessor yet; those are sent again, unchanged, a few times. Reads the journal only, so that a resumed run
 * goes on where it was. Call it when no request of the run is under way.
 */
export function turnsByPredecessor(
  journal: Database,
  run: string,
  { tooEarlyRules }: Pick<DocumentKind, 'tooEarlyRules'>,
  { predecessorTries, predecessorPause }: Pick<Policy, 'predecessorTries' | 'predecessorPause'>,
): (now: number) => Promise<Turn> {
  const mention = tooEarlyRules.map(() => 'instr(issues, ?) > 0').join(' OR ') || 'FALSE';
  const rejected = `
    SELECT id, attempts, issues FROM document WHERE run = ? AND state = 'rejected' AND attempts > 0 AND (${mention})`;

  /** Returns documents that may be tried again; marks the others as final. */
  async function tooEarly(sql: Sql, now: number): Promise<readonly TriedEarly[]> {
    const found: TriedEarly[] = [];
    for (const row of await sql.all<TriedEarly>(rejected, run, ...tooEarlyRules)) {
      const issues = JSON.parse(row.issues) as Issue[];
      const rules = rulesOf(issues);
      if (rules.length === 0 || !rules.every((rule) => tooEarlyRules.includes(rule))) continue;
      if (row.attempts < predecessorTries) found.push(row);
      else if (!issues.some(({ code }) => code === 'send/predecessor-missing')) {
        const withMissing = [...issues, createIssue('send/predecessor-missing', { tries: row.attempts })];
        await sql.run(
          'UPDATE document SET issues = ?, updated = ? WHERE id = ?',
          JSON.stringify(withMissing),
          now,
          row.id,
        );
      }
    }
    return found;
  }

  /** Rejects documents whose predecessor was rejected for good, and those that wait for them. */
  async function endOrphans(sql: Sql, now: number): Promise<void> {
    for (;;) {
      const found = await sql.all<{ id: number; number: string }>(waitingFor('rejected'), run);
      for (const { id, number } of found) {
        const issues = JSON.stringify([createIssue('send/predecessor-not-accepted', { number })]);
        await sql.run(
          `UPDATE document SET state = 'rejected', issues = ?, updated = ? WHERE id = ?`,
          issues,
          now,
          id,
        );
      }
      if (found.length === 0) return;
    }
  }

  return (now) =>
    journal.transaction(async (sql) => {
      const ids = new Set<number>();
      let pause = 0;
      for (const { id, attempts } of await tooEarly(sql, now)) {
        await sql.run(AGAIN, now, id);
        ids.add(id);
        pause = Math.max(pause, predecessorPause * 2 ** (attempts - 1));
      }
      await endOrphans(sql, now);
      for (const { id } of await sql.all<{ id: number }>(waitingFor('accepted'), run)) ids.add(id);
      return { ids, pause };
    });
}

const AGAIN = `UPDATE document SET state = 'planned', zip_key = NULL, document_code = NULL, updated = ? WHERE id = ?`;

/** SQL of documents that have not been sent and wait for one in this state. */
const waitingFor = (state: 'accepted' | 'rejected'): string => `
  SELECT d.id, coalesce(w.number, w.prefix || w.consecutive, w.key) AS number
  FROM document d JOIN document w ON w.id = d.waits_for
  WHERE d.run = ? AND d.waits_for IS NOT NULL AND d.state IN ('planned', 'unknown') AND d.attempts = 0
    AND w.state = '${state}'`;
