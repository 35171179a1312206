import type { Issue } from '../issues/issue.js';
import type { Journal } from './journal.js';
import type { DocumentKind } from './kind.js';
import type { Policy } from './policy.js';
import { say } from './say.js';

/** Documents that may go now, which could not before; none when nobody else will in this run. */
export interface Turn {
  readonly ids: ReadonlySet<number>;
  /** To be waited first, milliseconds. */
  readonly pause: number;
}

interface Row {
  readonly id: number;
  readonly attempts: number;
  readonly issues: string;
}

/** Rules of DIAN that rejected a document. */
const rulesOf = (issues: readonly Issue[]): readonly string[] =>
  issues.flatMap(({ code, params }) => (code === 'remote/rejected' ? [String(params['rule'])] : []));

/**
 * Who follows whom: what has to be accepted before another document may leave, and what came before DIAN found its
 * predecessor and is sent again, unchanged, a few times. All of it is read from the journal, so that a resumed run goes
 * on where it was. To be asked when nothing of the run is under way.
 */
export function successionOf(
  journal: Journal,
  run: string,
  { tooEarlyRules }: Pick<DocumentKind, 'tooEarlyRules'>,
  { predecessorTries, predecessorPause }: Pick<Policy, 'predecessorTries' | 'predecessorPause'>,
): (now: number) => Turn {
  const mention = tooEarlyRules.map(() => 'instr(issues, ?) > 0').join(' OR ') || 'FALSE';
  const rejected = journal.prepare(
    `SELECT id, attempts, issues FROM document WHERE run = ? AND state = 'rejected' AND attempts > 0 AND (${mention})`,
  );
  const again = journal.prepare(
    `UPDATE document SET state = 'planned', zip_key = NULL, document_code = NULL, updated = ? WHERE id = ?`,
  );
  const leave = journal.prepare('UPDATE document SET issues = ?, updated = ? WHERE id = ?');
  const orphans = journal.prepare(`
    SELECT d.id, coalesce(w.number, w.prefix || w.consecutive, w.key) AS number FROM document d JOIN document w ON w.id = d.waits_for
    WHERE d.run = ? AND d.waits_for IS NOT NULL AND d.state IN ('planned', 'unknown') AND d.attempts = 0
      AND w.state = 'rejected'`);
  const giveUp = journal.prepare(
    `UPDATE document SET state = 'rejected', issues = ?, updated = ? WHERE id = ?`,
  );
  const released = journal.prepare(`
    SELECT d.id FROM document d JOIN document w ON w.id = d.waits_for
    WHERE d.run = ? AND d.waits_for IS NOT NULL AND d.state IN ('planned', 'unknown') AND d.attempts = 0
      AND w.state = 'accepted'`);

  /** Those that may try once more; of the others it is said that they will not. */
  function tooEarly(now: number): Row[] {
    return rejected.all<Row>(run, ...tooEarlyRules).filter((row) => {
      const issues = JSON.parse(row.issues) as Issue[];
      const rules = rulesOf(issues);
      if (rules.length === 0 || !rules.every((rule) => tooEarlyRules.includes(rule))) return false;
      if (row.attempts < predecessorTries) return true;
      const told = issues.some(({ code }) => code === 'send/predecessor-missing');
      const last = say('send/predecessor-missing', { tries: row.attempts });
      if (!told) leave.run(JSON.stringify([...issues, last]), now, row.id);
      return false;
    });
  }

  /** What waits for a document that was rejected for good will never leave, nor what waits for that. */
  function endOrphans(now: number): void {
    for (;;) {
      const found = orphans.all<{ id: number; number: string }>(run);
      for (const { id, number } of found)
        giveUp.run(JSON.stringify([say('send/predecessor-not-accepted', { number })]), now, id);
      if (found.length === 0) return;
    }
  }

  return (now) => {
    const ids = new Set<number>();
    let pause = 0;
    journal.transaction(() => {
      for (const { id, attempts } of tooEarly(now)) {
        again.run(now, id);
        ids.add(id);
        pause = Math.max(pause, predecessorPause * 2 ** (attempts - 1));
      }
      endOrphans(now);
      for (const { id } of released.all<{ id: number }>(run)) ids.add(id);
    });
    return { ids, pause };
  };
}
