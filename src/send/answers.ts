import type { DocumentState } from '../document/outcome.js';
import type { JsonObject } from '../values/json.js';
import type { Journal } from './journal.js';

/** What the service told of a document, as it was kept. */
export interface KeptAnswer {
  readonly sequence: number;
  readonly key: string;
  readonly state: DocumentState;
  readonly answer: JsonObject;
}

const PAGE = 256;

/** The kept answers of a run in the order of its documents. */
export function* keptAnswers(journal: Journal, run: string): Iterable<KeptAnswer> {
  const page = journal.prepare(`
    SELECT d.sequence, d.key, d.state, a.body FROM document d JOIN answer a ON a.document = d.id
    WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`);
  for (let after = 0; ; ) {
    const rows = page.all<{ sequence: number; key: string; state: DocumentState; body: string }>(run, after);
    for (const { body, ...row } of rows) yield { ...row, answer: JSON.parse(body) as JsonObject };
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.sequence;
  }
}
