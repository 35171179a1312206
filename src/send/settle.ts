import { stop } from '../issues/pipeline-error.js';
import { doubtOf, RESTORED } from './documents.js';
import type { Journal } from './journal.js';
import type { DocumentKind } from './kind.js';
import { findRun } from './runs.js';
import { say } from './say.js';
import { type Stage, stageAt } from './stage.js';
import { after, type Made, type Position } from './transition.js';

interface Row {
  readonly id: number;
  readonly zipKey: string | null;
  readonly made: string | null;
  readonly doubt: number;
}

/** It is not there: what was lost may be sent once more. */
export const NOT_THERE = 'none';

export interface PersonsWord {
  /** Of the document: its number, its key, or `#` and its position in the run. */
  readonly number: string;
  /** `none`, `accepted:CODE`, or the id that a stage under way asks for. */
  readonly word: string;
  /** Who says so. */
  readonly by?: string;
  readonly now: number;
}

/**
 * Takes the word of a person who looked up what no request can ask. The run is then resumed as always; of one that was
 * given up, what is not there is given up too. Who said it and when stays with the document. Needs the sender lock.
 * @throws PipelineError('usage', send/cannot-settle, send/settle-ambiguous, send/code-of-another)
 */
export function settleByPerson(
  journal: Journal,
  kind: DocumentKind,
  run: string,
  { number, word, by = '', now }: PersonsWord,
): void {
  const { abandonment } = findRun(journal, run);
  const rows = journal
    .prepare(`
      SELECT id, zip_key AS zipKey, made, doubt FROM document
      WHERE run = ? AND state IN ('sending', 'unknown', 'pending')
        AND ? IN (coalesce(number, prefix || consecutive), key, '#' || sequence)`)
    .all<Row>(run, number);
  const [row] = rows;
  if (rows.length > 1)
    stop('usage', { code: 'send/settle-ambiguous', params: { number, run, count: rows.length } });
  const made = row?.made == null ? undefined : (JSON.parse(row.made) as Made);
  const stage = stageAt(kind.stages, made);
  const to = row === undefined ? undefined : settled(stage, made, row.doubt === RESTORED, word);
  if (row === undefined || to === undefined)
    stop('usage', { code: 'send/cannot-settle', params: { number, run }, value: word });
  const code = to.documentCode ?? null;
  const other = code === null ? undefined : holderOf(journal, code, row.id);
  if (other !== undefined)
    stop('usage', {
      code: 'send/code-of-another',
      params: { number, other: other.number, run: other.run },
      value: word,
    });
  const givenUp = abandonment !== undefined && to.state === 'planned';
  journal.transaction(() => {
    journal
      .prepare(`
        UPDATE document SET state = ?, doubt = ?, document_code = ?, zip_key = ?, made = ?, issues = ?, settled = ?,
          updated = ? WHERE id = ?`)
      .run(
        givenUp ? 'rejected' : to.state,
        doubtOf(to),
        code,
        to.state === 'accepted' ? row.zipKey : null,
        JSON.stringify(to.made ?? {}),
        givenUp ? JSON.stringify([say('send/abandoned')]) : null,
        JSON.stringify({ by, word, at: new Date(now).toISOString() }),
        now,
        row.id,
      );
    journal
      .prepare('INSERT INTO attempt (document, at, asked, answered, excerpt) VALUES (?, ?, ?, ?, ?)')
      .run(row.id, now, `${stage.name} person`, word === NOT_THERE ? word : 'found', by === '' ? null : by);
  });
}

/** A code belongs to one document. */
const holderOf = (journal: Journal, code: string, id: number) =>
  journal
    .prepare(`
      SELECT run, coalesce(number, prefix || consecutive, key) AS number FROM document
      WHERE lower(document_code) = ? AND id <> ? AND earlier IS NULL LIMIT 1`)
    .first<{ run: string; number: string }>(code, id);

function settled(
  stage: Stage,
  made: Made | undefined,
  restored: boolean,
  word: string,
): Position | undefined {
  const from: Position = { state: 'unknown', doubt: true, restored, ...(made !== undefined && { made }) };
  // What comes after it cannot be there either.
  if (word === NOT_THERE) return { ...from, state: 'planned', doubt: false, restored: false };
  const verdict = stage.byPerson?.(word);
  if (verdict === undefined) return undefined;
  const ours = { number: '', echoRules: [], fit: () => 'ours' as const, asks: stage.asks, stage: stage.name };
  return after(from, 'ask', verdict, ours).to;
}
