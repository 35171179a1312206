import { stop } from '../issues/pipeline-error.js';
import type { Journal } from './journal.js';
import type { DocumentKind } from './kind.js';
import { type Stage, stageAt } from './stage.js';
import { after, type Made, type Position } from './transition.js';

interface Row {
  readonly id: number;
  readonly state: 'sending' | 'unknown';
  readonly made: string | null;
}

/** It is not there: what was lost may be sent once more. */
export const NOT_THERE = 'none';

/**
 * Takes the word of a person who looked up what no request can ask: an id or code that the stage under way understands,
 * or `none`. The run is then resumed as always. Needs the sender lock.
 * @throws PipelineError('usage', send/cannot-settle) where the document does not wait for it
 */
export function settleByPerson(
  journal: Journal,
  kind: DocumentKind,
  run: string,
  { number, word, now }: { readonly number: string; readonly word: string; readonly now: number },
): void {
  const row = journal
    .prepare(`
      SELECT id, state, made FROM document
      WHERE run = ? AND state IN ('sending', 'unknown') AND coalesce(number, prefix || consecutive, key) = ?`)
    .first<Row>(run, number);
  const made = row?.made == null ? undefined : (JSON.parse(row.made) as Made);
  const stage = stageAt(kind.stages, made);
  const to = row === undefined ? undefined : settled(stage, made, word);
  if (row === undefined || to === undefined)
    stop('usage', { code: 'send/cannot-settle', params: { number, run }, value: word });
  journal.transaction(() => {
    journal
      .prepare(`
        UPDATE document SET state = ?, doubt = 0, document_code = ?, made = ?, issues = NULL, updated = ? WHERE id = ?`)
      .run(to.state, to.documentCode ?? null, JSON.stringify(to.made ?? {}), now, row.id);
    journal
      .prepare('INSERT INTO attempt (document, at, asked, answered) VALUES (?, ?, ?, ?)')
      .run(row.id, now, `${stage.name} person`, word === NOT_THERE ? word : 'found');
  });
}

function settled(stage: Stage, made: Made | undefined, word: string): Position | undefined {
  if (stage.byPerson === undefined) return undefined;
  const from: Position = { state: 'unknown', doubt: true, ...(made !== undefined && { made }) };
  if (word === NOT_THERE) return { ...from, state: 'planned', doubt: false };
  const verdict = stage.byPerson(word);
  if (verdict === undefined) return undefined;
  const ours = { number: '', echoRules: [], fits: () => true, asks: stage.asks, stage: stage.name };
  return after(from, 'ask', verdict, ours).to;
}
